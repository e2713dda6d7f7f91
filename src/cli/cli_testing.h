// For the tests of the command: a run of it in this process, with its output as text.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli_app.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::cli {

struct Result {
  int status = -1;
  std::string out;
  std::string err;
};

inline Result RunAshlar(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const Console console{out, err};
  Result result;
  result.status = RunCli(arguments, console);
  result.out = out.str();
  result.err = err.str();
  return result;
}

// Bad input: one line that says what, nothing else, exit status 2.
inline void ExpectUsageError(const std::vector<std::string>& arguments, const std::string& what) {
  const Result result = RunAshlar(arguments);
  const std::string shown = ::testing::PrintToString(arguments);
  EXPECT_EQ(result.status, 2) << shown;
  EXPECT_EQ(result.out, "") << shown;
  EXPECT_THAT(result.err, ::testing::StartsWith("ashlar: ")) << shown;
  EXPECT_THAT(result.err, ::testing::HasSubstr(what)) << shown;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << shown << result.err;
  EXPECT_THAT(result.err, ::testing::EndsWith("\n")) << shown;
}

}  // namespace ashlar::cli
