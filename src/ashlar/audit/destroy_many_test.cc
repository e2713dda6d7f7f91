// DestroyMany ends all or none. Here and not beside World, because every call is held against the
// integrity check.
#include <gtest/gtest.h>

#include <functional>
#include <memory_resource>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "ashlar/audit/destroy_many_fixture.h"
#include "ashlar/audit/digest.h"

namespace ashlar {
namespace {

// Says, when it ends, what it was told to.
struct LastWord {
  static inline std::function<void(int)> on_end;
  int value;
  explicit LastWord(int v) : value(v) {}
  LastWord(const LastWord&) = default;
  LastWord(LastWord&& other) noexcept : value(std::exchange(other.value, -1)) {}
  ~LastWord() {
    if (value >= 0 && on_end) on_end(value);
  }
};

// The heap, until it is told to refuse.
class RefusingMemory : public std::pmr::memory_resource {
 public:
  bool refuses = false;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (refuses) throw std::bad_alloc();
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST_F(DestroyManyTest, TheFirstHoleTakesTheFirstRowBehind) {
  std::vector<Entity> e;
  for (int i = 0; i < 8; ++i) e.push_back(*world_->Create({H({i})}));
  const Archetype& archetype = world_->archetypes()[world_->Locate(e[0])->archetype];
  ASSERT_EQ(archetype.chunk_count(), 4u) << "two rows a chunk";
  const std::vector<Entity> list = {e[5], e[1], e[3]};
  DestroyAndCompare(list);
  EXPECT_EQ(RowsOf(archetype), (std::vector<Entity>{e[0], e[6], e[2], e[7], e[4]}));
  EXPECT_EQ(archetype.chunk_count(), 3u);
  for (const int i : {0, 2, 4, 6, 7}) EXPECT_EQ((*world_->Get(e[i], health_))->value, i);
  // Freed in the order of the list: the last of it comes first.
  EXPECT_EQ(*world_->Create(), Entity(3, 2));
  EXPECT_EQ(*world_->Create(), Entity(1, 2));
  EXPECT_EQ(*world_->Create(), Entity(5, 2));
  EXPECT_EQ(*world_->Create(), Entity(8, 1));
}

TEST_F(DestroyManyTest, OneIsAsDestroyAndNoneIsNothing) {
  for (int victim = 0; victim < 5; ++victim) {
    WorldOptions options;
    options.rows_per_chunk_max = 2;
    std::vector<std::vector<Entity>> rows;
    std::vector<std::uint64_t> digests;
    for (const bool many : {false, true}) {
      world_.reset();
      Reset(options);
      std::vector<Entity> e;
      for (int i = 0; i < 5; ++i) e.push_back(*world_->Create({H({i})}));
      const std::vector<Entity> list = {e[victim]};
      if (many) {
        DestroyAndCompare(list);
      } else {
        ASSERT_TRUE(world_->Destroy(e[victim]).ok());
      }
      rows.push_back(RowsOf(*world_->archetypes().numbered()[0]));
      digests.push_back(Digest(*world_));
      DestroyAndCompare({});
    }
    EXPECT_EQ(rows[0], rows[1]);
    EXPECT_EQ(digests[0], digests[1]);
  }
}

TEST_F(DestroyManyTest, AllOfThem) {
  std::vector<Entity> e;
  for (int i = 0; i < 7; ++i) e.push_back(*world_->Create({H({i})}));
  e.push_back(*world_->Create());
  DestroyAndCompare(e);
  EXPECT_EQ(world_->entity_count(), 0u);
  EXPECT_EQ(world_->chunk_pool().handed_out_count(), 0u);
}

TEST_F(DestroyManyTest, RefusedCallsChangeNothing) {
  const Entity a = *world_->Create({H({1})});
  const Entity b = *world_->Create({H({2})});
  const Entity dead = *world_->Create({H({3})});
  ASSERT_TRUE(world_->Destroy(dead).ok());
  const std::uint64_t digest = Digest(*world_);
  const std::uint64_t version = world_->version();
  const auto refused = [this](std::vector<Entity> list) { return world_->DestroyMany(list); };

  EXPECT_REFUSED(refused({a, dead}), kNotFound, kEntityNotAlive);
  EXPECT_EQ(refused({a, dead}).message(),
            "DestroyMany: entity 2v1 is not alive: destroyed, or never issued by this world");
  EXPECT_REFUSED(refused({a, Entity()}), kNotFound, kEntityNotAlive);
  EXPECT_REFUSED(refused({Entity(77, 1)}), kNotFound, kEntityNotAlive);
  EXPECT_REFUSED(refused({b, a, b}), kInvalidArgument, kEntityRepeated);
  EXPECT_EQ(refused({b, a, b}).message(), "DestroyMany: entity 1v1 is named twice; name it once");
  // Left to right, whatever the kind.
  EXPECT_REFUSED(refused({b, b, dead}), kInvalidArgument, kEntityRepeated);
  EXPECT_REFUSED(refused({dead, b, b}), kNotFound, kEntityNotAlive);
  {
    const auto scope = *world_->OpenScope(*world_->MakeQuery(QuerySpec()));
    EXPECT_REFUSED(refused({dead}), kFailedPrecondition, kScopeOpen);
    EXPECT_REFUSED(refused({}), kFailedPrecondition, kScopeOpen);
  }
  CheckWorld();
  EXPECT_EQ(Digest(*world_), digest);
  EXPECT_EQ(world_->version(), version);
  EXPECT_EQ((*world_->Get(b, health_))->value, 2);
  ASSERT_TRUE(refused({b, a}).ok());
  CheckWorld();
}

TEST_F(DestroyManyTest, NeedsNoMemory) {
  RefusingMemory memory;
  WorldOptions options;
  options.memory = &memory;
  Reset(options);
  std::vector<Entity> e;
  for (int i = 0; i < 1000; ++i) e.push_back(*world_->Create({H({i})}));
  memory.refuses = true;
  EXPECT_FALSE(world_->Create({D()}).ok());
  ASSERT_TRUE(world_->DestroyMany(std::span(e).subspan(100, 800)).ok());
  memory.refuses = false;
  CheckWorld();
  EXPECT_EQ(world_->entity_count(), 200u);
  world_.reset();
}

// The id column itself: spans of it are old once their scope has ended, but nobody is hurt.
TEST_F(DestroyManyTest, TheListMayLieInTheWorld) {
  std::vector<Entity> e;
  for (int i = 0; i < 2; ++i) e.push_back(*world_->Create({H({i})}));
  const Archetype& archetype = *world_->archetypes().numbered()[0];
  const std::span<const Entity> rows(archetype.EntitiesIn(archetype.ChunkBase(ChunkIndex(0))), 2);
  ASSERT_TRUE(world_->DestroyMany(rows).ok());
  EXPECT_EQ(world_->entity_count(), 0u);
  CheckWorld();
}

TEST_F(DestroyManyTest, GenerationsThatAreUsedUpAreRetired) {
  const Entity a = *world_->Create({H({1})});
  const Entity b = *world_->Create({H({2})});
  const Entity last = *world_->PlaceGeneration(a, kGenerationLast);
  DestroyAndCompare({last, b});
  EXPECT_EQ(*world_->Create(), Entity(1, 2));
  EXPECT_EQ(*world_->Create(), Entity(2, 1));
}

TEST_F(DestroyManyTest, ObjectsEndOnceAndMayReadOthers) {
  const auto word = *world_->Register(Describe<LastWord>("word"));
  std::vector<Entity> e;
  for (int i = 0; i < 7; ++i) {
    e.push_back(*world_->Create({H({i}), ComponentValue(word, LastWord(i))}));
  }
  const Entity other = *world_->Create({H({80})});
  std::vector<int> ended;
  LastWord::on_end = [&](int value) {
    ended.push_back(value);
    EXPECT_FALSE(world_->IsAlive(e[value]));
    EXPECT_EQ((*world_->Get(other, health_))->value, 80);
    EXPECT_EQ((*world_->Get(e[6], health_))->value, 6);
    EXPECT_EQ(ReasonOf(world_->Destroy(other)), Reason::kScopeOpen);
    EXPECT_EQ(ReasonOf(world_->DestroyMany({})), Reason::kScopeOpen);
  };
  const std::vector<Entity> list = {e[4], e[0], e[3]};
  ASSERT_TRUE(world_->DestroyMany(list).ok());
  LastWord::on_end = nullptr;
  EXPECT_EQ(ended, (std::vector<int>{0, 3, 4})) << "in the order of rows";
  for (const int i : {1, 2, 5, 6}) EXPECT_EQ((*world_->Get(e[i], word))->value, i);
  CheckWorld();
}

}  // namespace
}  // namespace ashlar
