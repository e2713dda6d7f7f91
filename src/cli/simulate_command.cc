// ashlar simulate: movement over many entities, or particles that live and die; with checksum and
// rate.
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
#include "cli/particle_simulation.h"
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

std::string ParticleProgressLine(const ParticleSimulationOptions& options,
                                 const ParticleProgress& done) {
  if (done.steps_done == 0) {
    return "simulate: emitted " + GroupDigits(done.emitted) + " of " +
           GroupDigits(options.particles) + " particles";
  }
  const double stepped =
      static_cast<double>(done.steps_done) * static_cast<double>(options.particles);
  return "simulate: step " + GroupDigits(done.steps_done) + " of " + GroupDigits(options.steps) +
         ", " + RateText(stepped / done.step_seconds / 1e6) + " million moved particles/s, " +
         GroupDigits(done.removed) + " died";
}

void PrintParticles(const ParticleSimulationOptions& options,
                    const ParticleSimulationResult& result, const Console& console) {
  const ParticleProgress& done = result.done;
  const auto stepped = static_cast<double>(result.stepped);
  const auto changed = static_cast<double>(done.emitted + done.removed);
  console.out << "particles   " << GroupDigits(result.alive) << " alive; "
              << GroupDigits(done.emitted) << " emitted and " << GroupDigits(done.removed)
              << " removed in " << DurationText(done.change_seconds) << " ("
              << RateText(done.change_seconds * 1e9 / changed) << " ns each)\n"
              << "steps       " << GroupDigits(done.steps_done) << " of dt " << options.dt << ", "
              << SimdLevelName(result.level) << ", " << (options.is_split ? "split" : "packed")
              << ", chunks of " << options.chunk_bytes << " bytes\n"
              << "rate        " << RateText(stepped / done.step_seconds) << " moved particles/s, "
              << RateText(done.step_seconds * 1e9 / stepped) << " ns/particle, "
              << DurationText(done.step_seconds) << " in all\n"
              << "checksum    " << HexText(result.checksum) << '\n';
}

int ReportError(const absl::Status& status, const Console& console) {
  // A failed allocation has a code and no message.
  const bool is_memory = status.message().empty();
  console.Error("simulate: " + (is_memory ? "out of memory" : std::string(status.message())));
  return is_memory ? kExitFailure : kExitUsage;
}

int ExitStatus(const Console& console) {
  if (!Interrupt::Requested()) return kExitOk;
  console.out << "INTERRUPTED\n";
  return 128 + Interrupt::Signal();
}

int RunMovementCommand(const SimulationOptions& options, const Console& console) {
  const Interrupt interrupt;
  LiveLine live(console);
  SimulationHooks hooks;
  hooks.stop = Interrupt::Requested;
  hooks.progress = [&](const SimulationProgress& done) {
    live.Offer(LiveLine::Clock::now(), [&] { return ProgressLine(options, done); });
  };
  const auto result = RunSimulation(options, hooks);
  live.Clear();
  if (!result.ok()) return ReportError(result.status(), console);
  PrintResult(options, *result, console);
  return ExitStatus(console);
}

int RunParticlesCommand(const ParticleSimulationOptions& options, const Console& console) {
  const Interrupt interrupt;
  LiveLine live(console);
  ParticleHooks hooks;
  hooks.stop = Interrupt::Requested;
  hooks.progress = [&](const ParticleProgress& done) {
    live.Offer(LiveLine::Clock::now(), [&] { return ParticleProgressLine(options, done); });
  };
  const auto result = RunParticleSimulation(options, hooks);
  live.Clear();
  if (!result.ok()) return ReportError(result.status(), console);
  PrintParticles(options, *result, console);
  return ExitStatus(console);
}

struct SimulateFlags {
  SimulationOptions movement;
  ParticleSimulationOptions particles;
  bool has_particles = false;
};

int RunSimulateCommand(SimulateFlags flags, const Console& console) {
  const SimulationOptions& shared = flags.movement;
  if (!IsChunkSize(shared.chunk_bytes)) {
    console.Error("simulate: --chunk-bytes: " + std::to_string(shared.chunk_bytes) +
                  " is no power of two");
    return kExitUsage;
  }
  if (!flags.has_particles) return RunMovementCommand(shared, console);
  flags.particles.steps = shared.steps;
  flags.particles.dt = shared.dt;
  flags.particles.level = shared.level;
  flags.particles.chunk_bytes = shared.chunk_bytes;
  return RunParticlesCommand(flags.particles, console);
}

}  // namespace

Subcommand AddSimulate(CLI::App* app, const Console& console) {
  CLI::App* sub = app->add_subcommand(
      "simulate", "Move many entities, or particles; print a checksum and the rate");
  auto flags = std::make_shared<SimulateFlags>();
  SimulationOptions* options = &flags->movement;
  CLI::Option* entities = AddCount(
      sub, "--entities", {1, 1'000'000'000}, [options](std::uint64_t n) { options->entities = n; },
      "Number of entities; one in sixteen is disabled (default 1000000)");
  const auto read_particles = [flags = flags.get()](std::uint64_t n) {
    flags->particles.particles = n;
    flags->has_particles = true;
  };
  CLI::Option* particles = AddCount(sub, "--particles", {1, 1'000'000'000}, read_particles,
                                    "Particles instead: so many, and those that die come again");
  particles->excludes(entities);
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
  const auto read_layout = [flags = flags.get()](const std::string& text) {
    flags->particles.is_split = text == "split";
    if (text != "split" && text != "packed") {
      throw CLI::ValidationError("--layout", "'" + text + "' is neither packed nor split");
    }
  };
  sub->add_option_function<std::string>(
         "--layout", read_layout,
         "Of the vectors of particles: packed, or split into axes (default packed)")
      ->type_name("LAYOUT")
      ->needs(particles);
  AddCount(
      sub, "--seed", {}, [flags = flags.get()](std::uint64_t n) { flags->particles.seed = n; },
      "Of the random numbers for particles (default 1)")
      ->needs(particles);
  AddCount(
      sub, "--threads", {0, ThreadPoolExecutor::kThreadCountMax},
      [options](std::uint64_t n) { options->threads = n; },
      "Threads of a step; 0 for as many as the machine runs at once (default 1)")
      ->excludes(particles);
  sub->footer(
      "The checksum depends on entities (or particles and seed), steps and dt alone: not on the\n"
      "SIMD level, the layout, the chunk size, the threads, the machine or the compiler.");
  return {sub, [flags, &console] { return RunSimulateCommand(*flags, console); }};
}

}  // namespace ashlar::cli
