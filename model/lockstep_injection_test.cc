// Failures that a program arms: for which operation, how often, and what is left behind.

#include "model/lockstep_injection.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/injection_fixture.h"
#include "model/lockstep.h"

namespace ashlar::model {
namespace {

// --- Memory and constructors that fail ---

bool Allocates(std::pmr::memory_resource& memory) {
  try {
    memory.deallocate(memory.allocate(8), 8);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

TEST(FailingResource, FailsTheRequestThatWasArmed) {
  FailingResource memory;
  EXPECT_TRUE(Allocates(memory));
  memory.Arm(2, false);
  EXPECT_TRUE(Allocates(memory));
  EXPECT_FALSE(memory.fired());
  EXPECT_FALSE(Allocates(memory));
  EXPECT_TRUE(memory.fired());
  EXPECT_TRUE(Allocates(memory));
  EXPECT_EQ(memory.request_count(), 3u);
  memory.Disarm();
  EXPECT_TRUE(memory.fired()) << "until it is armed again";
  memory.Arm(1, false);
  EXPECT_FALSE(memory.fired());
}

TEST(FailingResource, StickyFailsAllThatFollow) {
  FailingResource memory(std::pmr::new_delete_resource());
  memory.Arm(2, true);
  EXPECT_TRUE(Allocates(memory));
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Allocates(memory));
  memory.Disarm();
  EXPECT_TRUE(Allocates(memory));
}

TEST(FailingResource, TheRequestOfNumberNoneFailsNever) {
  FailingResource memory;
  for (const bool sticky : {false, true}) {
    memory.Arm(0, sticky);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(Allocates(memory));
    EXPECT_FALSE(memory.fired());
  }
}

TEST(FailingResource, AsksUpstreamAndEqualsItselfAlone) {
  HookedMemory upstream;
  FailingResource memory(&upstream);
  EXPECT_TRUE(Allocates(memory));
  EXPECT_EQ(upstream.requests, 1u);
  memory.Arm(1, false);
  EXPECT_FALSE(Allocates(memory));
  EXPECT_EQ(upstream.requests, 1u) << "what is to fail is not asked for";
  EXPECT_TRUE(memory.is_equal(memory));
  EXPECT_FALSE(memory.is_equal(upstream));
}

TEST(ConstructionFault, ThrowsOnceAtItsTurn) {
  ConstructionFault::CountConstruction();
  ConstructionFault::Arm(2);
  ConstructionFault::CountConstruction();
  EXPECT_FALSE(ConstructionFault::fired());
  EXPECT_THROW(ConstructionFault::CountConstruction(), InjectedFailure);
  EXPECT_TRUE(ConstructionFault::fired());
  for (int i = 0; i < 5; ++i) ConstructionFault::CountConstruction();
  ConstructionFault::Arm(1);
  EXPECT_FALSE(ConstructionFault::fired());
  ConstructionFault::Disarm();
  ConstructionFault::CountConstruction();
  EXPECT_FALSE(ConstructionFault::fired());
}

TEST(Injection, IsForOneOperationAndTheLaterOfAKindCounts) {
  FailingResource memory;
  Injection injection(&memory);
  EXPECT_FALSE(injection.is_armed());
  EXPECT_FALSE(injection.End().any());

  injection.Arm(oplang::FailAllocationOp{1, true});
  injection.Arm(oplang::FailAllocationOp{2, false});
  injection.Arm(oplang::FailConstructionOp{1});
  EXPECT_TRUE(injection.is_armed());
  EXPECT_TRUE(Allocates(memory)) << "not before it begins";
  injection.Begin();
  EXPECT_TRUE(Allocates(memory));
  EXPECT_FALSE(Allocates(memory));
  EXPECT_THROW(ConstructionFault::CountConstruction(), InjectedFailure);
  const Fired fired = injection.End();
  EXPECT_TRUE(fired.allocation);
  EXPECT_TRUE(fired.construction);
  EXPECT_FALSE(injection.is_armed());

  injection.Begin();
  EXPECT_TRUE(Allocates(memory));
  EXPECT_FALSE(injection.End().any());
}

TEST(Injection, WithoutMemoryNoAllocationFails) {
  Injection injection(nullptr);
  injection.Arm(oplang::FailAllocationOp{1, true});
  EXPECT_TRUE(injection.is_armed());
  injection.Begin();
  EXPECT_FALSE(injection.End().any());
  EXPECT_FALSE(injection.is_armed());
}

// --- In lockstep ---

std::optional<Failure> RunInjected(const std::string& body, LockstepCounts* counts = nullptr) {
  return RunLockstep(ParseInjection(body), LockstepOptions(), counts);
}

void ExpectHolds(const std::string& body, std::uint64_t failed_allocations) {
  LockstepCounts counts;
  const std::optional<Failure> failure = RunInjected(body, &counts);
  EXPECT_FALSE(failure.has_value()) << failure->message;
  EXPECT_EQ(counts.failed_allocations, failed_allocations);
  EXPECT_EQ(counts.thrown_constructions, 0u);
}

TEST(LockstepInjection, AFailedOperationHasChangedNothing) {
  ExpectHolds(
      "create e1 health=1\n"
      "query q1 all(health)\n"
      "fail_allocation 1\n"
      "create e2 position=(1,2,3) -> RESOURCE_EXHAUSTED\n"
      "expect e2 dead\n"
      "fail_allocation 1\n"
      "add e1 position=(1,2,3) -> RESOURCE_EXHAUSTED\n"
      "fail_allocation 1\n"
      "exchange e1 remove health add disabled -> RESOURCE_EXHAUSTED\n"
      "fail_allocation 1\n"
      "put e1 health=2 disabled -> RESOURCE_EXHAUSTED\n"
      "fail_allocation 1\n"
      "remove e1 health -> RESOURCE_EXHAUSTED\n"
      "fail_allocation 1\n"
      "query q2 none(disabled) -> RESOURCE_EXHAUSTED\n"
      "iterate q2 -> NOT_FOUND query_unknown\n"
      "expect e1 only health=1\n"
      "expect e1 chunk 0 row 0\n"
      "expect q1 matches e1\n"
      "expect live 1\n"
      "create e2 position=(1,2,3)\n"
      "expect e2 id 1v1\n",
      6);
}

// Of what has room already nothing allocates, so nothing fails.
TEST(LockstepInjection, WhatNeedsNoMemoryGoesThrough) {
  ExpectHolds(
      "create e1 health=1\n"
      "create e2 health=1\n"
      "query q1 all(health)\n"
      "fail_allocation 1 sticky\n"
      "set e1 health=2\n"
      "fail_allocation 1 sticky\n"
      "put e1 health=3\n"
      "fail_allocation 1 sticky\n"
      "setfield e1 health=4\n"
      "fail_allocation 1 sticky\n"
      "fill q1 health=5\n"
      "fail_allocation 1 sticky\n"
      "iterate q1\n"
      "fail_allocation 1 sticky\n"
      "get e1 health\n"
      "fail_allocation 1 sticky\n"
      "has e1 health\n"
      "fail_allocation 1 sticky\n"
      "open q1\n"
      "fail_allocation 1 sticky\n"
      "close\n"
      "fail_allocation 1 sticky\n"
      "place_generation e2 7\n"
      "fail_allocation 1 sticky\n"
      "destroy e2\n"
      "fail_allocation 1 sticky\n"
      "expect e1 only health=5\n"
      "fail_allocation 1 sticky\n"
      "destroy e1\n",
      0);
}

TEST(LockstepInjection, IsForTheNextOperationAlone) {
  ExpectHolds(
      "fail_allocation 1 sticky\n"
      "nop\n"
      "create e1 health=1\n"
      "fail_allocation 1000000\n"
      "create e2 disabled\n"
      "create e3 health=1 disabled\n",
      0);
}

TEST(LockstepInjection, BothMayBeArmedForOneOperation) {
  ExpectHolds(
      "fail_allocation 1\n"
      "fail_construction 1\n"
      "fail_construction 2\n"
      "create e1 health=1 -> RESOURCE_EXHAUSTED\n"
      "fail_construction 1\n"
      "fail_allocation 1\n"
      "create e1 health=1 -> RESOURCE_EXHAUSTED\n"
      "create e1 health=1\n"
      "expect e1 id 0v1\n",
      2);
}

TEST(LockstepInjection, NothingIsLeftArmedBehindTheEnd) {
  ExpectHolds("create e1 health=1\nfail_allocation 1 sticky\nfail_construction 1\n", 0);
  ConstructionFault::CountConstruction();
}

// The label of a query that could not be made again is unbound, as after any other refusal.
TEST(LockstepInjection, AQueryThatFailsLeavesItsLabelUnbound) {
  ExpectHolds(
      "create e1 health=1\n"
      "query q1 all(health)\n"
      "fail_allocation 1\n"
      "query q1 all(disabled) -> RESOURCE_EXHAUSTED\n"
      "iterate q1 -> NOT_FOUND query_unknown\n"
      "fill q1 health=1 -> NOT_FOUND query_unknown\n"
      "query q1 all(health)\n"
      "fill q1 health=9\n"
      "expect e1 health=9\n",
      1);
}

// A refusal comes first, or is kept from being seen: both are answers.
TEST(LockstepInjection, AnOperationThatIsRefusedMayFailInstead) {
  ExpectHolds(
      "create e1 health=1\n"
      "fail_allocation 1\n"
      "add e1 health=1 -> ALREADY_EXISTS component_present\n"
      "fail_allocation 1\n"
      "destroy e9 -> NOT_FOUND entity_not_alive\n",
      0);
}

// Every allocation of every operation fails once, alone and with all that follow.
TEST(LockstepInjection, EveryAllocationOfEveryOperationMayFail) {
  const std::vector<std::string> operations = {
      "create e1 health=1\n",
      "create e2 position=(1,2,3) link=(e1,0.5)\n",
      "query q1 all(health) none(disabled)\n",
      "query q2 any(position, link)\n",
      "add e1 disabled\n",
      "exchange e2 remove link add health=3\n",
      "put e2 health=4 disabled\n",
      "remove e1 health disabled\n",
      "set e2 position=(4,5,6)\n",
      "create e3 position=(0,0,0)\n",
      "move dt=0.5\n",
      "destroy e1\n",
      "create e4 link=(e2,1)\n",
  };
  const std::string velocity = "component velocity f32[3]\n";
  std::uint64_t failed = 0;
  for (std::size_t at = 0; at < operations.size(); ++at) {
    for (const std::string sticky : {"", " sticky"}) {
      std::uint64_t fired = 1;
      for (int nth = 1; fired != 0; ++nth) {
        ASSERT_LT(nth, 1000) << operations[at];
        std::string body = velocity;
        for (std::size_t i = 0; i < operations.size(); ++i) {
          if (i == at) {
            body += "fail_allocation " + std::to_string(nth) + sticky + "\n";
            body += operations[i].substr(0, operations[i].size() - 1) + " -> any\n";
          }
          // Then once more, to see that it can; behind a success it is refused.
          body += operations[i].substr(0, operations[i].size() - 1) + " -> any\n";
        }
        LockstepCounts counts;
        const std::optional<Failure> failure = RunInjected(body, &counts);
        ASSERT_FALSE(failure.has_value()) << failure->message;
        fired = counts.failed_allocations;
        failed += fired;
      }
    }
  }
  EXPECT_GT(failed, 50u);
}

TEST(LockstepInjection, CountsFailuresAndChecksAfterEach) {
  const oplang::Program program = ParseInjection(
      "fail_allocation 1\n"
      "create e1 health=1 -> any\n"
      "create e1 health=1\n"
      "fail_allocation 1 sticky\n"
      "add e1 disabled -> any\n"
      "nop\n"
      "nop\n");
  LockstepOptions options;
  options.compare_interval = 0;
  LockstepCounts counts;
  ASSERT_FALSE(RunLockstep(program, options, &counts).has_value());
  EXPECT_EQ(counts.failed_allocations, 2u);
  EXPECT_EQ(counts.state_comparisons, 3u);  // After both, and after the last.
  EXPECT_EQ(counts.integrity_checks, 3u);
  const auto& creates = counts.operations[static_cast<int>(oplang::OpCode::kCreate)];
  EXPECT_EQ(creates[0], 1u);
  EXPECT_EQ(creates[LockstepCounts::kAllocationFailed], 1u);
  EXPECT_EQ(counts.operations[static_cast<int>(oplang::OpCode::kFailAllocation)][0], 2u);
  LockstepCounts sum = counts;
  sum.Add(counts);
  EXPECT_EQ(sum.failed_allocations, 4u);
  EXPECT_EQ(sum.operations[1][LockstepCounts::kAllocationFailed], 2u);
}

TEST(LockstepInjection, AnnotationsLeaveOpenWhatTheModelCannotKnow) {
  oplang::Program program = ParseInjection(
      "create e1 health=1 -> any\n"
      "fail_allocation 1 -> any\n"
      "fail_construction 1 -> any\n"
      "destroy e9 -> any\n"
      "add e1 health=1 -> any\n"
      "fail_allocation 1 -> any\n"
      "add e1 disabled\n"
      "add e1 disabled\n"
      "fail_allocation 1\n");
  AnnotateOutcomes(&program);
  EXPECT_EQ(program, ParseInjection("create e1 health=1\n"
                                    "fail_allocation 1\n"
                                    "fail_construction 1\n"
                                    "destroy e9 -> any\n"
                                    "add e1 health=1 -> ALREADY_EXISTS component_present\n"
                                    "fail_allocation 1\n"
                                    "add e1 disabled -> any\n"
                                    "add e1 disabled -> any\n"
                                    "fail_allocation 1 -> any\n"));
  const auto failure = RunLockstep(program, LockstepOptions(), nullptr);
  EXPECT_FALSE(failure.has_value()) << failure->message;
}

}  // namespace
}  // namespace ashlar::model
