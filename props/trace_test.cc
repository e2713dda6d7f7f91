// Replays every trace of props/traces, and holds that malformed ones are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/oplang/trace_text.h"
#include "model/lockstep.h"

namespace ashlar {
namespace {

std::vector<std::string> TracesIn(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".trace") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

class Trace : public testing::TestWithParam<std::string> {};

TEST_P(Trace, Holds) {
  const auto program = oplang::ReadTraceFile(GetParam());
  ASSERT_TRUE(program.ok()) << program.status().message();
  model::LockstepCounts counts;
  const auto failure = model::RunLockstep(*program, {}, &counts);
  EXPECT_FALSE(failure.has_value()) << GetParam() << ": " << failure->message;
  EXPECT_EQ(counts.total_operations(), program->operations.size());
}

INSTANTIATE_TEST_SUITE_P(Traces, Trace,
                         testing::ValuesIn(TracesIn(ASHLAR_SOURCE_DIR "/props/traces")), TestName);

// Whether the trace's comments name where the fault was reported.
bool NamesItsSource(const oplang::Program& program) {
  return std::any_of(program.notes.begin(), program.notes.end(), [](const std::string& note) {
    return note.find("https://") != std::string::npos;
  });
}

TEST(Traces, AtLeast45NameThePublicReportOfTheirFault) {
  std::size_t with_source = 0;
  for (const std::string& path : TracesIn(ASHLAR_SOURCE_DIR "/props/traces")) {
    const auto program = oplang::ReadTraceFile(path);
    with_source += program.ok() && NamesItsSource(*program);
  }
  EXPECT_GE(with_source, 45u);
}

class Malformed : public testing::TestWithParam<std::string> {};

// The first line of a malformed trace may say what the error must contain: "# error: ...".
TEST_P(Malformed, IsRefusedWithOneLineThatSaysWhere) {
  const auto program = oplang::ReadTraceFile(GetParam());
  ASSERT_FALSE(program.ok());
  const std::string message(program.status().message());
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_NE(message.find(GetParam()), std::string::npos) << message;
  EXPECT_EQ(ReasonOf(program.status()), Reason::kTextMalformed);
  std::string first;
  std::ifstream file(GetParam());
  std::getline(file, first);
  const std::string prefix = "# error: ";
  if (first.rfind(prefix, 0) == 0) {
    EXPECT_NE(message.find(first.substr(prefix.size())), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, Malformed,
                         testing::ValuesIn(TracesIn(ASHLAR_SOURCE_DIR "/props/malformed")),
                         TestName);

}  // namespace
}  // namespace ashlar
