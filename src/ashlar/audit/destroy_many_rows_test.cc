// DestroyMany over random lists: rows, versions, values, enable bits and objects against a slow
// reference, and the outcome against so many calls of Destroy.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ashlar/audit/destroy_many_fixture.h"
#include "ashlar/audit/digest.h"
#include "ashlar/core/draw_testing.h"

namespace ashlar {
namespace {

struct Shield {
  std::int32_t strength;
};

class DestroyManyRowsTest : public DestroyManyTest {
 protected:
  void ResetWithObjects(std::uint32_t rows_max) {
    world_.reset();
    WorldOptions options;
    options.rows_per_chunk_max = rows_max;
    Reset(options);
    plain_ = *world_->Register(DescribeWatched<Plain>("plain"));
    shield_ = *world_->Register(
        Describe<Shield>("shield").Field("strength", &Shield::strength).Enableable());
    split_ = *world_->Register(Describe<Velocity>("split")
                                   .Field("x", &Velocity::x)
                                   .Field("y", &Velocity::y)
                                   .Field("z", &Velocity::z)
                                   .Split());
  }

  Component<Shield> shield_;
  Component<Velocity> split_;
};

// Values, enable bits and objects of what is left, at every number of rows a chunk.
TEST_F(DestroyManyRowsTest, RandomListsFollowTheRule) {
  for (const std::uint32_t rows_max : {1u, 2u, 4u, 0u}) {
    ResetWithObjects(rows_max);
    Draw dice(rows_max + 1);
    std::vector<Entity> alive;
    std::map<Entity, std::int32_t> values;
    std::map<Entity, bool> bits;
    std::int32_t next = 0;
    const std::size_t population = rows_max == 0 ? 900 : 40;
    for (int round = 0; round < (rows_max == 0 ? 12 : 80); ++round) {
      while (alive.size() < population) {
        const auto f = static_cast<float>(next);
        Entity entity;
        switch (dice.Below(3)) {
          case 0:
            entity = *world_->Create({H({next}), P({f, f, f})});
            break;
          case 1:
            entity = *world_->Create({H({next}), {shield_, Shield{next}}, {split_, {f, -f, f}}});
            bits[entity] = dice.Below(2) == 0;
            ASSERT_TRUE(world_->SetEnabled(entity, shield_, bits[entity]).ok());
            break;
          default:
            entity = *world_->Create({H({next}), ComponentValue(plain_, Plain(next))});
        }
        values[entity] = next++;
        alive.push_back(entity);
      }
      // A few, or most, in any order.
      const std::uint32_t share = 1 + dice.Below(10);
      std::vector<Entity> list;
      std::vector<Entity> kept;
      for (const Entity entity : alive) (dice.Below(10) < share ? list : kept).push_back(entity);
      for (std::size_t i = list.size(); i > 1; --i) {
        std::swap(list[i - 1], list[dice.Below(static_cast<std::uint32_t>(i))]);
      }
      DestroyAndCompare(list);
      if (HasFatalFailure()) return;
      alive = kept;
      int objects = 0;
      for (const Entity entity : alive) {
        const std::int32_t value = values[entity];
        const auto f = static_cast<float>(value);
        ASSERT_EQ((*world_->Get(entity, health_))->value, value);
        if (*world_->Has(entity, position_.id())) {
          ASSERT_EQ(**world_->Get(entity, position_), (Position{f, f, f}));
        } else if (*world_->Has(entity, shield_.id())) {
          ASSERT_EQ((*world_->Get(entity, shield_))->strength, value);
          ASSERT_EQ(*world_->IsEnabled(entity, shield_.id()), bits[entity]);
          ASSERT_EQ(*world_->Load(entity, split_), (Velocity{f, -f, f}));
        } else {
          ASSERT_EQ(ValueOf(entity), value);
          ++objects;
        }
      }
      ASSERT_EQ(Plain::live, objects);
    }
  }
}

// As so many calls of Destroy in that order, but for the places of rows.
TEST_F(DestroyManyRowsTest, IsLogicallyOneAfterTheOther) {
  Draw dice(9);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::uint64_t> digests;
    std::vector<Entity> list;
    for (const bool many : {false, true}) {
      world_.reset();
      Reset({});
      std::vector<Entity> e;
      for (int i = 0; i < 300; ++i) {
        e.push_back(i % 3 == 0 ? *world_->Create({H({i})}) : *world_->Create({H({i}), D()}));
      }
      if (!many) {
        list.clear();
        for (const Entity entity : e) {
          if (dice.Below(3) == 0)
            list.insert(list.begin() + dice.Below(static_cast<std::uint32_t>(list.size()) + 1),
                        entity);
        }
        for (const Entity entity : list) ASSERT_TRUE(world_->Destroy(entity).ok());
      } else {
        ASSERT_TRUE(world_->DestroyMany(list).ok());
      }
      digests.push_back(Digest(*world_));
      for (int i = 0; i < 150; ++i) ASSERT_TRUE(world_->Create({H({i})}).ok());
      digests.push_back(Digest(*world_));
    }
    ASSERT_EQ(digests[0], digests[2]);
    ASSERT_EQ(digests[1], digests[3]) << "the ids that come next";
  }
}

}  // namespace
}  // namespace ashlar
