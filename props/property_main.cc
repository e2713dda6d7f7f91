// The main function of property executables: checks RC_PARAMS, then runs GoogleTest.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "props/rc_parameters.h"

int main(int argc, char** argv) {
  const char* given = std::getenv("RC_PARAMS");
  const std::string parameters = given == nullptr ? "" : given;
  if (const auto problem = ashlar::props::RcParametersProblem(parameters)) {
    std::fprintf(stderr, "RC_PARAMS: %s\n", problem->c_str());
    return 2;
  }
  setenv("RC_PARAMS", ashlar::props::WithoutShrinking(parameters).c_str(), 1);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
