// Properties under GoogleTest: a RapidCheck property that is known to have run.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/Configuration.h>

#include <string>

namespace ashlar::props {

// Checks `property`, a callable without parameters that draws its values with `*rc::gen::...` and
// says no with RC_ASSERT or RC_FAIL. Fails when it does not hold, and when fewer cases ran than
// RC_PARAMS asks for (100 where it does not say).
template <typename Property>
void Holds(const std::string& what, Property property) {
  int cases = 0;
  const bool holds = rc::check(what, [&] {
    property();
    ++cases;
  });
  EXPECT_TRUE(holds) << what;
  if (holds) {
    EXPECT_GE(cases, rc::detail::configuration().testParams.maxSuccess) << what;
    testing::Test::RecordProperty("cases", cases);
  }
}

}  // namespace ashlar::props
