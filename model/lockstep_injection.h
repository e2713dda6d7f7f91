// Failures that a program arms: what `fail_allocation` and `fail_construction` do in lockstep.
#pragma once

#include <optional>

#include "ashlar/oplang/operation.h"
#include "model/construction_fault.h"
#include "model/failing_resource.h"

namespace ashlar::model {

// Which of the armed failures came to pass.
struct Fired {
  bool allocation = false;
  bool construction = false;
  bool any() const { return allocation || construction; }
};

// Remembers what the arming operations say until the operation that they are for.
class Injection {
 public:
  // `memory` is the world's, and must outlive the injection; null where no allocation is ever armed
  // (one that is armed all the same then fails nothing).
  explicit Injection(FailingResource* memory) : memory_(memory) {}

  // Of two for the same operation the later counts.
  void Arm(const oplang::FailAllocationOp& op) { allocation_ = op; }
  void Arm(const oplang::FailConstructionOp& op) { construction_ = op; }

  // Whether anything is armed for the next operation.
  bool is_armed() const { return allocation_.has_value() || construction_.has_value(); }

  // Around the world's part of an operation: between them what is armed fails. End forgets it.
  void Begin();
  Fired End();

 private:
  FailingResource* memory_;
  std::optional<oplang::FailAllocationOp> allocation_;
  std::optional<oplang::FailConstructionOp> construction_;
};

}  // namespace ashlar::model
