// The shrinker: delta debugging over the operations of a failing program, then over their values.
//
// Operations name entities by labels, so any subset of a program is a program. First ever smaller
// runs of operations are cut (ddmin: Zeller and Hildebrandt, "Simplifying and Isolating
// Failure-Inducing Input", IEEE TSE 28(2), 2002), until no single operation can be taken out: the
// result is 1-minimal. Then operand lists are shortened, values made zero or small, options made
// plain, and components that nothing uses dropped.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "ashlar/oplang/operation.h"

namespace ashlar::model {

// Whether a program still fails in the way that is being shrunk. Must be deterministic.
using StillFails = std::function<bool(const oplang::Program&)>;

struct ShrinkOptions {
  // Stop early after this time; the best so far is returned.
  std::chrono::milliseconds time_limit{60'000};
};

struct ShrinkResult {
  oplang::Program program;
  std::uint64_t tries = 0;
  bool minimal = false;  // No single operation can be taken out; false when time ran out before.
};

// REQUIRES: still_fails(program).
ShrinkResult Shrink(const oplang::Program& program, const StillFails& still_fails,
                    const ShrinkOptions& options = {});

}  // namespace ashlar::model
