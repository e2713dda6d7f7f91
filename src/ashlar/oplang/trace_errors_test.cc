// What malformed traces are answered with: line, column and what would be right.
#include <string>
#include <string_view>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/oplang/trace_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Three lines, so that the statement behind it stands in line 4.
constexpr char kErrorSchema[] =
    "component position f32[3]\n"
    "component health i32 in [0,100]\n"
    "component body {pos: f32x3, mass: f32, target: entity} # and a tag: \n";

std::string ErrorOf(std::string_view text) {
  const auto program = ParseTrace(text, "t");
  EXPECT_FALSE(program.ok()) << text;
  if (program.ok()) return "";
  EXPECT_EQ(program.status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(ReasonOf(program.status()), Reason::kTextMalformed);
  return std::string(program.status().message());
}

struct Case {
  std::string text;
  std::string error;  // How the message begins.
};

TEST(TraceErrors, PointAtTheOperand) {
  const std::vector<Case> cases = {
      {"crate e1", "t:4:1: unknown statement 'crate'; statements begin with trace, option"},
      {"  crate e1", "t:4:3: unknown statement 'crate'"},
      {"\x80", "t:4:1: unknown statement '\\x80'"},
      {"create", "t:4:7: expected an entity label (e0 .. e65535), found the end of the line"},
      {"create 4v2", "t:4:8: expected an entity label (e0 .. e65535), found '4v2'"},
      {"create e65536", "t:4:8: expected an entity label"},
      {"create e", "t:4:8: expected an entity label"},
      {"create e1 helth=5",
       "t:4:11: unknown component 'helth'; declared are position, health, body"},
      {"create e1 #65536", "t:4:11: a component's number goes from #0 to #65535"},
      {"create e1 =5", "t:4:11: expected a component (its name, or #N), found '=5'"},
      {"create e1 health=", "t:4:18: expected a value right after '=', found the end of the line"},
      {"create e1 health= 5", "t:4:18: expected a value right after '=', found a space"},
      {"create e1 health =5", "t:4:18: expected a component (its name, or #N), found '=5'"},
      {"create e1 health=five", "t:4:18: health: expected i32, found 'five'"},
      {"create e1 health=5,6", "t:4:19: expected a space after the value, found ',6'"},
      {"create e1 health=nan(0x7fc00001", "t:4:21: expected a space after the value"},
      {"create e1 position=1", "t:4:20: expected '('"},
      {"create e1 position=(1,2)", "t:4:24: expected ','"},
      {"create e1 position=(1,2,3,4)", "t:4:26: expected ')'"},
      {"create e1 position=(1,2,3", "t:4:26: expected ')'"},
      {"create e1 position=(1,2,x)", "t:4:25: position[2]: expected f32"},
      {"create e1 #99=5", "t:4:15: expected an exact value in brackets, as in [int:5]"},
      {"create e1 health=[5]", "t:4:19: expected an exact scalar: int:5"},
      {"create e1 health=[]", "t:4:19: expected an exact scalar"},
      {"create e1 health=[int:x]", "t:4:23: 'x' is no int"},
      {"create e1 health=[int:9223372036854775808]", "t:4:23: '9223372036854775808' is no int"},
      {"create e1 health=[uint:5]", "t:4:24: '5' is no uint"},
      {"create e1 health=[f32:1e39]", "t:4:23: '1e39' is no f32"},
      {"create e1 health=[int:5", "t:4:24: expected ',' or ']', found the end of the line"},
      {"create e1 health=[int:5]x", "t:4:25: expected '=' and a value, or a space, found 'x'"},
      {"destroy", "t:4:8: expected an entity: a label (e0 .. e65535), bits (4v2) or null"},
      {"destroy e", "t:4:9: expected an entity"},
      {"destroy e-1", "t:4:9: expected an entity"},
      {"destroy 4v", "t:4:9: expected an entity"},
      {"destroy v2", "t:4:9: expected an entity"},
      {"destroy 4294967296v1", "t:4:9: expected an entity"},
      {"destroy e1 e2", "t:4:12: expected the end of the statement or a comment, found 'e2'"},
      {"destroy e1#", "t:4:9: expected an entity"},
      {"remove e1 health=5", "t:4:17: expected a space after the component, found '=5'"},
      {"exchange e1 add health=1 remove body", "t:4:26: unknown component 'remove'"},
      {"exchange e1 health", "t:4:13: expected remove and components, then add and values"},
      {"get e1", "t:4:7: expected a component (its name, or #N), found the end of the line"},
      {"get e1 health body", "t:4:15: expected the end of the statement"},
      {"nop now", "t:4:5: expected the end of the statement"},
      {"move", "t:4:5: expected dt=NUMBER, a float"},
      {"move 0.5", "t:4:6: expected dt=NUMBER, a float"},
      {"move dt 0.5", "t:4:8: expected dt=NUMBER, a float"},
      {"move dt=fast", "t:4:9: expected a float that fits f32, found 'fast'"},
      {"move dt=1e39", "t:4:9: expected a float that fits f32, found '1e39'"},
      {"move dt=true", "t:4:9: expected a float that fits f32"},
      {"place_generation e1", "t:4:20: expected a generation (0 .. 4294967295)"},
      {"place_generation e1 4294967296", "t:4:21: expected a generation (0 .. 4294967295)"},
      {"place_generation e1 -1", "t:4:21: expected a generation"},
      {"fail_allocation", "t:4:16: expected which allocation fails (1 .. 4294967295)"},
      {"fail_allocation 0", "t:4:17: which allocation fails counts from 1"},
      {"fail_allocation  0 sticky", "t:4:18: which allocation fails counts from 1"},
      {"fail_allocation -1", "t:4:17: expected which allocation fails"},
      {"fail_allocation 4294967296", "t:4:17: expected which allocation fails"},
      {"fail_allocation 1 once", "t:4:19: expected sticky or the end of the statement, found"},
      {"fail_allocation 1 sticky 2", "t:4:26: expected the end of the statement"},
      {"fail_allocation sticky", "t:4:17: expected which allocation fails"},
      {"fail_construction", "t:4:18: expected which construction fails (1 .. 4294967295)"},
      {"fail_construction 0", "t:4:19: which construction fails counts from 1"},
      {"fail_construction 1 sticky", "t:4:21: expected the end of the statement"},
      {"fail 1", "t:4:1: unknown statement 'fail'"},
      {"destroy", "t:4:8: expected an entity"},
      {"add", "t:4:4: expected an entity"},
      {"remove", "t:4:7: expected an entity"},
      {"get", "t:4:4: expected an entity"},
      {"has e1", "t:4:7: expected a component"},
      {"exchange", "t:4:9: expected an entity"},
      {"exchange e1 remove hlth", "t:4:20: unknown component 'hlth'"},
      {"exchange e1 health", "t:4:13: expected remove and components, then add and values"},
      {"setfield", "t:4:9: expected an entity"},
      {"place_generation", "t:4:17: expected an entity"},
      {"place_generation e1 4294967296", "t:4:21: expected a generation (0 .. 4294967295)"},
      {"place_index", "t:4:12: expected an index (0 .. 18446744073709551615)"},
      {"place_index -1", "t:4:13: expected an index"},
      {"place_version 18446744073709551616", "t:4:15: expected a version"},
      {"trim now", "t:4:6: expected the end of the statement"},
      {"dangling e1", "t:4:10: expected the end of the statement"},
      {"mark q1", "t:4:6: expected the end of the statement"},
  };
  for (const Case& c : cases) EXPECT_THAT(ErrorOf(kErrorSchema + c.text), StartsWith(c.error));
}

TEST(TraceErrors, PointIntoScalarsAndQueries) {
  const std::vector<Case> cases = {
      {"setfield e1 body.mess=5", "t:4:17: body has no scalar 'mess'; it has "},
      {"setfield e1 position[3]=5", "t:4:21: position has no scalar '[3]'"},
      {"setfield e1 position=5", "t:4:21: position has no scalar"},
      {"setfield e1 health", "t:4:19: expected '=' and a value, found the end of the line"},
      {"setfield e1 health=x", "t:4:20: expected a value of type i32, found 'x'"},
      {"setfield e1 body.#9=5", "t:4:21: expected an exact value in brackets"},
      {"setfield e1 body.#x=5", "t:4:17: a scalar's number goes from .#0 to .#4294967295"},
      {"setfield e1 body.#4294967296=5", "t:4:17: a scalar's number goes from"},
      {"setfield e1 #99=5", "t:4:16: expected a scalar's number, as in .#0"},
      {"setfield e1 #99.#0=5", "t:4:20: expected an exact value in brackets"},
      {"setfield e1 health=[int:5]x", "t:4:27: expected a space after the value, found 'x'"},
      {"setfield e1 health=[int:1, int:2]", "t:4:26: expected ']' after the one scalar"},
      {"query", "t:4:6: expected a query label (q0 .. q255)"},
      {"query e1", "t:4:7: expected a query label"},
      {"query q256", "t:4:7: expected a query label"},
      {"query q1 position", "t:4:10: expected a group of terms: all(...), any(...), none(...)"},
      {"query q1 all", "t:4:13: expected '(' and components, found the end of the line"},
      {"query q1 all()", "t:4:14: expected a component (its name, or #N), found ')'"},
      {"query q1 all(position health)",
       "t:4:23: expected ',', ')' or with_disabled after a component"},
      {"query q1 all(position,)", "t:4:23: expected a component"},
      {"query q1 all(position", "t:4:22: expected ',', ')' or with_disabled after a component"},
      {"query q1 all(hlth)", "t:4:14: unknown component 'hlth'"},
      {"fill", "t:4:5: expected a query label"},
      {"fill q1", "t:4:8: expected a component"},
      {"iterate", "t:4:8: expected a query label"},
      {"open e1", "t:4:6: expected a query label"},
      {"close q1", "t:4:7: expected the end of the statement"},
      {"changed", "t:4:8: expected a query label"},
      {"changed q1", "t:4:11: expected a component"},
      {"changed q1 hlth", "t:4:12: unknown component 'hlth'"},
      {"added e1 health", "t:4:7: expected a query label"},
  };
  for (const Case& c : cases) EXPECT_THAT(ErrorOf(kErrorSchema + c.text), StartsWith(c.error));
}

TEST(TraceErrors, PointIntoExpectations) {
  const std::vector<Case> cases = {
      {"expect", "t:4:7: expected an entity (e1), a query (q1) or the word live"},
      {"expect life 3", "t:4:8: expected an entity (e1), a query (q1) or the word live"},
      {"expect x1 dead", "t:4:8: expected an entity"},
      {"expect live", "t:4:12: expected a number of entities"},
      {"expect live few", "t:4:13: expected a number of entities"},
      {"expect e1 dead now", "t:4:16: expected the end of the statement"},
      {"expect e1 id", "t:4:13: expected an entity"},
      {"expect e1 id e2", "t:4:14: expected bits (4v2) or null, found 'e2'"},
      {"expect e1 chunk x row 0", "t:4:17: expected a chunk's number"},
      {"expect e1 chunk 0", "t:4:18: expected row and its number"},
      {"expect e1 chunk 0 row", "t:4:22: expected a row's number"},
      {"expect e1 without health=5", "t:4:25: expected a space after the component"},
      {"expect e1 only hlth", "t:4:16: unknown component 'hlth'"},
      {"expect q1", "t:4:10: expected matches, order, count, chunks, changed or added"},
      {"expect q1 health=5", "t:4:11: expected matches, order, count, chunks, changed or added"},
      {"expect q1 matches q2", "t:4:19: expected an entity"},
      {"expect q1 count many", "t:4:17: expected a number of entities"},
      {"expect q1 chunks -1", "t:4:18: expected a number of chunks"},
      {"expect q256 count 1", "t:4:8: expected a query label (q0 .. q255), found 'q256'"},
      {"expect q1 changed", "t:4:18: expected a component"},
      {"expect q1 added health q2", "t:4:24: expected an entity"},
      {"nop -> ", "t:4:8: expected 'any' or a status code"},
      {"nop -> PERHAPS", "t:4:8: expected 'any' or a status code"},
      {"nop -> NOT_FOUND because", "t:4:18: expected a reason"},
      {"nop -> NOT_FOUND none", "t:4:18: expected a reason"},
      {"nop -> NOT_FOUND entity_not_alive now", "t:4:35: expected the end of the statement"},
      {"nop -> any any", "t:4:12: expected the end of the statement"},
      {"nop ->any", "t:4:5: expected the end of the statement"},
  };
  for (const Case& c : cases) EXPECT_THAT(ErrorOf(kErrorSchema + c.text), StartsWith(c.error));
}

TEST(TraceErrors, PointIntoTheHead) {
  const std::vector<Case> cases = {
      {"trace", "t:1:6: expected the format's version"},
      {"trace one", "t:1:7: expected the format's version"},
      {"trace 0", "t:1:7: this is version 0 of the format; known is version 1"},
      {"trace 1 2", "t:1:9: expected the end of the statement"},
      {"trace 1 -> any", "t:1:9: expected the end of the statement"},
      {"trace 1\ntrace 1", "t:2:1: trace and its version come first"},
      {"nop\ntrace 1", "t:2:1: trace and its version come first"},
      {"option", "t:1:7: expected chunk_bytes, rows_per_chunk or index_limit"},
      {"option colour 5", "t:1:8: expected chunk_bytes, rows_per_chunk or index_limit"},
      {"option chunk_bytes", "t:1:19: expected the size of a chunk in bytes (0 .. 65536)"},
      {"option chunk_bytes 131072", "t:1:20: expected the size of a chunk in bytes (0 .. 65536)"},
      {"option chunk_bytes 5000", "t:1:20: a chunk's size is a power of two, 4096 .. 65536"},
      {"option chunk_bytes 2048", "t:1:20: a chunk's size is a power of two, 4096 .. 65536"},
      {"option chunk_bytes 0", "t:1:20: a chunk's size is a power of two"},
      {"option rows_per_chunk 4294967296", "t:1:23: expected rows per chunk (0 .. 4294967295)"},
      {"option index_limit -1", "t:1:20: expected a number of indices"},
      {"option index_limit 1\noption index_limit 1", "t:2:8: option index_limit is given twice"},
      {"option index_limit 1 2", "t:1:22: expected the end of the statement"},
      {"component a u8\noption index_limit 1", "t:2:1: options come before"},
      {"nop\ncomponent a u8", "t:2:1: components come before the first operation"},
      {"component", "t:1:10: expected a component's name"},
      {"component a-b u8", "t:1:12: expected a component's name (letters, digits, '_')"},
      {"component a", "t:1:12: expected a type"},
      {"component a f33", "t:1:13: expected a type"},
      {"component a f32[0]", "t:1:17: "},
      {"component a f32 unfinished",
       "t:1:17: expected the end of the type, a rule (in [MIN,MAX], finite), as and how, "
       "enableable, or split"},
      {"component a f32 as",
       "t:1:19: expected how a value lives: owned, self, unique or aligned, found the end"},
      {"component a f32 as  shared",
       "t:1:21: expected how a value lives: owned, self, unique or aligned, found 'shared'"},
      {"component a f32 as plain", "t:1:20: expected how a value lives"},
      {"component a tag as owned self", "t:1:26: expected the end of the statement"},
      {"component a f32 as owned finite", "t:1:26: expected the end of the statement"},
      {"component a f32 asowned", "t:1:17: expected the end of the type"},
      {"component a as owned", "t:1:13: expected a type"},
      {"component a {x: u8", "t:1:19: expected ',' or '}'"},
      {"component a u8\ncomponent a u8", "t:2:11: component a is declared twice"},
      {"component 1a u8", "t:1:11: "},
      {"component a u8[65536]\ncomponent b f64[65536]", "t:2:11: "},
  };
  for (const Case& c : cases) EXPECT_THAT(ErrorOf(c.text), StartsWith(c.error)) << c.text;
}

TEST(TraceErrors, SayWhichComponentsThereAre) {
  EXPECT_EQ(ErrorOf("get e1 health"),
            "t:1:8: unknown component 'health'; no component is declared");
  std::string text;
  for (int i = 0; i < 13; ++i) text += "component c" + std::to_string(i) + " u8\n";
  EXPECT_EQ(ErrorOf(text + "get e1 health"),
            "t:14:8: unknown component 'health'; declared are c0, c1, c2, c3, c4, c5, c6, c7, c8, "
            "c9, c10, c11, ...");
}

TEST(TraceErrors, ALaterVersionIsNotDamage) {
  const auto program = ParseTrace("# new\ntrace 2\nteleport e1\n", "t");
  EXPECT_EQ(program.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(ReasonOf(program.status()), Reason::kTextMalformed);
  EXPECT_EQ(program.status().message(),
            "t:2:7: this is version 2 of the format; known is version 1");
}

TEST(TraceErrors, ASlipThatDoesNotFitIsFound) {
  EXPECT_THAT(ErrorOf(std::string(kErrorSchema) + "add e1 health=4294967296"),
              StartsWith("t:4:15: health: 4294967296 does not fit i32"));
  EXPECT_THAT(ErrorOf(std::string(kErrorSchema) + "add e1 health=4294967296"),
              HasSubstr("-> INVALID_ARGUMENT value_does_not_fit"));
  EXPECT_THAT(ErrorOf(std::string(kErrorSchema) + "add e1 health=nan"),
              StartsWith("t:4:15: health: "));
  EXPECT_THAT(ErrorOf(std::string(kErrorSchema) + "add e1 health=1.5"),
              StartsWith("t:4:15: health: "));
  EXPECT_THAT(ErrorOf(std::string(kErrorSchema) + "set e1 health=5 position=(1,2,1e39)"),
              StartsWith("t:4:26: position[2]: "));
  EXPECT_THAT(ErrorOf(std::string(kErrorSchema) + "setfield e1 health=4294967296"),
              StartsWith("t:4:20: health: '4294967296' does not fit i32"));
  EXPECT_THAT(ErrorOf(std::string(kErrorSchema) + "add e1 health=true -> OK"),
              StartsWith("t:4:15: health: "));
}

TEST(TraceErrors, ATagTakesNoValue) {
  EXPECT_EQ(ErrorOf("component on tag\ncreate e1 on=5"),
            "t:2:14: on is a tag and takes no value; leave out '='");
}

TEST(TraceErrors, NulBytesAreRefusedWhereverTheyStand) {
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(ErrorOf("nop\nno\0p\n"sv), "t:2:3: a NUL byte; a trace is text");
  EXPECT_EQ(ErrorOf("# comment \0\n"sv), "t:1:11: a NUL byte; a trace is text");
  EXPECT_EQ(ErrorOf(std::string(5000, '\0')), "t:1:1: a NUL byte; a trace is text");
}

TEST(TraceErrors, LongLinesAreRefused) {
  const std::string longest = "#" + std::string(kTraceLineBytesMax - 1, 'x');
  EXPECT_TRUE(ParseTrace(longest + "\nnop", "t").ok());
  EXPECT_EQ(ErrorOf("nop\n" + longest + "x\nnop\n"),
            "t:2:1048577: this line has 1048577 bytes; a line has at most 1048576");
  std::string huge;
  huge.resize(10'000'000, 'x');
  EXPECT_EQ(ErrorOf(huge), "t:1:1048577: this line has 10000000 bytes; a line has at most 1048576");
}

// A few bytes of text could ask for a million scalars each.
TEST(TraceErrors, ScalarsOfAllComponentsAreBounded) {
  std::string text;
  for (int i = 0; i < 17; ++i) text += "component c" + std::to_string(i) + " u8[65536]\n";
  EXPECT_EQ(ErrorOf(text),
            "t:17:11: the components of a trace have at most 1048576 scalars in all; with this one "
            "they have 1114112");
}

TEST(TraceErrors, ComponentsAreAsManyAsAWorldTakes) {
  std::string text;
  for (int i = 0; i < 512; ++i) text += "component c" + std::to_string(i) + " u8\n";
  EXPECT_TRUE(ParseTrace(text, "t").ok());
  EXPECT_EQ(ErrorOf(text + "component one_more u8\n"),
            "t:513:11: a world has at most 512 components");
}

// Whatever a text is cut to, it is a program or an error of one line.
TEST(TraceErrors, EveryPrefixIsAnswered) {
  const std::string whole = std::string("trace 1\noption chunk_bytes 8192\n") + kErrorSchema +
                            "create e1 position=(1,2,3) body=((1,2,3),4,e9)\n"
                            "query q1 all(position, health) none(body)\n"
                            "exchange e1 remove body add health=[int:5] -> any\n"
                            "setfield e1 position[1]=2.5 # done\n"
                            "expect e1 only position health=5\n";
  ASSERT_TRUE(ParseTrace(whole, "t").ok());
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto program = ParseTrace(std::string_view(whole).substr(0, size), "t");
    if (program.ok()) continue;
    ++refused;
    const std::string message(program.status().message());
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_THAT(message, StartsWith("t:"));
  }
  EXPECT_GT(refused, 200);
}

// Every byte of a sound text, replaced by every other: never a crash, always one line.
TEST(TraceErrors, EveryChangedByteIsAnswered) {
  const std::string whole = std::string(kErrorSchema) +
                            "create e1 position=(1,2,3)\n"
                            "setfield e1 body.pos[2]=1.5 -> NOT_FOUND component_absent\n";
  int accepted = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = whole;
      text[at] = static_cast<char>(byte);
      const auto program = ParseTrace(text, "t");
      if (program.ok()) {
        ++accepted;
      } else {
        ASSERT_EQ(program.status().message().find('\n'), std::string::npos);
      }
    }
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace ashlar::oplang
