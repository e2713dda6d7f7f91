// How the subcommands run a program: lockstep, or, in tests, something that fails as it is told.
#pragma once

#include <functional>
#include <optional>

#include "ashlar/oplang/operation.h"
#include "model/lockstep.h"

namespace ashlar::cli {

// Runs one program and says how it fails; adds to the counts, which may be null.
using LockstepFunction =
    std::function<std::optional<model::Failure>(const oplang::Program&, model::LockstepCounts*)>;

// Lockstep with everything compared after each operation.
inline LockstepFunction Lockstep() {
  return [](const oplang::Program& program, model::LockstepCounts* counts) {
    return model::RunLockstep(program, {}, counts);
  };
}

}  // namespace ashlar::cli
