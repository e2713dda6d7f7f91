// What happens to a failure that an audit found: shrunk, saved, and told.
#pragma once

#include <chrono>
#include <string>

#include "cli/audit_run.h"
#include "cli/console.h"

namespace ashlar::cli {

struct FailureReportOptions {
  std::string folder = ".";  // Where minimal traces are saved.
  std::chrono::milliseconds shrink_time{60'000};
};

// Prints the failure, and the command that runs it again, on console.out.
void PrintFailure(const AuditPlan& plan, const AuditFailure& failure, const Console& console);

// Whether kernel and model disagree, so that there is something to shrink. Where only an
// expectation of a trace is at fault, or its options are refused, the trace itself shows it best.
bool IsKernelFault(const model::Failure& failure);

// Shrinks the failure, saves the minimal trace, and prints the command that replays it. A trace
// that cannot be saved is printed instead. REQUIRES: IsKernelFault(failure.failure).
void SaveMinimalTrace(const AuditPlan& plan, const AuditFailure& failure,
                      const LockstepFunction& run, const FailureReportOptions& options,
                      const Console& console);

// The command that finds the minimal trace of a program that kills the process, as a line of text.
std::string CrashText(const AuditFailure& running, const Console& console);

}  // namespace ashlar::cli
