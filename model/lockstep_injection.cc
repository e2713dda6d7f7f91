#include "model/lockstep_injection.h"

namespace ashlar::model {

void Injection::Begin() {
  if (allocation_.has_value() && memory_ != nullptr) {
    memory_->Arm(allocation_->nth, allocation_->sticky);
  }
  if (construction_.has_value()) ConstructionFault::Arm(construction_->nth);
}

Fired Injection::End() {
  Fired fired;
  if (allocation_.has_value() && memory_ != nullptr) {
    memory_->Disarm();
    fired.allocation = memory_->fired();
  }
  if (construction_.has_value()) {
    ConstructionFault::Disarm();
    fired.construction = ConstructionFault::fired();
  }
  allocation_.reset();
  construction_.reset();
  return fired;
}

}  // namespace ashlar::model
