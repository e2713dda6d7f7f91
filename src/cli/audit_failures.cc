#include "cli/audit_failures.h"

#include <cstdint>
#include <filesystem>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "cli/failure_text.h"
#include "cli/interrupt.h"
#include "cli/live_line.h"
#include "cli/output_file.h"
#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

namespace fs = std::filesystem;

bool IsRandom(const AuditFailure& failure) { return failure.trace_path.empty(); }

std::string NameOf(const AuditFailure& failure) {
  if (!IsRandom(failure)) return failure.trace_path;
  return "random program " + std::to_string(failure.program_number) + " (generated from " +
         HexText(failure.program_seed) + ")";
}

std::string SavePath(const AuditFailure& failure, const std::string& folder) {
  const std::string stem = IsRandom(failure)
                               ? "ashlar-failure-" + HexText(failure.program_seed).substr(2)
                               : fs::path(failure.trace_path).stem().string() + "-minimal";
  return (fs::path(folder) / (stem + ".trace")).string();
}

// Runs the failing program again, without those before it.
std::string AgainCommand(const AuditPlan& plan, const AuditFailure& failure,
                         const Console& console) {
  const std::string program = ShellQuoted(console.program);
  if (!IsRandom(failure)) return program + " replay " + ShellQuoted(failure.trace_path);
  return program + " audit --seed " + std::to_string(plan.seed) + " --skip " +
         std::to_string(failure.program_number) + " --operations 1";
}

std::vector<std::string> Notes(const AuditPlan& plan, const AuditFailure& failure) {
  std::vector<std::string> notes = {
      "Minimal trace of a failure: " + FailureKindText(failure.failure) + "."};
  notes.push_back(IsRandom(failure)
                      ? "Found by ashlar audit --seed " + std::to_string(plan.seed) +
                            ", in program " + std::to_string(failure.program_number) + "."
                      : "Shrunk from " + OneLine(failure.trace_path) + ".");
  return notes;
}

Minimal ShrinkWithProgress(const AuditPlan& plan, const AuditFailure& failure,
                           const LockstepFunction& run, const FailureReportOptions& options,
                           const Console& console) {
  LiveLine live(console);
  MinimizeOptions minimize;
  minimize.time_limit = options.shrink_time;
  // An audit that was interrupted before may still shrink; a new signal ends the process.
  const int signal_before = Interrupt::Signal();
  minimize.stop = [signal_before] { return Interrupt::Signal() != signal_before; };
  minimize.progress = [&live](std::uint64_t tries, std::size_t operations) {
    live.Offer(LiveLine::Clock::now(), [&] {
      return "shrinking: " + Counted(operations, "operation") + ", " + GroupDigits(tries) +
             " tries";
    });
  };
  return Minimize(failure.program, failure.failure, run, Notes(plan, failure), minimize);
}

}  // namespace

void PrintFailure(const AuditPlan& plan, const AuditFailure& failure, const Console& console) {
  console.out << "\nFAIL  " << NameOf(failure) << '\n'
              << FailureLines(failure.failure, "      ")
              << "run it again:  " << AgainCommand(plan, failure, console) << '\n'
              << std::flush;
}

bool IsKernelFault(const model::Failure& failure) {
  return failure.kind != model::Failure::Kind::kExpectation &&
         failure.kind != model::Failure::Kind::kSetUp;
}

void SaveMinimalTrace(const AuditPlan& plan, const AuditFailure& failure,
                      const LockstepFunction& run, const FailureReportOptions& options,
                      const Console& console) {
  const Minimal minimal = ShrinkWithProgress(plan, failure, run, options, console);
  const std::string trace = oplang::PrintTrace(minimal.program);
  const std::string path = SavePath(failure, options.folder);
  console.out << "shrunk to " << Counted(minimal.program.operations.size(), "operation") << " in "
              << GroupDigits(minimal.tries) << " tries"
              << (minimal.is_minimal ? "" : " (stopped before it was certainly minimal)") << '\n';
  if (const absl::Status status = WriteFile(path, trace); !status.ok()) {
    console.Error("audit: " + std::string(status.message()));
    console.out << trace << std::flush;
    return;
  }
  console.out << "minimal trace: " << path << "\nreplay it:     " << ShellQuoted(console.program)
              << " replay " << ShellQuoted(path) << '\n'
              << std::flush;
}

std::string CrashText(const AuditFailure& running, const Console& console) {
  const std::string target = IsRandom(running) ? "--generated " + HexText(running.program_seed)
                                               : ShellQuoted(running.trace_path);
  return "\nashlar: audit: the process died in " + NameOf(running) +
         "\nits minimal trace: " + ShellQuoted(console.program) + " shrink " + target +
         " -o crash.trace\n";
}

}  // namespace ashlar::cli
