#include "bench/frame_script.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

std::size_t CountOf(const FrameScript& script, FrameOp op) {
  return static_cast<std::size_t>(std::ranges::count(script.steps, op, &FrameStep::op));
}

TEST(MakeFrames, HasTheSharesThatWereAskedFor) {
  for (const std::size_t objects : {1u, 10u, 1'000u}) {
    for (const double share : {0.0, 0.01, 0.1, 0.5}) {
      Random random(1);
      const FrameScript script = MakeFrames(objects, share, 100'000, &random);
      const auto operations = static_cast<double>(script.operations());
      EXPECT_NEAR(operations, 100'000, 3'000) << objects << " " << share;
      EXPECT_NEAR(static_cast<double>(script.structural) / operations, share, 1e-3);
      EXPECT_NEAR(static_cast<double>(script.look_ups) / operations, kLookUpShare, 1e-3);
      EXPECT_EQ(CountOf(script, FrameOp::kLookUp), script.look_ups);
      const std::size_t replacing = 2 * CountOf(script, FrameOp::kReplace);
      EXPECT_EQ(
          replacing + CountOf(script, FrameOp::kToggle) + CountOf(script, FrameOp::kFlipEffect),
          script.structural);
      EXPECT_NEAR(static_cast<double>(replacing), static_cast<double>(script.structural) / 2,
                  operations * share / 10);
      EXPECT_EQ(script.frame_ends.back(), script.steps.size());
      EXPECT_TRUE(std::ranges::is_sorted(script.frame_ends));
    }
  }
}

TEST(MakeFrames, HasOneFrameAtLeast) {
  Random random(1);
  const FrameScript script = MakeFrames(1'000, 0.5, 10, &random);
  EXPECT_EQ(script.frame_ends.size(), 1u);
  EXPECT_EQ(script.look_ups, 250u);
  EXPECT_NEAR(static_cast<double>(script.structural), 1'250, 1);
}

TEST(MakeFrames, SpreadsRareOperationsOverFrames) {
  Random random(1);
  const FrameScript script = MakeFrames(1, 0, 9'000, &random);
  // A look-up for nine moves.
  ASSERT_EQ(script.frame_ends.size(), 8'100u);
  EXPECT_EQ(script.frame_ends[7], 0u);
  EXPECT_EQ(script.frame_ends[8], 1u);
  EXPECT_EQ(script.frame_ends[17], 2u);
}

TEST(MakeFrames, NamesObjectsThatAreThere) {
  Random random(2);
  const FrameScript script = MakeFrames(7, 0.5, 10'000, &random);
  std::vector<bool> named(7);
  for (const FrameStep& step : script.steps) named.at(step.object) = true;
  EXPECT_EQ(std::ranges::count(named, true), 7);
}

}  // namespace
}  // namespace ashlar::bench
