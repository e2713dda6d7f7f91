#include "ashlar/storage/archetype_table.h"

#include <gtest/gtest.h>

#include "ashlar/core/status.h"
#include "ashlar/storage/storage_fixture.h"

namespace ashlar {
namespace {

class ArchetypeTableTest : public StorageFixture {
 protected:
  ArchetypeTable table_{&registry_, &pool_, 0, memory_};
};

TEST_F(ArchetypeTableTest, FindsByContent) {
  Archetype* a = *table_.FindOrMake(Of({kPosition, kVelocity}));
  Archetype* b = *table_.FindOrMake(Of({kPosition}));
  EXPECT_NE(a, b);
  EXPECT_EQ(*table_.FindOrMake(Of({kVelocity, kPosition})), a);
  EXPECT_EQ(table_.size(), 2u);
  EXPECT_EQ(a->capacity(), 122u);
}

TEST_F(ArchetypeTableTest, AnEdgeLeadsThereAndBack) {
  Archetype* a = *table_.FindOrMake(Of({kPosition, kVelocity}));
  const MovePlan* there = *table_.PlanToggle(*a, kHealth);
  EXPECT_EQ(there->target->signature(), Of({kPosition, kVelocity, kHealth}));
  EXPECT_EQ(a->Edge(kHealth), there);
  const MovePlan* back = *table_.PlanToggle(*there->target, kHealth);
  EXPECT_EQ(back->target, a);
  ASSERT_EQ(there->copies.size(), 2u);
  // Position: 1088 -> 960, velocity: 2560 -> 2304, 12 bytes each.
  EXPECT_EQ(there->copies[0].source_begin_bytes, 1088u);
  EXPECT_EQ(there->copies[0].target_begin_bytes, 960u);
  EXPECT_EQ(there->copies[1].source_begin_bytes, 2560u);
  EXPECT_EQ(there->copies[1].target_begin_bytes, 2304u);
  EXPECT_EQ(there->copies[1].size_bytes, 12u);
  EXPECT_EQ(back->copies.size(), 2u) << "health is left behind";
}

TEST_F(ArchetypeTableTest, EdgesAndPlansOfSeveralComponentsAreOne) {
  Archetype* a = *table_.FindOrMake(Of({kPosition}));
  const MovePlan* by_edge = *table_.PlanToggle(*a, kDisabled);
  const MovePlan* by_signature = *table_.PlanTo(*a, Of({kPosition, kDisabled}));
  EXPECT_EQ(by_edge, by_signature);
}

TEST_F(ArchetypeTableTest, NumbersFollowTheFirstCommit) {
  Archetype* a = *table_.FindOrMake(Of({kPosition}));
  Archetype* b = *table_.FindOrMake(Of({kVelocity}));
  EXPECT_TRUE(a->number().is_none());
  for (Archetype* archetype : {b, a}) {
    table_.ReserveNumbers(1);
    table_.Number(*archetype);
  }
  EXPECT_EQ(b->number(), ArchetypeNumber(0));
  EXPECT_EQ(a->number(), ArchetypeNumber(1));
  ASSERT_EQ(table_.numbered().size(), 2u);
  EXPECT_EQ(table_.numbered()[0], b);
}

TEST_F(ArchetypeTableTest, RefusesARowThatIsTooLarge) {
  TypeSpec spec;
  ASSERT_FALSE(ParseType("u8[3000]", &spec).has_value());
  const ComponentId big = *registry_.Register(*ComponentDescriptor::FromSpec("big", spec));
  const ComponentId bigger = *registry_.Register(*ComponentDescriptor::FromSpec("bigger", spec));
  Archetype* a = *table_.FindOrMake(Of({big}));
  EXPECT_EQ(a->capacity(), 1u);
  const auto refused = table_.PlanToggle(*a, bigger);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kRowTooLarge);
  EXPECT_EQ(table_.size(), 1u);
  EXPECT_EQ(a->Edge(bigger), nullptr);
}

TEST_F(ArchetypeTableTest, EdgesOfComponentsRegisteredLater) {
  Archetype* a = *table_.FindOrMake(Of({kPosition}));
  ASSERT_TRUE(table_.PlanToggle(*a, kHealth).ok());
  TypeSpec tag;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(
        registry_.Register(*ComponentDescriptor::FromSpec("tag" + std::to_string(i), tag)).ok());
  }
  const MovePlan* plan = *table_.PlanToggle(*a, ComponentId(303));
  EXPECT_EQ(plan->target->signature(), Of({kPosition, ComponentId(303)}));
  EXPECT_EQ(*table_.PlanToggle(*a, ComponentId(303)), plan);
}

using ArchetypeTableDeathTest = ArchetypeTableTest;

TEST_F(ArchetypeTableDeathTest, NumbersAnArchetypeOnce) {
  Archetype* a = *table_.FindOrMake(Of({kPosition}));
  table_.ReserveNumbers(1);
  table_.Number(*a);
  table_.ReserveNumbers(1);
  EXPECT_DEATH(table_.Number(*a), "number\\(\\).is_none\\(\\)");
}

}  // namespace
}  // namespace ashlar
