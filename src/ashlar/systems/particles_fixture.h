// For the tests of the particle system: a world with the five components, packed or split.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "ashlar/audit/integrity.h"
#include "ashlar/systems/particles.h"

namespace ashlar {

// Which of the three vectors are split: bit 0 position, bit 1 velocity, bit 2 force.
inline constexpr unsigned kAllPacked = 0;
inline constexpr unsigned kAllSplit = 7;

class ParticlesTest : public ::testing::Test {
 protected:
  ParticlesTest() {
    unsetenv("ASHLAR_SIMD");
    Restart({});
  }

  void Restart(const WorldOptions& options, unsigned split = kAllPacked,
               bool scalars_split = false) {
    world_ = *World::Make(options);
    components_.position = Register("position", "{x: f32, y: f32, z: f32}", (split & 1) != 0);
    components_.velocity = Register("velocity", "{x: f32, y: f32, z: f32}", (split & 2) != 0);
    components_.force = Register("force", "{x: f32, y: f32, z: f32}", (split & 4) != 0);
    components_.inverse_mass = Register("inverse_mass", "f32", scalars_split);
    components_.life = Register("life", "f32", scalars_split);
  }
  ComponentId Register(std::string_view name, std::string_view type, bool split = false) {
    TypeSpec spec;
    EXPECT_FALSE(ParseType(type, &spec).has_value());
    auto descriptor = *ComponentDescriptor::FromSpec(name, spec);
    descriptor.set_split(split);
    return *world_->Register(descriptor);
  }
  ParticleSystem MakeSystem(std::optional<SimdLevel> level = std::nullopt) {
    return *ParticleSystem::Make(*world_, components_, level);
  }
  std::vector<Entity> Emit(const ParticleSystem& system, const std::vector<Particle>& particles) {
    std::vector<Entity> ids(particles.size());
    const absl::Status status = system.Emit(*world_, particles, ids);
    EXPECT_TRUE(status.ok()) << status;
    return ids;
  }

  std::array<float, 3> VectorOf(Entity entity, ComponentId component) {
    std::array<float, 3> value{};
    EXPECT_TRUE(world_->GetValue(entity, component, value.data()).ok());
    return value;
  }
  float FloatOf(Entity entity, ComponentId component) {
    float value = 0;
    EXPECT_TRUE(world_->GetValue(entity, component, &value).ok());
    return value;
  }
  void CheckWorld() {
    const absl::Status status = CheckIntegrity(*world_);
    EXPECT_TRUE(status.ok()) << status;
  }

  static std::vector<SimdLevel> Levels() {
    std::vector<SimdLevel> levels;
    for (SimdLevel level : kSimdLevels) {
      if (level <= BestSimdLevel()) levels.push_back(level);
    }
    return levels;
  }

  std::unique_ptr<World> world_;
  ParticleComponents components_;
};

}  // namespace ashlar
