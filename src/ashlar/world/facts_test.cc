// The facts of the contract, with their literal numbers, on the public API.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

using Facts = WorldFixture;

// Makes entities 0..count-1 and destroys those that are not wanted, so that ids can be chosen.
class FactsWithIds : public WorldFixture {
 protected:
  Entity PV(const Position& p, const Velocity& v) { return *world_->Create({P(p), V(v)}); }
};

TEST_F(Facts, MasksSelectSignatures) {
  const Entity p = *world_->Create({P({})});                   // 1
  const Entity pv = *world_->Create({P({}), V({})});           // 3
  const Entity pvh = *world_->Create({P({}), V({}), H({1})});  // 7
  const Entity pvd = *world_->Create({P({}), V({}), D()});     // 11
  QuerySpec spec;
  spec.Read(position_).Read(velocity_).None(disabled_);
  const QueryId query = *world_->MakeQuery(spec);
  EXPECT_EQ(Rows(query), (std::vector<Entity>{pv, pvh}));
  EXPECT_EQ(*world_->Has(p, velocity_.id()), false);
  EXPECT_EQ(*world_->Has(pvd, disabled_.id()), true);
}

TEST_F(Facts, The123rdEntityOpensASecondChunkThatAnOlderQuerySees) {
  QuerySpec spec;
  spec.Read(position_).Read(velocity_);
  const QueryId query = *world_->MakeQuery(spec);
  for (int i = 0; i < 122; ++i) ASSERT_TRUE(world_->Create({P({}), V({})}).ok());
  const auto chunks = [&] {
    auto scope = world_->OpenScope(query);
    return std::distance(scope->begin(), scope->end());
  };
  EXPECT_EQ(chunks(), 1);
  const Entity entity = *world_->Create({P({}), V({})});
  EXPECT_EQ(chunks(), 2);
  EXPECT_EQ(Rows(query).size(), 123u);
  EXPECT_EQ(world_->Locate(entity)->chunk, ChunkIndex(1));
  EXPECT_EQ(world_->Locate(entity)->row, RowIndex(0));
}

TEST_F(Facts, AnOlderQuerySeesANewArchetype) {
  QuerySpec spec;
  spec.Read(position_);
  const QueryId query = *world_->MakeQuery(spec);
  const Entity a = *world_->Create({P({})});
  const Entity b = *world_->Create({P({}), H({5})});
  EXPECT_EQ(Rows(query), (std::vector<Entity>{a, b}));
}

TEST_F(Facts, RowsOfPositionLie12BytesApartFrom1088) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(world_->Create({P({}), V({})}).ok());
  }
  QuerySpec spec;
  spec.Read(position_).Read(velocity_);
  auto scope = *world_->OpenScope(*world_->MakeQuery(spec));
  const ChunkView view = *scope.begin();
  const auto* base = reinterpret_cast<const std::byte*>(view.entities().data()) - 64;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(base) % 64, 0u);
  const auto* first = view.ReadBytes(position_.id());
  EXPECT_EQ(first, base + 1088);
  EXPECT_EQ(reinterpret_cast<const std::byte*>(&view.Read(position_)[1]), base + 1088 + 12);
  EXPECT_EQ(reinterpret_cast<const std::byte*>(&view.Read(position_)[2]), base + 1088 + 24);
  EXPECT_EQ(view.ReadBytes(velocity_.id()), base + 2560);
}

TEST_F(FactsWithIds, AStructuralMoveFillsTheHoleFromTheLastRow) {
  // Ten ids, of which 4, 7 and 9 end up in rows 0, 1, 2 of one archetype.
  std::vector<Entity> all;
  for (int i = 0; i < 10; ++i) all.push_back(*world_->Create());
  const Entity e4 = all[4], e7 = all[7], e9 = all[9];
  ASSERT_TRUE(world_->Add(e4, {P({1, 2, 3}), V({2, -4, 6})}).ok());
  ASSERT_TRUE(world_->Add(e7, {P({70, 71, 72}), V({73, 74, 75})}).ok());
  ASSERT_TRUE(world_->Add(e9, {P({90, 91, 92}), V({93, 94, 95})}).ok());
  QuerySpec spec;
  spec.Read(position_).Read(velocity_).None(health_);
  const QueryId query = *world_->MakeQuery(spec);
  ASSERT_EQ(Rows(query), (std::vector<Entity>{e4, e7, e9}));
  const Position* kept = *world_->Get(e4, position_);

  ASSERT_TRUE(world_->Add(e4, {H({80})}).ok());
  EXPECT_EQ(Rows(query), (std::vector<Entity>{e9, e7}));
  EXPECT_EQ(world_->Locate(e9)->row, RowIndex(0));
  EXPECT_EQ(world_->Locate(e7)->row, RowIndex(1));
  EXPECT_EQ(**world_->Get(e4, position_), (Position{1, 2, 3}));
  EXPECT_EQ(**world_->Get(e4, velocity_), (Velocity{2, -4, 6}));
  EXPECT_EQ((*world_->Get(e4, health_))->value, 80);
  EXPECT_EQ(**world_->Get(e9, velocity_), (Velocity{93, 94, 95}));
  // A pointer kept from before now reads the position of 9: references die with a structural
  // change.
  EXPECT_EQ(kept, *world_->Get(e9, position_));
  EXPECT_EQ(*kept, (Position{90, 91, 92}));
}

TEST_F(FactsWithIds, RemovingTheLastRowFillsNothing) {
  const Entity a = PV({1, 1, 1}, {});
  const Entity b = PV({2, 2, 2}, {});
  ASSERT_TRUE(world_->Destroy(b).ok());
  EXPECT_EQ(world_->Locate(a)->row, RowIndex(0));
  EXPECT_EQ(**world_->Get(a, position_), (Position{1, 1, 1}));
  EXPECT_EQ(world_->entity_count(), 1u);
}

TEST_F(FactsWithIds, HealthOutsideInt32IsRefusedBeforeAnythingMoves) {
  const Entity a = PV({1, 1, 1}, {});
  PV({2, 2, 2}, {});
  const std::uint64_t version = world_->version();
  for (const Scalar& value : {Scalar::Int(4294967296), Scalar::Int(2147483648),
                              Scalar::Int(-2147483649), Scalar::Uint(~std::uint64_t{0})}) {
    EXPECT_REFUSED(world_->Add(a, {ComponentValue(health_.id(), std::span(&value, 1))}),
                   kInvalidArgument, kValueDoesNotFit);
  }
  EXPECT_EQ(world_->Locate(a)->row, RowIndex(0));
  EXPECT_EQ(world_->version(), version);
  for (std::int64_t value : {std::int64_t{2147483647}, std::int64_t{-2147483648}}) {
    const Scalar scalar = Scalar::Int(value);
    ASSERT_TRUE(world_->Put(a, {ComponentValue(health_.id(), std::span(&scalar, 1))}).ok());
    EXPECT_EQ((*world_->Get(a, health_))->value, value);
  }
}

// 160 entities, 300 random additions and removals of health, compared after every step with a map.
TEST_F(FactsWithIds, HundredAndSixtyEntitiesThreeHundredChanges) {
  std::map<std::uint64_t, std::pair<Position, std::optional<std::int32_t>>> expected;
  std::vector<Entity> all;
  for (int i = 0; i < 160; ++i) {
    const Position position{static_cast<float>(i), 0.5f, -1.0f};
    all.push_back(PV(position, {1, 2, 3}));
    expected[all.back().ToBits()] = {position, std::nullopt};
  }
  std::mt19937 random(20261023);
  for (std::int32_t step = 0; step < 300; ++step) {
    const Entity entity = all[random() % all.size()];
    auto& [position, health] = expected[entity.ToBits()];
    if (health.has_value()) {
      ASSERT_TRUE(world_->Remove(entity, {health_.id()}).ok());
      health.reset();
    } else {
      ASSERT_TRUE(world_->Add(entity, {H({step})}).ok());
      health = step;
    }
    for (const Entity each : all) {
      const auto& [wanted, wanted_health] = expected[each.ToBits()];
      ASSERT_EQ(**world_->Get(each, position_), wanted);
      const Health* found = world_->TryGet(each, health_);
      ASSERT_EQ(found != nullptr, wanted_health.has_value());
      if (found != nullptr) {
        ASSERT_EQ(found->value, *wanted_health);
      }
    }
  }
}

}  // namespace
}  // namespace ashlar
