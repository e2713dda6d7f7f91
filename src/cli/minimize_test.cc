#include "cli/minimize.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "cli/crash_note.h"
#include "cli/isolated_run.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

using model::Failure;
using ::testing::HasSubstr;

// Creates and destroys with one `remove e3 health` in the middle.
oplang::Program LongProgram() {
  std::string text = "component health i32\n";
  for (int i = 0; i < 40; ++i) {
    if (i == 20) text += "remove e3 health\n";
    text += "create e" + std::to_string(i) + " health=" + std::to_string(i) + "\n";
    text += "destroy e" + std::to_string(i) + " -> any\n";
  }
  return oplang::ParseTrace(text, "test").value();
}

bool Has(const oplang::Program& program, oplang::OpCode code) {
  return std::any_of(
      program.operations.begin(), program.operations.end(),
      [code](const oplang::Operation& operation) { return CodeOf(operation.action) == code; });
}

std::size_t IndexOf(const oplang::Program& program, oplang::OpCode code) {
  const auto found = std::find_if(
      program.operations.begin(), program.operations.end(),
      [code](const oplang::Operation& operation) { return CodeOf(operation.action) == code; });
  return static_cast<std::size_t>(found - program.operations.begin());
}

// A made-up fault: any program with a remove fails there; one without a remove, but with a create,
// fails in another way, which the shrinker must not slip to.
std::optional<Failure> RemoveFault(const oplang::Program& program, model::LockstepCounts*) {
  if (Has(program, oplang::OpCode::kRemove)) {
    return Failure{IndexOf(program, oplang::OpCode::kRemove), Failure::Kind::kOutcome, 0, "fault"};
  }
  if (Has(program, oplang::OpCode::kCreate)) {
    return Failure{0, Failure::Kind::kState, 0, "another fault"};
  }
  return std::nullopt;
}

TEST(Minimize, FindsTheOneOperationAndKeepsTheKind) {
  const oplang::Program program = LongProgram();
  const std::optional<Failure> failure = RemoveFault(program, nullptr);
  const Minimal minimal = Minimize(program, *failure, RemoveFault, {"a note"});
  EXPECT_TRUE(minimal.is_minimal);
  ASSERT_EQ(minimal.program.operations.size(), 1u);
  EXPECT_TRUE(Has(minimal.program, oplang::OpCode::kRemove));
  EXPECT_EQ(minimal.program.notes, std::vector<std::string>{"a note"});
  EXPECT_THAT(minimal.failure, HasSubstr("fault"));
  EXPECT_GT(minimal.tries, 1u);
}

TEST(Minimize, WritesWhatTheModelAnswers) {
  const oplang::Program program = LongProgram();
  const Minimal minimal = Minimize(program, *RemoveFault(program, nullptr), RemoveFault, {});
  const std::string trace = oplang::PrintTrace(minimal.program);
  EXPECT_THAT(trace, HasSubstr("-> NOT_FOUND entity_not_alive"));
  const auto read = oplang::ParseTrace(trace, "saved");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(RemoveFault(*read, nullptr).has_value());
}

TEST(Minimize, StopsWhenTold) {
  const oplang::Program program = LongProgram();
  MinimizeOptions options;
  std::uint64_t tries = 0;
  options.progress = [&tries](std::uint64_t n, std::size_t) { tries = n; };
  options.stop = [&tries] { return tries >= 3; };
  const Minimal minimal =
      Minimize(program, *RemoveFault(program, nullptr), RemoveFault, {}, options);
  EXPECT_FALSE(minimal.is_minimal);
  EXPECT_EQ(minimal.tries, 3u);
  EXPECT_TRUE(RemoveFault(minimal.program, nullptr).has_value());
}

TEST(RunIsolated, TellsEndsApart) {
  using ResultKind = IsolatedResult::Kind;
  const auto run = [](auto body, std::chrono::seconds limit = std::chrono::seconds(60)) {
    return RunIsolated(
        {},
        [body](const oplang::Program&, model::LockstepCounts*) -> std::optional<Failure> {
          return body();
        },
        limit);
  };
  EXPECT_EQ(run([] { return std::optional<Failure>(); }), (IsolatedResult{ResultKind::kPass, 0}));
  EXPECT_EQ(run([] { return std::optional(Failure{}); }),
            (IsolatedResult{ResultKind::kFailure, 0}));
  const auto aborts = []() -> std::optional<Failure> { std::abort(); };
  EXPECT_EQ(run(aborts), (IsolatedResult{ResultKind::kDied, SIGABRT}));
  const auto ends = []() -> std::optional<Failure> { std::_Exit(9); };
  EXPECT_EQ(run(ends), (IsolatedResult{ResultKind::kDied, -9}));
  const auto hangs = []() -> std::optional<Failure> {
    while (true) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  };
  EXPECT_EQ(run(hangs, std::chrono::seconds(1)), (IsolatedResult{ResultKind::kTimedOut, 0}));
  EXPECT_THAT(IsolatedText({ResultKind::kDied, SIGABRT}), HasSubstr("signal 6"));
  EXPECT_THAT(IsolatedText({ResultKind::kDied, -9}), HasSubstr("status 9"));
}

TEST(MinimizeCrash, ShrinksWhatKillsTheProcess) {
  const auto dies = [](const oplang::Program& program,
                       model::LockstepCounts*) -> std::optional<Failure> {
    if (Has(program, oplang::OpCode::kRemove)) std::abort();
    return std::nullopt;
  };
  const oplang::Program program = LongProgram();
  const IsolatedResult result = RunIsolated(program, dies);
  ASSERT_EQ(result.kind, IsolatedResult::Kind::kDied);
  const Minimal minimal = MinimizeCrash(program, result, dies, {});
  EXPECT_TRUE(minimal.is_minimal);
  EXPECT_EQ(minimal.program.operations.size(), 1u);
  EXPECT_THAT(minimal.failure, HasSubstr("signal 6"));
}

TEST(CrashNoteDeathTest, SaysItsLastWords) {
  EXPECT_DEATH(
      {
        const CrashNote note;
        CrashNote::Set("died in program 7\n");
        std::abort();
      },
      "died in program 7");
}

TEST(CrashNoteDeathTest, SaysNothingWhenNothingRuns) {
  EXPECT_DEATH(
      {
        const CrashNote note;
        CrashNote::Set("died in program 7\n");
        CrashNote::Set("");
        std::abort();
      },
      "^$");
}

}  // namespace
}  // namespace ashlar::cli
