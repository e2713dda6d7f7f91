// Isolated runs: lockstep in a child process, for programs on which the kernel aborts, is stopped
// by a sanitizer, or never comes back.
#pragma once

#include <chrono>
#include <string>

#include "cli/lockstep_function.h"

namespace ashlar::cli {

struct IsolatedResult {
  enum class Kind {
    kPass,      // No difference.
    kFailure,   // A difference that lockstep found by itself.
    kDied,      // The process ended by a signal, or with a status of a sanitizer's.
    kTimedOut,  // It was still running after the time limit, and was ended.
    kNotRun,    // No process could be made.
  };
  Kind kind = Kind::kNotRun;
  int number = 0;  // kDied: the signal, or the exit status with a minus sign.

  friend bool operator==(const IsolatedResult&, const IsolatedResult&) = default;
};

// "aborted (signal 6)", "ended with status 1", ...
std::string IsolatedText(const IsolatedResult& result);

// Runs the program by `run` in a child, with its error output thrown away. Costs a fork. REQUIRES:
// this process has one thread.
IsolatedResult RunIsolated(const oplang::Program& program, const LockstepFunction& run,
                           std::chrono::seconds time_limit = std::chrono::seconds(120));

}  // namespace ashlar::cli
