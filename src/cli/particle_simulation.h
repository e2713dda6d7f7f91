// The particle simulation: a constant number of particles that live, die and come again, timed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/statusor.h"
#include "ashlar/core/cpu.h"

namespace ashlar::cli {

struct ParticleSimulationOptions {
  std::uint64_t particles = 100'000;
  std::uint64_t steps = 100;
  float dt = 1.0f / 64;
  std::optional<SimdLevel> level;  // Nothing: the best of this machine.
  std::uint32_t chunk_bytes = 4096;
  bool is_split = false;  // Each axis of the vectors has a column of its own.
  std::uint64_t seed = 1;
};

struct ParticleProgress {
  std::uint64_t emitted = 0;
  std::uint64_t removed = 0;
  std::uint64_t steps_done = 0;
  double step_seconds = 0;    // Spent in steps so far,
  double change_seconds = 0;  // and in emission and removal, the drawing of particles included.
};

struct ParticleHooks {
  std::function<void(const ParticleProgress&)> progress;  // Now and then; may be empty.
  std::function<bool()> stop;                             // The same; true ends the steps.
};

struct ParticleSimulationResult {
  ParticleProgress done;
  std::uint64_t alive = 0;
  std::uint64_t stepped = 0;  // Particles moved, over all steps.
  SimdLevel level = SimdLevel::kScalar;
  std::uint64_t checksum = 0;  // Digest of the world: the same at every level, layout, chunk size.
};

// Emits the particles, all from random numbers that follow from the seed; then, in each step, moves
// and ages them, removes the dead and emits as many again. Errors: those of World and of
// ParticleSystem.
absl::StatusOr<ParticleSimulationResult> RunParticleSimulation(
    const ParticleSimulationOptions& options, const ParticleHooks& hooks = {});

}  // namespace ashlar::cli
