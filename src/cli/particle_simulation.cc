#include "cli/particle_simulation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/core/status.h"
#include "ashlar/systems/particles.h"
#include "ashlar/world/world.h"
#include "cli/chunk_plan.h"
#include "cli/simulation.h"
#include "model/generator.h"

namespace ashlar::cli {
namespace {

// How many particles are emitted between two looks at the clock.
constexpr std::size_t kBurst = 4096;

absl::Status RegisterFloats(std::string_view argument, bool is_split, World* world,
                            ComponentId* component) {
  absl::StatusOr<ComponentDescriptor> descriptor = ParseComponentArgument(argument);
  if (!descriptor.ok()) return descriptor.status();
  descriptor->set_split(is_split);
  const absl::StatusOr<ComponentId> registered = world->Register(*descriptor);
  if (!registered.ok()) return registered.status();
  *component = *registered;
  return absl::OkStatus();
}

absl::StatusOr<ParticleComponents> RegisterParticles(bool is_split, World* world) {
  ParticleComponents parts;
  ASHLAR_RETURN_IF_ERROR(RegisterFloats("position:f32[3]", is_split, world, &parts.position));
  ASHLAR_RETURN_IF_ERROR(RegisterFloats("velocity:f32[3]", is_split, world, &parts.velocity));
  ASHLAR_RETURN_IF_ERROR(RegisterFloats("force:f32[3]", is_split, world, &parts.force));
  ASHLAR_RETURN_IF_ERROR(RegisterFloats("inverse_mass:f32", false, world, &parts.inverse_mass));
  ASHLAR_RETURN_IF_ERROR(RegisterFloats("life:f32", false, world, &parts.life));
  return parts;
}

// One in sixteen is fixed. Gravity pulls along the second axis.
Particle RandomParticle(model::Random* random) {
  Particle particle;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    particle.position[axis] = RandomFloat(random, 0, 1024);
    particle.velocity[axis] = RandomFloat(random, -8, 16);
    particle.force[axis] = RandomFloat(random, axis == 1 ? -10 : -1, 2);
  }
  particle.mass = RandomFloat(random, 0.5f, 2);
  particle.life = RandomFloat(random, 0.25f, 4);
  particle.fixed = random->Below(16) == 0;
  return particle;
}

// The simulation while it runs.
class ParticleRun {
 public:
  ParticleRun(const ParticleSimulationOptions& options, const ParticleHooks& hooks, World* world,
              const ParticleSystem& system)
      : options_(options), hooks_(hooks), world_(*world), system_(system), random_(options.seed) {}

  absl::Status Run() {
    ASHLAR_RETURN_IF_ERROR(Fill());
    while (result_.done.steps_done < options_.steps && !Stops()) {
      const std::uint64_t alive = world_.entity_count();
      const auto start = std::chrono::steady_clock::now();
      const absl::StatusOr<std::size_t> dead = system_.Step(world_, options_.dt);
      if (!dead.ok()) return dead.status();
      result_.done.step_seconds += SecondsSince(start);
      result_.stepped += alive;
      ++result_.done.steps_done;
      if (*dead != 0) ASHLAR_RETURN_IF_ERROR(RemoveDead());
      ASHLAR_RETURN_IF_ERROR(Fill());
      if (hooks_.progress) hooks_.progress(result_.done);
    }
    return absl::OkStatus();
  }

  ParticleSimulationResult TakeResult() {
    result_.alive = world_.entity_count();
    result_.level = system_.level();
    result_.checksum = Digest(world_);
    return result_;
  }

 private:
  static double SecondsSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  bool Stops() const { return hooks_.stop && hooks_.stop(); }

  // Emits until there are as many as there should be, or it is to stop.
  absl::Status Fill() {
    while (world_.entity_count() < options_.particles && !Stops()) {
      if (hooks_.progress) hooks_.progress(result_.done);
      const auto start = std::chrono::steady_clock::now();
      const auto count = static_cast<std::size_t>(
          std::min<std::uint64_t>(kBurst, options_.particles - world_.entity_count()));
      particles_.clear();
      while (particles_.size() < count) particles_.push_back(RandomParticle(&random_));
      ids_.resize(count);
      ASHLAR_RETURN_IF_ERROR(system_.Emit(world_, particles_, ids_));
      result_.done.emitted += count;
      result_.done.change_seconds += SecondsSince(start);
    }
    return absl::OkStatus();
  }

  absl::Status RemoveDead() {
    const auto start = std::chrono::steady_clock::now();
    const absl::StatusOr<std::size_t> removed = system_.RemoveDead(world_);
    if (!removed.ok()) return removed.status();
    result_.done.removed += *removed;
    result_.done.change_seconds += SecondsSince(start);
    return absl::OkStatus();
  }

  const ParticleSimulationOptions& options_;
  const ParticleHooks& hooks_;
  World& world_;
  const ParticleSystem& system_;
  model::Random random_;
  std::vector<Particle> particles_;
  std::vector<Entity> ids_;
  ParticleSimulationResult result_;
};

}  // namespace

absl::StatusOr<ParticleSimulationResult> RunParticleSimulation(
    const ParticleSimulationOptions& options, const ParticleHooks& hooks) {
  WorldOptions world_options;
  world_options.chunk_size_bytes = options.chunk_bytes;
  const auto world = World::Make(world_options);
  if (!world.ok()) return world.status();
  const auto components = RegisterParticles(options.is_split, world->get());
  if (!components.ok()) return components.status();
  const auto system = ParticleSystem::Make(**world, *components, options.level);
  if (!system.ok()) return system.status();
  ParticleRun run(options, hooks, world->get(), *system);
  ASHLAR_RETURN_IF_ERROR(run.Run());
  return run.TakeResult();
}

}  // namespace ashlar::cli
