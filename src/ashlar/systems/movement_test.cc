#include "ashlar/systems/movement.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::inline v0 {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Position {
  float x, y, z;
};
struct Velocity {
  float x, y, z;
};

// Sets an environment variable, or removes it (null), until the end of the scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    Set(value);
  }
  ~ScopedVariable() { Set(old_.has_value() ? old_->c_str() : nullptr); }

 private:
  void Set(const char* value) {
    if (value == nullptr) {
      unsetenv(name_);
    } else {
      setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> old_;
};

class MovementSystemTest : public testing::Test {
 protected:
  explicit MovementSystemTest(const WorldOptions& options = {})
      : no_variable_("ASHLAR_SIMD", nullptr), world_(World::Make(options).value()) {
    position_ = world_
                    ->Register(Describe<Position>("position")
                                   .Field("x", &Position::x)
                                   .Field("y", &Position::y)
                                   .Field("z", &Position::z))
                    .value();
    velocity_ = Register("velocity", "f32[3]");
    disabled_ = Register("disabled", "tag");
  }

  ComponentId Register(std::string_view name, std::string_view type) {
    TypeSpec spec;
    EXPECT_FALSE(ParseType(type, &spec).has_value());
    return world_->Register(ComponentDescriptor::FromSpec(name, spec).value()).value();
  }
  Entity MakeMoving(Position position, Velocity velocity) {
    return world_->Create({ComponentValue(position_, position), {velocity_, &velocity}}).value();
  }
  MovementSystem MakeSystem(std::optional<SimdLevel> level = std::nullopt) {
    return MovementSystem::Make(*world_, position_.id(), velocity_, disabled_, level).value();
  }
  std::vector<float> PositionOf(Entity entity) {
    const Position* p = world_->TryGet(entity, position_);
    return p == nullptr ? std::vector<float>{} : std::vector<float>{p->x, p->y, p->z};
  }
  absl::Status MakeError(ComponentId position, ComponentId velocity, ComponentId disabled,
                         std::optional<SimdLevel> level = std::nullopt) {
    return MovementSystem::Make(*world_, position, velocity, disabled, level).status();
  }

  ScopedVariable no_variable_;
  std::unique_ptr<World> world_;
  Component<Position> position_;
  ComponentId velocity_;
  ComponentId disabled_;
};

std::vector<SimdLevel> Levels() {
  std::vector<SimdLevel> levels;
  for (SimdLevel level : kSimdLevels) {
    if (level <= BestSimdLevel()) levels.push_back(level);
  }
  return levels;
}

// CONTRACT's three entities: one moves, the two others stay as they were.
TEST_F(MovementSystemTest, MovesWhatHasBothAndIsNotDisabled) {
  const Entity four = MakeMoving({1, 2, 3}, {2, -4, 6});
  const Position seven_position = {7, 7, 7};
  const Entity seven = world_->Create({ComponentValue(position_, seven_position)}).value();
  const Entity nine = MakeMoving({9, 9, 9}, {1, 1, 1});
  ASSERT_TRUE(world_->Add(nine, {ComponentValue(disabled_)}).ok());

  const MovementSystem system = MakeSystem();
  ASSERT_TRUE(system.Step(*world_, 0.5f).ok());
  EXPECT_THAT(PositionOf(four), ElementsAre(2, 0, 6));
  EXPECT_THAT(PositionOf(seven), ElementsAre(7, 7, 7));
  EXPECT_THAT(PositionOf(nine), ElementsAre(9, 9, 9));

  ASSERT_TRUE(world_->Remove(nine, {disabled_}).ok());
  ASSERT_TRUE(system.Step(*world_, 2).ok());
  EXPECT_THAT(PositionOf(four), ElementsAre(6, -8, 18));
  EXPECT_THAT(PositionOf(nine), ElementsAre(11, 11, 11));
}

TEST_F(MovementSystemTest, SeesChunksAndArchetypesMadeLater) {
  const MovementSystem system = MakeSystem();
  const ComponentId health = Register("health", "i32");
  std::vector<Entity> entities;
  for (int i = 0; i < 123; ++i) {  // 122 fill a chunk.
    entities.push_back(MakeMoving({static_cast<float>(i), 0, 1}, {1, 2, 3}));
  }
  ASSERT_TRUE(world_->Add(entities[5], {ComponentValue(health)}).ok());
  ASSERT_TRUE(system.Step(*world_, 1).ok());
  for (int i = 0; i < 123; ++i) {
    EXPECT_THAT(PositionOf(entities[i]), ElementsAre(static_cast<float>(i + 1), 2, 4)) << i;
  }
}

TEST_F(MovementSystemTest, AWorldWithoutMatchesIsFine) {
  EXPECT_TRUE(MakeSystem().Step(*world_, 1).ok());
}

TEST_F(MovementSystemTest, StepsInsideAnotherScopeAndAdvancesTheVersionOnlyOutside) {
  const Entity entity = MakeMoving({0, 0, 0}, {1, 1, 1});
  const MovementSystem system = MakeSystem();
  const std::uint64_t before = world_->version();
  ASSERT_TRUE(system.Step(*world_, 1).ok());
  EXPECT_EQ(world_->version(), before + 1);
  {
    auto scope = world_->OpenScope(system.query());
    ASSERT_TRUE(scope.ok());
    EXPECT_EQ(world_->version(), before + 2);
    ASSERT_TRUE(system.Step(*world_, 1).ok());
    EXPECT_EQ(world_->version(), before + 2);
    EXPECT_EQ(world_->scope_depth(), 1u);
  }
  EXPECT_EQ(world_->scope_depth(), 0u);
  EXPECT_THAT(PositionOf(entity), ElementsAre(2, 2, 2));
}

TEST_F(MovementSystemTest, EveryLevelGivesTheSameBits) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float payload = std::bit_cast<float>(0xffc12345u);
  std::vector<std::vector<std::uint32_t>> results;
  for (SimdLevel level : Levels()) {
    std::vector<Entity> entities;
    for (int i = 0; i < 300; ++i) {
      const auto f = static_cast<float>(i);
      entities.push_back(MakeMoving({f / 3, i % 7 == 0 ? payload : -0.0f, 1e-45f * f},
                                    {f / 7, -0.0f, i % 11 == 0 ? -infinity : 1e-38f}));
    }
    const MovementSystem system = MakeSystem(level);
    EXPECT_EQ(system.level(), level);
    ASSERT_TRUE(system.Step(*world_, 0.1f).ok());
    std::vector<std::uint32_t>& bits = results.emplace_back();
    for (Entity entity : entities) {
      for (float f : PositionOf(entity)) bits.push_back(std::bit_cast<std::uint32_t>(f));
      ASSERT_TRUE(world_->Destroy(entity).ok());
    }
    EXPECT_EQ(bits.size(), 900u);
    EXPECT_EQ(bits[1], 0x7fc00000u);  // The payload did not survive the kernel.
  }
  for (const auto& bits : results) EXPECT_EQ(bits, results[0]);
}

TEST_F(MovementSystemTest, FieldsByNameAreThreeFloatsToo) {
  const ComponentId place = Register("place", "{x: f32, y: f32, z: f32}");
  EXPECT_TRUE(MakeError(place, velocity_, disabled_).ok());
}

TEST_F(MovementSystemTest, RefusesComponentsOfAnotherShape) {
  for (const char* type : {"f32", "f32[2]", "f32[4]", "f64[3]", "i32[3]", "tag", "entity",
                           "{x: f32, y: f32, z: i32}", "{a: f32[3], b: f32}"}) {
    std::string name = "other";
    name += std::to_string(world_->registry().size());
    const ComponentId other = Register(name, type);
    const absl::Status as_position = MakeError(other, velocity_, disabled_);
    EXPECT_EQ(ReasonOf(as_position), Reason::kComponentTypeMismatch) << type;
    EXPECT_THAT(std::string(as_position.message()),
                HasSubstr("'" + name + "' cannot be the position"));
    EXPECT_EQ(ReasonOf(MakeError(position_.id(), other, disabled_)), Reason::kComponentTypeMismatch)
        << type;
    EXPECT_EQ(ReasonOf(MakeError(position_.id(), velocity_, other)),
              std::string_view(type) == "tag" ? Reason::kNone : Reason::kComponentTypeMismatch)
        << type;
  }
}

TEST_F(MovementSystemTest, RefusesUnknownAndRepeatedComponents) {
  const ComponentId unknown(77);
  EXPECT_EQ(ReasonOf(MakeError(unknown, velocity_, disabled_)), Reason::kComponentUnknown);
  EXPECT_EQ(ReasonOf(MakeError(position_.id(), unknown, disabled_)), Reason::kComponentUnknown);
  EXPECT_EQ(ReasonOf(MakeError(position_.id(), velocity_, ComponentId::None())),
            Reason::kComponentUnknown);
  EXPECT_EQ(ReasonOf(MakeError(velocity_, velocity_, disabled_)), Reason::kComponentRepeated);
}

TEST_F(MovementSystemTest, IsNotMadeInsideAScope) {
  const MovementSystem system = MakeSystem();
  auto scope = world_->OpenScope(system.query());
  EXPECT_EQ(ReasonOf(MakeError(position_.id(), velocity_, disabled_)), Reason::kScopeOpen);
}

TEST_F(MovementSystemTest, TheEnvironmentChoosesTheLevel) {
  EXPECT_EQ(MakeSystem().level(), BestSimdLevel());
  {
    ScopedVariable scalar("ASHLAR_SIMD", "scalar");
    EXPECT_EQ(MakeSystem().level(), SimdLevel::kScalar);
    // An explicit level is stronger.
    EXPECT_EQ(MakeSystem(BestSimdLevel()).level(), BestSimdLevel());
  }
  {
    ScopedVariable unknown("ASHLAR_SIMD", "mmx");
    const absl::Status status = MakeError(position_.id(), velocity_, disabled_);
    EXPECT_EQ(ReasonOf(status), Reason::kOptionInvalid);
    EXPECT_THAT(std::string(status.message()), HasSubstr("movement: ASHLAR_SIMD is 'mmx'"));
  }
  ScopedVariable best("ASHLAR_SIMD", "avx512");
  const absl::Status status = MakeError(position_.id(), velocity_, disabled_);
  EXPECT_EQ(ReasonOf(status),
            BestSimdLevel() >= SimdLevel::kAvx512 ? Reason::kNone : Reason::kOptionInvalid);
}

// Chunks of every kind that a step goes through in its own way.
class MovementInChunksOfTest : public MovementSystemTest,
                               public testing::WithParamInterface<std::size_t> {
 protected:
  MovementInChunksOfTest() : MovementSystemTest({.chunk_size_bytes = GetParam()}) {}
};

// More rows than a second-level cache holds, in more archetypes than chunks are looked ahead: the
// ways with hints, which must not lose a chunk, move none twice, and none by the velocities of
// another. One archetype has one row; at the end come some of 2 to 8 chunks of 4096 bytes. One step
// goes forth and one back (TurnsEveryStepOverManyRows).
TEST_P(MovementInChunksOfTest, MovesEachOfManyChunksOnce) {
  std::vector<ComponentId> tags;
  for (int t = 0; t < 8; ++t) tags.push_back(Register("tag" + std::to_string(t), "tag"));
  const auto velocity_of = [](int i) {
    return Velocity{1, static_cast<float>(i % 1021), static_cast<float>(-i)};
  };
  std::vector<Entity> entities;
  const auto create = [&](std::initializer_list<ComponentId> with) {
    const auto i = static_cast<int>(entities.size());
    const Position position = {static_cast<float>(i % 1000), 0, 0};
    const Velocity velocity = velocity_of(i);
    std::vector<ComponentValue> values = {{position_, position}, {velocity_, &velocity}};
    for (const ComponentId tag : with) values.emplace_back(tag);
    entities.push_back(world_->Create(values).value());
  };
  for (int i = 0; i < 50'000; ++i) {
    if (i == 49'999) {
      create({tags[7]});
    } else if (i % 7 < 5) {
      create({tags[i % 7]});
    } else {
      create({});
    }
  }
  for (int chunks = 2; chunks <= 8; ++chunks) {
    for (int row = 0; row < (chunks - 1) * 122 + 61; ++row) create({tags[chunks - 2], tags[7]});
  }
  const MovementSystem system = MakeSystem();
  for (int step = 1; step <= 2; ++step) {
    ASSERT_TRUE(system.Step(*world_, 1).ok());
    for (int i = 0; i < static_cast<int>(entities.size()); ++i) {
      const Position* p = world_->TryGet(entities[i], position_);
      const Velocity v = velocity_of(i);
      const auto steps = static_cast<float>(step);
      ASSERT_TRUE(p->x == static_cast<float>(i % 1000 + step) && p->y == v.y * steps &&
                  p->z == v.z * steps)
          << "entity number " << i << " is at (" << p->x << ", " << p->y << ", " << p->z
          << ") after step " << step << ", with velocity (" << v.x << ", " << v.y << ", " << v.z
          << ")";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, MovementInChunksOfTest,
                         testing::Values(4096, 8192, 16384, 32768, 65536),
                         testing::PrintToStringParamName());

// So few rows that a second-level cache holds them: chunks come in turns and in pairs, or are the
// rest of either. Every chunk must be moved once, and count as changed.
TEST_F(MovementSystemTest, MovesEachOfSomeChunksOnce) {
  const std::uint32_t capacity = 122;  // CONTRACT, section 1: position and velocity in 4096 bytes.
  std::vector<Entity> entities;
  const QueryId all = world_->MakeQuery(QuerySpec().Read(position_).Read(velocity_)).value();
  for (int chunks = 1; chunks <= 50; ++chunks) {
    for (const std::uint32_t rows_in_last : {1u, 121u, 122u}) {
      while (entities.size() < (chunks - 1) * capacity + rows_in_last) {
        const auto f = static_cast<float>(entities.size());
        entities.push_back(MakeMoving({f, 0, 0}, {1, f, 3}));
      }
      const std::uint64_t since = world_->version();
      std::vector<Position> before;
      for (const Entity entity : entities) before.push_back(*world_->TryGet(entity, position_));
      ASSERT_TRUE(MakeSystem().Step(*world_, 1).ok());
      for (std::size_t i = 0; i < entities.size(); ++i) {
        const Position* p = world_->TryGet(entities[i], position_);
        ASSERT_TRUE(p->x == before[i].x + 1 && p->y == before[i].y + static_cast<float>(i))
            << "entity number " << i << " of " << entities.size() << " went from (" << before[i].x
            << ", " << before[i].y << ") to (" << p->x << ", " << p->y << "), its velocity is (1, "
            << i << ")";
      }
      const auto scope = world_->OpenScope(all).value();
      for (const ChunkView& view : scope) {
        ASSERT_TRUE(view.Changed(position_.id(), since) && !view.Changed(velocity_, since))
            << "chunk " << view.chunk().value() << " of " << chunks;
      }
    }
  }
}

// The least chunks: a row in each, so that every span is a tail.
class MovementInSmallChunksTest : public MovementSystemTest {
 protected:
  MovementInSmallChunksTest() : MovementSystemTest({.rows_per_chunk_max = 1}) {}
};

TEST_F(MovementInSmallChunksTest, MovesEveryRow) {
  std::vector<Entity> entities;
  for (int i = 0; i < 20; ++i)
    entities.push_back(MakeMoving({0, 0, static_cast<float>(i)}, {1, 1, 1}));
  ASSERT_TRUE(MakeSystem().Step(*world_, 1).ok());
  for (int i = 0; i < 20; ++i) {
    EXPECT_THAT(PositionOf(entities[i]), ElementsAre(1, 1, static_cast<float>(i + 1)));
  }
}

}  // namespace
}  // namespace ashlar::inline v0
