// Worlds that take an armed failure wrongly are found out.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ashlar/audit/integrity.h"
#include "ashlar/world/hooks.h"
#include "ashlar/world/singletons.h"
#include "ashlar/world/world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/injection_fixture.h"
#include "model/lockstep.h"
#include "model/lockstep_runner.h"
#include "model/lockstep_schema.h"

namespace ashlar::model {
namespace {

using oplang::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(LockstepInjection, FindsAFailureThatNobodyArmed) {
  // The memory stands in for a constructor that throws; no construction is armed.
  HookedMemory memory;
  std::uint64_t request = 0;
  memory.before_request = [&] {
    if (++request == 40) throw InjectedFailure();
  };
  LockstepOptions options;
  options.memory = &memory;
  std::string body;
  for (int i = 0; i < 4; ++i) {
    for (const char* component : {"health", "disabled", "link", "position"}) {
      body += "create e1 " + std::string(component) + "\n";
    }
  }
  body +=
      "create e1 health link\ncreate e1 health disabled\ncreate e1 link disabled\n"
      "create e1 health position\n";
  const auto failure = RunLockstep(ParseInjection(body), options, nullptr);
  ASSERT_TRUE(failure.has_value()) << request;
  EXPECT_EQ(failure->kind, Failure::Kind::kOutcome);
  EXPECT_THAT(failure->message, HasSubstr("the world answers ABORTED, the model OK"));
}

// A world and a runner by hand, so that a test can do behind its back what a wrong world would.
class WrongWorld : public ::testing::Test {
 protected:
  WrongWorld() : memory_(&failing_) {
    program_ = ParseInjection("");
    schema_ = SchemaOf(program_.components).value();
    WorldOptions options;
    options.memory = &memory_;
    world_ = World::Make(options).value();
    for (const ComponentDescriptor& descriptor : schema_->stored()) {
      EXPECT_TRUE(world_->Register(descriptor).ok());
    }
    RunnerOptions runner_options;
    runner_options.has_moves = false;
    runner_options.failing_memory = &failing_;
    runner_.emplace(oplang::Options(), schema_.get(), world_.get(),
                    world_->MakeQuery(QuerySpec()).value(), runner_options);
    Run("create e1 health=1\ncreate e2 health=2\n");
  }

  // The result of the last operation.
  const StepResult& Run(const std::string& body) {
    const StepResult* result = nullptr;
    for (const oplang::Operation& operation : ParseInjection(body).operations) {
      result = &runner_->Run(operation.action);
    }
    return *result;
  }

  bool SameState() { return runner_->comparer().SameState(); }

  FailingResource failing_;
  HookedMemory memory_;  // Asks failing_.
  oplang::Program program_;
  std::shared_ptr<const Schema> schema_;
  std::unique_ptr<World> world_;
  std::optional<Runner> runner_;
};

constexpr char kFailedAdd[] = "fail_allocation 1\nadd e1 disabled\n";
const Outcome kNoMemory{absl::StatusCode::kResourceExhausted, Reason::kNone};

TEST_F(WrongWorld, IsRightWhenLeftAlone) {
  const StepResult& result = Run(kFailedAdd);
  EXPECT_EQ(result.world, kNoMemory);
  EXPECT_EQ(result.model, kNoMemory);
  EXPECT_TRUE(result.fired.allocation);
  EXPECT_TRUE(result.is_forgotten);
  EXPECT_FALSE(result.digest_changed);
  EXPECT_THAT(result.difference, IsEmpty());
  EXPECT_TRUE(SameState()) << runner_->comparer().difference();
}

TEST_F(WrongWorld, ThatChangedSomethingHasAnotherDigestAndState) {
  memory_.after_failure = [&] {
    ASSERT_TRUE(world_->SetScalar(Entity(1, 1), ComponentId(1), 0, Scalar::Int(99)).ok());
  };
  const StepResult& result = Run(kFailedAdd);
  EXPECT_EQ(result.world, kNoMemory);
  EXPECT_TRUE(result.is_forgotten);
  EXPECT_TRUE(result.digest_changed);
  EXPECT_FALSE(SameState());
  EXPECT_THAT(runner_->comparer().difference(), HasSubstr("health is 99 in the world, 2 in"));
}

TEST_F(WrongWorld, ThatLostAnEntityIsFound) {
  memory_.after_failure = [&] { ASSERT_TRUE(world_->Destroy(Entity(1, 1)).ok()); };
  EXPECT_TRUE(Run(kFailedAdd).digest_changed);
  EXPECT_FALSE(SameState());
}

TEST_F(WrongWorld, ThatGivesUpWithoutNeedIsFound) {
  // The memory fails before the resource that is armed is even asked.
  memory_.requests_left = 0;
  const StepResult& result = Run("fail_allocation 5\nadd e1 disabled\n");
  EXPECT_EQ(result.world, kNoMemory);
  EXPECT_EQ(result.model, Outcome());
  EXPECT_FALSE(result.fired.any());
  EXPECT_FALSE(result.is_forgotten);
}

TEST_F(WrongWorld, ThatFailsUnarmedIsFound) {
  memory_.requests_left = 0;
  const StepResult& result = Run("add e1 disabled\n");
  EXPECT_EQ(result.world, kNoMemory);
  EXPECT_EQ(result.model, Outcome());
}

TEST_F(WrongWorld, ThatTakesAFailureForAThrowingConstructorIsFound) {
  memory_.after_failure = [] { throw InjectedFailure(); };
  const StepResult& result = Run(kFailedAdd);
  EXPECT_EQ(result.world, oplang::kConstructionThrew);
  EXPECT_EQ(result.model, Outcome());
  EXPECT_FALSE(result.is_forgotten);
}

TEST_F(WrongWorld, AThrowingConstructorIsAnAnswerWhereOneWasArmed) {
  memory_.before_request = [] { ConstructionFault::CountConstruction(); };
  const StepResult& result = Run("fail_construction 1\nadd e1 disabled\n");
  EXPECT_EQ(result.world, oplang::kConstructionThrew);
  EXPECT_EQ(result.model, oplang::kConstructionThrew);
  EXPECT_TRUE(result.fired.construction);
  EXPECT_TRUE(result.is_forgotten);
  EXPECT_FALSE(result.digest_changed);
  memory_.before_request = nullptr;
  EXPECT_TRUE(SameState()) << runner_->comparer().difference();
  EXPECT_TRUE(CheckIntegrity(*world_, 0).ok());
}

// --- Commands ---

constexpr char kSetAndRefused[] = "record set e1 health=5\nrecord set e9 health=6\n";

TEST_F(WrongWorld, ThatRefusesTheRightCommandIsRight) {
  Run(kSetAndRefused);
  const StepResult& result = Run("apply\n");
  EXPECT_EQ(result.model.reason, Reason::kEntityNotAlive);
  EXPECT_EQ(result.world, result.model);
  EXPECT_THAT(result.difference, IsEmpty());
}

TEST_F(WrongWorld, ThatRefusesAnotherCommandIsFound) {
  Run(kSetAndRefused);
  ASSERT_TRUE(world_->Destroy(Entity(0, 1)).ok());
  const StepResult& result = Run("apply\n");
  EXPECT_EQ(result.world, result.model);
  EXPECT_THAT(result.difference, HasSubstr("the world refuses command 0, the model command 1"));
}

TEST_F(WrongWorld, ThatSkipsAnotherNumberOfCommandsIsFound) {
  Run(kSetAndRefused);
  ASSERT_TRUE(world_->Destroy(Entity(0, 1)).ok());
  const StepResult& result = Run("apply skip_dead\n");
  EXPECT_EQ(result.world, result.model);
  EXPECT_THAT(result.difference, HasSubstr("has skipped 2 commands, the model 1"));
}

TEST_F(WrongWorld, ThatMakesAnotherEntityIsFound) {
  Run("record create e3 health=3\n");
  ASSERT_TRUE(world_->Create({}).ok());
  const StepResult& result = Run("apply\n");
  EXPECT_EQ(result.world, Outcome());
  EXPECT_THAT(result.difference, HasSubstr("e3 is another entity than the model's 2v1"));
}

TEST_F(WrongWorld, ThatChangesOneMoreByQueryIsFound) {
  Run("query q1 all(health)\n");
  ASSERT_TRUE(world_->Create({ComponentValue(ComponentId(1))}).ok());
  const StepResult& result = Run("by_query set q1 health=9\n");
  EXPECT_EQ(result.world, Outcome());
  EXPECT_THAT(result.difference, HasSubstr("has changed 3 entities, the model 2"));
}

// --- The order of rows, and singletons ---

TEST_F(WrongWorld, ThatDoesNotSortByWhatTheModelHasIsFound) {
  Run("query q1 all(health)\n");
  EXPECT_THAT(Run("sort q1 health\n").difference, IsEmpty());
  ASSERT_TRUE(world_->SetScalar(Entity(0, 1), ComponentId(1), 0, Scalar::Int(9)).ok());
  const StepResult& result = Run("sort q1 health\n");
  EXPECT_EQ(result.world, Outcome());
  EXPECT_THAT(result.difference,
              HasSubstr("row 0 of archetype 0 has e2 1v1, and should have e1 0v1"));
}

TEST_F(WrongWorld, ThatLostASingletonIsFound) {
  Run("put_single health=5\n");
  EXPECT_TRUE(SameState()) << runner_->comparer().difference();
  ASSERT_TRUE(RemoveSingleton(*world_, ComponentId(1)).ok());
  EXPECT_FALSE(SameState());
  EXPECT_THAT(runner_->comparer().difference(),
              HasSubstr("no health, the model health 5 of version 4"));
  EXPECT_EQ(Run("get_single health\n").world.reason, Reason::kComponentAbsent);
}

TEST_F(WrongWorld, ThatHasAnotherSingletonIsFound) {
  Run("put_single health=5\n");
  const ComponentValue other(ComponentId(1));
  ASSERT_TRUE(PutSingleton(*world_, other).ok());
  EXPECT_THAT(Run("get_single health\n").difference,
              HasSubstr("health 0 of version 5, the model health 5 of version 4"));
}

TEST_F(WrongWorld, ThatPutASingletonAgainIsFound) {
  Run("put_single health=5\n");
  const std::vector<Scalar> same = {Scalar::Int(5)};
  ASSERT_TRUE(PutSingleton(*world_, {ComponentId(1), std::span<const Scalar>(same)}).ok());
  EXPECT_THAT(Run("get_single health\n").difference,
              HasSubstr("health 5 of version 5, the model health 5 of version 4"));
}

// --- Hooks ---

TEST_F(WrongWorld, ThatHearsWithTheModelIsRight) {
  Run("hook health set record remove\nset e1 health=4\n");
  EXPECT_THAT(Run("set e2 health=4\n").difference, IsEmpty());
  EXPECT_THAT(Run("apply\n").difference, IsEmpty());
  EXPECT_TRUE(SameState()) << runner_->comparer().difference();
}

TEST_F(WrongWorld, ThatCallsNoHookIsFound) {
  Run("hook health set\nhook health removed\n");
  ASSERT_TRUE(SetHook(*world_, ComponentId(1), HookEvent::kSet, {}).ok());
  EXPECT_THAT(Run("set e1 health=4\n").difference,
              HasSubstr("hook call 0 is none, and should be health set of e1 0v1"));
  EXPECT_THAT(Run("destroy e1\n").difference, IsEmpty());
}

TEST_F(WrongWorld, ThatCallsAHookTooManyIsFound) {
  Run("hook health set\n");
  ASSERT_TRUE(world_->SetScalar(Entity(1, 1), ComponentId(1), 0, Scalar::Int(5)).ok());
  EXPECT_THAT(Run("add e1 disabled\n").difference,
              HasSubstr("hook call 0 is health set of e2 1v1, and should be none"));
}

TEST_F(WrongWorld, ThatShowsAHookAnotherValueIsFound) {
  Run("hook disabled added\n");
  ASSERT_TRUE(world_->SetScalar(Entity(1, 1), ComponentId(1), 0, Scalar::Int(5)).ok());
  EXPECT_THAT(Run("add e2 disabled\n").difference,
              HasSubstr("inside a hook: e2 1v1: health is 5 in the world, 2 in the model"));
}

TEST_F(WrongWorld, ThatLosesWhatAHookRecordsIsFound) {
  Run("hook health set record remove\n");
  // It has nowhere to record it, though no failure is armed.
  memory_.requests_left = 0;
  EXPECT_THAT(Run("set e1 health=4\n").difference, HasSubstr("a hook could not record"));
}

// The world comes through although an allocation has failed: fine, if it has done it all.
TEST_F(WrongWorld, ASuccessInSpiteOfAFailureMustBeAWholeOne) {
  EXPECT_EQ(Run("fail_allocation 1000\nadd e1 disabled\n").world, Outcome());
  EXPECT_TRUE(SameState());
}

}  // namespace
}  // namespace ashlar::model
