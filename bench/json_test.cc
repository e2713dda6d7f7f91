#include "bench/json.h"

#include <cmath>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

using testing::HasSubstr;

Json Parsed(const std::string& text) {
  auto json = Json::Parse(text);
  EXPECT_TRUE(json.ok()) << text << ": " << json.status();
  return json.ok() ? *json : Json();
}

TEST(Json, ReadsEveryKind) {
  const Json json = Parsed(
      " {\"a\": [1, -2.5e2, 0, 1E+1],\n\"b\": {\"c\": true, \"d\": false}, \"e\": null, "
      "\"f\": \"x\", \"g\": [], \"h\": {}} ");
  ASSERT_EQ(json["a"].items().size(), 4u);
  EXPECT_EQ(json["a"].items()[0].number(), 1);
  EXPECT_EQ(json["a"].items()[1].number(), -250);
  EXPECT_EQ(json["a"].items()[2].number(), 0);
  EXPECT_EQ(json["a"].items()[3].number(), 10);
  EXPECT_TRUE(json["b"]["c"].is_true());
  EXPECT_FALSE(json["b"]["d"].is_true());
  EXPECT_EQ(json["b"]["d"].kind(), Json::Kind::kBool);
  EXPECT_TRUE(json["e"].is_null());
  EXPECT_EQ(json["f"].text(), "x");
  EXPECT_EQ(json["g"].kind(), Json::Kind::kArray);
  EXPECT_EQ(json["h"].kind(), Json::Kind::kObject);
  EXPECT_EQ(json.members().size(), 6u);
}

TEST(Json, WhatIsMissingIsEmpty) {
  const Json json = Parsed("{\"a\": 1}");
  EXPECT_TRUE(json["b"]["c"].is_null());
  EXPECT_EQ(json["b"]["c"].number(), 0);
  EXPECT_EQ(json["a"].text(), "");
  EXPECT_TRUE(json["a"].items().empty());
}

TEST(Json, ReadsEscapes) {
  EXPECT_EQ(Parsed(R"("\"\\\/\b\f\n\r\t")").text(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(Parsed(R"("\u0041\u00e9\u20AC\ud83d\uDE00")").text(),
            "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(Json, RefusesWhatIsNone) {
  for (const char* text : {"",          "{",         "[1,]",        "[1 2]",
                           "{\"a\" 1}", "{a: 1}",    "{\"a\": 1,}", "01",
                           "-",         "1.",        "1e",          ".5",
                           "+1",        "tru",       "\"a",         "\"a\nb\"",
                           "\"\\x\"",   "\"\\u12\"", "\"\\ud83d\"", "\"\\ud83d\\u0041\"",
                           "1 2",       "nan",       "'a'",         "]"}) {
    EXPECT_FALSE(Json::Parse(text).ok()) << text;
  }
}

TEST(Json, SaysTheLine) {
  EXPECT_THAT(std::string(Json::Parse("[1,\n2,\n}").status().message()), HasSubstr("line 3"));
}

TEST(Json, RefusesWhatIsTooDeep) {
  EXPECT_TRUE(Json::Parse(std::string(90, '[') + std::string(90, ']')).ok());
  EXPECT_FALSE(Json::Parse(std::string(100'000, '[')).ok());
}

TEST(Json, ReadsWhatIsWritten) {
  const std::string text = "a\"b\\c\n\x01 d";
  EXPECT_EQ(Parsed(JsonText(text)).text(), text);
  EXPECT_EQ(Parsed(JsonNumber(0.125)).number(), 0.125);
  EXPECT_EQ(JsonNumber(std::nan("")), "null");
  EXPECT_EQ(JsonNumber(INFINITY), "null");
}

}  // namespace
}  // namespace ashlar::bench
