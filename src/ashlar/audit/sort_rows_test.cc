// Rows in the order that was asked for: against a stable sort of plain values, with every kind of
// column, and with comparisons that misbehave.
#include "ashlar/world/sort_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ashlar/audit/commands_fixture.h"
#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"

namespace ashlar {
namespace {

using namespace commands_testing;

bool ByCount(const Points& a, const Points& b) { return a.count < b.count; }

class SortRowsTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  // Entities with `points` from few values, and other components at random; some bits are off.
  static std::vector<Entity> Populate(Side& side, Draw& draw, std::size_t count) {
    std::vector<Entity> made;
    for (std::size_t i = 0; i < count; ++i) {
      Step step;
      step.value = 1 + draw.Below(5);
      for (const std::size_t number : {0u, 2u, 3u, 4u}) {
        if (draw.Chance(number == 4 ? 10 : 2)) step.given.push_back(number);
      }
      step.given.push_back(1);
      const absl::StatusOr<Entity> entity = side.world->Create(side.Values(step));
      EXPECT_TRUE(entity.ok()) << entity.status();
      made.push_back(*entity);
      for (const std::size_t number : {0u, 2u, 3u}) {
        if (draw.Chance(3)) {
          (void)side.world->SetEnabled(made.back(), side.Id(number), false);
        }
      }
    }
    for (std::size_t i = 0; i < count / 4; ++i) {
      (void)side.world->Destroy(made[draw.Below(made.size())]);
    }
    return made;
  }
};

TEST_P(SortRowsTest, IsAStableSortOfEachArchetype) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed + 1000 * GetParam());
    Side side(GetParam(), 1'000);
    (void)Populate(side, draw, 60);
    std::vector<ArchetypeRows> expected = RowsOf(*side.world);
    const auto count_of = [&](Entity entity) {
      return side.world->Load(entity, side.points)->count;
    };
    for (ArchetypeRows& one : expected) {
      // By the count, then by the place before.
      std::vector<std::pair<std::int32_t, std::size_t>> order;
      for (std::size_t i = 0; i < one.rows.size(); ++i)
        order.emplace_back(count_of(one.rows[i]), i);
      std::ranges::sort(order);
      const std::vector<Entity> rows = one.rows;
      for (std::size_t i = 0; i < rows.size(); ++i) one.rows[i] = rows[order[i].second];
    }
    const bool changes = expected != RowsOf(*side.world);
    const std::uint64_t digest = Digest(*side.world);
    const std::uint64_t version = side.world->version();
    const QueryId query = *side.world->MakeQuery(QuerySpec().Read(side.points));
    ASSERT_TRUE(SortRows(*side.world, query, side.points, ByCount).ok());
    EXPECT_EQ(RowsOf(*side.world), expected);
    EXPECT_EQ(Digest(*side.world), digest);
    EXPECT_EQ(side.world->version(), version + (changes ? 1 : 0));
    ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);

    // Once more is no change.
    const std::uint64_t sorted_version = side.world->version();
    ASSERT_TRUE(SortRows(*side.world, query, side.points, ByCount).ok());
    EXPECT_EQ(side.world->version(), sorted_version);

    for (ArchetypeRows& one : expected) std::ranges::sort(one.rows, {}, &Entity::index);
    ASSERT_TRUE(SortRowsByEntity(*side.world, query).ok());
    EXPECT_EQ(RowsOf(*side.world), expected);
    EXPECT_EQ(Digest(*side.world), digest);
    ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);
  }
}

TEST_P(SortRowsTest, SortsByObjectsToo) {
  Side side(GetParam(), 1'000);
  for (const std::int32_t value : {3, 1, 2, 1, 3, 2, 0}) {
    const Plain watched(value);
    ASSERT_TRUE(side.world->Create({ComponentValue(side.watched, watched)}).ok());
  }
  const QueryId query = *side.world->MakeQuery(QuerySpec().Read(side.watched));
  ASSERT_TRUE(SortRows(*side.world, query, side.watched, [](const Plain& a, const Plain& b) {
                return a.value < b.value;
              }).ok());
  const std::vector<Entity> rows = OrderOf(RowsOf(*side.world));
  const std::vector<Entity> expected{Entity(6, 1), Entity(1, 1), Entity(3, 1), Entity(2, 1),
                                     Entity(5, 1), Entity(0, 1), Entity(4, 1)};
  EXPECT_EQ(rows, expected);
  ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);
}

TEST_P(SortRowsTest, AComparisonThatMisbehavesBreaksNothing) {
  Draw draw(5);
  Side side(GetParam(), 1'000);
  (void)Populate(side, draw, 50);
  const std::uint64_t digest = Digest(*side.world);
  const QueryId query = *side.world->MakeQuery(QuerySpec().Read(side.points));
  ASSERT_TRUE(SortRows(*side.world, query, side.points, [&](const Points&, const Points&) {
                return draw.Chance(2);
              }).ok());
  EXPECT_EQ(Digest(*side.world), digest);
  ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);

  const std::vector<ArchetypeRows> rows = RowsOf(*side.world);
  int calls = 0;
  EXPECT_THROW((void)SortRows(*side.world, query, side.points,
                              [&](const Points& a, const Points& b) {
                                if (++calls == 20) throw std::runtime_error("told to throw");
                                return ByCount(a, b);
                              }),
               std::runtime_error);
  EXPECT_THROW((void)SortRows(*side.world, query, side.points,
                              [](const Points&, const Points&) -> bool { throw std::bad_alloc(); }),
               std::bad_alloc);
  EXPECT_EQ(RowsOf(*side.world), rows);
  EXPECT_EQ(side.world->scope_depth(), 0u);

  // From inside, structure stays as it is.
  absl::Status inside;
  ASSERT_TRUE(SortRows(*side.world, query, side.points, [&](const Points& a, const Points& b) {
                inside = side.world->Create().status();
                return ByCount(a, b);
              }).ok());
  EXPECT_REFUSED(inside, kFailedPrecondition, kScopeOpen);
}

TEST_P(SortRowsTest, WhatCannotBeSortedIsRefused) {
  Side side(GetParam(), 1'000);
  ASSERT_TRUE(side.world->Create({ComponentValue(side.points, Points{1})}).ok());
  ASSERT_TRUE(side.world->Create({ComponentValue(side.mark)}).ok());
  const QueryId all = *side.world->MakeQuery(QuerySpec());
  EXPECT_REFUSED(SortRows(*side.world, all, side.points, ByCount), kNotFound, kComponentAbsent);
  EXPECT_REFUSED(SortRows(*side.world, QueryId(99), side.points, ByCount), kNotFound,
                 kQueryUnknown);
  EXPECT_REFUSED(SortRows(*side.world, all, Component<Points>(ComponentId(77)), ByCount),
                 kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(SortRows(*side.world, all, Component<Points>(side.point.id()), ByCount),
                 kInvalidArgument, kComponentTypeMismatch);
  const auto never = [](const void*, const void*) { return false; };
  EXPECT_REFUSED(SortRows(*side.world, all, ComponentId(77), never), kInvalidArgument,
                 kComponentUnknown);
  EXPECT_REFUSED(SortRowsByEntity(*side.world, QueryId(99)), kNotFound, kQueryUnknown);
  const IterationScope scope = *side.world->OpenScope(all);
  EXPECT_REFUSED(SortRowsByEntity(*side.world, all), kFailedPrecondition, kScopeOpen);
}

// Tags have no values that could come one before the other.
TEST_P(SortRowsTest, ATagLeavesRowsAsTheyLie) {
  Side side(GetParam(), 1'000);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(side.world->Create({ComponentValue(side.mark)}).ok());
  }
  ASSERT_TRUE(side.world->Destroy(Entity(0, 1)).ok());
  const QueryId marked = *side.world->MakeQuery(QuerySpec().Read(side.mark));
  const std::uint64_t version = side.world->version();
  int calls = 0;
  const auto less = [&](const void*, const void*) {
    ++calls;
    return true;
  };
  ASSERT_TRUE(SortRows(*side.world, marked, side.mark.id(), less).ok());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(side.world->version(), version);
}

// What is left of an archetype without rows is not to be seen, by its refusals either.
TEST_P(SortRowsTest, AnArchetypeThatWasEmptiedRefusesNothing) {
  Side side(GetParam(), 1'000);
  const Entity second = *side.world->Create({ComponentValue(side.points, Points{2})});
  const Entity first = *side.world->Create({ComponentValue(side.points, Points{1})});
  const Entity without = *side.world->Create({ComponentValue(side.mark)});
  const QueryId all = *side.world->MakeQuery(QuerySpec());
  EXPECT_REFUSED(SortRows(*side.world, all, side.points, ByCount), kNotFound, kComponentAbsent);
  ASSERT_TRUE(side.world->Destroy(without).ok());
  ASSERT_TRUE(SortRows(*side.world, all, side.points, ByCount).ok());
  EXPECT_EQ(OrderOf(RowsOf(*side.world)), (std::vector<Entity>{first, second}));
  ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);
}

INSTANTIATE_TEST_SUITE_P(Capacities, SortRowsTest, ::testing::Values(0u, 1u, 2u, 4u));

}  // namespace
}  // namespace ashlar
