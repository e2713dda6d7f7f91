#include "ashlar/core/simd_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "ashlar/core/status.h"

namespace ashlar {
namespace {

using ::testing::HasSubstr;

// Puts ASHLAR_SIMD back to what it was.
class SimdChoiceTest : public ::testing::Test {
 protected:
  SimdChoiceTest() {
    if (const char* old = std::getenv("ASHLAR_SIMD")) old_ = old;
    unsetenv("ASHLAR_SIMD");
  }
  ~SimdChoiceTest() override {
    unsetenv("ASHLAR_SIMD");
    if (old_.has_value()) setenv("ASHLAR_SIMD", old_->c_str(), 1);
  }

  std::optional<std::string> old_;
};

TEST_F(SimdChoiceTest, IsTheBestWhereNobodyAsks) {
  EXPECT_EQ(ChooseSimdLevel("test", std::nullopt).value(), BestSimdLevel());
}

TEST_F(SimdChoiceTest, FollowsTheVariable) {
  for (SimdLevel level : kSimdLevels) {
    setenv("ASHLAR_SIMD", std::string(SimdLevelName(level)).c_str(), 1);
    const absl::StatusOr<SimdLevel> chosen = ChooseSimdLevel("test", std::nullopt);
    if (level <= BestSimdLevel()) {
      EXPECT_EQ(chosen.value(), level);
    } else {
      EXPECT_EQ(ReasonOf(chosen.status()), Reason::kOptionInvalid);
    }
  }
}

TEST_F(SimdChoiceTest, TheCallerIsStrongerThanTheVariable) {
  for (const char* variable : {"scalar", "avx512", "mmx"}) {
    setenv("ASHLAR_SIMD", variable, 1);
    EXPECT_EQ(ChooseSimdLevel("test", SimdLevel::kScalar).value(), SimdLevel::kScalar);
    EXPECT_EQ(ChooseSimdLevel("test", BestSimdLevel()).value(), BestSimdLevel());
  }
}

TEST_F(SimdChoiceTest, RefusesAVariableThatNamesNone) {
  for (const char* variable : {"mmx", "", "AVX2", "avx512 "}) {
    setenv("ASHLAR_SIMD", variable, 1);
    const absl::Status status = ChooseSimdLevel("test", std::nullopt).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(status), Reason::kOptionInvalid);
    EXPECT_EQ(status.message(), "test: ASHLAR_SIMD is '" + std::string(variable) +
                                    "'; it may be 'scalar', 'avx2' or 'avx512'");
  }
}

TEST_F(SimdChoiceTest, RefusesALevelThatIsNotHere) {
  if (BestSimdLevel() == kSimdLevels.back()) GTEST_SKIP() << "this machine has every level";
  const absl::Status status = ChooseSimdLevel("test", kSimdLevels.back()).status();
  EXPECT_EQ(ReasonOf(status), Reason::kOptionInvalid);
  EXPECT_THAT(std::string(status.message()), HasSubstr("test: this machine has no avx512; its "));
}

}  // namespace
}  // namespace ashlar
