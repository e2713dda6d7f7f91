// The particle system: emits particles, moves them by their forces, ages them, and removes those
// whose life is over.
//
// Emit, Step and RemoveDead are one frame; who wants the dead to stay for a while leaves the last
// one out. Kernels and arithmetic: kernels/particles.h.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/cpu.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/kernels/particles.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

struct ParticleComponents {
  ComponentId position;      // f32[3]
  ComponentId velocity;      // f32[3]
  ComponentId force;         // f32[3]
  ComponentId inverse_mass;  // f32: 0 for what no force moves
  ComponentId life;          // f32: what is left of it, in the unit of dt
};

// A particle to be emitted.
struct Particle {
  std::array<float, 3> position{};
  std::array<float, 3> velocity{};
  std::array<float, 3> force{};
  float mass = 1;
  float life = 1;
  bool fixed = false;  // No force moves it; its velocity does. The mass is not looked at.
};

// Plain data: two queries of one world and kernels. Copies are equal.
class ParticleSystem {
 public:
  // Each component must hold the f32 that ParticleComponents says and nothing else; each may be
  // packed or split. All vectors packed, or all split, is fastest: of a mixture rows are copied.
  // Makes two queries. `level` as for MovementSystem. Errors, in this order: kComponentUnknown and
  // kComponentTypeMismatch, for each component in the order above, kOptionInvalid (a level that
  // this machine does not have, or a variable that names none), those of World::MakeQuery (one
  // component for two roles: kComponentRepeated).
  static absl::StatusOr<ParticleSystem> Make(World& world, const ParticleComponents& components,
                                             std::optional<SimdLevel> level = std::nullopt);

  // Makes an entity for each particle, with the five components, and writes their ids: all or none,
  // as World::CreateMany. `world` is the one that this was made for, here and below. Errors, in
  // this order: kScopeOpen; kValueCountMismatch, where there are not as many ids as particles;
  // kValueRefused, for the first particle whose mass is not above 0, not finite, or so small that
  // its inverse is infinite; those of World::CreateMany. Cost: O(particles), and 4 bytes of the
  // global heap for each.
  absl::Status Emit(World& world, std::span<const Particle> particles, std::span<Entity> ids) const;

  // One step over all entities with the five components: velocity, then position, then life.
  // Returns how many are dead: their life is not above 0 (NaN is not). Opens a scope that writes;
  // fields' rules and validators are not asked. Errors: those of World::OpenScope.
  absl::StatusOr<std::size_t> Step(World& world, float dt) const;

  // Destroys what is dead, in the order of iteration, as World::DestroyMany. Returns how many.
  // Errors: kScopeOpen; memory: the list of them, from the global heap. Cost: O(rows).
  absl::StatusOr<std::size_t> RemoveDead(World& world) const;

  QueryId query() const { return query_; }
  SimdLevel level() const { return level_; }

 private:
  ParticleSystem() = default;

  // How far ahead views are asked for; 0: not at all.
  std::size_t ViewsAhead(const World& world) const;

  // The integration of one view, by how the three vectors lie.
  void IntegratePacked(const ChunkView& view, float dt) const;
  void IntegrateSplit(const ChunkView& view, float dt) const;
  void IntegrateMixed(const ChunkView& view, float dt) const;

  ParticleComponents components_;
  QueryId query_;
  QueryId life_query_;           // The same rows, nothing written.
  std::size_t split_count_ = 0;  // Of the three vectors.
  SimdLevel level_ = SimdLevel::kScalar;
  kernels::IntegrateRowsFunction integrate_rows_ = nullptr;
  kernels::IntegrateAxisFunction integrate_axis_ = nullptr;
  kernels::AgeFunction age_ = nullptr;
};

}  // namespace ashlar::inline v0
