#include "ashlar/schema/scalar.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace ashlar {
namespace {

constexpr std::int64_t kI64Min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kI64Max = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kU64Max = std::numeric_limits<std::uint64_t>::max();

std::optional<Scalar> None() { return std::nullopt; }

TEST(ScalarType, SizesAlignmentsAndNamesAreThese) {
  struct Row {
    ScalarType type;
    std::string_view name;
    std::size_t size;
    std::size_t alignment;
  };
  const std::vector<Row> rows = {
      {ScalarType::kF32, "f32", 4, 4},   {ScalarType::kF64, "f64", 8, 8},
      {ScalarType::kI8, "i8", 1, 1},     {ScalarType::kI16, "i16", 2, 2},
      {ScalarType::kI32, "i32", 4, 4},   {ScalarType::kI64, "i64", 8, 8},
      {ScalarType::kU8, "u8", 1, 1},     {ScalarType::kU16, "u16", 2, 2},
      {ScalarType::kU32, "u32", 4, 4},   {ScalarType::kU64, "u64", 8, 8},
      {ScalarType::kBool, "bool", 1, 1}, {ScalarType::kEntity, "entity", 8, 4},
  };
  ASSERT_EQ(rows.size(), static_cast<std::size_t>(kScalarTypeCount));
  for (const Row& row : rows) {
    EXPECT_EQ(ScalarTypeName(row.type), row.name);
    EXPECT_EQ(ScalarSizeBytes(row.type), row.size) << row.name;
    EXPECT_EQ(ScalarAlignmentBytes(row.type), row.alignment) << row.name;
    EXPECT_EQ(ParseScalarType(row.name), row.type) << row.name;
  }
  for (std::string_view bad : {"", "f16", "F32", "f32 ", " f32", "int", "f3", "entit"}) {
    EXPECT_EQ(ParseScalarType(bad), std::nullopt) << bad;
  }
}

TEST(ScalarType, FloatsAndIntegersAreToldApart) {
  for (int i = 0; i < kScalarTypeCount; ++i) {
    const auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(IsFloat(type), i <= 1);
    EXPECT_EQ(IsInteger(type), i >= 2 && i <= 9);
  }
}

TEST(Scalar, IntegersHaveOneForm) {
  EXPECT_EQ(Scalar::Uint(5), Scalar::Int(5));
  EXPECT_EQ(Scalar::Uint(kI64Max), Scalar::Int(kI64Max));
  EXPECT_EQ(Scalar::Uint(std::uint64_t{1} << 63).kind, Scalar::Kind::kUint);
  EXPECT_NE(Scalar::Uint(kU64Max), Scalar::Int(-1));
}

TEST(FitScalar, IntegersFitInsideTheirRangeOnly) {
  struct Row {
    ScalarType type;
    std::int64_t min;
    std::int64_t max;
  };
  for (const Row& row :
       {Row{ScalarType::kI8, -128, 127}, Row{ScalarType::kI16, -32768, 32767},
        Row{ScalarType::kI32, -2147483648, 2147483647}, Row{ScalarType::kU8, 0, 255},
        Row{ScalarType::kU16, 0, 65535}, Row{ScalarType::kU32, 0, 4294967295}}) {
    const std::string_view name = ScalarTypeName(row.type);
    EXPECT_EQ(FitScalar(row.type, Scalar::Int(row.min)), Scalar::Int(row.min)) << name;
    EXPECT_EQ(FitScalar(row.type, Scalar::Int(row.max)), Scalar::Int(row.max)) << name;
    EXPECT_EQ(FitScalar(row.type, Scalar::Int(row.min - 1)), None()) << name;
    EXPECT_EQ(FitScalar(row.type, Scalar::Int(row.max + 1)), None()) << name;
    EXPECT_EQ(FitScalar(row.type, Scalar::Uint(kU64Max)), None()) << name;
  }
  EXPECT_EQ(FitScalar(ScalarType::kI32, Scalar::Int(4294967296)), None());
  EXPECT_EQ(FitScalar(ScalarType::kI64, Scalar::Int(kI64Min)), Scalar::Int(kI64Min));
  EXPECT_EQ(FitScalar(ScalarType::kI64, Scalar::Uint(std::uint64_t{1} << 63)), None());
  EXPECT_EQ(FitScalar(ScalarType::kU64, Scalar::Uint(kU64Max)), Scalar::Uint(kU64Max));
  EXPECT_EQ(FitScalar(ScalarType::kU64, Scalar::Int(-1)), None());
}

TEST(FitScalar, AKindNeverBecomesAnother) {
  const std::vector<Scalar> values = {Scalar::Int(1),       Scalar::F32(1.0f),
                                      Scalar::F64(1.0),     Scalar::Bool(true),
                                      Scalar::Label(1),     Scalar::EntityValue(Entity(1, 1)),
                                      Scalar::Uint(kU64Max)};
  for (const Scalar& value : values) {
    const bool is_float = value.kind == Scalar::Kind::kF32 || value.kind == Scalar::Kind::kF64;
    const bool is_one = value == Scalar::Int(1);
    EXPECT_EQ(FitScalar(ScalarType::kI32, value).has_value(), is_one);
    EXPECT_EQ(FitScalar(ScalarType::kU8, value).has_value(), is_one);
    EXPECT_EQ(FitScalar(ScalarType::kF32, value).has_value(), is_one || is_float);
    EXPECT_EQ(FitScalar(ScalarType::kF64, value).has_value(), is_one || is_float);
    EXPECT_EQ(FitScalar(ScalarType::kBool, value).has_value(), value == Scalar::Bool(true));
    EXPECT_EQ(FitScalar(ScalarType::kEntity, value).has_value(),
              value.kind == Scalar::Kind::kEntity);
  }
}

TEST(FitScalar, FloatsTakeIntegersThatTheyHoldExactly) {
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::Int(16777216)), Scalar::F32(16777216.0f));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::Int(-16777216)), Scalar::F32(-16777216.0f));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::Int(16777217)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::Int(-16777217)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::Int(16777218)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::Int(0)), Scalar::F32Bits(0));
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::Int(9007199254740992)),
            Scalar::F64(9007199254740992.0));
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::Int(9007199254740993)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::Int(-9007199254740993)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::Int(kI64Min)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::Uint(kU64Max)), None());
}

TEST(FitScalar, DoublesRoundToFloatsUnlessTheyWouldBecomeInfinite) {
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(0.1)), Scalar::F32Bits(0x3dcccccd));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(1e39)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(-1e39)), None());
  // The largest float, the last double that rounds to it, and the first that does not.
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(0x1.fffffep127)), Scalar::F32Bits(0x7f7fffff));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(0x1.fffffefffffffp127)),
            Scalar::F32Bits(0x7f7fffff));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(0x1.ffffffp127)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(-0x1.ffffffp127)), None());
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(-HUGE_VAL)), Scalar::F32Bits(0xff800000));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(-0.0)), Scalar::F32Bits(0x80000000));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64(1e-60)), Scalar::F32Bits(0));
}

TEST(FitScalar, NanPayloadsAreKeptWhereTheyFit) {
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F32Bits(0x7fc00001)), Scalar::F32Bits(0x7fc00001));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F32Bits(0x7f800001)), Scalar::F32Bits(0x7f800001));
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::F64Bits(0xfff0000000000001)),
            Scalar::F64Bits(0xfff0000000000001));
  EXPECT_EQ(FitScalar(ScalarType::kF32, Scalar::F64Bits(0xfff8000000000123)),
            Scalar::F32Bits(0x7fc00000));
  // Widened by bits, signalling ones included; sign kept.
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::F32Bits(0x7fc00000)),
            Scalar::F64Bits(0x7ff8000000000000));
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::F32Bits(0xff800001)),
            Scalar::F64Bits(0xfff0000020000000));
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::F32(1.5f)), Scalar::F64(1.5));
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::F32Bits(1)), Scalar::F64(0x1p-149));
  EXPECT_EQ(FitScalar(ScalarType::kF64, Scalar::F32Bits(0xff800000)), Scalar::F64(-HUGE_VAL));
}

TEST(FitScalar, AFittedValueFitsAsItself) {
  const std::vector<Scalar> values = {Scalar::Int(0),       Scalar::Int(-1),
                                      Scalar::Int(127),     Scalar::Int(200),
                                      Scalar::Int(kI64Min), Scalar::Uint(kU64Max),
                                      Scalar::F32(0.5f),    Scalar::F32Bits(0x7fc00001),
                                      Scalar::F64(-0.0),    Scalar::F64(1e300),
                                      Scalar::Bool(false),  Scalar::EntityValue(Entity(4, 2)),
                                      Scalar::Label(3)};
  int fitted_count = 0;
  for (int i = 0; i < kScalarTypeCount; ++i) {
    const auto type = static_cast<ScalarType>(i);
    for (const Scalar& value : values) {
      const auto fitted = FitScalar(type, value);
      if (!fitted.has_value()) continue;
      ++fitted_count;
      EXPECT_EQ(FitScalar(type, *fitted), fitted);
      // One byte beyond the scalar on either side must stay as it was.
      std::vector<std::byte> bytes(ScalarSizeBytes(type) + 2, std::byte{0xEE});
      StoreScalar(type, *fitted, bytes.data() + 1);
      EXPECT_EQ(LoadScalar(type, bytes.data() + 1), *fitted) << ScalarTypeName(type);
      EXPECT_EQ(bytes.front(), std::byte{0xEE});
      EXPECT_EQ(bytes.back(), std::byte{0xEE});
    }
  }
  EXPECT_EQ(fitted_count, 46);
}

TEST(StoreScalar, BytesAreThoseOfTheType) {
  std::int16_t i16 = 0;
  StoreScalar(ScalarType::kI16, Scalar::Int(-2), reinterpret_cast<std::byte*>(&i16));
  EXPECT_EQ(i16, -2);
  double f64 = 0;
  StoreScalar(ScalarType::kF64, Scalar::F64(2.5), reinterpret_cast<std::byte*>(&f64));
  EXPECT_EQ(f64, 2.5);
  Entity entity;
  StoreScalar(ScalarType::kEntity, Scalar::EntityValue(Entity(7, 3)),
              reinterpret_cast<std::byte*>(&entity));
  EXPECT_EQ(entity, Entity(7, 3));
  const std::byte two{2};
  EXPECT_EQ(LoadScalar(ScalarType::kBool, &two), Scalar::Bool(true));
  std::uint64_t u64 = 0;
  StoreScalar(ScalarType::kU64, Scalar::Uint(kU64Max), reinterpret_cast<std::byte*>(&u64));
  EXPECT_EQ(u64, kU64Max);
  EXPECT_EQ(LoadScalar(ScalarType::kI64, reinterpret_cast<const std::byte*>(&u64)),
            Scalar::Int(-1));
}

TEST(ScalarRangeText, SaysWhatFits) {
  EXPECT_EQ(ScalarRangeText(ScalarType::kI8), "[-128, 127]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kI16), "[-32768, 32767]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kI32), "[-2147483648, 2147483647]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kI64), "[-9223372036854775808, 9223372036854775807]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kU8), "[0, 255]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kU16), "[0, 65535]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kU32), "[0, 4294967295]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kU64), "[0, 18446744073709551615]");
  EXPECT_EQ(ScalarRangeText(ScalarType::kBool), "(true or false)");
  for (ScalarType type : {ScalarType::kF32, ScalarType::kF64, ScalarType::kEntity}) {
    EXPECT_GT(ScalarRangeText(type).size(), 10u);
  }
}

// A type that came from a cast: there is no value of it.
TEST(ScalarType, ANumberThatIsNoTypeTakesNothing) {
  const auto none = static_cast<ScalarType>(kScalarTypeCount);
  EXPECT_EQ(FitScalar(none, Scalar::Int(1)), None());
  EXPECT_EQ(ScalarRangeText(none), "(unknown)");
  const std::uint64_t bits = 7;
  EXPECT_EQ(LoadScalar(none, reinterpret_cast<const std::byte*>(&bits)), Scalar());
}

}  // namespace
}  // namespace ashlar
