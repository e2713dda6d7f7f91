// ashlar audit: the main job of this command. Replays the shipped traces, then runs random programs
// on the kernel and on the reference model until the count or the time is reached.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <vector>

#include "ashlar/core/probe.h"
#include "ashlar/oplang/trace_text.h"
#include "cli/audit_failures.h"
#include "cli/audit_probes.h"
#include "cli/audit_report.h"
#include "cli/audit_run.h"
#include "cli/crash_note.h"
#include "cli/interrupt.h"
#include "cli/live_line.h"
#include "cli/number_options.h"
#include "cli/subcommands.h"
#include "cli/text_format.h"
#include "cli/trace_folder.h"

namespace ashlar::cli {
namespace {

constexpr double kDefaultSeconds = 30;

constexpr char kAuditFooter[] =
    "The random part ends when the time or the number of operations is reached; --operations 0\n"
    "replays the traces only. The same seed and number of operations do exactly the same again, "
    "to\n"
    "the last line of the table but for rate, time and memory. An interrupt (^C) ends the audit\n"
    "with its table.\n\n"
    "An audit of 1,000,000 random operations or more fails when a state of its list was not "
    "reached.\n\n"
    "Exit status: 0 no fault was found; 1 one was, its minimal trace is saved; 2 a bad flag or a\n"
    "trace that cannot be read; 128 + the signal's number when interrupted before the end.";

struct AuditFlags {
  std::optional<std::string> traces;
  std::optional<double> seconds;
  std::optional<std::uint64_t> operations;
  std::optional<std::uint64_t> seed;
  std::uint64_t skip = 0;
  std::string failure_folder = ".";
  double shrink_seconds = 60;
};

std::uint64_t RandomSeed() {
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32 | device();
}

// Reads every trace before anything runs: a line for each that cannot be read. Nothing: an error
// was printed.
std::optional<std::vector<NamedProgram>> ReadTraces(const AuditFlags& flags,
                                                    const Console& console) {
  const auto fail = [&console](const absl::Status& status) {
    console.Error("audit: " + std::string(status.message()));
    return std::nullopt;
  };
  const auto folder =
      flags.traces.has_value() ? absl::StatusOr<std::string>(*flags.traces) : ShippedTraces();
  if (!folder.ok()) return fail(folder.status());
  const auto paths = ListTraces(*folder);
  if (!paths.ok()) return fail(paths.status());
  std::vector<NamedProgram> traces;
  bool is_good = true;
  for (const std::string& path : *paths) {
    auto program = oplang::ReadTraceFile(path);
    if (!program.ok()) {
      fail(program.status());
      is_good = false;
      continue;
    }
    traces.push_back({path, *std::move(program)});
  }
  if (!is_good) return std::nullopt;
  return traces;
}

// A failure after a night must not be lost to a folder that is not there.
bool CheckFailureFolder(const std::string& folder, const Console& console) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error) && access(folder.c_str(), W_OK) == 0) {
    return true;
  }
  console.Error("audit: --failure-dir: " + folder + " is not a folder that can be written to");
  return false;
}

// Holds a long audit to its lists. Returns whether it passes.
bool CheckCoverage(const AuditState& state, std::span<const ProbeCount> hit,
                   const Console& console) {
  if (state.random_operations < kLongAuditOperations) return true;
  const std::vector<std::string> rare = RarePairs(state.counts);
  if (!rare.empty()) {
    console.out << "warning: seen fewer than " << kPairsSeenMin << " times: " << Joined(rare)
                << '\n';
  }
#if ASHLAR_PROBES
  const std::vector<std::string> missing = MissingProbes(kAuditProbes, hit);
  if (missing.empty()) return true;
  console.out << "FAIL  states that were not reached: " << Joined(missing) << '\n';
  return false;
#else
  console.out << "warning: built without probes; the states reached are not known\n";
  return true;
#endif
}

int Conclude(const AuditPlan& plan, const AuditState& state, const Console& console) {
  const std::vector<ProbeCount> hit = HitProbes();
  console.out << '\n'
              << OutcomeTable(state.counts, console.width) << '\n'
              << ProbeTable(hit) << '\n'
              << AuditTotals(plan, state);
  const bool is_covered = CheckCoverage(state, hit, console);
  if (!state.failures.empty()) {
    console.out << "FAIL  " << Counted(state.failures.size(), "failure") << '\n';
    return kExitFailure;
  }
  if (!is_covered) {
    console.out << "FAIL  no fault was found, but the audit was too narrow to trust\n";
    return kExitFailure;
  }
  if (state.is_interrupted) {
    console.out << "INTERRUPTED, no fault found so far\n";
    return 128 + Interrupt::Signal();
  }
  console.out << "PASS\n";
  return kExitOk;
}

// One fault can fail many traces; the first minimal trace is enough to begin with.
void ReportFailures(const AuditFlags& flags, const AuditPlan& plan, const AuditState& state,
                    const Console& console) {
  for (const AuditFailure& failure : state.failures) PrintFailure(plan, failure, console);
  const auto first =
      std::find_if(state.failures.begin(), state.failures.end(),
                   [](const AuditFailure& failure) { return IsKernelFault(failure.failure); });
  if (first == state.failures.end()) return;
  const auto shrink_time =
      std::chrono::milliseconds(static_cast<std::int64_t>(flags.shrink_seconds * 1e3));
  SaveMinimalTrace(plan, *first, Lockstep(), {flags.failure_folder, shrink_time}, console);
}

AuditPlan MakePlan(const AuditFlags& flags, std::vector<NamedProgram> traces) {
  AuditPlan plan;
  plan.traces = std::move(traces);
  plan.seed = flags.seed.has_value() ? *flags.seed : RandomSeed();
  plan.first_program = flags.skip;
  plan.operations = flags.operations;
  if (flags.seconds.has_value()) {
    plan.time = std::chrono::duration<double>(*flags.seconds);
  } else if (!flags.operations.has_value()) {
    plan.time = std::chrono::duration<double>(kDefaultSeconds);
  }
  return plan;
}

int RunAuditCommand(const AuditFlags& flags, const Console& console) {
  auto traces = ReadTraces(flags, console);
  if (!traces.has_value() || !CheckFailureFolder(flags.failure_folder, console)) return kExitUsage;
  const AuditPlan plan = MakePlan(flags, *std::move(traces));
  console.out << "audit: " << Counted(plan.traces.size(), "trace")
              << ", then random programs, seed " << plan.seed << '\n'
              << std::flush;

  const Interrupt interrupt;
  const CrashNote crash_note;
  LiveLine live(console);
  AuditHooks hooks;
  hooks.run = Lockstep();
  hooks.stop = Interrupt::Requested;
  hooks.starting = [&](const AuditFailure& running) {
    CrashNote::Set(CrashText(running, console));
  };
  hooks.progress = [&](const AuditState& state) {
    live.Offer(LiveLine::Clock::now(), [&] { return ProgressText(plan, state); });
  };
  const AuditState state = RunAudit(plan, hooks);
  CrashNote::Set("");
  live.Clear();
  ReportFailures(flags, plan, state, console);
  return Conclude(plan, state, console);
}

}  // namespace

Subcommand AddAudit(CLI::App* app, const Console& console) {
  CLI::App* sub = app->add_subcommand(
      "audit", "Hold the kernel against the reference model: traces, then random programs");
  auto flags = std::make_shared<AuditFlags>();
  sub->add_option("--traces", flags->traces, "Folder of traces (default: those that are shipped)")
      ->type_name("DIR");
  AddReal(
      sub, "--seconds", {0, 1e9}, [flags](double x) { flags->seconds = x; },
      "Time for random programs (default 30, unless --operations is given)");
  AddCount(
      sub, "--operations", {}, [flags](std::uint64_t n) { flags->operations = n; },
      "Number of random operations in all");
  AddCount(
      sub, "--seed", {}, [flags](std::uint64_t n) { flags->seed = n; },
      "Seed of the random programs (default: a random one, which is printed)");
  AddCount(
      sub, "--skip", {}, [flags](std::uint64_t n) { flags->skip = n; },
      "Begin with a later random program of the seed's sequence (default 0)");
  sub->add_option("--failure-dir", flags->failure_folder,
                  "Folder for the minimal traces of failures (default: here)")
      ->type_name("DIR");
  AddReal(
      sub, "--shrink-seconds", {0, 1e6}, [flags](double x) { flags->shrink_seconds = x; },
      "Time for shrinking a failure (default 60)");
  sub->footer(kAuditFooter);
  return {sub, [flags, &console] { return RunAuditCommand(*flags, console); }};
}

}  // namespace ashlar::cli
