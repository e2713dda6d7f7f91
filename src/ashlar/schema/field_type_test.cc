// The type grammar: right readings, canonical text, malformed texts.
#include "ashlar/schema/field_type.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace ashlar {
namespace {

using namespace std::string_view_literals;

TypeSpec Parsed(std::string_view text) {
  TypeSpec type;
  const auto error = ParseType(text, &type);
  EXPECT_FALSE(error.has_value()) << text << ": " << error->message;
  return type;
}

// The error of a text that must have one.
TextError ErrorOf(std::string_view text) {
  TypeSpec type = {{{"kept", {ScalarType::kU8, 7}, {}}}};
  const TypeSpec before = type;
  const auto error = ParseType(text, &type);
  EXPECT_EQ(type, before) << "an error must leave the output alone";
  if (!error.has_value()) {
    ADD_FAILURE() << text << " was read";
    return {};
  }
  EXPECT_LE(error->offset, text.size()) << text;
  EXPECT_LE(error->message.size(), 400u);
  return *error;
}

TEST(ParseType, ReadsPlainFields) {
  EXPECT_EQ(Parsed("f32"), (TypeSpec{{{"", {ScalarType::kF32, 1}, {}}}}));
  EXPECT_EQ(Parsed("entity"), (TypeSpec{{{"", {ScalarType::kEntity, 1}, {}}}}));
  EXPECT_EQ(Parsed("f32[3]"), (TypeSpec{{{"", {ScalarType::kF32, 3}, {}}}}));
  EXPECT_EQ(Parsed("f32x3"), Parsed("f32[3]"));
  EXPECT_EQ(Parsed(" f32 x 3 "), Parsed("f32[3]"));
  EXPECT_EQ(Parsed("f32 x3"), Parsed("f32[3]"));
  EXPECT_EQ(Parsed("\tf32 [ 3 ]"), Parsed("f32[3]"));
  EXPECT_EQ(Parsed("entityx65536"), (TypeSpec{{{"", {ScalarType::kEntity, 65536}, {}}}}));
  EXPECT_EQ(Parsed("u8[1]"), Parsed("u8"));
  EXPECT_EQ(Parsed("u8x0001"), Parsed("u8"));
  EXPECT_EQ(Parsed(" tag "), TypeSpec());
}

TEST(ParseType, ReadsFieldsAndRules) {
  const TypeSpec body = Parsed("{pos: f32x3, mass:f32 in [0,10] finite,target :entity}");
  ASSERT_EQ(body.fields.size(), 3u);
  EXPECT_EQ(body.fields[0], (FieldSpec{"pos", {ScalarType::kF32, 3}, {}}));
  EXPECT_EQ(body.fields[1],
            (FieldSpec{"mass", {ScalarType::kF32, 1}, {Scalar::Int(0), Scalar::Int(10), true}}));
  EXPECT_EQ(body.fields[2], (FieldSpec{"target", {ScalarType::kEntity, 1}, {}}));
  EXPECT_EQ(Parsed("i32[2]in[0,100]finite"), Parsed("i32 x 2 in [ 0 , 100 ] finite"));
}

TEST(ParseType, BoundsKeepTheirForm) {
  EXPECT_EQ(Parsed("f32 in [-inf,0.1]").fields[0].rule.max, Scalar::F32Bits(0x3dcccccd));
  EXPECT_EQ(Parsed("u64 in [0,18446744073709551615]").fields[0].rule.max,
            Scalar::Uint(18446744073709551615u));
  EXPECT_EQ(Parsed("i64 in [-9223372036854775808,0x10]").fields[0].rule.max, Scalar::Int(16));
  EXPECT_EQ(Parsed("f64 finite").fields[0].rule, (FieldRule{std::nullopt, std::nullopt, true}));
  EXPECT_EQ(Parsed("f32[2] in [-0.0,0.0]").fields[0].rule.min, Scalar::F32Bits(0x80000000));
}

TEST(ParseType, FieldsMayBeNamedLikeWordsOfTheGrammar) {
  const TypeSpec type = Parsed("{in: f32, finite: f32 finite, tag: u8, x3: u8x3, f32: f32}");
  ASSERT_EQ(type.fields.size(), 5u);
  EXPECT_EQ(type.fields[0].rule, FieldRule());
  EXPECT_TRUE(type.fields[1].rule.finite);
  EXPECT_EQ(type.fields[3].type.count, 3u);
}

TEST(ParseTypePrefix, StopsWhereTheTypeEnds) {
  struct Row {
    std::string_view text;
    std::size_t consumed;
  };
  for (const Row& row :
       {Row{"f32[3] velocity:f32", 6}, Row{" f32  # note", 4}, Row{"i32 in [0,100] rest", 14},
        Row{"f32 finite finite", 10}, Row{"tag in [0,1]", 3}, Row{"{a:u8} x3", 6},
        Row{"f32 xyz", 3}, Row{"f32 x", 3}, Row{"f32\r", 3}, Row{"f32\n", 3}, Row{"f32}", 3},
        Row{"f32 index", 3}, Row{"f32 x 4x", 3}}) {
    TypeSpec type;
    std::size_t consumed = 999;
    const auto error = ParseTypePrefix(row.text, &type, &consumed);
    ASSERT_FALSE(error.has_value()) << row.text << ": " << error->message;
    EXPECT_EQ(consumed, row.consumed) << row.text;
  }
}

TEST(ParseType, SaysWhatIsWrongAndWhere) {
  struct Row {
    std::string_view text;
    std::size_t offset;
    std::string_view message;  // A part of it.
  };
  for (const Row& row : {
           Row{"", 0, "found the end"},
           Row{"f33", 0, "'f33'"},
           Row{"F32", 0, "'F32'"},
           Row{"i80", 0, "'i80'"},
           Row{"f32y", 0, "'f32y'"},
           Row{"i32in[0,1]", 0, "'i32in'"},
           Row{"f32x", 4, "number of elements"},
           Row{"f32xx3", 4, "number of elements"},
           Row{"f32x3y", 4, "'3y'"},
           Row{"f32[", 4, "found the end"},
           Row{"f32[]", 4, "']'"},
           Row{"f32[-1]", 4, "'-'"},
           Row{"f32[0]", 4, "1 to 65536"},
           Row{"f32x0", 4, "1 to 65536"},
           Row{"f32[65537]", 4, "65537"},
           Row{"f32[99999999999999999999999999]", 4, "1 to 65536"},
           Row{"f32[3", 5, "']'"},
           Row{"f32[3]]", 6, "the end of the type"},
           Row{"f32[3][3]", 6, "the end of the type"},
           Row{"tagged", 0, "'tagged'"},
           Row{"tag tag", 4, "the end of the type"},
           Row{"f32 in", 6, "'['"},
           Row{"f32 in [", 8, "bound"},
           Row{"f32 in [0", 9, "','"},
           Row{"f32 in [0,", 10, "bound"},
           Row{"f32 in [0,1", 11, "']'"},
           Row{"f32 in [x,1]", 8, "'x'"},
           Row{"f32 in [0,1) ", 11, "']'"},
           Row{"f32 in [nan,1]", 8, "not a number"},
           Row{"f32 in [0,nan(0x7fc00001)]", 10, "not a number"},
           Row{"f32 in [1,0]", 4, "empty"},
           Row{"u64 in [18446744073709551615,0]", 4, "empty"},
           Row{"i64 in [0,-1]", 4, "empty"},
           Row{"i32 in [0,4294967296]", 10, "4294967296 does not fit i32"},
           Row{"i32 in [0.5,1]", 8, "does not fit"},
           Row{"f32 in [0,16777217]", 10, "does not fit"},
           Row{"f32 in [0,true]", 10, "does not fit"},
           Row{"bool in [false,true]", 5, "takes no rule"},
           Row{"entity finite", 7, "takes no rule"},
           Row{"bool[2] finite", 8, "takes no rule"},
           Row{"f32 finite in [0,1]", 11, "the end of the type"},
           Row{"{", 1, "field name"},
           Row{"{}", 1, "field name"},
           Row{"{a", 2, "':'"},
           Row{"{a:", 3, "a type"},
           Row{"{a:tag}", 3, "a type"},
           Row{"{a:u8", 5, "'}'"},
           Row{"{a:u8,", 6, "field name"},
           Row{"{a:u8,}", 6, "field name"},
           Row{"{,a:u8}", 1, "field name"},
           Row{"{a:u8 b:u8}", 6, "'b'"},
           Row{"{a:u8,a:u8}", 6, "second field 'a'"},
           Row{"{1a:u8}", 1, "'1a'"},
           Row{"{a-b:u8}", 2, "':'"},
           Row{"{a:{b:u8}}", 3, "a type"},
           Row{"{a:u8}}", 6, "the end of the type"},
           Row{"{u8}", 3, "':'"},
           Row{"f32\0"sv, 3, "\\x00"},
           Row{"\0f32"sv, 0, "\\x00"},
           Row{"{a\0:u8}"sv, 2, "\\x00"},
           Row{"\xff\xff", 0, "\\xff"},
           Row{"f32\n", 3, "\\x0a"},
       }) {
    const TextError error = ErrorOf(row.text);
    EXPECT_EQ(error.offset, row.offset) << row.text << ": " << error.message;
    EXPECT_NE(error.message.find(row.message), std::string::npos)
        << row.text << ": " << error.message;
  }
}

std::string FieldsText(int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i > 0 ? "," : "") + ("f" + std::to_string(i)) + ":u8";
  return text + "}";
}

TEST(ParseType, BoundsWhatItTakes) {
  EXPECT_EQ(Parsed(FieldsText(256)).fields.size(), 256u);
  EXPECT_NE(ErrorOf(FieldsText(257)).message.find("more than 256 fields"), std::string::npos);
  EXPECT_EQ(Parsed("{" + std::string(64, 'n') + ":u8}").fields[0].name.size(), 64u);
  EXPECT_EQ(ErrorOf("{" + std::string(65, 'n') + ":u8}").offset, 1u);
}

TEST(ParseType, LargeAndDeepTextsAreRefused) {
  constexpr std::size_t kLarge = 10 << 20;
  for (char c : {'{', '[', '(', 'f', '9', 'x', ' ', '\0', ',', '\xff'}) {
    EXPECT_FALSE(ErrorOf(std::string(kLarge, c)).message.empty());
  }
  std::string nested;
  for (int i = 0; i < 100'000; ++i) nested += "{a:";
  EXPECT_EQ(ErrorOf(nested).offset, 3u);
  EXPECT_EQ(ErrorOf(FieldsText(500'000)).offset, FieldsText(256).size());
  EXPECT_EQ(ErrorOf("f32[" + std::string(kLarge, '9') + "]").offset, 4u);
  EXPECT_EQ(ErrorOf("f32 in [0," + std::string(kLarge, '9') + "]").offset, 10u);
}

TEST(TypeText, IsCanonicalAndReadsBack) {
  struct Row {
    std::string_view text;
    std::string_view canonical;
  };
  for (const Row& row :
       {Row{"tag", "tag"}, Row{"f32x3", "f32[3]"}, Row{"f32[1]", "f32"},
        Row{" u8  in[ 1 , 0x10 ]finite", "u8 in [1,16] finite"},
        Row{"{pos:f32x3,mass:f32 in[0,10]}", "{pos: f32[3], mass: f32 in [0,10]}"},
        Row{"{ mass : f32 }", "{mass: f32}"}, Row{"f32 in [0.0,1e1]", "f32 in [0.0,10.0]"},
        Row{"f64 in [-inf,0]", "f64 in [-inf,0]"}, Row{"f32 in [-0,1]", "f32 in [-0.0,1]"},
        Row{"f64x2 finite", "f64[2] finite"}}) {
    const TypeSpec type = Parsed(row.text);
    EXPECT_EQ(TypeText(type), row.canonical);
    EXPECT_EQ(Parsed(TypeText(type)), type);
  }
}

TEST(TypeText, ARuleWithOneBoundIsWrittenWithTheEndOfTheRange) {
  const auto text = [](ScalarType scalar, FieldRule rule) {
    return TypeText({{{"", {scalar, 1}, rule}}});
  };
  EXPECT_EQ(text(ScalarType::kF32, {Scalar::F32(0), std::nullopt, false}), "f32 in [0.0,inf]");
  EXPECT_EQ(text(ScalarType::kF64, {std::nullopt, Scalar::Int(1), true}), "f64 in [-inf,1] finite");
  struct Row {
    ScalarType type;
    std::string_view from_five;
    std::string_view to_five;
  };
  for (const Row& row :
       {Row{ScalarType::kI8, "i8 in [5,127]", "i8 in [-128,5]"},
        Row{ScalarType::kI16, "i16 in [5,32767]", "i16 in [-32768,5]"},
        Row{ScalarType::kI32, "i32 in [5,2147483647]", "i32 in [-2147483648,5]"},
        Row{ScalarType::kI64, "i64 in [5,9223372036854775807]", "i64 in [-9223372036854775808,5]"},
        Row{ScalarType::kU8, "u8 in [5,255]", "u8 in [0,5]"},
        Row{ScalarType::kU16, "u16 in [5,65535]", "u16 in [0,5]"},
        Row{ScalarType::kU32, "u32 in [5,4294967295]", "u32 in [0,5]"},
        Row{ScalarType::kU64, "u64 in [5,18446744073709551615]", "u64 in [0,5]"}}) {
    EXPECT_EQ(text(row.type, {Scalar::Int(5), std::nullopt, false}), row.from_five);
    EXPECT_EQ(text(row.type, {std::nullopt, Scalar::Int(5), false}), row.to_five);
    EXPECT_EQ(TypeText(Parsed(row.from_five)), row.from_five);
    EXPECT_EQ(TypeText(Parsed(row.to_five)), row.to_five);
  }
}

// Every text one edit away from a good one is read to something that reads back, or refused.
TEST(ParseType, EveryNeighbourOfAGoodTextIsReadOrRefused) {
  constexpr std::string_view kAlphabet = "{}[]:, x3f0-.\0ie\xff\t"sv;
  int read_count = 0;
  int refused_count = 0;
  const auto try_text = [&](const std::string& text) {
    TypeSpec type;
    const auto error = ParseType(text, &type);
    if (error.has_value()) {
      ++refused_count;
      ASSERT_LE(error->offset, text.size()) << text;
    } else {
      ++read_count;
      TypeSpec again;
      ASSERT_FALSE(ParseType(TypeText(type), &again).has_value()) << text << "\n" << TypeText(type);
      ASSERT_EQ(again, type) << text;
    }
  };
  for (const std::string good : {"{pos: f32x3 finite, mass: f32 in [0,10], who: entity[2]}",
                                 "i32 in [-5,0x1F] finite", "u64x12", "tag"}) {
    for (std::size_t at = 0; at <= good.size(); ++at) {
      try_text(good.substr(0, at));
      try_text(good.substr(at));
      if (at < good.size()) try_text(std::string(good).erase(at, 1));
      for (char c : kAlphabet) {
        try_text(std::string(good).insert(at, 1, c));
        if (at < good.size()) try_text(std::string(good).replace(at, 1, 1, c));
      }
    }
  }
  EXPECT_GT(read_count, 300);
  EXPECT_GT(refused_count, 1000);
}

TEST(IsName, TakesWordsThatDoNotBeginWithADigit) {
  for (std::string_view good : {"a", "_", "A9_", "position", "x3"}) EXPECT_TRUE(IsName(good));
  for (std::string_view bad : {""sv, "9"sv, "a b"sv, "a-b"sv, "a\0"sv, "\xc3\xa4"sv, "a."sv}) {
    EXPECT_FALSE(IsName(bad)) << bad;
  }
  EXPECT_TRUE(IsName(std::string(64, 'a')));
  EXPECT_FALSE(IsName(std::string(65, 'a')));
}

}  // namespace
}  // namespace ashlar
