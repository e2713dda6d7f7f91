// The model's own movement: the numbers of the contract, and the corners of IEEE 754 by their bits.

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/reference_world_fixture.h"

namespace ashlar::model {
namespace {

using Declarations = std::vector<std::pair<std::string, std::string>>;

const std::vector<ComponentDescriptor>& Moving() {
  static const auto& descriptors =
      *new auto(Descriptors({{"position", "f32[3]"}, {"velocity", "f32[3]"}, {"disabled", "tag"}}));
  return descriptors;
}

std::string MoveOver(const Declarations& declarations) {
  const auto descriptors = Descriptors(declarations);
  ReferenceWorld world({}, descriptors);
  return oplang::OutcomeText(Move(&world, 1.0f));
}

// The bits of position + velocity * dt, as the model computes them.
std::uint32_t MovedBits(std::uint32_t position, std::uint32_t velocity, std::uint32_t dt) {
  ReferenceWorld world({}, Moving());
  const Value p = {Scalar::F32Bits(position), Scalar::F32(0), Scalar::F32(0)};
  const Value v = {Scalar::F32Bits(velocity), Scalar::F32(0), Scalar::F32(0)};
  Entity e;
  world.Create(std::vector<NamedValue>{{0, p}, {1, v}}, &e);
  Move(&world, std::bit_cast<float>(dt));
  return static_cast<std::uint32_t>(world.entities().at(e).at(0).front().bits);
}

std::uint32_t MovedBits(float position, float velocity, float dt) {
  return MovedBits(std::bit_cast<std::uint32_t>(position), std::bit_cast<std::uint32_t>(velocity),
                   std::bit_cast<std::uint32_t>(dt));
}

// Entity 4 moves; entity 7 has no velocity, entity 9 is disabled: they stay.
TEST(ReferenceMovementTest, TheUpdateOfTheContract) {
  ReferenceWorld world({}, Moving());
  const NamedValue p{0, Floats(1, 2, 3)};
  const NamedValue v{1, Floats(2, -4, 6)};
  const NamedValue d{2, {}};
  for (int i = 0; i < 10; ++i) {
    std::vector<NamedValue> values;
    if (i == 4) values = {p, v};
    if (i == 7) values = {p};
    if (i == 9) values = {p, v, d};
    Entity e;
    world.Create(values, &e);
  }
  EXPECT_EQ(oplang::OutcomeText(Move(&world, 0.5f)), "OK");
  EXPECT_EQ(world.entities().at(Entity(4, 1)).at(0), Floats(2, 0, 6));
  EXPECT_EQ(world.entities().at(Entity(4, 1)).at(1), Floats(2, -4, 6));
  EXPECT_EQ(world.entities().at(Entity(7, 1)).at(0), Floats(1, 2, 3));
  EXPECT_EQ(world.entities().at(Entity(9, 1)).at(0), Floats(1, 2, 3));
}

TEST(ReferenceMovementTest, TheProductIsRoundedBeforeTheSum) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 rounds to 1 + 2^-11; a fused sum would leave 2^-24.
  const float v = 1.0f + std::ldexp(1.0f, -12);
  EXPECT_EQ(MovedBits(-(1.0f + std::ldexp(1.0f, -11)), v, v), 0u);
}

TEST(ReferenceMovementTest, EveryNanIsTheCanonicalOne) {
  constexpr std::uint32_t kCanonical = 0x7FC00000u;
  constexpr std::uint32_t kInf = 0x7F800000u, kMinusInf = 0xFF800000u, kOne = 0x3F800000u;
  for (std::uint32_t nan : {0x7FC00000u, 0xFFC00000u, 0x7FC12345u, 0xFFFFFFFFu, 0x7F800001u}) {
    EXPECT_EQ(MovedBits(nan, kOne, kOne), kCanonical);
    EXPECT_EQ(MovedBits(kOne, nan, kOne), kCanonical);
    EXPECT_EQ(MovedBits(kOne, kOne, nan), kCanonical);
  }
  EXPECT_EQ(MovedBits(kInf, kMinusInf, kOne), kCanonical);
  EXPECT_EQ(MovedBits(kOne, kInf, 0u), kCanonical);
  EXPECT_EQ(MovedBits(kOne, kInf, kOne), kInf);
}

TEST(ReferenceMovementTest, SignedZerosAndDenormals) {
  EXPECT_EQ(MovedBits(-0.0f, 0.0f, -1.0f), 0x80000000u);
  EXPECT_EQ(MovedBits(-0.0f, 0.0f, 1.0f), 0u);
  EXPECT_EQ(MovedBits(1.0f, -1.0f, 1.0f), 0u);
  const float denormal = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(MovedBits(0.0f, denormal, 1.0f), 1u);
  EXPECT_EQ(MovedBits(denormal, denormal, 1.0f), 2u);
  EXPECT_EQ(MovedBits(0.0f, denormal, 0.5f), 0u);
}

TEST(ReferenceMovementTest, ComponentsAreFoundByNameAndShape) {
  EXPECT_EQ(MoveOver({{"disabled", "tag"}, {"velocity", "f32x3"}, {"position", "f32x3"}}), "OK");
  EXPECT_EQ(
      MoveOver(
          {{"disabled", "tag"}, {"velocity", "{x: f32, y: f32, z: f32}"}, {"position", "f32[3]"}}),
      "OK");
  const std::string unknown = "INVALID_ARGUMENT component_unknown";
  EXPECT_EQ(MoveOver({{"velocity", "f32[3]"}, {"disabled", "tag"}}), unknown);
  EXPECT_EQ(MoveOver({{"position", "f32[3]"}, {"disabled", "tag"}}), unknown);
  EXPECT_EQ(MoveOver({{"position", "i8"}, {"velocity", "f32[3]"}}), unknown);
  const std::string mismatch = "INVALID_ARGUMENT component_type_mismatch";
  EXPECT_EQ(MoveOver({{"position", "f32[2]"}, {"velocity", "f32[3]"}, {"disabled", "tag"}}),
            mismatch);
  EXPECT_EQ(MoveOver({{"position", "f32[3]"}, {"velocity", "i32[3]"}, {"disabled", "tag"}}),
            mismatch);
  EXPECT_EQ(MoveOver({{"position", "f32[3]"}, {"velocity", "f32[4]"}, {"disabled", "tag"}}),
            mismatch);
  EXPECT_EQ(MoveOver({{"position", "f32[3]"}, {"velocity", "f32[3]"}, {"disabled", "u8"}}),
            mismatch);
}

TEST(ReferenceMovementTest, RulesAreNotAsked) {
  const auto descriptors = Descriptors(
      {{"position", "f32[3] in [0,1] finite"}, {"velocity", "f32[3]"}, {"disabled", "tag"}});
  ReferenceWorld world({}, descriptors);
  Entity e;
  world.Create(std::vector<NamedValue>{{0, {}}, {1, Floats(5, 0, 0)}}, &e);
  EXPECT_EQ(oplang::OutcomeText(Move(&world, 1.0f)), "OK");
  EXPECT_EQ(world.entities().at(e).at(0), Floats(5, 0, 0));
}

}  // namespace
}  // namespace ashlar::model
