// Hooks in lockstep: what they hear, in which order, and what becomes of what they record.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/lockstep_fixture.h"

namespace ashlar::model {
namespace {

const std::string kEveryHook =
    "hook health added\n"
    "hook health removed\n"
    "hook health set\n"
    "hook label added\n"
    "hook label removed\n"
    "hook label set\n"
    "hook token added\n"
    "hook token removed\n"
    "hook disabled added\n"
    "hook disabled set\n";

TEST(LockstepHooks, HearOfEveryVerb) {
  ExpectCommandsHold(kEveryHook +
                     "create e1 health=1 label=(1,2) token\n"
                     "create e2 position\n"
                     "create_many e3 3 health=2 disabled\n"
                     "add e2 label=(1,2) health=2\n"
                     "set e2 health=3 label=(5,6) position=(1,2,3)\n"
                     "setfield e2 label[1]=7\n"
                     "put e2 health=4 disabled token\n"
                     "exchange e2 remove health token add handle=3\n"
                     "exchange e2 remove label disabled add label=(8,8) health=8\n"
                     "remove e2 label health\n"
                     "add e2\n"
                     "put e2 disabled\n"
                     "disable e2 disabled\n"
                     "destroy e1\n"
                     "many add e2 : health=1 label=(1,1)\n"
                     "many set e4 e3 e2 : health=7\n"
                     "many put e4 e3 e2 : label=(2,2) health=8\n"
                     "many remove e4 e2 : health\n"
                     "many destroy e4 e3\n"
                     "destroy_all\n");
}

TEST(LockstepHooks, HearOfChangesByQueryByRisingIndex) {
  ExpectCommandsHold(kEveryHook +
                     "query q1 all(health)\n"
                     "query q2 all(label)\n"
                     "create e1 position\n"
                     "create e2 health=1\n"
                     "create e3 health=2 position\n"
                     "create e4 health=3\n"
                     "create e5 health=4 position\n"
                     "sort_by_entity q1\n"
                     "add e1 health=5\n"
                     "destroy e2\n"
                     "create e6 health=6\n"
                     "by_query put q1 health=7 label=(1,1)\n"
                     "by_query set q1 health=8\n"
                     "by_query remove q2 label\n"
                     "by_query add q1 label=(2,2) token\n"
                     "record set q1 health=9\n"
                     "record remove q2 token\n"
                     "record destroy q1\n"
                     "apply\n"
                     "create_many e1 5 health=5\n"
                     "by_query destroy q1\n");
}

TEST(LockstepHooks, HearOfATransactionCommandByCommand) {
  ExpectCommandsHold(kEveryHook +
                     "create e1 health=1\n"
                     "create e2 health=1\n"
                     "record create e3 health=3 token\n"
                     "record remove e1 health\n"
                     "record add e1 health=5\n"
                     "record set e3 health=9\n"
                     "record destroy e3\n"
                     "record put e2 label=(3,3) health=2\n"
                     "record exchange e2 remove label add label=(4,4)\n"
                     "apply\n"
                     "record destroy e1\n"
                     "record set e1 health=1\n"
                     "record set e2 health=4\n"
                     "apply -> NOT_FOUND entity_not_alive\n"
                     "apply skip_dead\n"
                     "expect e2 only health=4 label=(4,4)\n");
}

TEST(LockstepHooks, WhatComesToNothingOrIsDoneThroughSpansIsNotHeard) {
  ExpectCommandsHold(kEveryHook +
                     "query q1 all(health)\n"
                     "query q2 all(label)\n"
                     "create e1 health=1 label=(1,2)\n"
                     "add e1 health=1 -> ALREADY_EXISTS component_present\n"
                     "set e1 health=101 -> INVALID_ARGUMENT value_refused\n"
                     "fill q1 health=5\n"
                     "fill q2 label=(5,5)\n"
                     "open q1\n"
                     "set e1 health=6\n"
                     "remove e1 health -> FAILED_PRECONDITION scope_open\n"
                     "hook health set -> FAILED_PRECONDITION scope_open\n"
                     "unhook health set -> FAILED_PRECONDITION scope_open\n"
                     "close\n"
                     "hook #99 set -> INVALID_ARGUMENT component_unknown\n"
                     "unhook #99 set -> INVALID_ARGUMENT component_unknown\n"
                     "unhook health set\n"
                     "unhook health set\n"
                     "set e1 health=7\n"
                     "place_generation e1 7\n"
                     "put_single health=4\n"
                     "sort q1 health\n");
}

// --- What they record ---

TEST(LockstepHooks, WhatTheyRecordIsAppliedLater) {
  ExpectCommandsHold(
      "hook health added record remove\n"
      "hook label removed record destroy\n"
      "create e1 health=1 label=(1,2)\n"
      "create e2 health=2\n"
      "expect e1 only health=1 label=(1,2)\n"
      "remove e1 label\n"
      "apply\n"
      "expect e1 dead\n"
      "expect e2 only\n"
      "unhook health added\n"
      "create e3 health=3\n"
      "apply\n"
      "expect e3 only health=3\n");
}

TEST(LockstepHooks, WhatAnApplyLetsThemRecordIsForTheNextOne) {
  ExpectCommandsHold(
      "hook health added record remove\n"
      "hook health removed record destroy\n"
      "record create e1 health=1\n"
      "record create e2 label=(1,2)\n"
      "apply\n"
      "expect e1 only health=1\n"
      "expect e2 only label=(1,2)\n"
      "add e2 health=3\n"
      "apply\n"
      "expect e1 only\n"
      "expect e2 only label=(1,2)\n"
      "apply\n"
      "expect live 0\n"
      "apply\n");
}

// A component that is gone by then, and an entity that is.
TEST(LockstepHooks, WhatTheyRecordMayBeRefused) {
  ExpectCommandsHold(
      "hook health removed record remove\n"
      "create e1 health=1\n"
      "remove e1 health\n"
      "apply -> NOT_FOUND component_absent\n"
      "discard\n"
      "add e1 health=2\n"
      "destroy e1\n"
      "apply -> NOT_FOUND entity_not_alive\n"
      "apply skip_dead\n"
      "hook health removed record destroy\n"
      "create e2 health=1\n"
      "destroy_all\n"
      "apply -> NOT_FOUND entity_not_alive\n"
      "discard\n"
      "apply\n");
}

TEST(LockstepHooks, RecordBesideWhatTheProgramRecords) {
  ExpectCommandsHold(
      "hook health set record remove\n"
      "create e1 health=1\n"
      "record create e2 health=5 label=(1,1)\n"
      "set e1 health=2\n"
      "record put e1 token\n"
      "apply\n"
      "expect e1 only token\n"
      "expect e2 only health=5 label=(1,1)\n"
      "record put e2 health=6\n"
      "discard\n"
      "set e2 health=7\n"
      "discard\n"
      "apply\n"
      "expect e2 only health=7 label=(1,1)\n");
}

// --- Failures ---

TEST(LockstepHooks, EveryAllocationMayFail) {
  const std::vector<std::string> operations = {
      "hook health added record remove",
      "hook health removed",
      "hook label set record destroy",
      "hook token removed record remove",
      "query q1 all(health)",
      "query q2 all(label)",
      "create e1 health=1 label=(1,2)",
      "create_many e2 3 health=2 token",
      "record create e9 health=9 label=(1,1)",
      "apply skip_dead",
      "by_query put q2 label=(3,3) health=3",
      "set e1 label=(4,4)",
      "many put e2 e3 : health=5 label=(6,6)",
      "by_query remove q1 health",
      "record put q2 label=(7,7) token",
      "apply skip_dead",
      "discard",
      "many destroy e2 e3",
      "destroy_all",
      "unhook label set",
  };
  EXPECT_GT(FailEverywhere(operations, "fail_allocation", ""), 60u);
  EXPECT_GT(FailEverywhere(operations, "fail_allocation", " sticky"), 60u);
  EXPECT_GT(FailEverywhere(operations, "fail_construction", ""), 8u);
}

}  // namespace
}  // namespace ashlar::model
