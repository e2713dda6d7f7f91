#include "cli/number_options.h"

#include <optional>

#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

TEST(ParseCount, ReadsDecimalAndHexadecimal) {
  EXPECT_EQ(ParseCount("0"), 0u);
  EXPECT_EQ(ParseCount("010"), 10u);  // Never octal.
  EXPECT_EQ(ParseCount("2000000"), 2'000'000u);
  EXPECT_EQ(ParseCount("0x1F"), 31u);
  EXPECT_EQ(ParseCount("0Xff"), 255u);
  EXPECT_EQ(ParseCount("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(ParseCount("0xffffffffffffffff"), UINT64_MAX);
}

TEST(ParseCount, RefusesTheRest) {
  for (const char* text : {"", " ", "-1", "+1", "1.5", "1e6", "2M", "1 ", " 1", "0x", "0xg",
                           "18446744073709551616", "0x10000000000000000", "abc", "--1"}) {
    EXPECT_EQ(ParseCount(text), std::nullopt) << text;
  }
}

TEST(ParseReal, ReadsFiniteNumbersOnly) {
  EXPECT_EQ(ParseReal("0.5"), 0.5);
  EXPECT_EQ(ParseReal("-2"), -2.0);
  EXPECT_EQ(ParseReal("1e3"), 1000.0);
  for (const char* text : {"", "nan", "inf", "-inf", "1e999", "1,5", "1 ", "abc", "0.5s"}) {
    EXPECT_EQ(ParseReal(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ashlar::cli
