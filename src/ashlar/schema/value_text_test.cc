// The text of whole component values.
#include <string>
#include <vector>

#include "ashlar/schema/component_descriptor.h"
#include "gtest/gtest.h"

namespace ashlar {
namespace {

using namespace std::string_view_literals;

ComponentDescriptor Make(std::string_view name, std::string_view type) {
  TypeSpec spec;
  const auto error = ParseType(type, &spec);
  EXPECT_FALSE(error.has_value()) << type << ": " << error->message;
  return ComponentDescriptor::FromSpec(name, spec).value();
}

// Reads the whole text.
std::vector<Scalar> Read(const ComponentDescriptor& descriptor, std::string_view text) {
  std::vector<Scalar> value;
  std::size_t consumed = 0;
  const auto error = ParseValuePrefix(descriptor, text, &value, &consumed);
  EXPECT_FALSE(error.has_value()) << text << ": " << error->message;
  EXPECT_EQ(consumed, text.size()) << text;
  return value;
}

TextError ErrorOf(const ComponentDescriptor& descriptor, std::string_view text) {
  std::vector<Scalar> value = {Scalar::Label(9)};
  std::size_t consumed = 77;
  const auto error = ParseValuePrefix(descriptor, text, &value, &consumed);
  EXPECT_EQ(value, std::vector{Scalar::Label(9)}) << "an error must leave the output alone";
  EXPECT_EQ(consumed, 77u);
  if (!error.has_value()) {
    ADD_FAILURE() << text << " was read";
    return {};
  }
  EXPECT_LE(error->offset, text.size()) << text;
  EXPECT_LE(error->message.size(), 500u);
  return *error;
}

TEST(ParseValuePrefix, ReadsEveryShape) {
  const ComponentDescriptor body = Make("body", "{mass: f32, axis: f32[2], target: entity}");
  const std::vector<Scalar> value = {Scalar::Int(1), Scalar::Int(2), Scalar::Int(3),
                                     Scalar::Label(4)};
  EXPECT_EQ(Read(body, "(1,(2,3),e4)"), value);
  EXPECT_EQ(Read(body, "(1,2,3,e4)"), value);
  EXPECT_EQ(Read(body, "( 1 ,\t( 2 , 3 ) , e4 )"), value);
  const ComponentDescriptor position = Make("position", "f32[3]");
  const std::vector<Scalar> ones(3, Scalar::Int(1));
  EXPECT_EQ(Read(position, "(1,1,1)"), ones);
  EXPECT_EQ(Read(position, "((1,1,1))"), ones);
  const ComponentDescriptor health = Make("health", "i32");
  EXPECT_EQ(Read(health, "80"), std::vector{Scalar::Int(80)});
  EXPECT_EQ(Read(health, "(80)"), std::vector{Scalar::Int(80)});
  EXPECT_EQ(Read(Make("mass", "{kg: f32}"), "1e3"), std::vector{Scalar::F32(1000.0f)});
  EXPECT_EQ(Read(Make("disabled", "tag"), ""), std::vector<Scalar>());
}

TEST(ParseValuePrefix, ReadsScalarsByTheTypeOfTheirField) {
  const ComponentDescriptor c = Make("c", "{a: f32[2], b: f64, c: bool, d: u64}");
  EXPECT_EQ(Read(c, "((0.1,nan(0x7fc00001)),0.1,true,18446744073709551615)"),
            (std::vector{Scalar::F32Bits(0x3dcccccd), Scalar::F32Bits(0x7fc00001), Scalar::F64(0.1),
                         Scalar::Bool(true), Scalar::Uint(18446744073709551615u)}));
  EXPECT_EQ(Read(Make("c", "f32"), "-0.0"), std::vector{Scalar::F32Bits(0x80000000)});
  EXPECT_EQ(Read(Make("c", "f32"), "nan(0x7fc00001)"), std::vector{Scalar::F32Bits(0x7fc00001)});
}

TEST(ParseValuePrefix, LeavesFitToTheCaller) {
  EXPECT_EQ(Read(Make("health", "i32"), "4294967296"), std::vector{Scalar::Int(4294967296)});
  EXPECT_EQ(Read(Make("health", "i32"), "true"), std::vector{Scalar::Bool(true)});
  EXPECT_EQ(Read(Make("mass", "f32"), "16777217"), std::vector{Scalar::Int(16777217)});
  EXPECT_FALSE(Make("mass", "f32").CheckFit(Read(Make("mass", "f32"), "16777217")).ok());
}

TEST(ParseValuePrefix, StopsWhereTheValueEnds) {
  struct Row {
    std::string_view type;
    std::string_view text;
    std::size_t consumed;
  };
  for (const Row& row :
       {Row{"i32", "80 mana=5", 2}, Row{"i32", "80# note", 2}, Row{"i32", "80,", 2},
        Row{"i32", "80)", 2}, Row{"i32", "(80) )", 4}, Row{"i32", "80\0", 2},
        Row{"f32[2]", "(1,2) -> any", 5}, Row{"f32[2]", "(1,2)(3,4)", 5}, Row{"f32", "nan)", 3},
        Row{"tag", " health=5", 0}, Row{"tag", "\tx", 0}, Row{"i32", "80\r", 2}}) {
    std::vector<Scalar> value;
    std::size_t consumed = 77;
    const auto error = ParseValuePrefix(Make("c", row.type), row.text, &value, &consumed);
    ASSERT_FALSE(error.has_value()) << row.text << ": " << error->message;
    EXPECT_EQ(consumed, row.consumed) << row.text;
  }
}

TEST(ParseValuePrefix, SaysWhatIsWrongAndWhere) {
  struct Row {
    std::string_view type;
    std::string_view text;
    std::size_t offset;
    std::string_view message;  // A part of it.
  };
  for (const Row& row : {
           Row{"i32", "", 0, "c: expected i32, found the end"},
           Row{"i32", " 80", 0, "found ' '"},
           Row{"i32", "()", 1, "c: expected i32, found ')'"},
           Row{"i32", "(", 1, "found the end"},
           Row{"i32", "((80))", 1, "found '('"},
           Row{"i32", "(80", 3, "expected ')'"},
           Row{"i32", "(80,1)", 3, "expected ')' after 1 of 1 scalars of c, found ','"},
           Row{"i32", "8x", 0, "found '8x'"},
           Row{"i32", "80-", 0, "found '80-'"},
           Row{"i32", "--80", 0, "found '--80'"},
           Row{"i32", "\0"sv, 0, "\\x00"},
           Row{"i32", "\xff", 0, "\\xff"},
           Row{"f32", "99999999999999999999", 0, "expected f32"},
           Row{"f32", "nan(0x1)", 0, "nan(0x1)"},
           Row{"f32[3]", "1,2,3", 0, "expected '('"},
           Row{"f32[3]", "", 0, "found the end"},
           Row{"f32[3]", "(1,2)", 4, "the other 1 of 3 scalars of c, found ')'"},
           Row{"f32[3]", "(1 2 3)", 3, "expected ','"},
           Row{"f32[3]", "(1,,3)", 3, "c[1]: expected f32, found ','"},
           Row{"f32[3]", "(1,2,3", 6, "found the end"},
           Row{"f32[3]", "(1,2,3,", 6, "expected ')'"},
           Row{"f32[3]", "(1,2,3,4)", 6, "expected ')'"},
           Row{"f32[3]", "((1,2,3)", 8, "expected ')'"},
           Row{"f32[3]", "(((1,2,3)))", 2, "found '('"},
           Row{"f32[3]", "[1,2,3]", 0, "expected '('"},
           Row{"f32[3]", "(1,(2,3))", 3, "found '('"},
           Row{"{a: f32, b: f32[2]}", "((1),(2,3))", 1, "c.a: expected f32"},
           Row{"{a: f32, b: f32[2]}", "(1,(2,3)", 8, "found the end"},
           Row{"{a: f32, b: f32[2]}", "(1,(2,3),4)", 8, "expected ')' after 3 of 3"},
           Row{"{a: f32, b: f32[2]}", "(1,(2),3)", 5, "expected ','"},
           Row{"{a: f32, b: f32[2]}", "(1,2,x)", 5, "c.b[1]: expected f32, found 'x'"},
           Row{"{a: f32, b: f32[2]}", "1", 0, "expected '('"},
           Row{"tag", "5", 0, "c is a tag and takes no value"},
           Row{"tag", "()", 0, "takes no value"},
       }) {
    const TextError error = ErrorOf(Make("c", row.type), row.text);
    EXPECT_EQ(error.offset, row.offset) << row.text << ": " << error.message;
    EXPECT_NE(error.message.find(row.message), std::string::npos)
        << row.text << ": " << error.message;
  }
}

TEST(ParseValuePrefix, LargeAndDeepTextsAreRefused) {
  constexpr std::size_t kLarge = 1 << 20;
  for (std::string_view type : {"i32", "f32[3]", "{a: f32, b: f32[2]}", "u8[65536]", "tag"}) {
    const ComponentDescriptor c = Make("c", type);
    for (char byte : {'(', ')', '-', 'x', 'n', '\0', '\xff', ','}) {
      EXPECT_FALSE(ErrorOf(c, std::string(kLarge, byte)).message.empty());
    }
  }
  std::string many = "(";
  for (int i = 0; i < 70'000; ++i) many += "1,";
  EXPECT_EQ(ErrorOf(Make("c", "u8[65536]"), many).offset, 65536u * 2);
  EXPECT_EQ(ErrorOf(Make("c", "f32[3]"), many).offset, 6u);
}

TEST(ValueText, ReadsBack) {
  for (std::string_view type : {"i32", "f32[3]", "{a: f32}", "{a: u8[2]}", "tag",
                                "{a: f32, b: f32[2], c: entity, d: bool[3], e: f64}"}) {
    const ComponentDescriptor c = Make("c", type);
    for (unsigned fill : {0u, 1u, 0x7fu, 0x80u, 0xffu}) {
      const std::vector<std::byte> bytes(c.size_bytes(), static_cast<std::byte>(fill));
      std::vector<Scalar> value;
      c.Unpack(bytes.data(), &value);
      EXPECT_EQ(Read(c, ValueText(c, value)), value);
      EXPECT_EQ(ValueText(c, value), c.Print(bytes.data()));
    }
  }
}

TEST(ValueText, WritesUnusualValues) {
  const ComponentDescriptor body = Make("body", "{a: f32, b: entity[2]}");
  EXPECT_EQ(ValueText(body, {}), "(0.0,(null,null))");
  EXPECT_EQ(ValueText(body, std::vector{Scalar::Int(1), Scalar::Label(7), Scalar::Bool(true)}),
            "(1,(e7,true))");
  EXPECT_EQ(ValueText(body, std::vector{Scalar::Int(1), Scalar::Int(2)}), "(1,2)");
  EXPECT_EQ(ValueText(Make("t", "tag"), {}), "");
  EXPECT_EQ(ValueText(Make("t", "tag"), std::vector{Scalar::Int(1)}), "(1)");
}

// Every text one edit away from a good one is read to a value that reads back, or refused.
TEST(ParseValuePrefix, EveryNeighbourOfAGoodTextIsReadOrRefused) {
  const ComponentDescriptor body = Make("body", "{a: f32, b: f32[2], c: entity, d: bool, e: i64}");
  const std::string good = "(-1.5e3,(0.1,nan(0x7fc00001)),4v2,true,-80)";
  constexpr std::string_view kAlphabet = "(), \t-+.0e1xv\0nat\xff"sv;
  int read_count = 0;
  int refused_count = 0;
  const auto try_text = [&](const std::string& text) {
    std::vector<Scalar> value;
    std::size_t consumed = 0;
    const auto error = ParseValuePrefix(body, text, &value, &consumed);
    if (error.has_value()) {
      ++refused_count;
      ASSERT_LE(error->offset, text.size()) << text;
      return;
    }
    ++read_count;
    ASSERT_EQ(value.size(), 6u) << text;
    ASSERT_LE(consumed, text.size()) << text;
    ASSERT_EQ(Read(body, std::string_view(text).substr(0, consumed)), value) << text;
    ASSERT_EQ(Read(body, ValueText(body, value)).size(), 6u) << text;
    if (!body.CheckFit(value).ok()) return;
    ASSERT_EQ(Read(body, ValueText(body, value)), value) << text;
  };
  for (std::size_t at = 0; at <= good.size(); ++at) {
    try_text(good.substr(0, at));
    try_text(good.substr(at));
    if (at < good.size()) try_text(std::string(good).erase(at, 1));
    for (char c : kAlphabet) {
      try_text(std::string(good).insert(at, 1, c));
      if (at < good.size()) try_text(std::string(good).replace(at, 1, 1, c));
    }
  }
  EXPECT_GT(read_count, 100);
  EXPECT_GT(refused_count, 1000);
}

}  // namespace
}  // namespace ashlar
