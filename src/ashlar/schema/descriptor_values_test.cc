// ComponentDescriptor on values: validation, equality, hash, packing.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/schema/component_descriptor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar {
namespace {

using ::testing::HasSubstr;

ComponentDescriptor Typed(std::string_view name, std::string_view type) {
  TypeSpec spec;
  const auto error = ParseType(type, &spec);
  EXPECT_FALSE(error.has_value()) << type << ": " << error->message;
  return ComponentDescriptor::FromSpec(name, spec).value();
}

using Bytes = std::vector<std::byte>;

// A packed value, over a background that padding would show.
Bytes Packed(const ComponentDescriptor& descriptor, const std::vector<Scalar>& value) {
  Bytes bytes(descriptor.size_bytes(), std::byte{0xEE});
  EXPECT_TRUE(descriptor.CheckFit(value).ok());
  descriptor.Pack(value, bytes.data());
  return bytes;
}

void ExpectError(const absl::Status& status, Reason reason, std::string_view message) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonOf(status), reason);
  EXPECT_EQ(std::string(status.message()), message);
}

// Objects of eight bytes of which nothing is known.
ComponentDescriptor WithoutNeutralForm() {
  Lifecycle lifecycle;
  lifecycle.take = [](void*, void*, const Lifecycle&) noexcept {};
  lifecycle.relocate = [](void*, void*, const Lifecycle&) noexcept {};
  lifecycle.destroy = [](void*, const Lifecycle&) noexcept {};
  return ComponentDescriptor::FromLifecycle("secret", 8, 8, TypeSpec(), lifecycle, nullptr,
                                            Validator())
      .value();
}

TEST(CheckFit, NamesFieldValueAndRange) {
  const ComponentDescriptor health = Typed("health", "i32");
  EXPECT_TRUE(health.CheckFit({}).ok());
  EXPECT_TRUE(health.CheckFit(std::vector{Scalar::Int(2147483647)}).ok());
  ExpectError(health.CheckFit(std::vector{Scalar::Int(4294967296)}), Reason::kValueDoesNotFit,
              "health: 4294967296 does not fit i32 [-2147483648, 2147483647]");
  ExpectError(health.CheckFit(std::vector{Scalar::F32(1.0f)}), Reason::kValueDoesNotFit,
              "health: 1.0 does not fit i32 [-2147483648, 2147483647]");
  ExpectError(health.CheckFit(std::vector{Scalar::Int(1), Scalar::Int(2)}),
              Reason::kValueDoesNotFit, "health: the value has 2 scalars, not the 1 of i32");
  const ComponentDescriptor body = Typed("body", "{mass: f32, axis: u8[2]}");
  ExpectError(body.CheckFit(std::vector{Scalar::Int(1), Scalar::Int(255), Scalar::Int(256)}),
              Reason::kValueDoesNotFit, "body.axis[1]: 256 does not fit u8 [0, 255]");
  const ComponentDescriptor target = Typed("target", "entity");
  ExpectError(target.CheckFit(std::vector{Scalar::Label(3)}), Reason::kValueDoesNotFit,
              "target: e3 does not fit entity (an entity: 4v2, null)");
  const ComponentDescriptor tag = Typed("disabled", "tag");
  EXPECT_TRUE(tag.CheckFit({}).ok());
  ExpectError(tag.CheckFit(std::vector{Scalar::Int(0)}), Reason::kValueDoesNotFit,
              "disabled: a tag takes no value");
}

TEST(Pack, WritesFieldsAndClearsPadding) {
  struct Twin {
    std::uint8_t a;
    double b;
    Entity c;
  };
  const ComponentDescriptor descriptor = Typed("twin", "{a: u8, b: f64, c: entity}");
  ASSERT_EQ(descriptor.size_bytes(), sizeof(Twin));
  const std::vector<Scalar> value = {Scalar::Int(7), Scalar::Int(2),
                                     Scalar::EntityValue(Entity(4, 2))};
  const Bytes bytes = Packed(descriptor, value);
  Twin twin;
  std::memcpy(&twin, bytes.data(), sizeof(twin));
  EXPECT_EQ(twin.a, 7);
  EXPECT_EQ(twin.b, 2.0);
  EXPECT_EQ(twin.c, Entity(4, 2));
  for (std::size_t i = 1; i < 8; ++i) EXPECT_EQ(bytes[i], std::byte{0}) << i;
  std::vector<Scalar> back = {Scalar::Bool(true)};
  descriptor.Unpack(bytes.data(), &back);
  EXPECT_EQ(back, (std::vector{Scalar::Bool(true), Scalar::Int(7), Scalar::F64(2.0),
                               Scalar::EntityValue(Entity(4, 2))}));
}

TEST(Pack, NoScalarsMeansAllZero) {
  const ComponentDescriptor descriptor = Typed("c", "{a: bool, b: f64, c: entity[2]}");
  EXPECT_EQ(Packed(descriptor, {}), Bytes(descriptor.size_bytes()));
  EXPECT_EQ(Packed(Typed("t", "tag"), {}), Bytes());
}

TEST(PackDeathTest, AsksForAValueThatFits) {
  const ComponentDescriptor health = Typed("health", "i32");
  std::byte bytes[4];
  EXPECT_DEATH(health.Pack(std::vector{Scalar::Int(4294967296)}, bytes), "ASHLAR_CHECK failed");
  EXPECT_DEATH(health.Pack(std::vector{Scalar::Int(1), Scalar::Int(1)}, bytes),
               "ASHLAR_CHECK failed");
  EXPECT_DEATH(WithoutNeutralForm().Pack({}, bytes), "lifecycle\\(\\) == nullptr");
}

TEST(UnpackDeathTest, AsksForRoomForEveryScalar) {
  const ComponentDescriptor position = Typed("position", "f32[3]");
  const Bytes bytes(12);
  std::vector<Scalar> two(2);
  EXPECT_DEATH(position.UnpackTo(bytes.data(), two), "out.size\\(\\) == scalars_.size\\(\\)");
}

TEST(Validate, HoldsRulesAndNamesFieldValueAndRule) {
  const ComponentDescriptor health = Typed("health", "i32 in [0,100]");
  EXPECT_TRUE(health.has_validation());
  const auto validate = [&](std::int64_t value) {
    return health.Validate(Packed(health, {Scalar::Int(value)}).data());
  };
  EXPECT_TRUE(validate(0).ok());
  EXPECT_TRUE(validate(100).ok());
  ExpectError(validate(101), Reason::kValueRefused, "health: 101 breaks the rule 'in [0,100]'");
  ExpectError(validate(-1), Reason::kValueRefused, "health: -1 breaks the rule 'in [0,100]'");
  EXPECT_FALSE(Typed("health", "i32").has_validation());
  EXPECT_TRUE(Typed("disabled", "tag").Validate(nullptr).ok());
}

TEST(Validate, LooksAtEveryElement) {
  const ComponentDescriptor body = Typed("body", "{id: u8, axis: f32[3] in [-1,1]}");
  const auto validate = [&](float x, float y, float z) {
    return body.Validate(
        Packed(body, {Scalar::Int(255), Scalar::F32(x), Scalar::F32(y), Scalar::F32(z)}).data());
  };
  EXPECT_TRUE(validate(-1, -0.0f, 1).ok());
  ExpectError(validate(0, 0, 1.5f), Reason::kValueRefused,
              "body.axis[2]: 1.5 breaks the rule 'in [-1,1]'");
  ExpectError(validate(-2, 0, 1.5f), Reason::kValueRefused,
              "body.axis[0]: -2.0 breaks the rule 'in [-1,1]'");
}

TEST(Validate, NanIsOutsideEveryRangeAndNotFinite) {
  const auto accepts = [](std::string_view type, Scalar value) {
    const ComponentDescriptor c = Typed("c", type);
    return c.Validate(Packed(c, {value}).data()).ok();
  };
  const Scalar nan = Scalar::F32Bits(0x7fc00000);
  const Scalar inf = Scalar::F32Bits(0x7f800000);
  EXPECT_FALSE(accepts("f32 in [-inf,inf]", nan));
  EXPECT_TRUE(accepts("f32 in [-inf,inf]", inf));
  EXPECT_FALSE(accepts("f32 in [-inf,inf] finite", inf));
  EXPECT_FALSE(accepts("f32 finite", nan));
  EXPECT_FALSE(accepts("f64 finite", Scalar::F64Bits(0xfff0000000000000)));
  EXPECT_TRUE(accepts("f32 finite", Scalar::F32Bits(0x7f7fffff)));
  EXPECT_TRUE(accepts("f32 in [0,1]", Scalar::F32(-0.0f)));
  EXPECT_FALSE(accepts("f32 in [0,1]", Scalar::F32Bits(0x80000001)));
  EXPECT_TRUE(accepts("f32", nan));
  EXPECT_TRUE(accepts("u8 finite", Scalar::Int(255)));
}

TEST(Validate, IntegerRangesReachBeyondSigned) {
  const ComponentDescriptor c = Typed("c", "u64 in [5,9223372036854775808]");
  const auto accepts = [&](std::uint64_t value) {
    return c.Validate(Packed(c, {Scalar::Uint(value)}).data()).ok();
  };
  EXPECT_FALSE(accepts(4));
  EXPECT_TRUE(accepts(5));
  EXPECT_TRUE(accepts(9223372036854775807u));
  EXPECT_TRUE(accepts(9223372036854775808u));
  EXPECT_FALSE(accepts(9223372036854775809u));
  EXPECT_FALSE(accepts(18446744073709551615u));
  const ComponentDescriptor high = Typed("c", "u64 in [9223372036854775809,18446744073709551615]");
  EXPECT_FALSE(high.Validate(Packed(high, {Scalar::Int(5)}).data()).ok());
}

// Refuses values above *context; fails the test on a misaligned one.
bool AtMost(const void* value, const void* context) noexcept {
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(value) % 8, 0u);
  double number;
  std::memcpy(&number, value, sizeof(number));
  return number <= *static_cast<const double*>(context);
}

TEST(Validate, AsksTheValidatorAfterTheRules) {
  Field field;
  field.name = "mass";
  field.type = {ScalarType::kF64, 1};
  field.rule.min = Scalar::Int(0);
  const double limit = 10;
  const auto body = ComponentDescriptor::FromFields("body", 8, 8, std::span(&field, 1), nullptr,
                                                    {AtMost, &limit, "the mass must be small"});
  ASSERT_TRUE(body.ok());
  EXPECT_TRUE(body->has_validation());
  EXPECT_TRUE(body->Validate(Packed(*body, {Scalar::Int(10)}).data()).ok());
  ExpectError(body->Validate(Packed(*body, {Scalar::Int(11)}).data()), Reason::kValueRefused,
              "body: 11.0 is refused: the mass must be small");
  EXPECT_THAT(std::string(body->Validate(Packed(*body, {Scalar::Int(-1)}).data()).message()),
              HasSubstr("breaks the rule"));
  for (const char* text : {static_cast<const char*>(nullptr), ""}) {
    const auto silent = ComponentDescriptor::FromFields("body", 8, 8, std::span(&field, 1), nullptr,
                                                        {AtMost, &limit, text});
    ExpectError(silent->Validate(Packed(*body, {Scalar::Int(11)}).data()), Reason::kValueRefused,
                "body: 11.0 is refused");
  }
  // A value at an odd address is moved for the validator.
  alignas(8) std::byte odd[16];
  const double eleven = 11;
  std::memcpy(odd + 1, &eleven, 8);
  EXPECT_FALSE(body->Validate(odd + 1).ok());
  std::memcpy(odd + 1, &limit, 8);
  EXPECT_TRUE(body->Validate(odd + 1).ok());
}

TEST(Equal, IsByFieldsAndByBits) {
  const ComponentDescriptor c = Typed("c", "{a: u8, b: f32}");
  Bytes x = Packed(c, {Scalar::Int(1), Scalar::F32(0.0f)});
  Bytes y = x;
  EXPECT_TRUE(c.Equal(x.data(), y.data()));
  y[1] = std::byte{9};  // Padding.
  EXPECT_TRUE(c.Equal(x.data(), y.data()));
  EXPECT_EQ(c.Hash(x.data()), c.Hash(y.data()));
  y = Packed(c, {Scalar::Int(1), Scalar::F32(-0.0f)});
  EXPECT_FALSE(c.Equal(x.data(), y.data()));
  EXPECT_NE(c.Hash(x.data()), c.Hash(y.data()));
  y = Packed(c, {Scalar::Int(2), Scalar::F32(0.0f)});
  EXPECT_FALSE(c.Equal(x.data(), y.data()));
  const ComponentDescriptor f32 = Typed("c", "f32");
  const Bytes nan = Packed(f32, {Scalar::F32Bits(0x7fc00001)});
  const Bytes other_nan = Packed(f32, {Scalar::F32Bits(0x7fc00000)});
  EXPECT_TRUE(f32.Equal(nan.data(), nan.data()));
  EXPECT_FALSE(f32.Equal(nan.data(), other_nan.data()));
  const ComponentDescriptor tag = Typed("t", "tag");
  EXPECT_TRUE(tag.Equal(nullptr, nullptr));
}

TEST(Equal, ObjectsWithoutANeutralFormAreAllAlike) {
  const ComponentDescriptor secret = WithoutNeutralForm();
  const Bytes x(8, std::byte{1});
  const Bytes y(8, std::byte{2});
  EXPECT_TRUE(secret.Equal(x.data(), y.data()));
  EXPECT_EQ(secret.Hash(x.data()), secret.Hash(y.data()));
  EXPECT_EQ(secret.Print(x.data()), "");
  ExpectError(secret.CheckFit(std::vector{Scalar::Int(1)}), Reason::kValueDoesNotFit,
              "secret: its values have no neutral form");
}

TEST(Equal, BoolsCompareAsBool) {
  const ComponentDescriptor flags = Typed("flags", "bool[3]");
  const Bytes x = {std::byte{1}, std::byte{0}, std::byte{2}};
  const Bytes y = {std::byte{255}, std::byte{0}, std::byte{1}};
  const Bytes z = {std::byte{1}, std::byte{1}, std::byte{2}};
  EXPECT_TRUE(flags.Equal(x.data(), y.data()));
  EXPECT_EQ(flags.Hash(x.data()), flags.Hash(y.data()));
  EXPECT_FALSE(flags.Equal(x.data(), z.data()));
  EXPECT_NE(flags.Hash(x.data()), flags.Hash(z.data()));
  EXPECT_EQ(flags.Print(x.data()), "(true,false,true)");
}

// XXH3 of no bytes is a constant of its specification.
TEST(Hash, IsXxh3OfTheScalars) { EXPECT_EQ(Typed("t", "tag").Hash(nullptr), 0x2d06800538d394c2u); }

// The same scalars with every fast path and without: dense, padded, out of order, with bools.
TEST(Hash, DoesNotDependOnThePath) {
  for (std::uint32_t count : {1u, 3u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u, 8000u}) {
    std::vector<Scalar> scalars;
    scalars.reserve(count + 1);
    for (std::uint32_t i = 0; i < count; ++i) scalars.push_back(Scalar::Int(i * i % 251));
    const std::size_t size = std::size_t{4} * count;
    Field head;
    head.name = "head";
    head.type = {ScalarType::kU32, count};
    Field tail;
    tail.name = "tail";
    tail.type = {ScalarType::kU8, 1};
    tail.offset_bytes = 4 * count;
    const auto make = [](const std::vector<Field>& fields, std::size_t size_bytes) {
      return ComponentDescriptor::FromFields("c", size_bytes, 4, fields, nullptr, Validator())
          .value();
    };
    const ComponentDescriptor dense = make({head}, size);
    const ComponentDescriptor padded = make({head}, size + 4);
    EXPECT_EQ(dense.Hash(Packed(dense, scalars).data()),
              padded.Hash(Packed(padded, scalars).data()))
        << count;
    scalars.push_back(Scalar::Int(1));
    const ComponentDescriptor bytes = make({head, tail}, size + 4);
    tail.type.scalar = ScalarType::kBool;
    const ComponentDescriptor with_bool = make({head, tail}, size + 4);
    std::vector<Scalar> bool_scalars = scalars;
    bool_scalars.back() = Scalar::Bool(true);
    EXPECT_EQ(bytes.Hash(Packed(bytes, scalars).data()),
              with_bool.Hash(Packed(with_bool, bool_scalars).data()))
        << count;
    tail.type.scalar = ScalarType::kU8;
    tail.offset_bytes = 0;
    head.offset_bytes = 4;
    const ComponentDescriptor swapped = make({head, tail}, size + 4);
    EXPECT_EQ(bytes.Hash(Packed(bytes, scalars).data()),
              swapped.Hash(Packed(swapped, scalars).data()))
        << count;
  }
}

TEST(Hash, TellsValuesApartAtEveryByte) {
  for (std::string_view type : {"u8[24]", "{a: u8[23], b: bool}", "{a: u8[20], b: u32}"}) {
    const ComponentDescriptor c = Typed("c", type);
    const Bytes zero(24);
    std::vector<std::uint64_t> hashes = {c.Hash(zero.data())};
    for (std::size_t i = 0; i < 24; ++i) {
      Bytes bytes = zero;
      bytes[i] = std::byte{1};
      EXPECT_FALSE(c.Equal(zero.data(), bytes.data()));
      hashes.push_back(c.Hash(bytes.data()));
    }
    std::sort(hashes.begin(), hashes.end());
    EXPECT_EQ(std::unique(hashes.begin(), hashes.end()), hashes.end()) << type;
  }
}

// Checked against an XXH3 written from its specification.
TEST(Hash, HasTheseValues) {
  const ComponentDescriptor position = Typed("position", "f32[3]");
  EXPECT_EQ(
      position.Hash(Packed(position, {Scalar::Int(1), Scalar::Int(2), Scalar::Int(3)}).data()),
      8752741175699537250u);
  const ComponentDescriptor body = Typed("body", "{a: u8, b: f64, c: entity, d: bool}");
  EXPECT_EQ(body.Hash(Packed(body, {Scalar::Int(7), Scalar::F64(0.1),
                                    Scalar::EntityValue(Entity(4, 2)), Scalar::Bool(true)})
                          .data()),
            340997911934329848u);
}

TEST(Print, WritesTheValueOfEveryShape) {
  const auto print = [](std::string_view type, const std::vector<Scalar>& value) {
    const ComponentDescriptor c = Typed("c", type);
    return c.Print(Packed(c, value).data());
  };
  EXPECT_EQ(print("i32", {Scalar::Int(80)}), "80");
  EXPECT_EQ(print("f32[3]", {Scalar::Int(1), Scalar::Int(2), Scalar::F32(-0.0f)}),
            "(1.0,2.0,-0.0)");
  EXPECT_EQ(print("{a: f32, b: f32[2], c: entity}", {Scalar::Int(1), Scalar::Int(2), Scalar::Int(3),
                                                     Scalar::EntityValue(Entity(4, 1))}),
            "(1.0,(2.0,3.0),4v1)");
  EXPECT_EQ(print("{a: f32}", {Scalar::Int(1)}), "1.0");
  EXPECT_EQ(print("{a: u8[2]}", {}), "(0,0)");
  EXPECT_EQ(Typed("t", "tag").Print(nullptr), "");
}

}  // namespace
}  // namespace ashlar
