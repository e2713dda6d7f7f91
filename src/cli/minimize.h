// From a failing program to a minimal trace that anybody can replay.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "cli/isolated_run.h"
#include "cli/lockstep_function.h"
#include "model/lockstep.h"

namespace ashlar::cli {

struct MinimizeOptions {
  std::chrono::milliseconds time_limit{60'000};

  // Asked before each try; true ends the search with the best so far.
  std::function<bool()> stop;

  // Told after each try: tries so far, and operations in the program that was tried.
  std::function<void(std::uint64_t tries, std::size_t operations)> progress;
};

struct Minimal {
  oplang::Program program;
  std::string failure;  // What goes wrong, for people: lines.
  std::uint64_t tries = 0;
  bool is_minimal = false;  // False when time ran out, or somebody stopped it.
};

// Shrinks a program that fails by `run`, keeping the kind of its failure (FailureKey). The result
// says of each operation what the model answers, so that the trace is right once the fault is
// mended; `notes` become its head. REQUIRES: run(program) gives `failure`.
Minimal Minimize(const oplang::Program& program, const model::Failure& failure,
                 const LockstepFunction& run, const std::vector<std::string>& notes,
                 const MinimizeOptions& options = {});

// The same for a program that kills the process or never ends. REQUIRES: RunIsolated(program,
// run) gives `result`, which is kDied or kTimedOut.
Minimal MinimizeCrash(const oplang::Program& program, const IsolatedResult& result,
                      const LockstepFunction& run, const std::vector<std::string>& notes,
                      const MinimizeOptions& options = {});

}  // namespace ashlar::cli
