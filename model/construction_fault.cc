#include "model/construction_fault.h"

namespace ashlar::model {
namespace {

struct Fault {
  std::uint64_t left = 0;  // Constructions up to the one that throws, with it; 0: none will.
  bool fired = false;
};

thread_local Fault fault;

}  // namespace

void ConstructionFault::Arm(std::uint32_t nth) noexcept { fault = {nth, false}; }

void ConstructionFault::Disarm() noexcept { fault.left = 0; }

bool ConstructionFault::fired() noexcept { return fault.fired; }

void ConstructionFault::CountConstruction() {
  if (fault.left == 0) return;
  --fault.left;
  if (fault.left > 0) return;
  fault.fired = true;
  throw InjectedFailure();
}

}  // namespace ashlar::model
