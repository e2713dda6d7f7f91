// Hooks hear of what has happened, once, in order, when it has happened; by every way of changing.
#include "ashlar/world/hooks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "ashlar/audit/commands_fixture.h"
#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/core/poison.h"
#include "ashlar/world/bulk.h"

namespace ashlar {
namespace {

using namespace commands_testing;

struct Heard {
  Entity entity;
  ComponentId component;
  HookEvent event;
  friend auto operator<=>(const Heard&, const Heard&) = default;
};

// Writes down what it hears, and looks at the world as it does.
struct Listener {
  std::vector<Heard> heard;
  int wrong = 0;          // Times that the world did not look as it should.
  bool is_single = true;  // One call at a time: what is heard is so now.

  static void OnEvent(const HookCall& call, void* context) noexcept {
    auto* const self = static_cast<Listener*>(context);
    self->heard.push_back({call.entity, call.component, call.event});
    const auto has = call.world.Has(call.entity, call.component);
    const bool is_there = has.ok() && *has;
    if (self->is_single && is_there != (call.event != HookEvent::kRemoved)) ++self->wrong;
  }
};

// Every component of the side has every hook.
void Listen(Side& side, Listener* listener, CommandBuffer* commands) {
  for (std::size_t number = 0; number < kComponentCount; ++number) {
    for (const HookEvent event : {HookEvent::kRemoved, HookEvent::kAdded, HookEvent::kSet}) {
      ASSERT_TRUE(
          SetHook(*side.world, side.Id(number), event, {Listener::OnEvent, listener, commands})
              .ok());
    }
  }
}

class HooksTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  HooksTest() : side_(GetParam(), 200), reactions_(*side_.world) {
    Listen(side_, &listener_, &reactions_);
  }

  std::vector<Heard> Take() { return std::exchange(listener_.heard, {}); }
  Heard Added(Entity entity, ComponentId component) {
    return {entity, component, HookEvent::kAdded};
  }
  Heard Removed(Entity entity, ComponentId component) {
    return {entity, component, HookEvent::kRemoved};
  }
  Heard Set(Entity entity, ComponentId component) { return {entity, component, HookEvent::kSet}; }

  Side side_;
  CommandBuffer reactions_;
  Listener listener_;
  Points count_{};
};

TEST_P(HooksTest, EachCallIsHeardOnceInTheOrderOfEventsAndComponents) {
  World& world = *side_.world;
  const ComponentId point = side_.point.id();
  const ComponentId points = side_.points.id();
  const ComponentId mark = side_.mark.id();
  const Point at{1, 2, 3};
  const Points count{4};
  const Entity entity =
      *world.Create({ComponentValue(side_.mark), ComponentValue(side_.point, at)});
  EXPECT_EQ(Take(), (std::vector<Heard>{Added(entity, point), Added(entity, mark)}));
  ASSERT_TRUE(world.Set(entity, {ComponentValue(side_.point, at)}).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Set(entity, point)}));
  ASSERT_TRUE(world.SetField(entity, point, "y", Scalar::F32(2)).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Set(entity, point)}));
  ASSERT_TRUE(world
                  .Put(entity, {ComponentValue(side_.points, count), ComponentValue(side_.mark),
                                ComponentValue(side_.point, at)})
                  .ok());
  EXPECT_EQ(Take(),
            (std::vector<Heard>{Added(entity, points), Set(entity, point), Set(entity, mark)}));
  ASSERT_TRUE(world
                  .Exchange(entity, {mark, points, point},
                            {ComponentValue(side_.point, at), ComponentValue(side_.watched)})
                  .ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Removed(entity, points), Removed(entity, mark),
                                        Added(entity, side_.watched.id()), Set(entity, point)}));
  ASSERT_TRUE(world.Add(entity, {ComponentValue(side_.mark)}).ok());
  ASSERT_TRUE(world.Remove(entity, {mark}).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Added(entity, mark), Removed(entity, mark)}));
  ASSERT_TRUE(world.Destroy(entity).ok());
  EXPECT_EQ(Take(),
            (std::vector<Heard>{Removed(entity, point), Removed(entity, side_.watched.id())}));
  EXPECT_EQ(listener_.wrong, 0);
}

TEST_P(HooksTest, WhatIsRefusedOrComesToNothingIsNotHeard) {
  World& world = *side_.world;
  const Entity entity = *world.Create({ComponentValue(side_.mark)});
  (void)Take();
  EXPECT_FALSE(world.Add(entity, {ComponentValue(side_.mark)}).ok());
  EXPECT_FALSE(world.Remove(entity, {side_.point.id()}).ok());
  EXPECT_FALSE(world.Set(entity, {ComponentValue(side_.point, Point{})}).ok());
  EXPECT_FALSE(world.Destroy(Entity(77, 1)).ok());
  EXPECT_FALSE(world.Create({ComponentValue(ComponentId(0xFFFE))}).ok());
  EXPECT_TRUE(world.Add(entity, std::span<const ComponentValue>()).ok());
  CommandBuffer buffer(world);
  ASSERT_TRUE(buffer.Add(entity, {ComponentValue(side_.point, Point{})}).ok());
  ASSERT_TRUE(buffer.Destroy(Entity(77, 1)).ok());
  EXPECT_FALSE(Apply(world, buffer).ok());
  Plain::throw_at = 1;
  EXPECT_THROW((void)world.Add(entity, {ComponentValue(side_.watched)}), std::runtime_error);
  EXPECT_TRUE(Take().empty());
}

TEST_P(HooksTest, ManyThatAreRefusedAreNotHeard) {
  World& world = *side_.world;
  const Entity entity = *world.Create({ComponentValue(side_.mark)});
  (void)Take();
  std::vector<Entity> ids(3);
  EXPECT_REFUSED(world.CreateMany(ids, {ComponentSpan(ComponentId(0xFFFE))}), kInvalidArgument,
                 kComponentUnknown);
  const Entity twice[] = {entity, entity};
  EXPECT_REFUSED(world.DestroyMany(twice), kInvalidArgument, kEntityRepeated);
  EXPECT_REFUSED(AddMany(world, {&entity, 1}, {ComponentSpan(side_.mark)}), kAlreadyExists,
                 kComponentPresent);
  {
    const IterationScope scope = *world.OpenScope(side_.queries[0]);
    EXPECT_REFUSED(world.DestroyMany({&entity, 1}), kFailedPrecondition, kScopeOpen);
    EXPECT_REFUSED(world.DestroyAll(), kFailedPrecondition, kScopeOpen);
    EXPECT_REFUSED(DestroyByQuery(world, side_.queries[0]), kFailedPrecondition, kScopeOpen);
  }
  EXPECT_TRUE(Take().empty());
  EXPECT_TRUE(world.IsAlive(entity));
}

// What is named is set only where it was there before, and is there in the end.
TEST_P(HooksTest, PutIsAddedOrSet) {
  World& world = *side_.world;
  const ComponentId point = side_.point.id();
  const Entity bare = *world.Create({ComponentValue(side_.mark)});
  const Entity full = *world.Create({ComponentValue(side_.point, Point{})});
  (void)Take();
  const Entity both[] = {bare, full};
  ASSERT_TRUE(PutMany(world, both, {ComponentSpan(side_.point)}).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Added(bare, point), Set(full, point)}));
  ASSERT_TRUE(world.Put(bare, {ComponentValue(side_.mark)}).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Set(bare, side_.mark.id())}));
}

TEST_P(HooksTest, ManyAtOnceAreHeardEntityByEntity) {
  World& world = *side_.world;
  const ComponentId mark = side_.mark.id();
  std::vector<Entity> ids(3);
  ASSERT_TRUE(world.CreateMany(ids, {ComponentSpan(side_.mark)}).ok());
  EXPECT_EQ(Take(),
            (std::vector<Heard>{Added(ids[0], mark), Added(ids[1], mark), Added(ids[2], mark)}));
  const Entity few[] = {ids[2], ids[0]};
  ASSERT_TRUE(AddMany(world, few, {ComponentSpan(side_.point)}).ok());
  EXPECT_EQ(Take(),
            (std::vector<Heard>{Added(ids[2], side_.point.id()), Added(ids[0], side_.point.id())}));
  ASSERT_TRUE(world.DestroyMany(few).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Removed(ids[2], side_.point.id()), Removed(ids[2], mark),
                                        Removed(ids[0], side_.point.id()), Removed(ids[0], mark)}));
  const Entity again = *world.Create({ComponentValue(side_.mark)});
  (void)Take();
  ASSERT_TRUE(world.DestroyAll().ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Removed(ids[1], mark), Removed(again, mark)}));
}

// Not in the order of rows, which nobody is told: by rising index, and what ends by falling index.
TEST_P(HooksTest, AChangeByQueryIsHeardByIndex) {
  World& world = *side_.world;
  const ComponentId mark = side_.mark.id();
  const ComponentId point = side_.point.id();
  std::vector<Entity> ids(4);
  ASSERT_TRUE(world.CreateMany(ids, {ComponentSpan(side_.mark)}).ok());
  ASSERT_TRUE(world.Destroy(ids[0]).ok());  // The last row comes to lie first.
  (void)Take();
  const QueryId query = *world.MakeQuery(QuerySpec().Read(side_.mark));
  ASSERT_TRUE(AddByQuery(world, query, std::vector{ComponentValue(side_.point)}).ok());
  EXPECT_EQ(Take(),
            (std::vector<Heard>{Added(ids[1], point), Added(ids[2], point), Added(ids[3], point)}));
  CommandBuffer buffer(world);
  ASSERT_TRUE(buffer.RemoveByQuery(query, std::vector{point}).ok());
  ASSERT_TRUE(Apply(world, buffer).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Removed(ids[1], point), Removed(ids[2], point),
                                        Removed(ids[3], point)}));
  ASSERT_TRUE(DestroyByQuery(world, query).ok());
  EXPECT_EQ(Take(), (std::vector<Heard>{Removed(ids[3], mark), Removed(ids[2], mark),
                                        Removed(ids[1], mark)}));
}

void Meddle(const HookCall& call, void* context) noexcept {
  auto* const statuses = static_cast<std::vector<absl::Status>*>(context);
  World& world = const_cast<World&>(call.world);
  statuses->push_back(world.Destroy(call.entity));
  statuses->push_back(world.Add(call.entity, {ComponentValue(ComponentId(0))}));
  statuses->push_back(world.Create().status());
  statuses->push_back(call.commands.Remove(call.entity, {call.component}));
}

TEST_P(HooksTest, AHookCannotChangeStructureAndRecordsInstead) {
  World& world = *side_.world;
  const ComponentId mark = side_.mark.id();
  std::vector<absl::Status> statuses;
  ASSERT_TRUE(SetHook(world, mark, HookEvent::kAdded, {Meddle, &statuses, &reactions_}).ok());
  const Entity entity = *world.Create({ComponentValue(side_.mark)});
  ASSERT_EQ(statuses.size(), 4u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ReasonOf(statuses[i]), Reason::kScopeOpen);
  EXPECT_TRUE(statuses[3].ok());
  EXPECT_TRUE(*world.Has(entity, mark));
  EXPECT_EQ(world.scope_depth(), 0u);
  ASSERT_TRUE(Apply(world, reactions_).ok());
  EXPECT_FALSE(*world.Has(entity, mark));
  ASSERT_TRUE(CheckIntegrity(world).ok());

  // Without a function it is taken away.
  ASSERT_TRUE(SetHook(world, mark, HookEvent::kAdded, {}).ok());
  ASSERT_TRUE(world.Create({ComponentValue(side_.mark)}).ok());
  EXPECT_EQ(statuses.size(), 4u);
}

// What a hook finds on its entity.
struct Finds {
  const Side* side;
  std::vector<std::int32_t> counts;
  std::vector<bool> marks;

  static void OnEvent(const HookCall& call, void* context) noexcept {
    auto* const self = static_cast<Finds*>(context);
    const auto points = call.world.Load(call.entity, self->side->points);
    self->counts.push_back(points.ok() ? points->count : -1);
    self->marks.push_back(*call.world.Has(call.entity, self->side->mark.id()));
  }
};

// Reports of other storages: hooks that saw components of their own call before they were there
// (https://github.com/SanderMertens/flecs/pull/2032), and a bulk change without a move that called
// hooks before it wrote the value (https://github.com/Ukendio/jecs/issues/331).
TEST_P(HooksTest, SeeAllThatCameWithTheCallByEveryWay) {
  World& world = *side_.world;
  Finds finds{&side_, {}, {}};
  for (const HookEvent event : {HookEvent::kAdded, HookEvent::kSet}) {
    ASSERT_TRUE(
        SetHook(world, side_.points.id(), event, {Finds::OnEvent, &finds, &reactions_}).ok());
  }
  const auto value = [this](std::int32_t count) {
    count_ = Points{count};
    return ComponentValue(side_.points, count_);
  };
  // `points` is numbered below `mark`, and both come at once.
  const Entity entity = *world.Create({value(1), ComponentValue(side_.mark)});
  ASSERT_TRUE(world.Set(entity, {value(2)}).ok());
  ASSERT_TRUE(world.Exchange(entity, {side_.points.id()}, {value(3)}).ok());
  const Points four[] = {Points{4}};
  ASSERT_TRUE(SetMany(world, {&entity, 1}, {ComponentSpan(side_.points, four)}).ok());
  ASSERT_TRUE(
      PutMany(world, {&entity, 1}, {ComponentSpan::Same(value(5)), ComponentSpan(side_.point)})
          .ok());  // It moves.
  EXPECT_EQ(*SetByQuery(world, side_.queries[3], {value(6)}), 1u);
  EXPECT_EQ(*PutByQuery(world, side_.queries[3], {value(7), ComponentValue(side_.watched)}), 1u);
  CommandBuffer buffer(world);
  ASSERT_TRUE(buffer.Set(entity, {value(8)}).ok());
  const Placeholder made = *buffer.Create({value(9), ComponentValue(side_.mark)});
  ASSERT_TRUE(Apply(world, buffer).ok());
  EXPECT_TRUE(world.IsAlive(*buffer.Resolve(made)));
  EXPECT_EQ(finds.counts, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(finds.marks, std::vector<bool>(9, true));
}

TEST_P(HooksTest, WrongHooksAreRefused) {
  Side other(0, 10);
  CommandBuffer foreign(*other.world);
  const Hook hook{Listener::OnEvent, &listener_, &reactions_};
  EXPECT_REFUSED(SetHook(*side_.world, ComponentId(99), HookEvent::kAdded, hook), kInvalidArgument,
                 kComponentUnknown);
  EXPECT_REFUSED(SetHook(*side_.world, ComponentId(0), HookEvent::kAdded,
                         {Listener::OnEvent, nullptr, &foreign}),
                 kInvalidArgument, kBufferForeign);
  EXPECT_REFUSED(SetHook(*side_.world, ComponentId(0), HookEvent::kAdded,
                         {Listener::OnEvent, nullptr, nullptr}),
                 kInvalidArgument, kBufferForeign);
  const IterationScope scope = *side_.world->OpenScope(side_.queries[0]);
  EXPECT_REFUSED(SetHook(*side_.world, ComponentId(0), HookEvent::kAdded, hook),
                 kFailedPrecondition, kScopeOpen);
}

// What the user's own code throws is the user's, with hooks too.
TEST_P(HooksTest, ABadAllocOfTheUsersPassesThrough) {
  struct Greedy {
    Greedy() { throw std::bad_alloc(); }
    ~Greedy() {}
    Greedy(Greedy&&) noexcept {}
  };
  const auto greedy = *side_.world->Register(Describe<Greedy>("greedy"));
  EXPECT_THROW((void)side_.world->Create({ComponentValue(greedy)}), std::bad_alloc);
  const Entity entity = *side_.world->Create({ComponentValue(side_.mark)});
  EXPECT_THROW((void)side_.world->Put(entity, {ComponentValue(greedy)}), std::bad_alloc);
  ASSERT_TRUE(CheckIntegrity(*side_.world).ok());
}

// A buffer is heard as its commands would be, one by one.
TEST_P(HooksTest, ATransactionIsHeardCommandByCommand) {
  const int seeds = ASHLAR_ASAN ? 15 : 60;
  std::size_t heard = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(static_cast<std::uint64_t>(seed) * 1000 + 900 + GetParam());
    Side side(GetParam(), 60);
    Side twin(GetParam(), 60);
    CommandBuffer side_reactions(*side.world);
    CommandBuffer twin_reactions(*twin.world);
    Listener side_listener;
    Listener twin_listener;
    side_listener.is_single = false;
    Listen(side, &side_listener, &side_reactions);
    Listen(twin, &twin_listener, &twin_reactions);
    CommandBuffer buffer(*side.world);
    std::vector<Entity> known;
    for (int number = 0; number < 20; ++number) {
      SCOPED_TRACE("round " + std::to_string(number));
      Round round;
      round.skips = true;
      std::size_t placeholders = 0;
      std::vector<Placeholder> made;
      bool by_query = false;
      buffer.Clear();
      for (std::size_t i = 1 + draw.Below(6); i > 0; --i) {
        round.steps.push_back(DrawStep(draw, known, &placeholders));
        by_query |= round.steps.back().target == Step::Target::kQuery;
        ASSERT_TRUE(side.Record(round.steps.back(), buffer, &made).ok());
      }
      const auto report = Apply(*side.world, buffer, DeadTargets::kSkip);
      if (!report.ok()) {
        ASSERT_TRUE(side_listener.heard.empty());
        continue;
      }
      twin.order_before = OrderOf(RowsOf(*twin.world));
      const Outcome outcome = PlayOneByOne(twin, round);
      ASSERT_TRUE(outcome.status.ok()) << outcome.status;
      // A query names entities in the order of rows; the twin in that of indices.
      if (by_query) {
        std::ranges::sort(side_listener.heard);
        std::ranges::sort(twin_listener.heard);
      }
      ASSERT_EQ(side_listener.heard.size(), twin_listener.heard.size());
      ASSERT_EQ(side_listener.heard, twin_listener.heard);
      ASSERT_EQ(twin_listener.wrong, 0);
      ASSERT_EQ(Digest(*side.world), Digest(*twin.world));
      heard += side_listener.heard.size();
      side_listener.heard.clear();
      twin_listener.heard.clear();
      known.insert(known.end(), twin.made.begin(), twin.made.end());
    }
  }
  EXPECT_GT(heard, static_cast<std::size_t>(seeds) * 20);
}

INSTANTIATE_TEST_SUITE_P(Capacities, HooksTest, ::testing::Values(0u, 1u, 4u));

}  // namespace
}  // namespace ashlar
