// ashlar simulate: movement over many entities, with checksum and rate.
#include <cfloat>
#include <cstdint>
#include <memory>
#include <string>

#include "ashlar/core/limits.h"
#include "ashlar/storage/chunk_layout.h"
#include "ashlar/systems/thread_pool.h"
#include "cli/interrupt.h"
#include "cli/live_line.h"
#include "cli/number_options.h"
#include "cli/simulation.h"
#include "cli/subcommands.h"
#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

std::string ProgressLine(const SimulationOptions& options, const SimulationProgress& done) {
  if (done.entities_made < options.entities) {
    return "simulate: made " + GroupDigits(done.entities_made) + " of " +
           GroupDigits(options.entities) + " entities";
  }
  const double moved =
      static_cast<double>(done.steps_done) * static_cast<double>(done.entities_moving);
  return "simulate: step " + GroupDigits(done.steps_done) + " of " + GroupDigits(options.steps) +
         ", " + RateText(moved / done.step_seconds / 1e6) + " million moved entities/s";
}

void PrintResult(const SimulationOptions& options, const SimulationResult& result,
                 const Console& console) {
  const auto entities = static_cast<double>(result.done.entities_made);
  const double moved = static_cast<double>(result.done.steps_done) *
                       static_cast<double>(result.done.entities_moving);
  const double seconds = result.done.step_seconds;
  console.out << "entities    " << GroupDigits(result.done.entities_made) << ", made in "
              << DurationText(result.make_seconds) << " ("
              << RateText(result.make_seconds * 1e9 / entities) << " ns each), "
              << GroupDigits(result.done.entities_moving) << " of them moving\n"
              << "steps       " << GroupDigits(result.done.steps_done) << " of dt " << options.dt
              << ", " << SimdLevelName(result.level) << ", chunks of " << options.chunk_bytes
              << " bytes, " << result.threads << (result.threads == 1 ? " thread" : " threads")
              << "\n"
              << "rate        " << RateText(moved / seconds) << " moved entities/s, "
              << RateText(seconds * 1e9 / moved) << " ns/entity, " << DurationText(seconds)
              << " in all\n"
              << "checksum    " << HexText(result.checksum) << '\n';
}

int RunSimulateCommand(const SimulationOptions& options, const Console& console) {
  if (!IsChunkSize(options.chunk_bytes)) {
    console.Error("simulate: --chunk-bytes: " + std::to_string(options.chunk_bytes) +
                  " is no power of two");
    return kExitUsage;
  }
  const Interrupt interrupt;
  LiveLine live(console);
  SimulationHooks hooks;
  hooks.stop = Interrupt::Requested;
  hooks.progress = [&](const SimulationProgress& done) {
    live.Offer(LiveLine::Clock::now(), [&] { return ProgressLine(options, done); });
  };
  const auto result = RunSimulation(options, hooks);
  live.Clear();
  if (!result.ok()) {
    // A failed allocation has a code and no message.
    const bool is_memory = result.status().message().empty();
    console.Error("simulate: " +
                  (is_memory ? "out of memory" : std::string(result.status().message())));
    return is_memory ? kExitFailure : kExitUsage;
  }
  PrintResult(options, *result, console);
  if (Interrupt::Requested()) {
    console.out << "INTERRUPTED\n";
    return 128 + Interrupt::Signal();
  }
  return kExitOk;
}

}  // namespace

Subcommand AddSimulate(CLI::App* app, const Console& console) {
  CLI::App* sub =
      app->add_subcommand("simulate", "Move many entities; print a checksum and the rate");
  auto options = std::make_shared<SimulationOptions>();
  AddCount(
      sub, "--entities", {1, 1'000'000'000}, [options](std::uint64_t n) { options->entities = n; },
      "Number of entities; one in sixteen is disabled (default 1000000)");
  AddCount(
      sub, "--steps", {1, UINT32_MAX}, [options](std::uint64_t n) { options->steps = n; },
      "Number of steps (default 100)");
  AddReal(
      sub, "--dt", {-static_cast<double>(FLT_MAX), static_cast<double>(FLT_MAX)},
      [options](double x) { options->dt = static_cast<float>(x); },
      "Time of a step (default 0.015625)");
  const auto read_level = [options](const std::string& text) {
    options->level = ParseSimdLevel(text);
    if (!options->level.has_value()) {
      throw CLI::ValidationError("--simd", "'" + text + "' is none of scalar, avx2 and avx512");
    }
  };
  sub->add_option_function<std::string>("--simd", read_level,
                                        "scalar, avx2 or avx512 (default: the best here)")
      ->type_name("LEVEL");
  AddCount(
      sub, "--chunk-bytes", {kChunkSizeBytesMin, kChunkSizeBytesMax},
      [options](std::uint64_t n) { options->chunk_bytes = static_cast<std::uint32_t>(n); },
      "Bytes of a chunk: a power of two from 4096 to 65536 (default 4096)");
  AddCount(
      sub, "--threads", {0, ThreadPoolExecutor::kThreadCountMax},
      [options](std::uint64_t n) { options->threads = n; },
      "Threads of a step; 0 for as many as the machine runs at once (default 1)");
  sub->footer(
      "The checksum depends on entities, steps and dt alone: not on the SIMD level, the\n"
      "chunk size, the threads, the machine or the compiler.");
  return {sub, [options, &console] { return RunSimulateCommand(*options, console); }};
}

}  // namespace ashlar::cli
