// The ends of what counts: indices, versions; and components that come late.
#include "ashlar/core/limits.h"

#include <gtest/gtest.h>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class LimitsTest : public WorldFixture {};

TEST_F(LimitsTest, APlacedIndexIsTheNextFreshOne) {
  const Entity first = *world_->Create();
  ASSERT_TRUE(world_->PlaceIndex(3000).ok());
  EXPECT_EQ(*world_->Create(), Entity(3000, 1));
  EXPECT_EQ(world_->directory().retired_count(), 2999u);
  for (const std::uint32_t index : {1u, 1023u, 1024u, 2999u}) {
    EXPECT_FALSE(world_->IsAlive(Entity(index, 1)));
    EXPECT_REFUSED(world_->Destroy(Entity(index, 0xFFFFFFFFu)), kNotFound, kEntityNotAlive);
  }
  ASSERT_TRUE(world_->Destroy(first).ok());
  EXPECT_EQ(*world_->Create(), Entity(0, 2)) << "what was freed comes first";
  EXPECT_EQ(*world_->Create(), Entity(3001, 1));
}

TEST_F(LimitsTest, TheEndOfIndices) {
  WorldOptions options;
  options.entity_index_limit = 70'000;
  Reset(options);
  ASSERT_TRUE(world_->PlaceIndex(65'536).ok());
  ASSERT_TRUE(world_->PlaceIndex(69'999).ok());
  const Entity last = *world_->Create();
  EXPECT_EQ(last, Entity(69'999, 1));
  EXPECT_REFUSED(world_->Create().status(), kResourceExhausted, kIdsExhausted);
  ASSERT_TRUE(world_->PlaceIndex(70'000).ok()) << "where it is already";
  ASSERT_TRUE(world_->Destroy(last).ok());
  EXPECT_EQ(*world_->Create(), Entity(69'999, 2));
}

TEST_F(LimitsTest, AnIndexOutOfRangeIsNotPlaced) {
  WorldOptions options;
  options.entity_index_limit = 100'000;
  Reset(options);
  ASSERT_TRUE(world_->Create().ok());
  EXPECT_REFUSED(world_->PlaceIndex(0), kInvalidArgument, kOptionInvalid);
  EXPECT_REFUSED(world_->PlaceIndex(65'538), kInvalidArgument, kOptionInvalid);
  EXPECT_REFUSED(world_->PlaceIndex(0xFFFFFFFFFFFFFFFFu), kInvalidArgument, kOptionInvalid);
  ASSERT_TRUE(world_->PlaceIndex(65'537).ok());
  EXPECT_REFUSED(world_->PlaceIndex(100'001), kInvalidArgument, kOptionInvalid);
  ASSERT_TRUE(world_->PlaceIndex(100'000).ok());
  EXPECT_REFUSED(world_->Create().status(), kResourceExhausted, kIdsExhausted);
}

TEST_F(LimitsTest, VersionsCountOnFromWhereTheyArePlaced) {
  ASSERT_TRUE(world_->PlaceVersion(0xFFFFFFFFu).ok());
  const Entity entity = *world_->Create({P({})});
  EXPECT_EQ(world_->version(), 0x100000000u);
  ASSERT_TRUE(world_->PlaceVersion(kPlacedVersionMax).ok());
  ASSERT_TRUE(world_->Destroy(entity).ok());
  EXPECT_EQ(world_->version(), kPlacedVersionMax + 1);
  EXPECT_REFUSED(world_->PlaceVersion(kPlacedVersionMax), kInvalidArgument, kOptionInvalid);
}

TEST_F(LimitsTest, AVersionNeverGoesBack) {
  ASSERT_TRUE(world_->Create().ok());
  EXPECT_EQ(world_->version(), 2u);
  EXPECT_REFUSED(world_->PlaceVersion(1), kInvalidArgument, kOptionInvalid);
  EXPECT_REFUSED(world_->PlaceVersion(kPlacedVersionMax + 1), kInvalidArgument, kOptionInvalid);
  EXPECT_TRUE(world_->PlaceVersion(2).ok());
  EXPECT_EQ(world_->version(), 2u);
}

TEST_F(LimitsTest, NothingIsPlacedInsideAScope) {
  const auto scope = world_->OpenScope(*world_->MakeQuery(QuerySpec().Read(position_)));
  EXPECT_REFUSED(world_->PlaceIndex(7), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->PlaceVersion(7), kFailedPrecondition, kScopeOpen);
}

// A component that is registered when there are entities, archetypes and queries.
TEST_F(LimitsTest, AComponentMayComeLate) {
  const Entity entity = *world_->Create({P({1, 2, 3}), V({4, 5, 6})});
  const QueryId moving = *world_->MakeQuery(QuerySpec().Read(position_).Read(velocity_));
  const Component<Health> late =
      *world_->Register(Describe<Health>("late").Field("", &Health::value));
  EXPECT_FALSE(*world_->Has(entity, late.id()));
  ASSERT_TRUE(world_->Add(entity, {ComponentValue(late, Health{80})}).ok());
  EXPECT_EQ((*world_->Get(entity, late))->value, 80);
  EXPECT_EQ((*world_->Get(entity, position_))->y, 2);
  EXPECT_EQ(*world_->CountRows(moving), 1u) << "the new archetype matches the old query";
  EXPECT_EQ(*world_->CountRows(*world_->MakeQuery(QuerySpec().Read(late))), 1u);
}

TEST_F(LimitsTest, NoComponentComesInsideAScope) {
  const auto scope = world_->OpenScope(*world_->MakeQuery(QuerySpec().Read(position_)));
  EXPECT_REFUSED(world_->Register(Describe<Health>("late").Field("", &Health::value)).status(),
                 kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->FindComponent("late").status(), kInvalidArgument, kComponentUnknown);
}

}  // namespace
}  // namespace ashlar
