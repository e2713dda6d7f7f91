#include "ashlar/oplang/trace_lexer.h"

#include <limits>

#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

TEST(LineCursor, CutsTokensAtSpacesAndTabs) {
  LineCursor cursor("add \te1  health=80");
  EXPECT_EQ(cursor.PeekToken(), "add");
  EXPECT_FALSE(cursor.TakeToken("ad"));
  EXPECT_FALSE(cursor.TakeToken("adds"));
  EXPECT_TRUE(cursor.TakeToken("add"));
  EXPECT_TRUE(cursor.AtBoundary());
  cursor.SkipSpaces();
  EXPECT_EQ(cursor.PeekToken(), "e1");
  cursor.Advance(2);
  cursor.SkipSpaces();
  EXPECT_EQ(cursor.PeekToken(), "health=80");
  EXPECT_EQ(cursor.PeekWord(), "health");
  cursor.TakeWord();
  EXPECT_FALSE(cursor.AtBoundary());
  cursor.Advance(3);
  EXPECT_TRUE(cursor.AtBoundary());
  EXPECT_EQ(cursor.PeekToken(), "");
}

TEST(LineCursor, CommentsEndTheLineButComponentNumbersDoNot) {
  EXPECT_TRUE(LineCursor("").AtLineEnd());
  EXPECT_TRUE(LineCursor("#").AtLineEnd());
  EXPECT_TRUE(LineCursor("# 7").AtLineEnd());
  EXPECT_TRUE(LineCursor("#seven").AtLineEnd());
  EXPECT_FALSE(LineCursor("#7").AtLineEnd());
  EXPECT_FALSE(LineCursor("x # 7").AtLineEnd());
}

TEST(LineCursor, KeepsTheFirstError) {
  LineCursor cursor("one two");
  EXPECT_FALSE(cursor.error().has_value());
  cursor.Advance(4);
  EXPECT_FALSE(cursor.FailExpected("three"));
  EXPECT_FALSE(cursor.Fail(0, "another"));
  ASSERT_TRUE(cursor.error().has_value());
  EXPECT_EQ(cursor.error()->offset, 4u);
  EXPECT_EQ(cursor.error()->message, "expected three, found 'two'");
}

TEST(LineCursor, SaysWhatStandsInstead) {
  LineCursor at_space(" x");
  at_space.FailExpected("y");
  EXPECT_EQ(at_space.error()->message, "expected y, found a space");
  LineCursor at_end("");
  at_end.FailExpected("y");
  EXPECT_EQ(at_end.error()->message, "expected y, found the end of the line");
}

TEST(ParseDecimal, TakesDigitsUpToTheBound) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(ParseDecimal("0", 0), 0u);
  EXPECT_EQ(ParseDecimal("007", 7), 7u);
  EXPECT_EQ(ParseDecimal("65535", 65535), 65535u);
  EXPECT_EQ(ParseDecimal("65536", 65535), std::nullopt);
  EXPECT_EQ(ParseDecimal("8", 7), std::nullopt);
  EXPECT_EQ(ParseDecimal("18446744073709551615", kMax), kMax);
  EXPECT_EQ(ParseDecimal("18446744073709551616", kMax), std::nullopt);
  EXPECT_EQ(ParseDecimal("99999999999999999999999", kMax), std::nullopt);
  for (const char* text : {"", "-1", "+1", "1 ", " 1", "0x1", "1.0", "e"}) {
    EXPECT_EQ(ParseDecimal(text, kMax), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ashlar::oplang
