// ashlar replay: run traces in lockstep.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "cli/failure_text.h"
#include "cli/subcommands.h"
#include "cli/text_format.h"
#include "model/lockstep.h"

namespace ashlar::cli {
namespace {

struct ReplayFlags {
  std::vector<std::string> files;
  bool is_verbose = false;
};

// "  12  add e1 health=80  -> OK", then a line for each row that changed.
void PrintStep(const oplang::Program& program, const model::Step& step, const Console& console) {
  const oplang::Operation& operation = program.operations[step.operation];
  const std::uint64_t line = operation.line != 0 ? operation.line : step.operation + 1;
  console.out << PadLeft(std::to_string(line), 6) << "  "
              << oplang::PrintAction(program, operation.action) << "  -> "
              << oplang::OutcomeText(step.outcome) << '\n';
  for (const std::string& change : step.changes) console.out << "          " << change << '\n';
}

// Returns the exit status for this file alone.
int ReplayFile(const std::string& file, bool is_verbose, const Console& console) {
  const auto program = oplang::ReadTraceFile(file);
  if (!program.ok()) {
    console.Error(std::string(program.status().message()));
    return kExitUsage;
  }
  if (is_verbose) {
    console.out << file << '\n';
    for (const std::string& note : program->notes) console.out << "        # " << note << '\n';
  }
  model::Observer observer;
  if (is_verbose) {
    observer = [&](const model::Step& step) { PrintStep(*program, step, console); };
  }
  const auto failure = model::RunLockstep(*program, {}, nullptr, observer);
  if (!failure.has_value()) {
    console.out << "pass  " << file << "  " << Counted(program->operations.size(), "operation")
                << '\n'
                << std::flush;
    return kExitOk;
  }
  if (failure->kind == model::Failure::Kind::kSetUp) {
    console.Error(file + ": " + failure->message);
    return kExitUsage;
  }
  console.out << "FAIL  " << file << '\n' << FailureLines(*failure, "      ") << std::flush;
  return kExitFailure;
}

int RunReplay(const ReplayFlags& flags, const Console& console) {
  int worst = kExitOk;
  for (const std::string& file : flags.files) {
    worst = std::max(worst, ReplayFile(file, flags.is_verbose, console));
  }
  return worst;
}

}  // namespace

Subcommand AddReplay(CLI::App* app, const Console& console) {
  CLI::App* sub = app->add_subcommand(
      "replay", "Run traces on the kernel and on the reference model, and compare");
  auto flags = std::make_shared<ReplayFlags>();
  sub->add_option("files", flags->files, "Trace files")->required()->type_name("FILE ...");
  sub->add_flag("-v,--verbose", flags->is_verbose,
                "Show each operation, what it came to, and the rows that it changed");
  sub->footer("Exit status: 0 every trace passes; 1 one fails; 2 one cannot be read.");
  return {sub, [flags, &console] { return RunReplay(*flags, console); }};
}

}  // namespace ashlar::cli
