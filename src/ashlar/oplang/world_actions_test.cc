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

TEST(WorldActions, HooksHaveTextAndBytes) {
  using enum HookMoment;
  using enum HookReaction;
  ExpectReadsAs("hook health added", HookOp{0, kAdded, kNone});
  ExpectReadsAs("hook health removed record destroy", HookOp{0, kRemoved, kDestroy});
  ExpectReadsAs("hook quiet set record remove", HookOp{1, kSet, kRemove});
  ExpectReadsAs("hook #999 set record remove", HookOp{999, kSet, kRemove});
  ExpectReadsAs("unhook health set", UnhookOp{0, kSet});
  ExpectReadsAs("unhook #65535 removed", UnhookOp{65535, kRemoved});
  for (const char* wrong :
       {"hook", "hook health", "hook added", "hook health gone", "hook health added remove",
        "hook health added record", "hook health added record set",
        "hook health added record remove x", "hook health=1 added", "unhook", "unhook health",
        "unhook health added record remove"}) {
    ExpectRefusedText(wrong);
  }
}

// The binary form says what is heard by a number, and every number says something.
TEST(WorldActions, HookNumbersAndNamesNeverChange) {
  EXPECT_EQ(HookMomentName(HookMoment::kRemoved), "removed");
  EXPECT_EQ(HookMomentName(HookMoment::kAdded), "added");
  EXPECT_EQ(HookMomentName(HookMoment::kSet), "set");
  EXPECT_EQ(HookMomentName(static_cast<HookMoment>(3)), "unknown");
  for (int i = 0; i < kHookMomentCount; ++i) {
    const auto moment = static_cast<HookMoment>(i);
    EXPECT_EQ(ParseHookMoment(HookMomentName(moment)), moment);
  }
  EXPECT_FALSE(ParseHookMoment("unknown").has_value());
  const std::vector<ComponentDeclaration> components(2);
  std::vector<std::uint8_t> bytes(kHeaderBytes + kRecordBytes);
  bytes[kHeaderBytes] = 44;
  bytes[kHeaderBytes + 1] = 3 << 3;
  bytes[kHeaderBytes + 4] = 7;
  bytes[kHeaderBytes + 5] = 5;
  const Program program = DecodeProgram(bytes, components);
  ASSERT_EQ(program.operations.size(), 1u);
  EXPECT_EQ(program.operations[0].action,
            Action(HookOp{1, HookMoment::kRemoved, HookReaction::kDestroy}));
}

}  // namespace
}  // namespace ashlar::oplang
