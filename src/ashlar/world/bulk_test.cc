// Many entities at once equal as many calls, one after the other, or nothing happens.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class BulkTest : public WorldFixture {
 protected:
  // A world of the same components in which everything is done one by one.
  std::unique_ptr<World> Twin(const WorldOptions& options) {
    auto twin = *World::Make(options);
    for (std::size_t i = 0; i < world_->registry().size(); ++i) {
      EXPECT_TRUE(
          twin->Register(world_->registry()[ComponentId(static_cast<ComponentId::Rep>(i))]).ok());
    }
    return twin;
  }
  // Ids with their locations, in the order of rows.
  static std::vector<std::pair<Entity, Location>> Placed(World& world) {
    std::vector<std::pair<Entity, Location>> placed;
    const auto scope = *world.OpenScope(*world.MakeQuery(QuerySpec()));
    for (const ChunkView& view : scope) {
      for (Entity entity : view.entities()) placed.emplace_back(entity, *world.Locate(entity));
    }
    return placed;
  }
  std::vector<Position> Positions(std::size_t count) {
    std::vector<Position> positions;
    for (std::size_t i = 0; i < count; ++i) {
      positions.push_back({static_cast<float>(i), 0.5f, -static_cast<float>(i)});
    }
    return positions;
  }
};

// Over free slots, a half-full chunk and several fresh ones.
TEST_F(BulkTest, CreateManyGivesTheRowsOfSoManyCreates) {
  for (std::uint32_t rows_max : {0u, 1u, 2u, 4u}) {
    WorldOptions options;
    options.rows_per_chunk_max = rows_max;
    Reset(options);
    const auto twin = Twin(options);
    for (World* world : {world_.get(), twin.get()}) {
      std::vector<Entity> made;
      for (int i = 0; i < 7; ++i) made.push_back(*world->Create({P({9, 9, 9}), H({i})}));
      for (int i : {1, 5, 3}) EXPECT_TRUE(world->Destroy(made[static_cast<std::size_t>(i)]).ok());
    }
    const std::vector<Position> positions = Positions(300);
    std::vector<Entity> ids(300);
    const std::uint64_t version = world_->version();
    ASSERT_TRUE(world_
                    ->CreateMany(ids, {ComponentSpan(position_, positions),
                                       ComponentSpan(disabled_), ComponentSpan::Same(H({80}))})
                    .ok());
    EXPECT_EQ(world_->version(), version + 1);
    std::vector<Entity> expected;
    for (const Position& position : positions) {
      expected.push_back(*twin->Create({P(position), D(), H({80})}));
    }
    EXPECT_EQ(ids, expected);
    EXPECT_EQ(Placed(*world_), Placed(*twin));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      EXPECT_EQ(**world_->Get(ids[i], position_), positions[i]);
      EXPECT_EQ((*world_->Get(ids[i], health_))->value, 80);
    }
  }
}

TEST_F(BulkTest, ValuesMayLieApart) {
  struct Record {
    Position position;
    std::int32_t health;
    std::int32_t other;
  };
  const std::vector<Record> records = {{{1, 2, 3}, 4, 0}, {{5, 6, 7}, 8, 0}, {{9, 10, 11}, 12, 0}};
  std::vector<Entity> ids(3);
  ASSERT_TRUE(
      world_
          ->CreateMany(ids, {ComponentSpan(position_.id(), &records[0].position, 3, sizeof(Record)),
                             ComponentSpan(health_.id(), &records[0].health, 3, sizeof(Record))})
          .ok());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(**world_->Get(ids[i], position_), records[i].position);
    EXPECT_EQ((*world_->Get(ids[i], health_))->value, records[i].health);
  }
}

TEST_F(BulkTest, ZerosAndNothingAtAll) {
  std::vector<Entity> ids(2);
  ASSERT_TRUE(world_->CreateMany(ids, {ComponentSpan(health_)}).ok());
  EXPECT_EQ((*world_->Get(ids[1], health_))->value, 0);
  const std::uint64_t version = world_->version();
  ASSERT_TRUE(world_->CreateMany({}, {ComponentSpan(health_)}).ok());
  EXPECT_EQ(world_->version(), version);
  ASSERT_TRUE(world_->CreateMany(ids, std::initializer_list<ComponentSpan>{}).ok());
  EXPECT_EQ(world_->entity_count(), 4u);
}

TEST_F(BulkTest, RefusedCallsChangeNothing) {
  WorldOptions options;
  options.entity_index_limit = 5;
  Reset(options);
  TypeSpec at_least_one;
  ASSERT_FALSE(ParseType("i32 in [1,100]", &at_least_one).has_value());
  const auto level = *world_->Register(*ComponentDescriptor::FromSpec("level", at_least_one));
  const Entity first = *world_->Create();
  std::vector<Entity> ids(4, first);
  const std::vector<Position> three = Positions(3);
  const std::int32_t levels[4] = {1, 2, 0, 3};
  EXPECT_REFUSED(world_->CreateMany(ids, {ComponentSpan(ComponentId(99))}), kInvalidArgument,
                 kComponentUnknown);
  EXPECT_REFUSED(world_->CreateMany(ids, {ComponentSpan(health_), ComponentSpan(health_)}),
                 kInvalidArgument, kComponentRepeated);
  EXPECT_REFUSED(world_->CreateMany(ids, {ComponentSpan(position_, three)}), kInvalidArgument,
                 kValueCountMismatch);
  EXPECT_REFUSED(world_->CreateMany(ids, {ComponentSpan(Component<Position>(health_.id()))}),
                 kInvalidArgument, kComponentTypeMismatch);
  EXPECT_REFUSED(world_->CreateMany(ids, {ComponentSpan(health_.id(), nullptr, 4)}),
                 kInvalidArgument, kValueDoesNotFit);
  const absl::Status refused = world_->CreateMany(ids, {ComponentSpan(level, levels, 4)});
  EXPECT_REFUSED(refused, kInvalidArgument, kValueRefused);
  EXPECT_NE(refused.message().find("entity 2"), absl::string_view::npos) << refused;
  {
    const auto scope = *world_->OpenScope(*world_->MakeQuery(QuerySpec()));
    EXPECT_REFUSED(world_->CreateMany(ids, {ComponentSpan(health_)}), kFailedPrecondition,
                   kScopeOpen);
    EXPECT_REFUSED(world_->DestroyAll(), kFailedPrecondition, kScopeOpen);
  }
  std::vector<Entity> five(5);
  EXPECT_REFUSED(world_->CreateMany(five, {ComponentSpan(health_)}), kResourceExhausted,
                 kIdsExhausted);
  EXPECT_EQ(world_->entity_count(), 1u);
  EXPECT_EQ(world_->version(), 2u);
  EXPECT_EQ(ids, std::vector<Entity>(4, first)) << "ids are written by a call that succeeds";
  ASSERT_TRUE(world_->CreateMany(ids, {ComponentSpan(health_)}).ok());
  EXPECT_EQ(ids[3], Entity(4, 1));
}

TEST_F(BulkTest, DestroyAllFreesTheLowestIndexLast) {
  std::vector<Entity> made;
  for (int i = 0; i < 5; ++i) made.push_back(*world_->Create({H({i})}));
  made.push_back(*world_->Create({P({})}));
  ASSERT_TRUE(world_->Destroy(made[2]).ok());
  const Entity last = *world_->PlaceGeneration(made[4], kGenerationLast);
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(health_));
  const std::uint64_t version = world_->version();
  ASSERT_TRUE(world_->DestroyAll().ok());
  EXPECT_EQ(world_->version(), version + 1);
  EXPECT_EQ(world_->entity_count(), 0u);
  EXPECT_EQ(Rows(query), std::vector<Entity>());
  for (Entity entity : made) EXPECT_FALSE(world_->IsAlive(entity));
  EXPECT_FALSE(world_->IsAlive(last));
  ASSERT_TRUE(world_->DestroyAll().ok());
  EXPECT_EQ(world_->version(), version + 1) << "nothing was there";
  std::vector<Entity> again;
  for (int i = 0; i < 6; ++i) again.push_back(*world_->Create({H({i})}));
  // The slot of generation 2^32-1 is retired; the third one had been free already.
  EXPECT_EQ(again, (std::vector<Entity>{Entity(0, 2), Entity(1, 2), Entity(3, 2), Entity(5, 2),
                                        Entity(2, 2), Entity(6, 1)}));
  EXPECT_EQ(Rows(query), again);
}

}  // namespace
}  // namespace ashlar
