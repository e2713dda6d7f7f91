#include "ashlar/systems/particles.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ashlar/systems/particles_fixture.h"
#include "gmock/gmock.h"

namespace ashlar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const Particle kFalling = {
    .position = {1, 2, 3}, .velocity = {2, -4, 6}, .force = {0, -8, 4}, .mass = 2, .life = 1};

TEST_F(ParticlesTest, StepsByHand) {
  for (const unsigned split : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    Restart({}, split, split % 2 == 1);
    const ParticleSystem system = MakeSystem();
    const Entity entity = Emit(system, {kFalling})[0];
    EXPECT_EQ(FloatOf(entity, components_.inverse_mass), 0.5f);
    // A force of (0, -8, 4) on a mass of 2 for half a unit: (0, -2, 1); then the new velocity.
    EXPECT_EQ(*system.Step(*world_, 0.5f), 0u);
    EXPECT_THAT(VectorOf(entity, components_.velocity), ElementsAre(2, -6, 7));
    EXPECT_THAT(VectorOf(entity, components_.position), ElementsAre(2, -1, 6.5));
    EXPECT_EQ(FloatOf(entity, components_.life), 0.5f);
    EXPECT_EQ(*system.RemoveDead(*world_), 0u);
    EXPECT_EQ(*system.Step(*world_, 0.5f), 1u) << "a life of 0 is over";
    EXPECT_THAT(VectorOf(entity, components_.velocity), ElementsAre(2, -8, 8));
    EXPECT_THAT(VectorOf(entity, components_.position), ElementsAre(3, -5, 10.5));
    EXPECT_THAT(VectorOf(entity, components_.force), ElementsAre(0, -8, 4));
    EXPECT_TRUE(world_->IsAlive(entity));
    EXPECT_EQ(*system.RemoveDead(*world_), 1u);
    EXPECT_FALSE(world_->IsAlive(entity));
    EXPECT_EQ(*system.Step(*world_, 0.5f), 0u);
    CheckWorld();
  }
}

TEST_F(ParticlesTest, AFixedOneIsMovedByItsVelocityAlone) {
  const ParticleSystem system = MakeSystem();
  Particle fixed = kFalling;
  fixed.fixed = true;
  fixed.mass = kNan;
  const Entity entity = Emit(system, {fixed})[0];
  EXPECT_EQ(FloatOf(entity, components_.inverse_mass), 0.0f);
  ASSERT_TRUE(system.Step(*world_, 0.5f).ok());
  EXPECT_THAT(VectorOf(entity, components_.velocity), ElementsAre(2, -4, 6));
  EXPECT_THAT(VectorOf(entity, components_.position), ElementsAre(2, 0, 6));
}

TEST_F(ParticlesTest, RefusesMassesByIndexAndValue) {
  const ParticleSystem system = MakeSystem();
  const std::uint64_t version = world_->version();
  struct Case {
    float mass;
    const char* text;
  };
  for (const Case& refused :
       {Case{0, "mass 0;"}, Case{-0.0f, "mass -0;"}, Case{-1.5f, "mass -1.5;"},
        Case{kInfinity, "mass inf;"}, Case{-kInfinity, "mass -inf;"}, Case{kNan, "mass nan;"},
        // 1 / 2^-129 is 2^129.
        Case{0x1p-129f, "mass 1.4"}}) {
    std::vector<Particle> particles(4, kFalling);
    particles[2].mass = refused.mass;
    particles[3].mass = -7;
    std::vector<Entity> ids(4);
    const absl::Status status = system.Emit(*world_, particles, ids);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(status), Reason::kValueRefused);
    EXPECT_THAT(std::string(status.message()), HasSubstr("particles: particle 2 has mass "));
    EXPECT_THAT(std::string(status.message()), HasSubstr(refused.text));
    EXPECT_EQ(ids, std::vector<Entity>(4));
  }
  EXPECT_EQ(world_->entity_count(), 0u);
  EXPECT_EQ(world_->version(), version);
  // The least and the greatest: their inverses are finite and not 0.
  Particle light = kFalling;
  light.mass = 0x1p-127f;
  Particle heavy = kFalling;
  heavy.mass = std::numeric_limits<float>::max();
  const std::vector<Entity> ids = Emit(system, {light, heavy});
  EXPECT_EQ(FloatOf(ids[0], components_.inverse_mass), 0x1p127f);
  EXPECT_GT(FloatOf(ids[1], components_.inverse_mass), 0.0f);
}

TEST_F(ParticlesTest, EmitIsAllOrNone) {
  const ParticleSystem system = MakeSystem();
  std::vector<Entity> ids(2);
  const std::vector<Particle> three(3, kFalling);
  EXPECT_EQ(ReasonOf(system.Emit(*world_, three, ids)), Reason::kValueCountMismatch);
  EXPECT_TRUE(system.Emit(*world_, {}, {}).ok());
  WorldOptions options;
  options.entity_index_limit = 2;
  Restart(options);
  ids.resize(3);
  const ParticleSystem small = MakeSystem();
  EXPECT_EQ(ReasonOf(small.Emit(*world_, three, ids)), Reason::kIdsExhausted);
  EXPECT_EQ(world_->entity_count(), 0u);
}

TEST_F(ParticlesTest, StructureStaysWhileAScopeIsOpen) {
  const ParticleSystem system = MakeSystem();
  const std::vector<Entity> ids = Emit(system, {kFalling, kFalling});
  {
    const auto scope = *world_->OpenScope(system.query());
    EXPECT_EQ(*system.Step(*world_, 2), 2u) << "values may be written";
    std::vector<Entity> more(1);
    std::vector<Particle> wrong = {kFalling};
    wrong[0].mass = -1;
    EXPECT_EQ(ReasonOf(system.Emit(*world_, wrong, more)), Reason::kScopeOpen);
    EXPECT_EQ(ReasonOf(system.RemoveDead(*world_).status()), Reason::kScopeOpen);
    EXPECT_EQ(ReasonOf(ParticleSystem::Make(*world_, components_).status()), Reason::kScopeOpen);
  }
  EXPECT_EQ(*system.RemoveDead(*world_), 2u);
}

TEST_F(ParticlesTest, ALifeThatIsNoNumberIsOver) {
  const ParticleSystem system = MakeSystem();
  Particle particle = kFalling;
  particle.life = std::bit_cast<float>(0xffc12345u);
  Particle endless = kFalling;
  endless.life = kInfinity;
  const std::vector<Entity> ids = Emit(system, {particle, endless});
  EXPECT_EQ(*system.Step(*world_, 1), 1u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(FloatOf(ids[0], components_.life)), 0x7fc00000u);
  EXPECT_EQ(*system.RemoveDead(*world_), 1u);
  EXPECT_TRUE(world_->IsAlive(ids[1]));
}

// Whatever else an entity has, it is a particle.
TEST_F(ParticlesTest, SeesEveryArchetypeThatHasTheFive) {
  const ComponentId tag = Register("tag", "tag");
  const ParticleSystem system = MakeSystem();
  const std::vector<Entity> ids = Emit(system, std::vector<Particle>(5, kFalling));
  ASSERT_TRUE(world_->Add(ids[1], {ComponentValue(tag)}).ok());
  ASSERT_TRUE(world_->Remove(ids[3], {components_.force}).ok());
  EXPECT_EQ(*system.Step(*world_, 1), 4u);
  EXPECT_EQ(FloatOf(ids[3], components_.life), 1.0f);
  EXPECT_EQ(*system.RemoveDead(*world_), 4u);
  EXPECT_TRUE(world_->IsAlive(ids[3]));
  // Destroyed in the order of iteration: rows 0, 4 and 2, then the archetype with the tag.
  EXPECT_EQ(*world_->Create(), Entity(ids[1].index(), 2));
  EXPECT_EQ(*world_->Create(), Entity(ids[2].index(), 2));
}

TEST_F(ParticlesTest, RefusesComponentsThatAreUnknownOrOfAnotherShape) {
  const auto reason = [this](const ParticleComponents& components, std::string* message = nullptr) {
    const absl::Status status = ParticleSystem::Make(*world_, components).status();
    if (message != nullptr) *message = std::string(status.message());
    return ReasonOf(status);
  };
  using Role = ComponentId ParticleComponents::*;
  constexpr Role kRoles[] = {&ParticleComponents::position, &ParticleComponents::velocity,
                             &ParticleComponents::force, &ParticleComponents::inverse_mass,
                             &ParticleComponents::life};
  const std::vector<std::string> names = {"position", "velocity", "force", "inverse mass", "life"};
  const ComponentId four = Register("four", "f32[4]");
  const ComponentId whole = Register("whole", "i32");
  const ComponentId tag = Register("tag", "tag");
  for (std::size_t i = 0; i < 5; ++i) {
    std::string message;
    ParticleComponents wrong = components_;
    wrong.*kRoles[i] = ComponentId(99);
    EXPECT_EQ(reason(wrong, &message), Reason::kComponentUnknown);
    EXPECT_EQ(message,
              "particles: the component for " + names[i] + " (99) is not registered in this world");
    for (const ComponentId other : {four, whole, tag}) {
      wrong.*kRoles[i] = other;
      EXPECT_EQ(reason(wrong, &message), Reason::kComponentTypeMismatch);
      EXPECT_THAT(message, HasSubstr("' cannot be the " + names[i] + ": it is "));
      EXPECT_THAT(message, ::testing::EndsWith(i < 3 ? ", not f32[3]" : ", not f32"));
    }
  }
  ParticleComponents twice = components_;
  twice.velocity = twice.position;
  EXPECT_EQ(reason(twice), Reason::kComponentRepeated);
  EXPECT_EQ(ReasonOf(ParticleSystem::Make(*world_, ParticleComponents{}).status()),
            Reason::kComponentUnknown);
}

TEST_F(ParticlesTest, TheEnvironmentChoosesTheLevel) {
  EXPECT_EQ(MakeSystem().level(), BestSimdLevel());
  setenv("ASHLAR_SIMD", "scalar", 1);
  EXPECT_EQ(MakeSystem().level(), SimdLevel::kScalar);
  setenv("ASHLAR_SIMD", "mmx", 1);
  const absl::Status status = ParticleSystem::Make(*world_, components_).status();
  unsetenv("ASHLAR_SIMD");
  EXPECT_EQ(ReasonOf(status), Reason::kOptionInvalid);
  EXPECT_THAT(std::string(status.message()), HasSubstr("particles: ASHLAR_SIMD is 'mmx'"));
}

}  // namespace
}  // namespace ashlar
