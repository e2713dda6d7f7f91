#include "cli/simulation.h"

#include <chrono>
#include <memory>

#include "ashlar/audit/digest.h"
#include "ashlar/core/status.h"
#include "ashlar/schema/typed_component.h"
#include "ashlar/systems/movement.h"
#include "ashlar/systems/thread_pool.h"
#include "ashlar/world/world.h"
#include "model/generator.h"

namespace ashlar::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct Position {
  float x, y, z;
};
struct Velocity {
  float x, y, z;
};
struct Disabled {};

// How many entities are made between two looks at the clock.
constexpr std::uint64_t kEntitiesBetweenLooks = 4096;

struct Components {
  Component<Position> position;
  Component<Velocity> velocity;
  Component<Disabled> disabled;
};

absl::StatusOr<Components> RegisterAll(World* world) {
  const auto position = world->Register(Describe<Position>("position")
                                            .Field("x", &Position::x)
                                            .Field("y", &Position::y)
                                            .Field("z", &Position::z));
  if (!position.ok()) return position.status();
  const auto velocity = world->Register(Describe<Velocity>("velocity")
                                            .Field("x", &Velocity::x)
                                            .Field("y", &Velocity::y)
                                            .Field("z", &Velocity::z));
  if (!velocity.ok()) return velocity.status();
  const auto disabled = world->Register(Describe<Disabled>("disabled"));
  if (!disabled.ok()) return disabled.status();
  return Components{*position, *velocity, *disabled};
}

// Returns early, without error, when it is to stop.
absl::Status MakeEntities(const SimulationOptions& options, const SimulationHooks& hooks,
                          const Components& components, World* world, SimulationProgress* done) {
  model::Random random(1);
  for (std::uint64_t i = 0; i < options.entities; ++i) {
    if (i % kEntitiesBetweenLooks == 0) {
      done->entities_made = i;
      if (hooks.progress) hooks.progress(*done);
      if (hooks.stop && hooks.stop()) return absl::OkStatus();
    }
    const Position position{RandomFloat(&random, 0, 1024), RandomFloat(&random, 0, 1024),
                            RandomFloat(&random, 0, 1024)};
    const Velocity velocity{RandomFloat(&random, -8, 16), RandomFloat(&random, -8, 16),
                            RandomFloat(&random, -8, 16)};
    const bool is_still = i % 16 == 15;
    const auto entity = is_still ? world->Create({ComponentValue(components.position, position),
                                                  ComponentValue(components.velocity, velocity),
                                                  ComponentValue(components.disabled.id())})
                                 : world->Create({ComponentValue(components.position, position),
                                                  ComponentValue(components.velocity, velocity)});
    if (!entity.ok()) return entity.status();
    done->entities_moving += is_still ? 0 : 1;
  }
  done->entities_made = options.entities;
  return absl::OkStatus();
}

absl::Status RunSteps(const SimulationOptions& options, const SimulationHooks& hooks,
                      const MovementSystem& movement, Executor* executor, World* world,
                      SimulationProgress* done) {
  for (std::uint64_t step = 0; step < options.steps; ++step) {
    if (hooks.stop && hooks.stop()) break;
    const auto start = Clock::now();
    ASHLAR_RETURN_IF_ERROR(movement.Step(*world, options.dt, *executor));
    done->step_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    done->steps_done = step + 1;
    if (hooks.progress) hooks.progress(*done);
  }
  return absl::OkStatus();
}

}  // namespace

float RandomFloat(model::Random* random, float from, float width) {
  return from + static_cast<float>(random->Below(1u << 20)) * (width / (1u << 20));
}

absl::StatusOr<SimulationResult> RunSimulation(const SimulationOptions& options,
                                               const SimulationHooks& hooks) {
  WorldOptions world_options;
  world_options.chunk_size_bytes = options.chunk_bytes;
  auto world = World::Make(world_options);
  if (!world.ok()) return world.status();
  const auto components = RegisterAll(world->get());
  if (!components.ok()) return components.status();
  const auto movement =
      MovementSystem::Make(**world, components->position.id(), components->velocity.id(),
                           components->disabled.id(), options.level);
  if (!movement.ok()) return movement.status();

  const auto executor = ThreadPoolExecutor::Make(options.threads);
  if (!executor.ok()) return executor.status();

  SimulationResult result;
  result.threads = (*executor)->thread_count();
  result.level = movement->level();
  const auto start = Clock::now();
  ASHLAR_RETURN_IF_ERROR(MakeEntities(options, hooks, *components, world->get(), &result.done));
  result.make_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  ASHLAR_RETURN_IF_ERROR(
      RunSteps(options, hooks, *movement, executor->get(), world->get(), &result.done));
  result.checksum = Digest(**world);
  return result;
}

}  // namespace ashlar::cli
