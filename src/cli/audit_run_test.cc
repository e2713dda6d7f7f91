#include "cli/audit_run.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "model/generator.h"

namespace ashlar::cli {
namespace {

// Counts as lockstep would if every operation went well; fails at the n-th program.
LockstepFunction FakeRun(std::uint64_t fail_at = UINT64_MAX) {
  return [fail_at, programs = std::uint64_t{0}](
             const oplang::Program& program,
             model::LockstepCounts* counts) mutable -> std::optional<model::Failure> {
    counts->programs = 1;
    for (const oplang::Operation& operation : program.operations) {
      ++counts->operations[static_cast<int>(CodeOf(operation.action))][0];
    }
    if (++programs != fail_at) return std::nullopt;
    return model::Failure{0, model::Failure::Kind::kState, 0, "made up"};
  };
}

NamedProgram Trace(const std::string& path, int operations) {
  NamedProgram trace{path, {}};
  for (int i = 0; i < operations; ++i) trace.program.operations.push_back({oplang::NopOp{}, {}, 0});
  return trace;
}

AuditPlan RandomPlan(std::uint64_t seed, std::uint64_t operations) {
  AuditPlan plan;
  plan.seed = seed;
  plan.operations = operations;
  return plan;
}

TEST(ProgramSeeds, AreTheSplitmixSequenceFromAnywhere) {
  model::Random random(42);
  ProgramSeeds from_start(42, 0);
  std::vector<std::uint64_t> seeds;
  for (int i = 0; i < 10; ++i) {
    seeds.push_back(random.Next());
    EXPECT_EQ(from_start.Next(), seeds.back());
  }
  ProgramSeeds from_seven(42, 7);
  EXPECT_EQ(from_seven.Next(), seeds[7]);
  EXPECT_EQ(from_seven.Next(), seeds[8]);
}

TEST(RunAudit, TracesAloneWithoutCountOrTime) {
  AuditPlan plan;
  plan.traces = {Trace("a", 3), Trace("b", 4)};
  AuditHooks hooks;
  hooks.run = FakeRun();
  const AuditState state = RunAudit(plan, hooks);
  EXPECT_EQ(state.traces_run, 2u);
  EXPECT_EQ(state.random_programs, 0u);
  EXPECT_EQ(state.counts.total_operations(), 7u);
  EXPECT_TRUE(state.failures.empty());
}

TEST(RunAudit, EndsWithTheProgramThatReachesTheCount) {
  AuditHooks hooks;
  hooks.run = FakeRun();
  const AuditState state = RunAudit(RandomPlan(1, 1000), hooks);
  EXPECT_GE(state.random_operations, 1000u);
  EXPECT_EQ(state.random_operations, state.counts.total_operations());
  EXPECT_EQ(state.random_programs, state.counts.programs);
  // Without its last program it would not have been enough.
  std::uint64_t before_last = 0;
  ProgramSeeds seeds(1, 0);
  for (std::uint64_t i = 0; i + 1 < state.random_programs; ++i) {
    before_last += model::GenerateFromSeed(seeds.Next()).operations.size();
  }
  EXPECT_LT(before_last, 1000u);
}

TEST(RunAudit, SameSeedSameDigest) {
  AuditHooks hooks;
  hooks.run = FakeRun();
  const AuditState a = RunAudit(RandomPlan(7, 5000), hooks);
  const AuditState b = RunAudit(RandomPlan(7, 5000), hooks);
  const AuditState c = RunAudit(RandomPlan(8, 5000), hooks);
  EXPECT_EQ(a.digest, b.digest);
  EXPECT_EQ(a.random_programs, b.random_programs);
  EXPECT_NE(a.digest, c.digest);
}

TEST(RunAudit, DigestSeesFinalStatesAndOrder) {
  AuditPlan plan;
  plan.traces = {Trace("a", 1), Trace("b", 1)};
  const auto digest = [&plan](std::uint64_t first, std::uint64_t second) {
    AuditHooks hooks;
    hooks.run = [first, second, n = 0](
                    const oplang::Program&,
                    model::LockstepCounts* counts) mutable -> std::optional<model::Failure> {
      counts->state_digest = n++ == 0 ? first : second;
      return std::nullopt;
    };
    return RunAudit(plan, hooks).digest;
  };
  const std::set<std::uint64_t> digests = {digest(1, 2), digest(2, 1), digest(1, 1), digest(2, 2)};
  EXPECT_EQ(digests.size(), 4u);
}

TEST(RunAudit, EveryTraceIsRunAndAFailureEndsBeforeTheRandomPart) {
  AuditPlan plan = RandomPlan(1, 1000);
  plan.traces = {Trace("a", 1), Trace("b", 1), Trace("c", 1)};
  AuditHooks hooks;
  hooks.run = FakeRun(2);
  const AuditState state = RunAudit(plan, hooks);
  EXPECT_EQ(state.traces_run, 3u);
  EXPECT_EQ(state.random_programs, 0u);
  ASSERT_EQ(state.failures.size(), 1u);
  EXPECT_EQ(state.failures[0].trace_path, "b");
}

TEST(RunAudit, ARandomFailureNamesItsProgram) {
  AuditPlan plan = RandomPlan(5, 1'000'000);
  plan.first_program = 10;
  AuditHooks hooks;
  hooks.run = FakeRun(4);
  const AuditState state = RunAudit(plan, hooks);
  EXPECT_EQ(state.random_programs, 4u);
  ASSERT_EQ(state.failures.size(), 1u);
  const AuditFailure& failure = state.failures[0];
  EXPECT_EQ(failure.trace_path, "");
  EXPECT_EQ(failure.program_number, 13u);
  ProgramSeeds seeds(5, 13);
  EXPECT_EQ(failure.program_seed, seeds.Next());
  EXPECT_EQ(failure.program, model::GenerateFromSeed(failure.program_seed));
}

TEST(RunAudit, TimeEndsIt) {
  AuditPlan plan;
  plan.time = std::chrono::seconds(3);
  AuditHooks hooks;
  hooks.run = FakeRun();
  AuditHooks::Clock::time_point now{};
  hooks.now = [&now] { return now += std::chrono::milliseconds(500); };
  const AuditState state = RunAudit(plan, hooks);
  EXPECT_EQ(state.random_programs, 6u);
  EXPECT_EQ(state.random_time, std::chrono::seconds(3));
}

TEST(RunAudit, StopIsAskedAfterEachProgram) {
  AuditPlan plan = RandomPlan(1, UINT64_MAX);
  plan.traces = {Trace("a", 1), Trace("b", 1)};
  AuditHooks hooks;
  hooks.run = FakeRun();
  int asked = 0;
  hooks.stop = [&asked] { return ++asked == 5; };
  int told = 0;
  hooks.progress = [&told](const AuditState&) { ++told; };
  const AuditState state = RunAudit(plan, hooks);
  EXPECT_TRUE(state.is_interrupted);
  EXPECT_EQ(state.random_programs, 3u);
  EXPECT_EQ(told, 5);
}

TEST(RunAudit, StartingIsToldBeforeEachProgram) {
  AuditPlan plan = RandomPlan(3, 1);
  plan.traces = {Trace("a", 1)};
  AuditHooks hooks;
  hooks.run = FakeRun();
  std::vector<std::pair<std::string, std::uint64_t>> started;
  hooks.starting = [&started](const AuditFailure& running) {
    started.emplace_back(running.trace_path, running.program_seed);
  };
  RunAudit(plan, hooks);
  ASSERT_GE(started.size(), 2u);
  EXPECT_EQ(started[0].first, "a");
  EXPECT_EQ(started[1].first, "");
  EXPECT_EQ(started[1].second, ProgramSeeds(3, 0).Next());
}

}  // namespace
}  // namespace ashlar::cli
