// Which operation can come to which outcome. A run in which one of them was hardly seen has tested
// less than it looks.
#pragma once

#include <span>

#include "ashlar/core/status.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::model {

struct OperationOutcome {
  oplang::OpCode code = oplang::OpCode::kNop;
  Reason reason = Reason::kNone;  // kNone: it succeeds.
};

// Every pair that a program over SampleComponents can reach while nothing armed fails, in order of
// operations. `expect` is not among them, since generated programs have none.
std::span<const OperationOutcome> ReachableOutcomes();

}  // namespace ashlar::model
