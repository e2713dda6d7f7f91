// Commands and changes of many entities in lockstep: what labels mean, and every failure on the
// way.
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/lockstep_fixture.h"

namespace ashlar::model {
namespace {

TEST(LockstepCommands, HoldOverEveryVerb) {
  ExpectCommandsHold(
      "create e1 health=1\n"
      "create e2 health=2 shield=3\n"
      "create e3 health=3 label=(1,2)\n"
      "query q1 all(health)\n"
      "query q2 all(shield)\n"
      "record create e4 position=(1,2,3) label handle=4 token\n"
      "record add e4 anchor=(1,2)\n"
      "record set e4 label=(7,8)\n"
      "record put e4 health=9\n"
      "record exchange e4 remove position add link=e1\n"
      "record remove e4 token\n"
      "record destroy e3\n"
      "record add q1 anchor -> any\n"
      "apply -> ALREADY_EXISTS component_present\n"
      "discard\n"
      "record create e4 position=(1,2,3) label handle=4 token\n"
      "record exchange e4 remove position add link=e1\n"
      "record destroy e3\n"
      "record add q1 anchor=(1,2)\n"
      "record exchange q1 remove anchor add label=(5,6)\n"
      "record set q1 health=50\n"
      "record remove q2 shield\n"
      "apply\n"
      "expect e1 only health=50 label=(5,6)\n"
      "expect e2 only health=50 label=(5,6)\n"
      "expect e4 only link=e1 label handle=4 token\n"
      "record destroy q1\n"
      "apply\n"
      "expect live 1\n"
      "many add e4 : health=1 shield=2\n"
      "many set e4 : health=2\n"
      "many put e4 : health=3 token\n"
      "many remove e4 : shield label\n"
      "many destroy e4\n"
      "create_many e1 3 health=1\n"
      "by_query add q1 anchor=(3,4)\n"
      "by_query set q1 health=7\n"
      "by_query put q1 label=(1,1) token\n"
      "by_query remove q1 token anchor\n"
      "expect e2 only health=7 label=(1,1)\n"
      "by_query destroy q1\n"
      "expect live 0\n");
}

TEST(LockstepCommands, ALabelIsNullUntilItsEntityIsMade) {
  ExpectCommandsHold(
      "record create e1 health=1\n"
      "expect e1 dead\n"
      "add e1 position -> NOT_FOUND entity_not_alive\n"
      "many destroy e1 -> NOT_FOUND entity_not_alive\n"
      "create e2 link=e1\n"
      "record create e3 link=e1\n"
      "expect e2 link=null\n"
      "apply\n"
      "expect e1 id 1v1\n"
      "expect e1 only health=1\n"
      "expect e3 only link=null\n"
      "add e1 position\n");
}

TEST(LockstepCommands, ALabelThatIsBoundAnewIsNotTheBuffersAnyMore) {
  ExpectCommandsHold(
      "record create e1 health=1\n"
      "create e1 health=2\n"
      "record set e1 health=3\n"
      "apply\n"
      "expect e1 id 0v1\n"
      "expect e1 only health=3\n"
      "expect 1v1 only health=1\n"
      "record create e1 health=101 -> INVALID_ARGUMENT value_refused\n"
      "expect e1 dead\n"
      "record create e1 health=4\n"
      "record create e1 health=5\n"
      "apply\n"
      "expect e1 only health=5\n"
      "expect live 4\n");
}

TEST(LockstepCommands, ADiscardedLabelIsNull) {
  ExpectCommandsHold(
      "record create e1 health=1\n"
      "discard\n"
      "record set e1 health=2\n"
      "apply -> NOT_FOUND entity_not_alive\n"
      "expect e1 dead\n"
      "discard\n"
      "apply\n"
      "expect live 0\n");
}

TEST(LockstepCommands, WhatIsRefusedMayBeAppliedAgain) {
  ExpectCommandsHold(
      "create e1 health=1\n"
      "record create e2 health=2\n"
      "record add e2 shield=1\n"
      "record add e1 health=3\n"
      "apply -> ALREADY_EXISTS component_present\n"
      "apply skip_dead -> ALREADY_EXISTS component_present\n"
      "remove e1 health\n"
      "apply\n"
      "expect e1 only health=3\n"
      "expect e2 only health=2 shield=1\n");
}

// A query is what it was when the command was recorded, and matches when its turn comes.
TEST(LockstepCommands, AQuerySeesWhatTheCommandsBeforeHaveDone) {
  ExpectCommandsHold(
      "create e1 health=1 shield=1\n"
      "create e2 health=1 shield=1\n"
      "disable e2 shield\n"
      "query q1 all(shield)\n"
      "record put q1 health=5\n"
      "record remove e2 shield\n"
      "record add e2 shield=2\n"
      "record put q1 position=(1,1,1)\n"
      "record create e3 shield=3\n"
      "record put q1 link=null\n"
      "query q1 all(health)\n"
      "apply\n"
      "expect e1 only health=5 shield=1 position=(1,1,1) link=null\n"
      "expect e2 only health=1 shield=2 position=(1,1,1) link=null\n"
      "expect e2 on shield\n"
      "expect e3 only shield=3 link=null\n"
      "record set q9 health=1\n"
      "apply -> NOT_FOUND query_unknown\n");
}

// Values that several entities get must have copies; what is for one entity need not.
TEST(LockstepCommands, WhatCanOnlyBeMovedIsForOneEntity) {
  ExpectCommandsHold(
      "create e1 health=1\n"
      "query q1 all(health)\n"
      "record add e1 handle=1\n"
      "record add q1 handle=1 -> INVALID_ARGUMENT value_does_not_fit\n"
      "by_query add q1 handle=1 -> INVALID_ARGUMENT value_does_not_fit\n"
      "many add e1 : handle=1 -> INVALID_ARGUMENT value_does_not_fit\n"
      "many add : handle=1 -> INVALID_ARGUMENT value_does_not_fit\n"
      "apply\n"
      "expect e1 only health=1 handle=1\n");
}

// One version for a batch, none where nothing has changed.
TEST(LockstepCommands, BuffersAreAppliedByKeyThenByNumber) {
  ExpectCommandsHold(
      "create e1 health=1\n"
      "record 2 set e1 health=2\n"
      "record late set e1 health=3\n"
      "record 1 set e1 health=4\n"
      "record set e1 health=5\n"
      "apply\n"
      "expect e1 health=3\n"
      "record 1 late set e1 health=6\n"
      "record late set e1 health=7\n"
      "record 2 put e1 shield=2\n"
      "record put e1 shield=1\n"
      "apply\n"
      "expect e1 health=6 shield=2\n"
      "record 1 late create e2 health=7 label=(1,2)\n"
      "record 1 add e2 shield=1\n"
      "apply -> NOT_FOUND entity_not_alive\n"
      "apply skip_dead\n"
      "expect e2 only health=7 label=(1,2)\n"
      "record 2 create e3 handle=1\n"
      "record add e3 shield=2 -> INVALID_ARGUMENT placeholder_unknown\n"
      "record 2 late add e3 shield=2\n"
      "record destroy e1\n"
      "record 1 create e4\n"
      "expect e3 dead\n"
      "apply\n"
      "expect e3 only handle=1 shield=2\n"
      "expect e4 id 0v2\n"
      "record 1 destroy e4\n"
      "record add e4 shield=9\n"
      "discard\n"
      "expect e4 only\n"
      "hook shield removed record destroy\n"
      "record 1 late destroy e3\n"
      "record remove e3 shield\n"
      "apply\n"
      "apply -> NOT_FOUND entity_not_alive\n"
      "apply skip_dead\n"
      "expect live 2\n");
}

TEST(LockstepCommands, ABatchIsOneVersionOrNone) {
  ExpectCommandsHold(
      "create e1 health=1 disabled\n"
      "create e2\n"
      "query q1 all(health)\n"
      "expect version 3\n"
      "apply\n"
      "record set e1 disabled\n"
      "record put e1 disabled\n"
      "record add e2\n"
      "apply\n"
      "many set e1 : disabled\n"
      "many remove e1 e2 :\n"
      "by_query put q1 disabled\n"
      "by_query remove q1\n"
      "many destroy\n"
      "expect version 3\n"
      "record add e2 token\n"
      "record remove e2 token\n"
      "record remove e1 disabled\n"
      "record add e1 disabled\n"
      "apply\n"
      "expect version 3\n"
      "disable e1 disabled\n"
      "record remove e1 disabled\n"
      "record add e1 disabled\n"
      "apply\n"
      "enabled e1 disabled\n"
      "expect version 5\n"
      "record create e3\n"
      "record destroy e3\n"
      "apply\n"
      "expect version 6\n"
      "by_query set q1 health=1\n"
      "expect version 7\n"
      "many put e1 e2 : shield=1\n"
      "expect version 8\n");
}

// --- Failures ---

// Each line may follow itself.
const std::vector<std::string>& FailingOperations() {
  static const std::vector<std::string> operations = {
      "create e1 health=1 shield=1",
      "create e2 position=(1,2,3) label=(1,2)",
      "create e3 health=5",
      "query q1 all(health)",
      "query q2 all(label)",
      "record create e4 label=(1,2) anchor=(3,4) handle=5 token",
      "record put e1 position=(4,5,6) label=(7,8)",
      "record put q1 anchor=(5,5) token",
      "record exchange e2 remove position label add disabled label=(3,4)",
      "record put e4 label=(9,9)",
      "record set q1 health=7",
      "apply",
      "record put q2 label=(1,1)",
      "record put q1 label=(2,2) link=e1",
      "record destroy e3",
      "apply skip_dead",
      "discard",
      "by_query put q1 anchor=(6,6) position=(0,0,0)",
      "by_query set q2 label=(3,3)",
      "by_query remove q1 health",
      "by_query put q2 health=9",
      "many put e1 e2 : label=(4,4) token shield=2",
      "many set e1 e2 : label=(5,5)",
      "many remove e1 : token",
      "many destroy e1 e2",
      "by_query destroy q2",
  };
  return operations;
}

TEST(LockstepCommands, EveryAllocationMayFail) {
  EXPECT_GT(FailEverywhere(FailingOperations(), "fail_allocation", ""), 60u);
  EXPECT_GT(FailEverywhere(FailingOperations(), "fail_allocation", " sticky"), 60u);
}

TEST(LockstepCommands, EveryConstructionMayThrow) {
  EXPECT_GT(FailEverywhere(FailingOperations(), "fail_construction", ""), 20u);
}

}  // namespace
}  // namespace ashlar::model
