#include "cli/text_format.h"

#include <cmath>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

TEST(TextFormat, GroupsDigitsInThrees) {
  EXPECT_EQ(GroupDigits(0), "0");
  EXPECT_EQ(GroupDigits(999), "999");
  EXPECT_EQ(GroupDigits(1000), "1,000");
  EXPECT_EQ(GroupDigits(123456), "123,456");
  EXPECT_EQ(GroupDigits(1234567), "1,234,567");
  EXPECT_EQ(GroupDigits(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(TextFormat, CountsInThePluralButForOne) {
  EXPECT_EQ(Counted(0, "trace"), "0 traces");
  EXPECT_EQ(Counted(1, "trace"), "1 trace");
  EXPECT_EQ(Counted(2000, "trace"), "2,000 traces");
}

TEST(TextFormat, HexHasAllDigits) {
  EXPECT_EQ(HexText(0x4d2), "0x00000000000004d2");
  EXPECT_EQ(HexText(UINT64_MAX), "0xffffffffffffffff");
}

TEST(TextFormat, RatesHaveThreeFiguresOrMore) {
  EXPECT_EQ(RateText(0.423), "0.42");
  EXPECT_EQ(RateText(12.34), "12.3");
  EXPECT_EQ(RateText(1234.5), "1,235");
  EXPECT_EQ(RateText(std::nan("")), "-");
  EXPECT_EQ(RateText(std::numeric_limits<double>::infinity()), "-");
  EXPECT_EQ(RateText(1e300), "1e+300");
}

TEST(TextFormat, DurationsChangeTheirUnit) {
  EXPECT_EQ(DurationText(-1), "0 s");
  EXPECT_EQ(DurationText(0.85), "850 ms");
  EXPECT_EQ(DurationText(12.34), "12.3 s");
  EXPECT_EQ(DurationText(59.97), "1 min 00 s");
  EXPECT_EQ(DurationText(245), "4 min 05 s");
  EXPECT_EQ(DurationText(7380), "2 h 03 min");
}

TEST(TextFormat, BytesChangeTheirUnit) {
  EXPECT_EQ(BytesText(512), "512 B");
  EXPECT_EQ(BytesText(12800), "12.5 KiB");
  EXPECT_EQ(BytesText(1048576), "1.0 MiB");
  EXPECT_EQ(BytesText(1288490189), "1.2 GiB");
}

TEST(TextFormat, PercentOfNothingIsNothing) {
  EXPECT_EQ(PercentText(1, 8), "12.5 %");
  EXPECT_EQ(PercentText(0, 0), "0.0 %");
}

TEST(TextFormat, OneLineShowsControlCharacters) {
  EXPECT_EQ(OneLine("a\nb\tc"), "a\\x0Ab\\x09c");
  EXPECT_EQ(OneLine(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(OneLine("\x1b[31mred"), "\\x1B[31mred");
  EXPECT_EQ(OneLine("grüß"), "grüß");
}

TEST(TextFormat, OneLineCutsInTheMiddle) {
  const std::string text = std::string(600, 'a') + std::string(600, 'b');
  const std::string line = OneLine(text, 105);
  EXPECT_EQ(line, std::string(50, 'a') + " ... " + std::string(50, 'b'));
  EXPECT_LE(OneLine(std::string(5000, '\n'), 100).size(), 100u);
  EXPECT_EQ(OneLine(std::string(100, 'a'), 100), std::string(100, 'a'));
}

TEST(TextFormat, QuotesForTheShellOnlyWhereNeeded) {
  EXPECT_EQ(ShellQuoted("./build/ashlar-1.trace"), "./build/ashlar-1.trace");
  EXPECT_EQ(ShellQuoted("my file"), "'my file'");
  EXPECT_EQ(ShellQuoted("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuoted(""), "''");
}

TEST(TextFormat, PadsAndNeverCuts) {
  EXPECT_EQ(PadLeft("ab", 4), "  ab");
  EXPECT_EQ(PadRight("ab", 4), "ab  ");
  EXPECT_EQ(PadLeft("abcde", 4), "abcde");
  EXPECT_EQ(PadRight("abcde", 4), "abcde");
}

}  // namespace
}  // namespace ashlar::cli
