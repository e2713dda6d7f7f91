// Scalars as text: right values, round trips, malformed texts.
#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <string>
#include <vector>

#include "ashlar/schema/scalar.h"
#include "gtest/gtest.h"

namespace ashlar {
namespace {

constexpr ScalarType kF32 = ScalarType::kF32;
constexpr ScalarType kF64 = ScalarType::kF64;
constexpr ScalarType kI32 = ScalarType::kI32;

std::optional<Scalar> NoScalar() { return std::nullopt; }

TEST(ScalarText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(ScalarText(Scalar::Int(-2147483648)), "-2147483648");
  EXPECT_EQ(ScalarText(Scalar::Uint(18446744073709551615u)), "18446744073709551615");
  EXPECT_EQ(ScalarText(Scalar::F32(1.0f)), "1.0");
  EXPECT_EQ(ScalarText(Scalar::F32(0.1f)), "0.1");
  EXPECT_EQ(ScalarText(Scalar::F64(0.1)), "0.1");
  EXPECT_EQ(ScalarText(Scalar::F64(static_cast<double>(0.1f))), "0.10000000149011612");
  EXPECT_EQ(ScalarText(Scalar::F32(-0.0f)), "-0.0");
  EXPECT_EQ(ScalarText(Scalar::F32(1e30f)), "1e+30");
  EXPECT_EQ(ScalarText(Scalar::F32(16777216.0f)), "16777216.0");
  EXPECT_EQ(ScalarText(Scalar::F32Bits(1)), "1e-45");
  EXPECT_EQ(ScalarText(Scalar::F64(5e-324)), "5e-324");
  EXPECT_EQ(ScalarText(Scalar::F32Bits(0x7f800000)), "inf");
  EXPECT_EQ(ScalarText(Scalar::F64(-HUGE_VAL)), "-inf");
  EXPECT_EQ(ScalarText(Scalar::F32Bits(0x7fc00000)), "nan");
  EXPECT_EQ(ScalarText(Scalar::F64Bits(0x7ff8000000000000)), "nan");
  EXPECT_EQ(ScalarText(Scalar::F32Bits(0x7fc00001)), "nan(0x7fc00001)");
  EXPECT_EQ(ScalarText(Scalar::F32Bits(0xffc00000)), "nan(0xffc00000)");
  EXPECT_EQ(ScalarText(Scalar::F64Bits(0x7ff0000000000001)), "nan(0x7ff0000000000001)");
  EXPECT_EQ(ScalarText(Scalar::Bool(true)), "true");
  EXPECT_EQ(ScalarText(Scalar::Bool(false)), "false");
  EXPECT_EQ(ScalarText(Scalar::EntityValue(Entity(4, 2))), "4v2");
  EXPECT_EQ(ScalarText(Scalar::EntityValue(Entity(5, 0))), "5v0");
  EXPECT_EQ(ScalarText(Scalar::EntityValue(Entity())), "null");
  EXPECT_EQ(ScalarText(Scalar::Label(3)), "e3");
}

TEST(ParseScalar, ReadsIntegers) {
  EXPECT_EQ(ParseScalar(kI32, "80"), Scalar::Int(80));
  EXPECT_EQ(ParseScalar(kI32, "+5"), Scalar::Int(5));
  EXPECT_EQ(ParseScalar(kI32, "-0"), Scalar::Int(0));
  EXPECT_EQ(ParseScalar(kI32, "007"), Scalar::Int(7));
  EXPECT_EQ(ParseScalar(kI32, "0x1F"), Scalar::Int(31));
  EXPECT_EQ(ParseScalar(kI32, "-0x10"), Scalar::Int(-16));
  EXPECT_EQ(ParseScalar(kI32, "4294967296"), Scalar::Int(4294967296));
  EXPECT_EQ(ParseScalar(kI32, "-9223372036854775808"),
            Scalar::Int(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(ParseScalar(kI32, "18446744073709551615"), Scalar::Uint(18446744073709551615u));
  EXPECT_EQ(ParseScalar(kI32, "0xffffffffffffffff"), Scalar::Uint(18446744073709551615u));
  // Beyond 64 bits it is at least a number, which no integer field takes.
  EXPECT_EQ(ParseScalar(kI32, "18446744073709551616"), Scalar::F64(18446744073709551616.0));
  EXPECT_EQ(ParseScalar(kI32, "-9223372036854775809"), Scalar::F64(-9223372036854775808.0));
}

TEST(ParseScalar, ReadsFloatsWithCorrectRounding) {
  EXPECT_EQ(ParseScalar(kF32, "0.1"), Scalar::F32Bits(0x3dcccccd));
  EXPECT_EQ(ParseScalar(kF64, "0.1"), Scalar::F64Bits(0x3fb999999999999a));
  EXPECT_EQ(ParseScalar(kF32, "-0.0"), Scalar::F32Bits(0x80000000));
  EXPECT_EQ(ParseScalar(kF64, "-0.0"), Scalar::F64Bits(0x8000000000000000));
  EXPECT_EQ(ParseScalar(kF32, "-0"), Scalar::F32Bits(0x80000000));
  EXPECT_EQ(ParseScalar(kF64, "-0"), Scalar::F64Bits(0x8000000000000000));
  EXPECT_EQ(ParseScalar(kF32, "1e3"), Scalar::F32(1000.0f));
  EXPECT_EQ(ParseScalar(kF32, "1E+3"), Scalar::F32(1000.0f));
  EXPECT_EQ(ParseScalar(kF32, "+.5"), Scalar::F32(0.5f));
  EXPECT_EQ(ParseScalar(kF32, "5."), Scalar::F32(5.0f));
  EXPECT_EQ(ParseScalar(kI32, "1.5"), Scalar::F64(1.5));
  // Half way between two floats, and a hair above: through a double the hair would be lost.
  EXPECT_EQ(ParseScalar(kF32, "1.000000059604644775390625"), Scalar::F32Bits(0x3f800000));
  EXPECT_EQ(ParseScalar(kF32, "1.0000000596046447753906250000000001"), Scalar::F32Bits(0x3f800001));
  EXPECT_EQ(ParseScalar(kF32, "16777217.0"), Scalar::F32(16777216.0f));
}

TEST(ParseScalar, AnIntegerInAFloatFieldMustBeExact) {
  EXPECT_EQ(ParseScalar(kF32, "16777217"), Scalar::Int(16777217));
  EXPECT_EQ(FitScalar(kF32, *ParseScalar(kF32, "16777217")), NoScalar());
  EXPECT_EQ(FitScalar(kF32, *ParseScalar(kF32, "16777216")), Scalar::F32(16777216.0f));
  EXPECT_EQ(ParseScalar(kF32, "99999999999999999999"), NoScalar());
  EXPECT_EQ(ParseScalar(kF64, "-99999999999999999999"), NoScalar());
}

TEST(ParseScalar, TooLargeIsRefusedAndTooSmallIsZero) {
  EXPECT_EQ(ParseScalar(kF32, "1e39"), Scalar::F64(1e39));
  EXPECT_EQ(FitScalar(kF32, *ParseScalar(kF32, "1e39")), NoScalar());
  EXPECT_EQ(ParseScalar(kF32, "3.4028235e38"), Scalar::F32Bits(0x7f7fffff));
  EXPECT_EQ(ParseScalar(kF32, "-3.4028236e38"), Scalar::F64(-3.4028236e38));
  EXPECT_EQ(ParseScalar(kF32, "1e400"), NoScalar());
  EXPECT_EQ(ParseScalar(kF64, "-1e400"), NoScalar());
  EXPECT_EQ(ParseScalar(kF64, "1E+400"), NoScalar());
  EXPECT_EQ(ParseScalar(kF64, "1E-400"), Scalar::F64Bits(0));
  EXPECT_EQ(ParseScalar(kF64, "1e99999999999999999999999"), NoScalar());
  EXPECT_EQ(ParseScalar(kF64, std::string(400, '9') + ".0"), NoScalar());
  EXPECT_EQ(ParseScalar(kF32, "1e-99"), Scalar::F32Bits(0));
  EXPECT_EQ(ParseScalar(kF32, "-1e-99"), Scalar::F32Bits(0x80000000));
  EXPECT_EQ(ParseScalar(kF64, "1e-400"), Scalar::F64Bits(0));
  EXPECT_EQ(ParseScalar(kF64, "-1e-99999999999999999999999"),
            Scalar::F64Bits(std::uint64_t{1} << 63));
  EXPECT_EQ(ParseScalar(kF64, "0e99999999999999999999999"), Scalar::F64Bits(0));
  EXPECT_EQ(ParseScalar(kF64, "0." + std::string(400, '0') + "1"), Scalar::F64Bits(0));
  EXPECT_EQ(ParseScalar(kF64, "0." + std::string(400, '0') + "1e401"), Scalar::F64(1.0));
  EXPECT_EQ(ParseScalar(kF64, "1" + std::string(400, '0') + "e-400"), Scalar::F64(1.0));
}

TEST(ParseScalar, ReadsTheOtherKindsForEveryType) {
  for (int i = 0; i < kScalarTypeCount; ++i) {
    const auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(ParseScalar(type, "true"), Scalar::Bool(true));
    EXPECT_EQ(ParseScalar(type, "false"), Scalar::Bool(false));
    EXPECT_EQ(ParseScalar(type, "null"), Scalar::EntityValue(Entity()));
    EXPECT_EQ(ParseScalar(type, "4v2"), Scalar::EntityValue(Entity(4, 2)));
    EXPECT_EQ(ParseScalar(type, "4294967295v4294967295"),
              Scalar::EntityValue(Entity(4294967295u, 4294967295u)));
    EXPECT_EQ(ParseScalar(type, "e0"), Scalar::Label(0));
    EXPECT_EQ(ParseScalar(type, "e65535"), Scalar::Label(65535));
  }
}

TEST(ParseScalar, ReadsNanAndInfinity) {
  EXPECT_EQ(ParseScalar(kF32, "nan"), Scalar::F32Bits(0x7fc00000));
  EXPECT_EQ(ParseScalar(kF64, "nan"), Scalar::F64Bits(0x7ff8000000000000));
  EXPECT_EQ(ParseScalar(kI32, "nan"), Scalar::F64Bits(0x7ff8000000000000));
  EXPECT_EQ(ParseScalar(kF32, "nan(0x7fc00001)"), Scalar::F32Bits(0x7fc00001));
  EXPECT_EQ(ParseScalar(kF32, "nan(0xFF800001)"), Scalar::F32Bits(0xff800001));
  EXPECT_EQ(ParseScalar(kF64, "nan(0x7ff8000000000001)"), Scalar::F64Bits(0x7ff8000000000001));
  EXPECT_EQ(ParseScalar(kF32, "inf"), Scalar::F32Bits(0x7f800000));
  EXPECT_EQ(ParseScalar(kF32, "-inf"), Scalar::F32Bits(0xff800000));
  EXPECT_EQ(ParseScalar(kF64, "+inf"), Scalar::F64(HUGE_VAL));
}

TEST(ParseScalar, GivesNothingForWhatIsNoScalar) {
  using namespace std::string_view_literals;
  const std::vector<std::string_view> bad = {""sv,
                                             " "sv,
                                             "1 "sv,
                                             " 1"sv,
                                             "-"sv,
                                             "+"sv,
                                             "--1"sv,
                                             "+-1"sv,
                                             "1-"sv,
                                             "0x"sv,
                                             "0xg"sv,
                                             "-0x"sv,
                                             "0x-1"sv,
                                             "0x10000000000000000"sv,
                                             "1e"sv,
                                             "1e+"sv,
                                             "."sv,
                                             "-."sv,
                                             "e"sv,
                                             "e-1"sv,
                                             "e65536"sv,
                                             "e1x"sv,
                                             "e 1"sv,
                                             "e99999999999999999999"sv,
                                             "1.2.3"sv,
                                             "1,5"sv,
                                             "0x1.8p3"sv,
                                             "1f"sv,
                                             "nan("sv,
                                             "nan()"sv,
                                             "nan(0x)"sv,
                                             "nan(0x7f800000)"sv,
                                             "nan(0x7fc00001"sv,
                                             "nan(7fc00001)"sv,
                                             "nan(0x7fc00001) "sv,
                                             "nan(0x17ff8000000000000)"sv,
                                             "-nan"sv,
                                             "nano"sv,
                                             "nan(0x00000001)"sv,
                                             "nan(0x7ff0000000000000)"sv,
                                             "NaN"sv,
                                             "Inf"sv,
                                             "infinity"sv,
                                             "--inf"sv,
                                             "True"sv,
                                             "truex"sv,
                                             "nul"sv,
                                             "v"sv,
                                             "4v"sv,
                                             "v2"sv,
                                             "4v2v3"sv,
                                             "-4v2"sv,
                                             "4v-2"sv,
                                             "4294967296v1"sv,
                                             "1v4294967296"sv,
                                             "4V2"sv,
                                             "1\0"sv,
                                             "\0"sv,
                                             "tr\0ue"sv,
                                             "\xff\xfe"sv,
                                             "\xd9\xa1"sv,
                                             "(1)"sv,
                                             "1)"sv,
                                             "'1'"sv,
                                             "1_000"sv,
                                             "1e1.5"sv,
                                             "in"sv,
                                             "ё"sv};
  for (int i = 0; i < kScalarTypeCount; ++i) {
    for (std::string_view text : bad) {
      EXPECT_EQ(ParseScalar(static_cast<ScalarType>(i), text), NoScalar())
          << text << " as " << ScalarTypeName(static_cast<ScalarType>(i));
    }
  }
}

TEST(ParseScalar, LongTextsAreRead) {
  constexpr std::size_t kLong = 1 << 20;
  EXPECT_EQ(ParseScalar(kI32, std::string(kLong, '9')), NoScalar());
  EXPECT_EQ(ParseScalar(kF32, std::string(kLong, '9')), NoScalar());
  EXPECT_EQ(ParseScalar(kI32, std::string(kLong, '0') + "7"), Scalar::Int(7));
  EXPECT_EQ(ParseScalar(kF32, "0." + std::string(kLong, '3')), Scalar::F32(1.0f / 3.0f));
  EXPECT_EQ(ParseScalar(kF32, "1e" + std::string(kLong, '0') + "2"), Scalar::F32(100.0f));
  EXPECT_EQ(ParseScalar(kI32, std::string(kLong, '-')), NoScalar());
  EXPECT_EQ(ParseScalar(kI32, std::string(kLong, 'e')), NoScalar());
}

// Scrambles a counter into bits that reach every exponent.
std::uint64_t Scramble(std::uint64_t n) {
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9u;
  n = (n ^ (n >> 27)) * 0x94d049bb133111ebu;
  return n ^ (n >> 31);
}

TEST(ScalarText, EveryBitPatternReadsBack) {
  for (std::uint64_t n = 1; n <= 100'000; ++n) {
    const std::uint64_t bits = Scramble(n);
    const Scalar f32 = Scalar::F32Bits(static_cast<std::uint32_t>(bits));
    ASSERT_EQ(ParseScalar(kF32, ScalarText(f32)), f32) << ScalarText(f32);
    const Scalar f64 = Scalar::F64Bits(bits);
    ASSERT_EQ(ParseScalar(kF64, ScalarText(f64)), f64) << ScalarText(f64);
    const Scalar integer = Scalar::Int(static_cast<std::int64_t>(bits));
    ASSERT_EQ(ParseScalar(ScalarType::kI64, ScalarText(integer)), integer);
    const Scalar natural = Scalar::Uint(bits);
    ASSERT_EQ(ParseScalar(ScalarType::kU64, ScalarText(natural)), natural);
    const Scalar entity = Scalar::EntityValue(Entity::FromBits(bits));
    ASSERT_EQ(ParseScalar(ScalarType::kEntity, ScalarText(entity)), entity);
  }
}

TEST(ScalarText, SpecialFloatsReadBack) {
  for (std::uint32_t bits : {0u, 1u, 0x007fffffu, 0x00800000u, 0x7f7fffffu, 0x7f800000u,
                             0x7f800001u, 0x7fbfffffu, 0x7fc00000u, 0x7fffffffu}) {
    for (std::uint32_t sign : {0u, 0x80000000u}) {
      const Scalar scalar = Scalar::F32Bits(bits | sign);
      EXPECT_EQ(ParseScalar(kF32, ScalarText(scalar)), scalar) << ScalarText(scalar);
      const Scalar wide = *FitScalar(kF64, scalar);
      EXPECT_EQ(ParseScalar(kF64, ScalarText(wide)), wide) << ScalarText(wide);
    }
  }
}

// A locale that writes and expects a comma, set for C and C++ alike while it lives.
class CommaLocale {
 public:
  CommaLocale() {
    c_locale_ = std::setlocale(LC_ALL, nullptr);
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {
      if (std::setlocale(LC_ALL, name) != nullptr) break;
    }
    locale_ = std::locale::global(std::locale(std::locale::classic(), new Comma));
  }
  ~CommaLocale() {
    std::locale::global(locale_);
    std::setlocale(LC_ALL, c_locale_.c_str());
  }

 private:
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::string c_locale_;
  std::locale locale_;
};

TEST(ScalarText, TheLocaleDoesNotMatter) {
  const CommaLocale comma;
  EXPECT_EQ(ScalarText(Scalar::F64(1234567.5)), "1234567.5");
  EXPECT_EQ(ScalarText(Scalar::Int(1234567)), "1234567");
  EXPECT_EQ(ScalarRangeText(kI32), "[-2147483648, 2147483647]");
  EXPECT_EQ(ParseScalar(kF64, "1234567.5"), Scalar::F64(1234567.5));
  EXPECT_EQ(ParseScalar(kF64, "1234567,5"), NoScalar());
}

}  // namespace
}  // namespace ashlar
