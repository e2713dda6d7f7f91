#include "fuzz/corpus_mapping.h"

#include <string_view>
#include <variant>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"
#include "model/lockstep.h"
#include "model/sample_components.h"

namespace ashlar::fuzz {
namespace {

std::string Mapped(std::string_view text) {
  const auto program = oplang::ParseTrace(text, "test.trace");
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return "";
  oplang::Program mapped = OverSampleComponents(*program);
  std::string actions;
  for (const oplang::Operation& operation : mapped.operations) {
    actions += oplang::PrintAction(mapped, operation.action) + "\n";
  }
  return actions;
}

TEST(OverSampleComponents, KeepsNamesWhereTheScalarsAreTheSame) {
  EXPECT_EQ(Mapped("component velocity f32[3]\n"
                   "component position {x: f32, y: f32, z: f32}\n"
                   "component disabled tag\n"
                   "create e1 position=(1,2,3) velocity=(4,5,6) disabled\n"
                   "setfield e1 position.y=8\n"),
            "create e1 position=(1.0,2.0,3.0) velocity=(4.0,5.0,6.0) disabled\n"
            "setfield e1 position[1]=8.0\n");
}

TEST(OverSampleComponents, TakesEachSampleOnceAndTheNearestSizeForTheRest) {
  EXPECT_EQ(Mapped("component a tag\n"
                   "component b u8 in [3,4]\n"
                   "component c tag\n"
                   "component d f64[188]\n"
                   "create e1 a b=4 c\n"
                   "remove e1 a c\n"
                   "query q1 all(b) none(c)\n"
                   "fill q1 b=3\n"
                   "has e1 d\n"),
            "create e1 disabled mana=4 frozen\n"
            "remove e1 disabled frozen\n"
            "query q1 all(mana) none(frozen)\n"
            "fill q1 mana=3\n"
            "has e1 cargo\n");
}

TEST(OverSampleComponents, CarriesValuesOverScalarByScalar) {
  // Two of its three scalars find a place in score, and a number field takes no entity.
  EXPECT_EQ(Mapped("component odd {a: i64, b: entity, c: bool}\n"
                   "create e1\n"
                   "create e2 odd=(5,e1,true)\n"
                   "create e3 odd\n"
                   "destroy e1\n"),
            "create e1\n"
            "create e2 score=(5,0)\n"
            "create e3 score\n"
            "destroy e1\n");
}

TEST(OverSampleComponents, KeepsWhatNamesNothing) {
  EXPECT_EQ(Mapped("component a tag\n"
                   "create e1 #1 -> INVALID_ARGUMENT\n"
                   "has e1 #7 -> INVALID_ARGUMENT\n"),
            "create e1 #20\nhas e1 #26\n");
}

TEST(OverSampleComponents, GivesProgramsThatTheBinaryFormHolds) {
  const auto program = oplang::ParseTrace(
      "option rows_per_chunk 2\n"
      "component x f64\n"
      "component y i8[5]\n"
      "create e1 x=0.1 y=(1,2,3,4,5)\n"
      "setfield e1 y[4]=9\n"
      "exchange e1 remove x add x=7.25\n",
      "test.trace");
  ASSERT_TRUE(program.ok()) << program.status();
  const oplang::Program mapped = OverSampleComponents(*program);
  oplang::Program decoded =
      oplang::DecodeProgram(oplang::EncodeProgram(mapped), model::SampleComponents());
  ASSERT_EQ(decoded.operations.size(), mapped.operations.size());
  for (std::size_t i = 0; i < decoded.operations.size(); ++i) {
    EXPECT_EQ(decoded.operations[i].action, mapped.operations[i].action);
  }
  EXPECT_EQ(decoded.options, mapped.options);
  model::LockstepOptions options;
  options.check_expectations = false;
  EXPECT_FALSE(model::RunLockstep(decoded, options, nullptr).has_value());
}

}  // namespace
}  // namespace ashlar::fuzz
