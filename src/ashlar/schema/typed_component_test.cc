#include "ashlar/schema/typed_component.h"

#include <cmath>
#include <cstring>
#include <string>

#include "ashlar/core/status.h"
#include "gtest/gtest.h"

namespace ashlar {
namespace {

struct Position {
  float x, y, z;
};

struct Everything {
  std::int8_t i8;
  std::uint16_t u16[3];
  std::array<double, 2> f64;
  Entity target;
  bool flag;
  std::int64_t i64;
  char letter;
};

struct Disabled {};

struct alignas(16) Wide {
  float a;
};

struct Base {
  std::int32_t id;
};
struct Derived : Base {
  float mass;
};

TEST(Describe, FindsTheFieldsOfAStruct) {
  const auto position = Describe<Position>("position")
                            .Field("x", &Position::x)
                            .Field("y", &Position::y)
                            .Field("z", &Position::z)
                            .Build();
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(position->name(), "position");
  EXPECT_EQ(position->size_bytes(), 12u);
  EXPECT_EQ(position->alignment_bytes(), 4u);
  EXPECT_EQ(position->type_key(), TypeKeyOf<Position>());
  EXPECT_NE(position->type_key(), TypeKeyOf<Disabled>());
  EXPECT_EQ(position->TypeText(), "{x: f32, y: f32, z: f32}");
  const Position value{1, 2, -0.0f};
  EXPECT_EQ(position->Print(reinterpret_cast<const std::byte*>(&value)), "(1.0,2.0,-0.0)");
}

TEST(Describe, KnowsEveryFieldType) {
  const auto everything = Describe<Everything>("everything")
                              .Field("i8", &Everything::i8)
                              .Field("u16", &Everything::u16)
                              .Field("f64", &Everything::f64)
                              .Field("target", &Everything::target)
                              .Field("flag", &Everything::flag)
                              .Field("i64", &Everything::i64)
                              .Field("letter", &Everything::letter)
                              .Build();
  ASSERT_TRUE(everything.ok()) << everything.status();
  EXPECT_EQ(everything->size_bytes(), sizeof(Everything));
  const std::string letter = std::is_signed_v<char> ? "i8" : "u8";
  EXPECT_EQ(everything->TypeText(),
            "{i8: i8, u16: u16[3], f64: f64[2], target: entity, flag: bool, i64: i64, letter: " +
                letter + "}");
  EXPECT_EQ(everything->fields()[2].offset_bytes, offsetof(Everything, f64));
  EXPECT_EQ(everything->fields()[5].offset_bytes, offsetof(Everything, i64));
}

TEST(Describe, FieldsMayBeLeftOutAndComeInAnyOrder) {
  const auto partial =
      Describe<Position>("p").Field("z", &Position::z).Field("x", &Position::x).Build();
  ASSERT_TRUE(partial.ok());
  const Position a{1, 2, 3};
  const Position b{1, 9, 3};
  const Position c{1, 2, 4};
  const auto bytes = [](const Position& p) { return reinterpret_cast<const std::byte*>(&p); };
  EXPECT_TRUE(partial->Equal(bytes(a), bytes(b)));
  EXPECT_EQ(partial->Hash(bytes(a)), partial->Hash(bytes(b)));
  EXPECT_FALSE(partial->Equal(bytes(a), bytes(c)));
  EXPECT_EQ(partial->Print(bytes(a)), "(3.0,1.0)");
}

TEST(Describe, TagsAlignmentAndBases) {
  const auto tag = Describe<Disabled>("disabled").Build();
  ASSERT_TRUE(tag.ok());
  EXPECT_TRUE(tag->is_tag());
  EXPECT_EQ(tag->alignment_bytes(), 1u);
  const auto wide = Describe<Wide>("wide").Field("a", &Wide::a).Build();
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide->alignment_bytes(), 16u);
  EXPECT_EQ(wide->size_bytes(), 16u);
  const auto derived =
      Describe<Derived>("derived").Field("id", &Base::id).Field("mass", &Derived::mass).Build();
  ASSERT_TRUE(derived.ok());
  EXPECT_EQ(derived->fields()[1].offset_bytes, 4u);
}

TEST(Describe, ErrorsComeFromBuild) {
  EXPECT_EQ(ReasonOf(Describe<Position>("position").Build().status()), Reason::kComponentMalformed)
      << "12 bytes and no field";
  const auto twice =
      Describe<Position>("p").Field("x", &Position::x).Field("again", &Position::x).Build();
  EXPECT_EQ(ReasonOf(twice.status()), Reason::kComponentMalformed);
  EXPECT_EQ(ReasonOf(Describe<Disabled>("no good name").Build().status()),
            Reason::kComponentMalformed);
}

bool IsUnit(const void* value, const void*) noexcept {
  const auto& p = *static_cast<const Position*>(value);
  return std::abs(p.x * p.x + p.y * p.y + p.z * p.z - 1) < 1e-5f;
}

TEST(Describe, RulesAndValidatorAreKept) {
  const auto axis = Describe<Position>("axis")
                        .Field("x", &Position::x, {Scalar::Int(0), std::nullopt, false})
                        .Field("y", &Position::y)
                        .Field("z", &Position::z)
                        .Accepts(IsUnit, "must be a unit vector")
                        .Build();
  ASSERT_TRUE(axis.ok());
  const auto validate = [&](Position p) {
    return axis->Validate(reinterpret_cast<const std::byte*>(&p));
  };
  EXPECT_TRUE(validate({1, 0, 0}).ok());
  EXPECT_EQ(std::string(validate({-1, 0, 0}).message()),
            "axis.x: -1.0 breaks the rule 'in [0,inf]'");
  EXPECT_EQ(std::string(validate({1, 1, 0}).message()),
            "axis: (1.0,1.0,0.0) is refused: must be a unit vector");
  EXPECT_EQ(ReasonOf(validate({1, 1, 0})), Reason::kValueRefused);
}

}  // namespace
}  // namespace ashlar
