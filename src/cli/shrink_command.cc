// ashlar shrink: the shortest trace that still fails in the same way.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "cli/interrupt.h"
#include "cli/live_line.h"
#include "cli/minimize.h"
#include "cli/number_options.h"
#include "cli/output_file.h"
#include "cli/subcommands.h"
#include "cli/text_format.h"
#include "model/generator.h"

namespace ashlar::cli {
namespace {

struct ShrinkFlags {
  std::string file;
  std::optional<std::uint64_t> generated;
  std::string out;
  double seconds = 60;
};

// Runs in a child first: what kills the child would kill this process too.
std::optional<Minimal> FindMinimal(const oplang::Program& program,
                                   const std::vector<std::string>& notes,
                                   const MinimizeOptions& options) {
  const LockstepFunction run = Lockstep();
  const IsolatedResult result = RunIsolated(program, run);
  if (result.kind == IsolatedResult::Kind::kDied ||
      result.kind == IsolatedResult::Kind::kTimedOut) {
    return MinimizeCrash(program, result, run, notes, options);
  }
  const std::optional<model::Failure> failure = run(program, nullptr);
  if (!failure.has_value() || failure->kind == model::Failure::Kind::kSetUp) return std::nullopt;
  return Minimize(program, *failure, run, notes, options);
}

int WriteMinimal(const Minimal& minimal, std::size_t operations_before, const ShrinkFlags& flags,
                 const Console& console) {
  const std::string trace = oplang::PrintTrace(minimal.program);
  if (flags.out.empty()) {
    console.out << trace;
  } else if (const absl::Status status = WriteFile(flags.out, trace); !status.ok()) {
    console.Error("shrink: " + std::string(status.message()));
    return kExitUsage;
  }
  console.err << "shrunk from " << Counted(operations_before, "operation") << " to "
              << GroupDigits(minimal.program.operations.size()) << " in "
              << GroupDigits(minimal.tries) << " tries"
              << (minimal.is_minimal ? ", none can be left out\n"
                                     : "; stopped before it was certainly minimal\n")
              << minimal.failure;
  if (!flags.out.empty()) {
    console.err << "saved: " << flags.out << "\nreplay it: " << ShellQuoted(console.program)
                << " replay " << ShellQuoted(flags.out) << '\n';
  }
  console.err << std::flush;
  return kExitOk;
}

int RunShrink(const ShrinkFlags& flags, const Console& console) {
  oplang::Program program;
  std::string name = flags.file;
  if (flags.generated.has_value()) {
    name = "the program generated from " + HexText(*flags.generated);
    program = model::GenerateFromSeed(*flags.generated);
  } else {
    auto read = oplang::ReadTraceFile(flags.file);
    if (!read.ok()) {
      console.Error(std::string(read.status().message()));
      return kExitUsage;
    }
    program = *std::move(read);
  }
  std::vector<std::string> notes = program.notes;
  notes.push_back("Shrunk from " + OneLine(name) + " by ashlar shrink.");

  const Interrupt interrupt;
  LiveLine live(console);
  MinimizeOptions options;
  options.time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(flags.seconds * 1e3));
  options.stop = Interrupt::Requested;
  options.progress = [&live](std::uint64_t tries, std::size_t operations) {
    live.Offer(LiveLine::Clock::now(), [&] {
      return "shrinking: " + Counted(operations, "operation") + ", " + GroupDigits(tries) +
             " tries";
    });
  };
  const std::optional<Minimal> minimal = FindMinimal(program, notes, options);
  live.Clear();
  if (!minimal.has_value()) {
    console.Error("shrink: " + name + " does not fail; there is nothing to shrink");
    return kExitUsage;
  }
  return WriteMinimal(*minimal, program.operations.size(), flags, console);
}

}  // namespace

Subcommand AddShrink(CLI::App* app, const Console& console) {
  CLI::App* sub = app->add_subcommand(
      "shrink", "Find the shortest trace that still fails, or crashes, in the same way");
  auto flags = std::make_shared<ShrinkFlags>();
  CLI::Option* file = sub->add_option("file", flags->file, "A trace that fails")->type_name("FILE");
  CLI::Option* generated = AddCount(
      sub, "--generated", {}, [flags](std::uint64_t n) { flags->generated = n; },
      "Instead of a file: the random program of this seed (an audit names it)");
  file->excludes(generated);
  sub->add_option("-o,--output", flags->out, "Where to save it (default: standard output)")
      ->type_name("FILE");
  AddReal(
      sub, "--seconds", {0, 1e6}, [flags](double x) { flags->seconds = x; },
      "Stop after so many seconds with the shortest so far (default 60)");
  sub->footer("Exit status: 0 a trace was written; 2 the trace cannot be read or does not fail.");
  return {sub, [=, &console] {
            if (file->count() == 0 && generated->count() == 0) {
              console.Error(
                  "shrink: a trace file or --generated is needed (see 'ashlar shrink "
                  "--help')");
              return kExitUsage;
            }
            return RunShrink(*flags, console);
          }};
}

}  // namespace ashlar::cli
