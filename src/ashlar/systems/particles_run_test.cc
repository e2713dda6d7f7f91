// Hundreds of random frames of the particle system, each held against a reference that does one
// particle after the other in plain arithmetic and issues its own ids.
#include <bit>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/core/draw_testing.h"
#include "ashlar/systems/particles_fixture.h"

namespace ashlar {
namespace {

float Real(Draw& draw) { return static_cast<float>(draw.Below(1u << 16)) / 4096 - 8; }

float OneNan(float value) { return value == value ? value : std::bit_cast<float>(0x7fc00000u); }

// The particles in the order of their rows, which all lie in one archetype.
class ReferenceParticles {
 public:
  struct Row {
    Entity entity;
    Particle particle;
    float inverse_mass;
  };

  void Emit(const std::vector<Particle>& particles) {
    for (const Particle& particle : particles) {
      rows_.push_back({NextId(), particle, particle.fixed ? 0 : 1 / particle.mass});
    }
  }

  std::size_t Step(float dt) {
    std::size_t dead = 0;
    for (Row& row : rows_) {
      Particle& p = row.particle;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float acceleration = p.force[axis] * row.inverse_mass;
        const float velocity_step = acceleration * dt;
        p.velocity[axis] = OneNan(p.velocity[axis] + velocity_step);
        const float position_step = p.velocity[axis] * dt;
        p.position[axis] = OneNan(p.position[axis] + position_step);
      }
      p.life = OneNan(p.life - dt);
      dead += p.life > 0 ? 0 : 1;
    }
    return dead;
  }

  // The rule of World::DestroyMany, one row at a time.
  std::size_t RemoveDead() {
    std::vector<Row> left;
    std::vector<Row> behind;
    std::size_t count = 0;
    for (const Row& row : rows_) {
      if (row.particle.life > 0) {
        ++count;
      } else {
        free_.push_back(Entity(row.entity.index(), row.entity.generation() + 1));
      }
    }
    for (std::size_t i = count; i < rows_.size(); ++i) {
      if (rows_[i].particle.life > 0) behind.push_back(rows_[i]);
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < count; ++i) {
      left.push_back(rows_[i].particle.life > 0 ? rows_[i] : behind[next++]);
    }
    const std::size_t dead = rows_.size() - count;
    rows_ = left;
    return dead;
  }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  Entity NextId() {
    if (free_.empty()) return Entity(fresh_++, 1);
    const Entity id = free_.back();
    free_.pop_back();
    return id;
  }

  std::vector<Row> rows_;
  std::vector<Entity> free_;
  std::uint32_t fresh_ = 0;
};

class ParticlesRunTest : public ParticlesTest {
 protected:
  static Particle DrawParticle(Draw& draw) {
    Particle particle;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      particle.position[axis] = Real(draw);
      particle.velocity[axis] = draw.Below(9) == 0 ? -0.0f : Real(draw);
      particle.force[axis] = Real(draw);
    }
    particle.mass = 0.125f + static_cast<float>(draw.Below(1000)) / 7;
    particle.life = static_cast<float>(draw.Below(64)) / 16;
    particle.fixed = draw.Below(8) == 0;
    if (draw.Below(40) == 0) particle.force[1] = std::numeric_limits<float>::infinity();
    if (draw.Below(40) == 0) particle.velocity[1] = -std::numeric_limits<float>::infinity();
    if (draw.Below(40) == 0) particle.velocity[2] = 1e-45f;
    if (draw.Below(40) == 0) particle.life = std::bit_cast<float>(0xffc12345u);
    return particle;
  }

  // Ids, order and every bit.
  void ExpectRows(const ReferenceParticles& reference, QueryId query) {
    const auto bits = [](float f) { return std::bit_cast<std::uint32_t>(f); };
    std::vector<std::uint32_t> got;
    std::vector<std::uint32_t> expected;
    std::vector<Entity> got_ids;
    std::vector<Entity> expected_ids;
    {
      const auto scope = *world_->OpenScope(query);
      for (const ChunkView view : scope) {
        got_ids.insert(got_ids.end(), view.entities().begin(), view.entities().end());
        for (std::size_t row = 0; row < view.row_count(); ++row) {
          for (ComponentId component :
               {components_.position, components_.velocity, components_.force}) {
            std::array<float, 3> value{};
            view.LoadValue(component, row, reinterpret_cast<std::byte*>(value.data()));
            for (float f : value) got.push_back(bits(f));
          }
          for (ComponentId component : {components_.inverse_mass, components_.life}) {
            float value = 0;
            view.LoadValue(component, row, reinterpret_cast<std::byte*>(&value));
            got.push_back(bits(value));
          }
        }
      }
    }
    for (const ReferenceParticles::Row& row : reference.rows()) {
      expected_ids.push_back(row.entity);
      for (const auto& vector :
           {row.particle.position, row.particle.velocity, row.particle.force}) {
        for (float f : vector) expected.push_back(bits(f));
      }
      expected.push_back(bits(row.inverse_mass));
      expected.push_back(bits(row.particle.life));
    }
    ASSERT_EQ(got_ids, expected_ids);
    ASSERT_EQ(got, expected);
  }

  // The digest after the run.
  std::uint64_t Run(const WorldOptions& options, unsigned split, SimdLevel level, int frames,
                    std::uint32_t burst) {
    Restart(options, split);
    const ParticleSystem system = MakeSystem(level);
    EXPECT_EQ(system.level(), level);
    ReferenceParticles reference;
    Draw draw(7);
    for (int frame = 0; frame < frames; ++frame) {
      std::vector<Particle> particles;
      for (std::uint32_t n = draw.Below(burst); n-- > 0;) particles.push_back(DrawParticle(draw));
      Emit(system, particles);
      reference.Emit(particles);
      const float dt = static_cast<float>(1 + draw.Below(8)) / 16;
      EXPECT_EQ(*system.Step(*world_, dt), reference.Step(dt));
      if (draw.Below(3) != 0) {
        EXPECT_EQ(*system.RemoveDead(*world_), reference.RemoveDead());
      }
      ExpectRows(reference, system.query());
      if (HasFailure()) return 0;
      if (frame % 16 == 0) CheckWorld();
    }
    CheckWorld();
    EXPECT_GT(world_->entity_count(), 0u);
    return Digest(*world_);
  }
};

TEST_F(ParticlesRunTest, EveryLevelLayoutAndChunkSizeIsTheReference) {
  std::map<std::uint64_t, int> digests;
  for (const SimdLevel level : Levels()) {
    for (const unsigned split : {kAllPacked, kAllSplit, 2u}) {
      for (const std::uint32_t chunk_bytes : {4096u, 16384u}) {
        WorldOptions options;
        options.chunk_size_bytes = chunk_bytes;
        ++digests[Run(options, split, level, 200, 60)];
        if (HasFailure()) FAIL() << SimdLevelName(level) << " split " << split;
      }
    }
  }
  EXPECT_EQ(digests.size(), 1u) << "packed and split, at every level, are one world";
}

TEST_F(ParticlesRunTest, FewRowsAChunk) {
  std::map<std::uint64_t, int> digests;
  for (const SimdLevel level : Levels()) {
    for (const unsigned split : {kAllPacked, kAllSplit, 5u}) {
      for (const std::uint32_t rows_max : {1u, 2u, 4u, 0u}) {
        WorldOptions options;
        options.rows_per_chunk_max = rows_max;
        ++digests[Run(options, split, level, 100, 12)];
        if (HasFailure()) FAIL() << SimdLevelName(level) << " split " << split;
      }
    }
  }
  EXPECT_EQ(digests.size(), 1u);
}

}  // namespace
}  // namespace ashlar
