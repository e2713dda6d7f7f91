#include "ashlar/schema/text_cursor.h"

#include "gtest/gtest.h"

namespace ashlar {
namespace {

using namespace std::string_view_literals;

TEST(TextCursor, TakesTokensUpToTheEnd) {
  TextCursor cursor("ab_1 \t:-1.5e+3,");
  EXPECT_EQ(cursor.PeekWord(), "ab_1");
  EXPECT_EQ(cursor.offset(), 0u);
  EXPECT_EQ(cursor.TakeWord(), "ab_1");
  cursor.SkipSpaces();
  EXPECT_EQ(cursor.offset(), 6u);
  EXPECT_FALSE(cursor.Take(';'));
  EXPECT_TRUE(cursor.Take(':'));
  EXPECT_EQ(cursor.TakeScalar(), "-1.5e+3");
  EXPECT_EQ(cursor.rest(), ",");
  EXPECT_TRUE(cursor.Take(','));
  EXPECT_TRUE(cursor.at_end());
  EXPECT_FALSE(cursor.Take(','));
  EXPECT_FALSE(cursor.At('\0'));
  EXPECT_EQ(cursor.TakeWord(), "");
  EXPECT_EQ(cursor.TakeScalar(), "");
  cursor.SkipSpaces();
  EXPECT_EQ(cursor.rest(), "");
}

TEST(TextCursor, AScalarIncludesTheParenthesesOfNanOnly) {
  EXPECT_EQ(TextCursor("nan(0x7fc00001),1").TakeScalar(), "nan(0x7fc00001)");
  EXPECT_EQ(TextCursor("nan)").TakeScalar(), "nan");
  EXPECT_EQ(TextCursor("nan(").TakeScalar(), "nan");
  EXPECT_EQ(TextCursor("nan(1,2)").TakeScalar(), "nan");
  EXPECT_EQ(TextCursor("1(2)").TakeScalar(), "1");
  EXPECT_EQ(TextCursor("80#").TakeScalar(), "80");
}

TEST(Quoted, IsPrintableAndShort) {
  EXPECT_EQ(Quoted("abc"), "'abc'");
  EXPECT_EQ(Quoted("a\0\x7f\xff\n"sv), "'a\\x00\\x7f\\xff\\x0a'");
  EXPECT_EQ(Quoted(std::string(40, 'x')), "'" + std::string(40, 'x') + "'");
  EXPECT_EQ(Quoted(std::string(41, 'x')), "'" + std::string(40, 'x') + "...'");
  EXPECT_LE(Quoted(std::string(1 << 20, '\1')).size(), 170u);
}

TEST(FoundText, NamesWhatStandsThere) {
  EXPECT_EQ(FoundText(TextCursor("")), "the end");
  EXPECT_EQ(FoundText(TextCursor("word,")), "'word'");
  EXPECT_EQ(FoundText(TextCursor(",word")), "','");
  EXPECT_EQ(FoundText(TextCursor("\0"sv)), "'\\x00'");
}

}  // namespace
}  // namespace ashlar
