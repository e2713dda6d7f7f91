// The order of rows, and singletons, in lockstep.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/lockstep_fixture.h"

namespace ashlar::model {
namespace {

// --- Sorting ---

TEST(LockstepSort, RowsLieInRisingOrderAndEqualOnesAsTheyLay) {
  ExpectCommandsHold(
      "query q1 all(health)\n"
      "create e1 health=3\n"
      "create e2 health=1\n"
      "create e3 health=3\n"
      "create e4 health=2\n"
      "create e5 health=1\n"
      "expect version 6\n"
      "sort q1 health\n"
      "expect q1 order e2 e5 e4 e1 e3\n"
      "expect version 7\n"
      "sort q1 health\n"
      "expect version 7\n"
      "sort_by_entity q1\n"
      "expect q1 order e1 e2 e3 e4 e5\n"
      "expect version 8\n"
      "sort_by_entity q1\n"
      "expect version 8\n");
}

TEST(LockstepSort, ScalarsCountFromTheLeft) {
  ExpectCommandsHold(
      "query q1 all(position)\n"
      "create e1 position=(nan,0,0)\n"
      "create e2 position=(0.0,1,0)\n"
      "create e3 position=(0.0,0,2)\n"
      "create e4 position=(-0.0,9,9)\n"
      "create e5 position=(inf,0,0)\n"
      "create e6 position=(-1,0,0)\n"
      "create e7 position=(-inf,0,0)\n"
      "create e8 position=(0.0,0,-2)\n"
      "sort q1 position\n"
      "expect q1 order e7 e6 e4 e8 e3 e2 e5 e1\n");
}

TEST(LockstepSort, EachArchetypeForItselfAndAllOfItsRows) {
  ExpectCommandsHold(
      "query q1 all(shield)\n"
      "create e1 shield=3\n"
      "create e2 shield=2 health=1\n"
      "create e3 shield=1\n"
      "create e4 shield=1 health=2\n"
      "disable e3 shield\n"
      "sort q1 shield\n"
      "query q2 all(shield with_disabled)\n"
      "expect q2 order e3 e1 e4 e2\n"
      "expect e3 off shield\n"
      "query q3 all(health)\n"
      "sort q3 health\n"
      "expect q2 order e3 e1 e2 e4\n"
      "expect e3 chunk 0 row 0\n");
}

TEST(LockstepSort, ObjectsAreSortedByTheirScalarsAndMoveAsObjects) {
  ExpectCommandsHold(
      "query q1 all(label)\n"
      "create e1 label=(2,0) anchor=(1,1) handle=5\n"
      "create e2 label=(1,18446744073709551615) anchor=(2,2) handle=-5\n"
      "create e3 label=(1,0) anchor=(3,3) handle=0\n"
      "sort q1 label\n"
      "expect q1 order e3 e2 e1\n"
      "sort q1 anchor\n"
      "expect q1 order e1 e2 e3\n"
      "sort q1 handle\n"
      "expect q1 order e2 e3 e1\n"
      "set e3 handle=9\n"
      "destroy e2\n"
      "expect q1 order e1 e3\n");
}

TEST(LockstepSort, WhatCannotBeSortedIsRefused) {
  ExpectCommandsHold(
      "query q1\n"
      "sort q1 health\n"
      "create e1 health=2\n"
      "create e2 health=1\n"
      "create e3 disabled\n"
      "sort q1 health -> NOT_FOUND component_absent\n"
      "sort q1 #99 -> INVALID_ARGUMENT component_unknown\n"
      "sort q9 health -> NOT_FOUND query_unknown\n"
      "sort_by_entity q9 -> NOT_FOUND query_unknown\n"
      "sort q1 disabled -> NOT_FOUND component_absent\n"
      "expect q1 order e1 e2 e3\n"
      "destroy e3\n"
      "sort q1 health\n"
      "expect q1 order e2 e1\n"
      "open q1\n"
      "sort q1 health -> FAILED_PRECONDITION scope_open\n"
      "sort_by_entity q1 -> FAILED_PRECONDITION scope_open\n"
      "sort q9 #99 -> FAILED_PRECONDITION scope_open\n");
}

// A component that is excluded, or wanted, and may be switched off: the archetype matches though no
// row of it does.
TEST(LockstepSort, AnArchetypeMatchesThoughNoRowDoes) {
  ExpectCommandsHold(
      "query q1 none(shield)\n"
      "query q2 none(shield with_disabled)\n"
      "create e1 shield=2 health=2\n"
      "create e2 shield=1 health=1\n"
      "expect q1 count 0\n"
      "sort q1 health\n"
      "expect e2 chunk 0 row 0\n"
      "sort q1 position -> NOT_FOUND component_absent\n"
      "sort q2 position\n"
      "sort_by_entity q2\n"
      "expect e2 chunk 0 row 0\n");
}

// What a sort has moved has changed, for who looks later.
TEST(LockstepSort, ChangesAreStillFoundBehindASort) {
  ExpectCommandsHold(
      "query q1 all(health)\n"
      "create_many e1 300 health=5\n"
      "mark\n"
      "set e300 health=1\n"
      "sort q1 health\n"
      "expect e300 chunk 0 row 0\n"
      "changed q1 health\n"
      "added q1 health\n");
}

// --- Singletons ---

TEST(LockstepSingletons, ArePutReadReplacedAndRemoved) {
  ExpectCommandsHold(
      "get_single health -> NOT_FOUND component_absent\n"
      "remove_single health -> NOT_FOUND component_absent\n"
      "put_single health=80\n"
      "put_single disabled\n"
      "put_single token\n"
      "put_single link=null\n"
      "expect version 5\n"
      "get_single health\n"
      "get_single disabled\n"
      "put_single health=101 -> INVALID_ARGUMENT value_refused\n"
      "put_single health=4294967296 -> INVALID_ARGUMENT value_does_not_fit\n"
      "put_single #99 -> INVALID_ARGUMENT component_unknown\n"
      "get_single #99 -> INVALID_ARGUMENT component_unknown\n"
      "remove_single #99 -> INVALID_ARGUMENT component_unknown\n"
      "put_single health=81\n"
      "create e1 health=1\n"
      "destroy_all\n"
      "get_single health\n"
      "remove_single token\n"
      "remove_single health\n"
      "get_single health -> NOT_FOUND component_absent\n"
      "expect version 10\n");
}

TEST(LockstepSingletons, MayBePutInAScope) {
  ExpectCommandsHold(
      "query q1 all(health)\n"
      "create e1 health=1\n"
      "open q1\n"
      "put_single health=2\n"
      "put_single handle=2\n"
      "remove_single health\n"
      "close\n"
      "expect e1 health=1\n");
}

TEST(LockstepSingletons, OfEveryKindLiveOnceEach) {
  ExpectCommandsHold(
      "create e1 label=(1,2) anchor=(3,4) handle=5 token\n"
      "put_single label=(1,2)\n"
      "put_single label=(2,2)\n"
      "put_single label=(3,2)\n"
      "put_single anchor=(0,1)\n"
      "put_single anchor=(1,1)\n"
      "put_single anchor=(2,1)\n"
      "put_single handle=0\n"
      "put_single handle=1\n"
      "put_single handle=2\n"
      "put_single token\n"
      "put_single token\n"
      "put_single handle\n"
      "put_single label\n"
      "destroy e1\n"
      "remove_single label\n");
}

// --- Failures ---

const std::vector<std::string>& WorldPartOperations() {
  static const std::vector<std::string> operations = {
      "query q1 all(health)",    "create_many e1 9 health=5 label=(1,2) handle=3",
      "set e9 health=1",         "sort q1 health",
      "sort q1 label",           "sort_by_entity q1",
      "put_single health=1",     "put_single label=(1,2)",
      "put_single label=(3,2)",  "put_single label=(5,2)",
      "put_single anchor=(1,2)", "put_single handle=3",
      "put_single token",        "put_single position=(1,2,3)",
      "remove_single label",
  };
  return operations;
}

TEST(LockstepWorldParts, EveryAllocationMayFail) {
  EXPECT_GT(FailEverywhere(WorldPartOperations(), "fail_allocation", ""), 20u);
  EXPECT_GT(FailEverywhere(WorldPartOperations(), "fail_allocation", " sticky"), 20u);
}

TEST(LockstepWorldParts, EveryConstructionMayThrow) {
  EXPECT_GT(FailEverywhere(WorldPartOperations(), "fail_construction", ""), 8u);
}

}  // namespace
}  // namespace ashlar::model
