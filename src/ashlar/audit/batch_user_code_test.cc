// Batches beside code of the user's: moves and destructors that look at the world while a batch is
// committed, values that lie inside of what moves, and arguments that are no good.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/audit/commands_fixture.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/world/bulk.h"
#include "ashlar/world/singletons.h"
#include "ashlar/world/sort_rows.h"

namespace ashlar {
namespace {

using namespace commands_testing;

// Tells of its moves and its end; a value that was moved from is -1, one that has ended -2.
struct Nosy {
  static inline std::function<void(int)> on_move;
  static inline std::function<void(int)> on_end;
  static inline int live = 0;

  explicit Nosy(int number) : value(number) { ++live; }
  Nosy(const Nosy& other) : value(other.value) { ++live; }
  Nosy(Nosy&& other) noexcept : value(std::exchange(other.value, -1)) {
    ++live;
    if (on_move) on_move(value);
  }
  ~Nosy() {
    --live;
    if (on_end) on_end(value);
    value = -2;
  }

  int value;
};

class BatchUserCodeTest : public ::testing::Test {
 protected:
  BatchUserCodeTest()
      : side_(0, 5'000),
        world_(*side_.world),
        nosy_(*world_.Register(Describe<Nosy>("nosy"))),
        a_(*world_.Create({ComponentValue(nosy_, Nosy(10))})),
        b_(*world_.Create({ComponentValue(nosy_, Nosy(20))})) {}
  ~BatchUserCodeTest() override { Nosy::on_move = Nosy::on_end = nullptr; }

  Side side_;
  World& world_;
  Component<Nosy> nosy_;
  Entity a_, b_;
};

TEST_F(BatchUserCodeTest, AMoveSeesTheOtherEntitiesOfItsBatch) {
  int seen = 0;
  Nosy::on_move = [&](int value) {
    if (value == 20) seen = (*world_.Get(a_, nosy_))->value;
  };
  CommandBuffer buffer(world_);
  ASSERT_TRUE(buffer.Add(a_, {ComponentValue(side_.mark)}).ok());
  ASSERT_TRUE(buffer.Add(b_, {ComponentValue(side_.mark)}).ok());
  ASSERT_TRUE(Apply(world_, buffer).ok());
  EXPECT_EQ(seen, 10);
}

TEST_F(BatchUserCodeTest, ADestructorSeesWhatTheBatchHasTakenFromOthers) {
  Reason reason = Reason::kNone;
  Nosy::on_end = [&](int value) {
    if (value == 20) reason = ReasonOf(world_.Get(a_, nosy_).status());
  };
  ASSERT_TRUE(RemoveMany(world_, std::array{a_, b_}, {nosy_.id()}).ok());
  EXPECT_EQ(reason, Reason::kComponentAbsent);
}

TEST_F(BatchUserCodeTest, AnIdOfTheBatchIsNotAliveBeforeItsRow) {
  CommandBuffer buffer(world_);
  ASSERT_TRUE(buffer.Create({ComponentValue(nosy_, Nosy(30))}).ok());
  ASSERT_TRUE(buffer.Create({ComponentValue(nosy_, Nosy(40))}).ok());
  bool was_alive = true;
  Nosy::on_move = [&](int value) {
    if (value == 30)
      was_alive = world_.IsAlive(Entity(3, 1)) || world_.Get(Entity(3, 1), nosy_).ok();
  };
  ASSERT_TRUE(Apply(world_, buffer).ok());
  EXPECT_FALSE(was_alive);
  EXPECT_TRUE(world_.IsAlive(Entity(3, 1)));
  EXPECT_TRUE(CheckIntegrity(world_).ok());
}

TEST_F(BatchUserCodeTest, AValueMayLieInsideOfARowThatMoves) {
  const Nosy* const at = *world_.Get(b_, nosy_);
  ASSERT_TRUE(AddMany(world_, {&b_, 1}, {ComponentSpan(side_.points.id(), &at->value, 1)}).ok());
  EXPECT_EQ(world_.Load(b_, side_.points)->count, 20);
}

TEST_F(BatchUserCodeTest, ValuesThatAreNotThereAreRefused) {
  const ComponentSpan nothing(side_.point.id(), nullptr, 2);
  const std::array both{a_, b_};
  EXPECT_REFUSED(AddMany(world_, both, {nothing}), kInvalidArgument, kValueDoesNotFit);
  EXPECT_REFUSED(PutMany(world_, both, {nothing}), kInvalidArgument, kValueDoesNotFit);
  ASSERT_TRUE(AddMany(world_, both, {ComponentSpan(side_.point)}).ok());
  EXPECT_REFUSED(SetMany(world_, both, {nothing}), kInvalidArgument, kValueDoesNotFit);
}

TEST_F(BatchUserCodeTest, ATagThatGoesAndComesIsNoChange) {
  ASSERT_TRUE(world_.Add(a_, {ComponentValue(side_.mark)}).ok());
  const auto flip = [&] {
    CommandBuffer buffer(world_);
    EXPECT_TRUE(buffer.Remove(a_, {side_.mark.id()}).ok());
    EXPECT_TRUE(buffer.Add(a_, {ComponentValue(side_.mark)}).ok());
    const auto report = Apply(world_, buffer);
    EXPECT_TRUE(report.ok()) << report.status();
    return report->written;
  };
  const std::uint64_t version = world_.version();
  EXPECT_EQ(flip(), 0u);
  EXPECT_EQ(world_.version(), version);

  // But for its bit, which is on afterwards.
  ASSERT_TRUE(world_.SetEnabled(a_, side_.mark, false).ok());
  EXPECT_EQ(flip(), 1u);
  EXPECT_TRUE(*world_.IsEnabled(a_, side_.mark.id()));
}

TEST_F(BatchUserCodeTest, ASingletonMayBePutWhileTheOldOneEnds) {
  const int before = Nosy::live;
  ASSERT_TRUE(PutSingleton(world_, ComponentValue(nosy_, Nosy(1))).ok());
  Nosy::on_end = [&](int value) {
    if (value != 1) return;
    EXPECT_TRUE(PutSingleton(world_, ComponentValue(nosy_, Nosy(2))).ok());
  };
  ASSERT_TRUE(PutSingleton(world_, ComponentValue(nosy_, Nosy(3))).ok());
  Nosy::on_end = nullptr;
  EXPECT_EQ((*GetSingleton(world_, nosy_))->value, 2);
  ASSERT_TRUE(RemoveSingleton(world_, nosy_.id()).ok());
  EXPECT_EQ(Nosy::live, before);
}

TEST_F(BatchUserCodeTest, WrongArgumentsAreRefused) {
  CommandBuffer* const none[] = {nullptr};
  EXPECT_REFUSED(Apply(world_, none), kInvalidArgument, kBufferForeign);
  CommandBuffer reactions(world_);
  const Hook hook{[](const HookCall&, void*) noexcept {}, nullptr, &reactions};
  EXPECT_REFUSED(SetHook(world_, nosy_.id(), static_cast<HookEvent>(7), hook), kInvalidArgument,
                 kOptionInvalid);
  const IterationScope scope = *world_.OpenScope(side_.queries[0]);
  EXPECT_REFUSED(SortRows(world_, side_.queries[0], Component<Points>(side_.point.id()),
                          [](const Points&, const Points&) { return false; }),
                 kFailedPrecondition, kScopeOpen);
}

struct Reaction {
  ComponentId next;
  std::vector<absl::Status> answers;

  static void Record(const HookCall& call, void* context) noexcept {
    auto* const self = static_cast<Reaction*>(context);
    self->answers.push_back(call.commands.Add(call.entity, {ComponentValue(self->next)}));
  }
};

// One buffer for all reactions, which nobody clears.
TEST_F(BatchUserCodeTest, ReactionsToReactionsAreRecorded) {
  CommandBuffer reactions(world_);
  Reaction first{side_.mark.id(), {}};
  Reaction second{side_.points.id(), {}};
  ASSERT_TRUE(
      SetHook(world_, side_.point.id(), HookEvent::kAdded, {Reaction::Record, &first, &reactions})
          .ok());
  ASSERT_TRUE(
      SetHook(world_, side_.mark.id(), HookEvent::kAdded, {Reaction::Record, &second, &reactions})
          .ok());
  for (const Entity entity : {a_, b_}) {
    ASSERT_TRUE(world_.Add(entity, {ComponentValue(side_.point)}).ok());
    ASSERT_TRUE(Apply(world_, reactions).ok());  // Adds the mark; its hook records.
    ASSERT_TRUE(Apply(world_, reactions).ok());
    EXPECT_TRUE(*world_.Has(entity, side_.points.id()));
  }
  for (const absl::Status& answer : first.answers) EXPECT_TRUE(answer.ok()) << answer;
  for (const absl::Status& answer : second.answers) EXPECT_TRUE(answer.ok()) << answer;
  EXPECT_EQ(second.answers.size(), 2u);
}

}  // namespace
}  // namespace ashlar
