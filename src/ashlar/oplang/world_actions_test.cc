// Operations about the order of rows, and singletons: text and bytes.
#include <string>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

constexpr std::string_view kWorldActionsHead = "component health i32\ncomponent quiet tag\n";

void ExpectReadsAs(const std::string& text, const Action& expected) {
  const auto program = ParseTrace(std::string(kWorldActionsHead) + text + "\n", "t");
  ASSERT_TRUE(program.ok()) << program.status();
  ASSERT_EQ(program->operations.size(), 1u);
  EXPECT_EQ(program->operations[0].action, expected) << text;
  EXPECT_EQ(PrintAction(*program, expected), text);
  Program decoded = DecodeProgram(EncodeProgram(*program), program->components);
  ASSERT_EQ(decoded.operations.size(), 1u) << text;
  EXPECT_EQ(decoded.operations[0].action, expected) << text;
}

void ExpectRefusedText(const std::string& text) {
  EXPECT_FALSE(ParseTrace(std::string(kWorldActionsHead) + text + "\n", "t").ok()) << text;
}

TEST(WorldActions, SortsHaveTextAndBytes) {
  ExpectReadsAs("sort q1 health", SortOp{1, 0});
  ExpectReadsAs("sort q255 #9", SortOp{255, 9});
  ExpectReadsAs("sort q3 #65535", SortOp{3, 65535});
  ExpectReadsAs("sort_by_entity q7", SortByEntityOp{7});
  ExpectReadsAs("sort_by_entity q200", SortByEntityOp{200});
  for (const char* wrong : {"sort", "sort q1", "sort health", "sort q1 health quiet",
                            "sort e1 health", "sort_by_entity", "sort_by_entity q1 health"}) {
    ExpectRefusedText(wrong);
  }
}

TEST(WorldActions, SingletonsHaveTextAndBytes) {
  ExpectReadsAs("put_single health=80", PutSingleOp{{0, {Scalar::Int(80)}}});
  ExpectReadsAs("put_single health=-123456", PutSingleOp{{0, {Scalar::Int(-123456)}}});
  ExpectReadsAs("put_single quiet", PutSingleOp{{1, {}}});
  ExpectReadsAs("put_single #300=[label:e3]", PutSingleOp{{300, {Scalar::Label(3)}}});
  ExpectReadsAs("remove_single health", RemoveSingleOp{0});
  ExpectReadsAs("remove_single #999", RemoveSingleOp{999});
  ExpectReadsAs("get_single quiet", GetSingleOp{1});
  ExpectReadsAs("get_single #999", GetSingleOp{999});
  for (const char* wrong : {"put_single", "put_single health=80 quiet", "put_single e1 health=1",
                            "remove_single", "remove_single health=1", "get_single health quiet"}) {
    ExpectRefusedText(wrong);
  }
}

}  // namespace
}  // namespace ashlar::oplang
