#include "cli/chunk_plan.h"

#include <string>
#include <vector>

#include "ashlar/core/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

using ::testing::HasSubstr;
using Kind = ChunkPart::Kind;

std::vector<ComponentDescriptor> Components(const std::vector<std::string>& arguments) {
  std::vector<ComponentDescriptor> components;
  for (const std::string& argument : arguments) {
    auto component = ParseComponentArgument(argument);
    EXPECT_TRUE(component.ok()) << component.status();
    if (component.ok()) components.push_back(*std::move(component));
  }
  return components;
}

std::string PartsText(const ChunkPlan& plan) {
  std::string text;
  for (const ChunkPart& part : plan.parts) {
    text += (part.kind == Kind::kLost ? "lost" : part.name) + '[' + std::to_string(part.begin) +
            ',' + std::to_string(part.end) + ") ";
  }
  return text;
}

TEST(ChunkPlan, PositionAndVelocity) {
  const auto plan = MakeChunkPlan(Components({"position:f32x3", "velocity:f32[3]"}), 4096, 0);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->capacity, 122u);
  EXPECT_EQ(plan->row_bytes, 32u);
  EXPECT_EQ(PartsText(*plan),
            "header[0,64) entity[64,1040) lost[1040,1088) position[1088,2552) lost[2552,2560) "
            "velocity[2560,4024) lost[4024,4096) ");
  EXPECT_EQ(plan->BytesOf(Kind::kLost), 128u);
}

TEST(ChunkPlan, FullToTheLastByte) {
  const auto plan =
      MakeChunkPlan(Components({"position:f32x3", "velocity:f32x3", "health:i32"}), 4096, 0);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->capacity, 112u);
  EXPECT_EQ(PartsText(*plan),
            "header[0,64) entity[64,960) position[960,2304) velocity[2304,3648) "
            "health[3648,4096) ");
  EXPECT_EQ(plan->BytesOf(Kind::kLost), 0u);
}

TEST(ChunkPlan, TagsTakeNoBytes) {
  const auto plan = MakeChunkPlan(Components({"disabled:tag", "health:i32"}), 4096, 4);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->tags, std::vector<std::string>{"disabled"});
  EXPECT_EQ(plan->capacity, 4u);
  EXPECT_EQ(PartsText(*plan),
            "header[0,64) entity[64,96) lost[96,128) health[128,144) lost[144,4096) ");
}

TEST(ChunkPlan, EntitiesAlone) {
  const auto plan = MakeChunkPlan({}, 4096, 0);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->capacity, 504u);
  EXPECT_EQ(PartsText(*plan), "header[0,64) entity[64,4096) ");
}

TEST(ChunkPlan, RefusesWhatCannotBe) {
  const auto twice = MakeChunkPlan(Components({"a:i32", "a:f32"}), 4096, 0);
  EXPECT_EQ(ReasonOf(twice.status()), Reason::kComponentNameTaken);
  const auto large = MakeChunkPlan(Components({"a:f64[1000]"}), 4096, 0);
  EXPECT_EQ(ReasonOf(large.status()), Reason::kRowTooLarge);
  const auto size = MakeChunkPlan(Components({"a:i32"}), 5000, 0);
  EXPECT_EQ(ReasonOf(size.status()), Reason::kOptionInvalid);
}

TEST(ParseComponentArgument, SaysWhatIsWrongAndWhere) {
  const auto message = [](std::string_view argument) {
    const auto component = ParseComponentArgument(argument);
    EXPECT_FALSE(component.ok()) << argument;
    return std::string(component.status().message());
  };
  EXPECT_THAT(message("health"), HasSubstr("name:type"));
  EXPECT_THAT(message("health:i33"), HasSubstr("'health:i33': column 8"));
  EXPECT_THAT(message("health:"), HasSubstr("'health:'"));
  EXPECT_THAT(message(":i32"), HasSubstr("':i32'"));
  EXPECT_THAT(message("1health:i32"), HasSubstr("'1health:i32'"));
  EXPECT_THAT(message("a:f32[0]"), HasSubstr("'a:f32[0]'"));
  EXPECT_THAT(message("a:f32[99999999999]"), HasSubstr("column"));
  EXPECT_THAT(message(""), HasSubstr("name:type"));
}

}  // namespace
}  // namespace ashlar::cli
