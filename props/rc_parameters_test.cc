#include "props/rc_parameters.h"

#include <gtest/gtest.h>

namespace ashlar::props {
namespace {

TEST(RcParameters, RefusesWhatWouldPassWithoutACase) {
  EXPECT_TRUE(RcParametersProblem("max_succes=100").has_value());
  EXPECT_TRUE(RcParametersProblem("max_success=0").has_value());
  EXPECT_TRUE(RcParametersProblem("seed=1 max_success=00").has_value());
  EXPECT_TRUE(RcParametersProblem("reproduce=BchFjlWblRHI0VXbyVXZ").has_value());
  EXPECT_TRUE(RcParametersProblem("max_success").has_value());
  EXPECT_TRUE(RcParametersProblem("max_success=ten").has_value());
  EXPECT_TRUE(RcParametersProblem("max_success=-5").has_value());
}

TEST(RcParameters, AcceptsTheRest) {
  EXPECT_FALSE(RcParametersProblem("").has_value());
  EXPECT_FALSE(RcParametersProblem("seed=17 max_success=1000").has_value());
  EXPECT_FALSE(RcParametersProblem("max_size=20 noshrink=1 verbose_progress=1").has_value());
}

TEST(RcParameters, TurnsShrinkingOff) {
  EXPECT_EQ(WithoutShrinking(""), "noshrink=1");
  EXPECT_EQ(WithoutShrinking("seed=1"), "seed=1 noshrink=1");
  EXPECT_EQ(WithoutShrinking("noshrink=0"), "noshrink=0");
}

}  // namespace
}  // namespace ashlar::props
