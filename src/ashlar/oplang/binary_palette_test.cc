#include "ashlar/oplang/binary_palette.h"

#include <set>
#include <string>
#include <utility>

#include "ashlar/oplang/palette_scalars.h"
#include "ashlar/oplang/random_programs.h"
#include "ashlar/schema/component_descriptor.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

const std::vector<std::string>& PalettedTypes() {
  static const std::vector<std::string> texts = {"tag",
                                                 "f32",
                                                 "f32[3]",
                                                 "f64",
                                                 "i8",
                                                 "i16",
                                                 "i32 in [0,100]",
                                                 "i64",
                                                 "u8",
                                                 "u16",
                                                 "u32",
                                                 "u64",
                                                 "bool",
                                                 "entity",
                                                 "entity[2]",
                                                 "f32 in [-1.5,2.5] finite",
                                                 "{pos: f32[3], mass: f32, target: entity}"};
  return texts;
}

// What becomes of a value: does it fit, is it accepted?
enum class Fate { kAccepted, kRefused, kUnfit };

Fate FateOf(const ComponentDescriptor& descriptor, std::vector<Scalar> value) {
  for (Scalar& scalar : value) {
    if (scalar.kind == Scalar::Kind::kLabel) scalar = Scalar::EntityValue(Entity(1, 1));
  }
  if (!descriptor.CheckFit(value).ok()) return Fate::kUnfit;
  std::vector<std::byte> bytes(descriptor.size_bytes() + 64);
  void* aligned = bytes.data();
  std::size_t space = bytes.size();
  std::align(64, descriptor.size_bytes(), aligned, space);
  descriptor.Pack(value, static_cast<std::byte*>(aligned));
  return descriptor.Validate(static_cast<const std::byte*>(aligned)).ok() ? Fate::kAccepted
                                                                          : Fate::kRefused;
}

TEST(Palette, EveryKeyIsFoundAgain) {
  for (const std::string& text : PalettedTypes()) {
    const TypeSpec type = TypeOfText(text);
    for (unsigned mode = 0; mode < 256; ++mode) {
      for (unsigned pick = 0; pick < 256; pick += 29) {
        const PaletteKey key{static_cast<std::uint8_t>(mode), static_cast<std::uint8_t>(pick)};
        const std::vector<Scalar> value = PaletteValue(type, key);
        const auto found = FindInPalette(type, value);
        ASSERT_TRUE(found.has_value()) << text << " " << mode << " " << pick;
        ASSERT_EQ(PaletteValue(type, *found), value) << text << " " << mode << " " << pick;
      }
    }
  }
}

// Random bytes have to reach every fate of a value, and mostly one that changes a world.
TEST(Palette, ReachesEveryFate) {
  for (const std::string& text : PalettedTypes()) {
    const TypeSpec type = TypeOfText(text);
    const auto descriptor = ComponentDescriptor::FromSpec("c", type);
    ASSERT_TRUE(descriptor.ok());
    int counts[3] = {};
    int all = 0;
    for (unsigned mode = 0; mode < 256; ++mode) {
      for (unsigned pick = 0; pick < 256; pick += 5) {
        ++all;
        const PaletteKey key{static_cast<std::uint8_t>(mode), static_cast<std::uint8_t>(pick)};
        ++counts[static_cast<int>(FateOf(*descriptor, PaletteValue(type, key)))];
      }
    }
    EXPECT_GT(counts[0], all / 2) << text;
    EXPECT_GT(counts[2], all / 100) << text;
    const bool has_rule = text.find("in [") != std::string::npos;
    EXPECT_EQ(counts[1] > 0, has_rule) << text;
  }
}

TEST(Palette, PlainNumbersOfTracesAreInIt) {
  const auto holds = [](const char* type, const std::vector<Scalar>& value) {
    return FindInPalette(TypeOfText(type), value).has_value();
  };
  EXPECT_TRUE(holds("i32", {Scalar::Int(0)}));
  EXPECT_TRUE(holds("i32 in [0,100]", {Scalar::Int(80)}));
  EXPECT_TRUE(holds("i32", {Scalar::Int(-1)}));
  EXPECT_TRUE(holds("i32", {Scalar::Int(2147483648)}));  // One too large.
  EXPECT_TRUE(holds("i32", {}));
  EXPECT_TRUE(holds("f32[3]", {Scalar::F32(1), Scalar::F32(2), Scalar::F32(3)}));
  EXPECT_TRUE(holds("f32[3]", {Scalar::F32(0.5f), Scalar::F32(0.5f), Scalar::F32(0.5f)}));
  EXPECT_TRUE(holds("f32", {Scalar::F32Bits(0x7f800001)}));
  EXPECT_TRUE(holds("entity", {Scalar::Label(3)}));
  EXPECT_TRUE(holds("entity", {Scalar::EntityValue(Entity())}));
  EXPECT_FALSE(holds("i32", {Scalar::Int(123456)}));
  EXPECT_FALSE(holds("f32[3]", {Scalar::F32(1), Scalar::F32(7), Scalar::F32(3)}));
}

TEST(Palette, EdgesAreThere) {
  // Every scalar that some key gives for one field of that type.
  const auto reach = [](const char* text) {
    const TypeSpec type = TypeOfText(text);
    std::set<std::pair<int, std::uint64_t>> all;
    for (unsigned key = 0; key < 65536; ++key) {
      for (const Scalar& scalar :
           PaletteValue(TypeOfText(text),
                        {static_cast<std::uint8_t>(key >> 8), static_cast<std::uint8_t>(key)})) {
        all.insert({static_cast<int>(scalar.kind), scalar.bits});
      }
    }
    return all;
  };
  const auto has = [](const std::set<std::pair<int, std::uint64_t>>& all, const Scalar& scalar) {
    return all.contains({static_cast<int>(scalar.kind), scalar.bits});
  };
  const auto i16 = reach("i16 in [-7,300]");
  for (const int edge : {-32769, -32768, -32767, -8, -7, 0, 300, 301, 32766, 32767, 32768}) {
    EXPECT_TRUE(has(i16, Scalar::Int(edge))) << edge;
  }
  const auto u64 = reach("u64");
  EXPECT_TRUE(has(u64, Scalar::Uint(18446744073709551615u)));
  EXPECT_TRUE(has(u64, Scalar::Int(-1)));
  const auto i64 = reach("i64");
  EXPECT_TRUE(has(i64, Scalar::Int(INT64_MIN)));
  EXPECT_TRUE(has(i64, Scalar::Int(INT64_MAX)));
  EXPECT_TRUE(has(i64, Scalar::Uint(9223372036854775808u)));
  const auto f32 = reach("f32 in [-1.5,2.5] finite");
  for (const std::uint32_t bits :
       {0x80000000u, 0x00000001u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0x7fc00001u, 0x7f800001u,
        0xbfc00000u, 0xbfc00001u, 0x40200000u, 0x40200001u}) {
    EXPECT_TRUE(has(f32, Scalar::F32Bits(bits))) << bits;
  }
  EXPECT_TRUE(has(f32, Scalar::F64(1e39)));
  EXPECT_TRUE(has(f32, Scalar::Int(16777217)));
  const auto entity = reach("entity");
  EXPECT_TRUE(has(entity, Scalar::Label(0)));
  EXPECT_TRUE(has(entity, Scalar::Label(63)));
  EXPECT_TRUE(has(entity, Scalar::EntityValue(Entity())));
  EXPECT_TRUE(has(entity, Scalar::EntityValue(Entity(0xFFFFFFFF, 0xFFFFFFFF))));
}

TEST(OutsideScalar, NeverFits) {
  for (int type = 0; type < kScalarTypeCount; ++type) {
    for (std::uint32_t which = 0; which < 64; ++which) {
      const Scalar scalar = OutsideScalar(static_cast<ScalarType>(type), which);
      EXPECT_FALSE(FitScalar(static_cast<ScalarType>(type), scalar).has_value())
          << ScalarTypeName(static_cast<ScalarType>(type)) << " " << ScalarText(scalar);
    }
  }
}

TEST(SpecialScalar, AlwaysFits) {
  for (int type = 0; type < kScalarTypeCount; ++type) {
    for (std::uint32_t which = 0; which < 256; ++which) {
      const Scalar scalar = SpecialScalar(static_cast<ScalarType>(type), which);
      if (scalar.kind == Scalar::Kind::kLabel) continue;
      EXPECT_TRUE(FitScalar(static_cast<ScalarType>(type), scalar).has_value())
          << ScalarTypeName(static_cast<ScalarType>(type)) << " " << ScalarText(scalar);
    }
  }
}

// A type that no descriptor would take must not ask for more memory than one that it would.
TEST(Palette, ImpossibleTypesAreBounded) {
  TypeSpec type;
  type.fields = {{"", {ScalarType::kF64, 0xFFFFFFFF}, {}}};
  EXPECT_EQ(PaletteValue(type, {96, 1}).size(), 65536u);
}

}  // namespace
}  // namespace ashlar::oplang
