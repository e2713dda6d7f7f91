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

// Prints the failure on console.out; shrinks it unless only an expectation of a trace is at fault,
// which the trace itself shows best; saves the minimal trace, and prints the commands that replay
// it. A trace that cannot be saved is printed instead.
void ReportFailure(const AuditPlan& plan, const AuditFailure& failure, const LockstepFunction& run,
                   const FailureReportOptions& options, const Console& console);

// The command that finds the minimal trace of a program that kills the process, as a line of text.
std::string CrashText(const AuditFailure& running, const Console& console);

}  // namespace ashlar::cli
