#include "ashlar/systems/particles.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/core/simd_choice.h"
#include "ashlar/core/status.h"
#include "ashlar/query/query_spec.h"
#include "ashlar/systems/component_check.h"
#include "ashlar/world/visit_ahead.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

constexpr std::size_t kAxes = 3;

// Views are asked for so many bytes of chunks before their turn. Fewer rows than that stay in a
// second-level cache of a megabyte from step to step, and hints only cost.
constexpr std::size_t kParticleBytesAhead = 4 * kChunkSizeBytesMin;
constexpr std::size_t kParticlesForHints = 24'000;

absl::Status CheckParticle(const Particle& particle, std::size_t index) {
  if (particle.fixed) return absl::OkStatus();
  const float mass = particle.mass;
  if (mass > 0 && std::isfinite(mass) && std::isfinite(1 / mass)) return absl::OkStatus();
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueRefused,
                   absl::StrCat("particles: particle ", index, " has mass ", mass,
                                "; it and its inverse must be finite and above 0 (or set `fixed` "
                                "for one that no force moves)"));
}

// The floats of a component that is one f32, or three that are not split.
// SAFETY: ParticleSystem::Make has seen that the component is f32 without padding, so its column is
// so many floats in a row, all of them written when their rows were committed.
float* WriteFloats(const ChunkView& view, ComponentId component) {
  return reinterpret_cast<float*>(view.IsSplit(component) ? view.WriteFieldBytes(component, 0)
                                                          : view.WriteBytes(component));
}
const float* ReadFloats(const ChunkView& view, ComponentId component) {
  return reinterpret_cast<const float*>(view.IsSplit(component) ? view.ReadFieldBytes(component, 0)
                                                                : view.ReadBytes(component));
}

}  // namespace

absl::StatusOr<ParticleSystem> ParticleSystem::Make(World& world,
                                                    const ParticleComponents& components,
                                                    std::optional<SimdLevel> level) {
  const ComponentRegistry& registry = world.registry();
  const auto check = [&registry](const char* role, ComponentId component, std::size_t count) {
    return CheckFloats("particles", role, registry, component, count);
  };
  ASHLAR_RETURN_IF_ERROR(check("position", components.position, kAxes));
  ASHLAR_RETURN_IF_ERROR(check("velocity", components.velocity, kAxes));
  ASHLAR_RETURN_IF_ERROR(check("force", components.force, kAxes));
  ASHLAR_RETURN_IF_ERROR(check("inverse mass", components.inverse_mass, 1));
  ASHLAR_RETURN_IF_ERROR(check("life", components.life, 1));
  const absl::StatusOr<SimdLevel> chosen = ChooseSimdLevel("particles", level);
  if (!chosen.ok()) return chosen.status();

  QuerySpec step;
  step.Write(components.position).Write(components.velocity).Read(components.force);
  step.Read(components.inverse_mass).Write(components.life);
  const absl::StatusOr<QueryId> query = world.MakeQuery(step);
  if (!query.ok()) return query.status();
  QuerySpec look;
  look.Read(components.position).Read(components.velocity).Read(components.force);
  look.Read(components.inverse_mass).Read(components.life);
  const absl::StatusOr<QueryId> life_query = world.MakeQuery(look);
  if (!life_query.ok()) return life_query.status();

  ParticleSystem system;
  system.components_ = components;
  system.query_ = *query;
  system.life_query_ = *life_query;
  for (ComponentId vector : {components.position, components.velocity, components.force}) {
    system.split_count_ += registry[vector].is_split() ? 1 : 0;
  }
  system.level_ = *chosen;
  system.integrate_rows_ = kernels::IntegrateRowsFor(*chosen);
  system.integrate_axis_ = kernels::IntegrateAxisFor(*chosen);
  system.age_ = kernels::AgeFor(*chosen);
  return system;
}

absl::Status ParticleSystem::Emit(World& world, std::span<const Particle> particles,
                                  std::span<Entity> ids) const try {
  if (world.scope_depth() != 0) return world_errors::ScopeOpen("particles");
  if (ids.size() != particles.size()) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueCountMismatch,
                     absl::StrCat("particles: ", particles.size(), " particles and room for ",
                                  ids.size(), " ids; give one for each"));
  }
  for (std::size_t i = 0; i < particles.size(); ++i) {
    ASHLAR_RETURN_IF_ERROR(CheckParticle(particles[i], i));
  }
  if (particles.empty()) return absl::OkStatus();
  std::vector<float> inverse_masses;
  inverse_masses.reserve(particles.size());
  for (const Particle& particle : particles) {
    inverse_masses.push_back(particle.fixed ? 0 : 1 / particle.mass);
  }
  const Particle& first = particles.front();
  const auto of_particles = [&](ComponentId component, const void* field) {
    return ComponentSpan(component, field, particles.size(), sizeof(Particle));
  };
  return world.CreateMany(
      ids, {of_particles(components_.position, &first.position),
            of_particles(components_.velocity, &first.velocity),
            of_particles(components_.force, &first.force),
            ComponentSpan(components_.inverse_mass, inverse_masses.data(), inverse_masses.size()),
            of_particles(components_.life, &first.life)});
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

std::size_t ParticleSystem::ViewsAhead(const World& world) const {
  if (world.CountRows(query_).value_or(0) < kParticlesForHints) return 0;
  return kParticleBytesAhead / world.options().chunk_size_bytes;
}

absl::StatusOr<std::size_t> ParticleSystem::Step(World& world, float dt) const {
  const absl::StatusOr<IterationScope> scope = world.OpenScope(query_);
  if (!scope.ok()) return scope.status();
  std::size_t dead = 0;
  const auto ask = [this](const ChunkView& later) {
    for (const ComponentId component :
         {components_.position, components_.velocity, components_.force, components_.inverse_mass,
          components_.life}) {
      later.Prefetch(component);
    }
  };
  VisitAhead(*scope, ViewsAhead(world), ask, [&](const ChunkView& view) {
    if (split_count_ == 0) {
      IntegratePacked(view, dt);
    } else if (split_count_ == kAxes) {
      IntegrateSplit(view, dt);
    } else {
      IntegrateMixed(view, dt);
    }
    dead += age_(WriteFloats(view, components_.life), view.row_count(), dt);
  });
  return dead;
}

void ParticleSystem::IntegratePacked(const ChunkView& view, float dt) const {
  integrate_rows_(WriteFloats(view, components_.position), WriteFloats(view, components_.velocity),
                  ReadFloats(view, components_.force), ReadFloats(view, components_.inverse_mass),
                  view.row_count(), dt);
}

// Each axis is a span of its own.
void ParticleSystem::IntegrateSplit(const ChunkView& view, float dt) const {
  const float* inverse_mass = ReadFloats(view, components_.inverse_mass);
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    integrate_axis_(view.WriteField<float>(components_.position, axis).data(),
                    view.WriteField<float>(components_.velocity, axis).data(),
                    view.ReadField<float>(components_.force, axis).data(), inverse_mass,
                    view.row_count(), dt);
  }
}

// Some vectors are split and some are not: rows are copied to where all lie alike, a block at a
// time.
void ParticleSystem::IntegrateMixed(const ChunkView& view, float dt) const {
  constexpr std::size_t kRows = 64;
  using Vector = std::array<float, kAxes>;
  std::array<Vector, kRows> position;
  std::array<Vector, kRows> velocity;
  std::array<Vector, kRows> force;
  const auto bytes = [](Vector& vector) { return reinterpret_cast<std::byte*>(vector.data()); };
  const float* inverse_mass = ReadFloats(view, components_.inverse_mass);
  for (std::size_t first = 0; first < view.row_count(); first += kRows) {
    const std::size_t rows = std::min(kRows, view.row_count() - first);
    for (std::size_t i = 0; i < rows; ++i) {
      view.LoadValue(components_.position, first + i, bytes(position[i]));
      view.LoadValue(components_.velocity, first + i, bytes(velocity[i]));
      view.LoadValue(components_.force, first + i, bytes(force[i]));
    }
    integrate_rows_(position[0].data(), velocity[0].data(), force[0].data(), inverse_mass + first,
                    rows, dt);
    for (std::size_t i = 0; i < rows; ++i) {
      view.StoreValue(components_.position, first + i, bytes(position[i]));
      view.StoreValue(components_.velocity, first + i, bytes(velocity[i]));
    }
  }
}

absl::StatusOr<std::size_t> ParticleSystem::RemoveDead(World& world) const try {
  if (world.scope_depth() != 0) return world_errors::ScopeOpen("particles");
  std::vector<Entity> dead;
  {
    const absl::StatusOr<IterationScope> scope = world.OpenScope(life_query_);
    if (!scope.ok()) return scope.status();
    for (const ChunkView view : *scope) {
      const float* life = ReadFloats(view, components_.life);
      for (std::size_t row = 0; row < view.row_count(); ++row) {
        if (!(life[row] > 0)) dead.push_back(view.entities()[row]);
      }
    }
  }
  ASHLAR_RETURN_IF_ERROR(world.DestroyMany(dead));
  return dead.size();
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace ashlar::inline v0
