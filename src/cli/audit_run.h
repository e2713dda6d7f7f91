// The audit: all traces, then one random program after the other, in lockstep. No input or output
// here; what a run needs from outside comes as functions.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/minimize.h"
#include "cli/trace_folder.h"
#include "model/lockstep.h"

namespace ashlar::cli {

// The seeds of the random programs: program i of an audit has the (i+1)-th number of the splitmix64
// sequence of the audit's seed, so that an audit can start anywhere.
class ProgramSeeds {
 public:
  ProgramSeeds(std::uint64_t audit_seed, std::uint64_t first_program);
  std::uint64_t Next();

 private:
  std::uint64_t state_;
};

struct AuditPlan {
  std::vector<NamedProgram> traces;
  std::uint64_t seed = 0;
  std::uint64_t first_program = 0;

  // The random part ends when either is reached; without both it has no programs.
  std::optional<std::uint64_t> operations;
  std::optional<std::chrono::duration<double>> time;
};

struct AuditFailure {
  std::string trace_path;            // Empty for a random program.
  std::uint64_t program_number = 0;  // Of a random program: which one it was, and its seed.
  std::uint64_t program_seed = 0;
  oplang::Program program;
  model::Failure failure;
};

struct AuditState {
  model::LockstepCounts counts;  // Traces and random programs.
  std::uint64_t traces_run = 0;
  std::uint64_t random_programs = 0;
  std::uint64_t random_operations = 0;
  std::chrono::duration<double> random_time{0};

  // Chained over all programs, in order: outcomes and final states. Equal plans that were run to
  // their end have equal numbers, on every machine.
  std::uint64_t digest = 0;

  std::vector<AuditFailure> failures;  // Any number of traces, or one random program.
  bool is_interrupted = false;
};

struct AuditHooks {
  using Clock = std::chrono::steady_clock;

  LockstepFunction run;  // Required.
  std::function<Clock::time_point()> now = Clock::now;
  std::function<bool()> stop;                       // Asked after each program.
  std::function<void(const AuditState&)> progress;  // Told after each program.
  std::function<void(const AuditFailure&)>
      starting;  // Told before each program, without `failure`.
};

// Runs all traces; then, where none failed, random programs until the count or the time is reached
// or one fails. Memory: one program, whatever the length of the run.
AuditState RunAudit(const AuditPlan& plan, const AuditHooks& hooks);

}  // namespace ashlar::cli
