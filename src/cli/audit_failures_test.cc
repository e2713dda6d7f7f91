#include "cli/audit_failures.h"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <sstream>
#include <string>

#include "ashlar/oplang/trace_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

// A made-up fault: destroying anything breaks invariant I2.
std::optional<model::Failure> DestroyFault(const oplang::Program& program,
                                           model::LockstepCounts* counts) {
  if (counts != nullptr) ++counts->programs;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    if (CodeOf(program.operations[i].action) != oplang::OpCode::kDestroy) continue;
    return model::Failure{i, model::Failure::Kind::kIntegrity, 2, "row 0: made up"};
  }
  return std::nullopt;
}

class AuditFailuresTest : public ::testing::Test {
 protected:
  AuditFailuresTest()
      : folder_(fs::temp_directory_path() / ("ashlar_failures_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    plan_.seed = 11;
    plan_.operations = 100000;
    AuditHooks hooks;
    hooks.run = DestroyFault;
    state_ = RunAudit(plan_, hooks);
  }
  ~AuditFailuresTest() override { fs::remove_all(folder_); }

  fs::path folder_;
  AuditPlan plan_;
  AuditState state_;
  std::ostringstream out_;
  std::ostringstream err_;
  Console console_{out_, err_};
};

TEST_F(AuditFailuresTest, PrintsHowToRunItAgain) {
  ASSERT_EQ(state_.failures.size(), 1u);
  PrintFailure(plan_, state_.failures[0], console_);
  const std::string number = std::to_string(state_.failures[0].program_number);
  EXPECT_THAT(out_.str(), HasSubstr("FAIL  random program " + number + " (generated from 0x"));
  EXPECT_THAT(out_.str(), HasSubstr("invariant I2 is broken\n      row 0: made up\n"));
  EXPECT_THAT(out_.str(), EndsWith("run it again:  ashlar audit --seed 11 --skip " + number +
                                   " --operations 1\n"));
}

TEST_F(AuditFailuresTest, ThatCommandRunsTheSameProgram) {
  ASSERT_EQ(state_.failures.size(), 1u);
  AuditPlan again;
  again.seed = 11;
  again.first_program = state_.failures[0].program_number;
  again.operations = 1;
  AuditHooks hooks;
  hooks.run = DestroyFault;
  const AuditState state = RunAudit(again, hooks);
  ASSERT_EQ(state.failures.size(), 1u);
  EXPECT_EQ(state.failures[0].program, state_.failures[0].program);
  EXPECT_EQ(state.random_programs, 1u);
}

TEST_F(AuditFailuresTest, SavesATraceThatStillFails) {
  ASSERT_EQ(state_.failures.size(), 1u);
  const FailureReportOptions options{folder_.string()};
  SaveMinimalTrace(plan_, state_.failures[0], DestroyFault, options, console_);
  ASSERT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
  const std::string path = fs::directory_iterator(folder_)->path().string();
  EXPECT_THAT(out_.str(), HasSubstr("shrunk to 1 operation in "));
  EXPECT_THAT(out_.str(),
              EndsWith("minimal trace: " + path + "\nreplay it:     ashlar replay " + path + "\n"));
  const auto program = oplang::ReadTraceFile(path);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(program->operations.size(), 1u);
  EXPECT_THAT(program->notes[1], HasSubstr("ashlar audit --seed 11"));
  EXPECT_TRUE(DestroyFault(*program, nullptr).has_value());
}

TEST_F(AuditFailuresTest, PrintsATraceThatCannotBeSaved) {
  ASSERT_EQ(state_.failures.size(), 1u);
  const FailureReportOptions options{(folder_ / "none").string()};
  SaveMinimalTrace(plan_, state_.failures[0], DestroyFault, options, console_);
  EXPECT_THAT(err_.str(), HasSubstr("cannot be written"));
  EXPECT_THAT(out_.str(), HasSubstr("\ndestroy "));
}

TEST_F(AuditFailuresTest, CrashTextNamesTheProgram) {
  ASSERT_EQ(state_.failures.size(), 1u);
  EXPECT_THAT(CrashText(state_.failures[0], console_),
              HasSubstr("its minimal trace: ashlar shrink --generated 0x"));
  AuditFailure trace;
  trace.trace_path = "my traces/a.trace";
  EXPECT_THAT(CrashText(trace, console_), HasSubstr("ashlar shrink 'my traces/a.trace' -o "));
}

TEST(IsKernelFault, IsNotWhatTheTraceItselfGotWrong) {
  using Kind = model::Failure::Kind;
  for (const Kind kind : {Kind::kOutcome, Kind::kState, Kind::kIntegrity, Kind::kDigest}) {
    EXPECT_TRUE(IsKernelFault({0, kind, 0, ""}));
  }
  EXPECT_FALSE(IsKernelFault({0, Kind::kExpectation, 0, ""}));
  EXPECT_FALSE(IsKernelFault({0, Kind::kSetUp, 0, ""}));
}

}  // namespace
}  // namespace ashlar::cli
