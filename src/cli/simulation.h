// The simulation: movement over many entities, timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/statusor.h"
#include "ashlar/core/cpu.h"
#include "model/generator.h"

namespace ashlar::cli {

struct SimulationOptions {
  std::uint64_t entities = 1'000'000;
  std::uint64_t steps = 100;
  float dt = 1.0f / 64;
  std::optional<SimdLevel> level;  // Nothing: the best of this machine.
  std::uint32_t chunk_bytes = 4096;
  std::size_t threads = 1;  // For the steps. 0: as many as the machine runs at once.
};

struct SimulationProgress {
  std::uint64_t entities_made = 0;
  std::uint64_t entities_moving = 0;  // Of those made, the ones that are not disabled.
  std::uint64_t steps_done = 0;
  double step_seconds = 0;  // Spent in steps so far.
};

struct SimulationHooks {
  std::function<void(const SimulationProgress&)> progress;  // Now and then; may be empty.
  std::function<bool()> stop;                               // The same; true ends the steps.
};

struct SimulationResult {
  SimulationProgress done;
  double make_seconds = 0;
  SimdLevel level = SimdLevel::kScalar;
  std::size_t threads = 1;
  std::uint64_t checksum = 0;  // Digest of the world: the same at every level, chunk size and
                               // number of threads.
};

// Makes the entities with position and velocity, and one in sixteen that stands still (it is
// disabled), all from fixed random numbers; then moves them. Errors: those of World, of
// MovementSystem::Make, and of ThreadPoolExecutor::Make.
absl::StatusOr<SimulationResult> RunSimulation(const SimulationOptions& options,
                                               const SimulationHooks& hooks = {});

// [from, from + width) in steps of width / 2^20; width is a power of two. Exact in float
// arithmetic, so the same on every machine.
float RandomFloat(model::Random* random, float from, float width);

}  // namespace ashlar::cli
