// A world's memory: what is accounted for what, the limit exact to the byte, and Trim.
#include <gtest/gtest.h>

#include <initializer_list>
#include <memory_resource>
#include <new>
#include <string>
#include <vector>

#include "ashlar/core/slab_memory.h"
#include "ashlar/world/world_errors.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

constexpr std::size_t kPageBytes = 1024 * 16;      // Of the directory.
constexpr std::size_t kStrideBytes = 4096 + 64;    // A chunk and the gap behind it.
constexpr std::size_t kLastRowOfFirstPage = 1024;  // Entities that the first page has room for.

class MemoryTest : public WorldFixture {
 protected:
  void CreateMany(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      entities_.push_back(*world_->Create({P({1, 2, 3}), V({4, 5, 6})}));
    }
  }
  void DestroyAll() {
    for (Entity entity : entities_) ASSERT_TRUE(world_->Destroy(entity).ok());
    entities_.clear();
  }
  void ResetWithLimit(std::size_t limit_bytes) {
    entities_.clear();
    WorldOptions options;
    options.memory_limit_bytes = limit_bytes;
    Reset(options);
  }

  std::vector<Entity> entities_;
};

TEST_F(MemoryTest, AnEmptyWorldHoldsItsComponentsAlone) {
  const MemoryUsage usage = world_->memory_usage();
  EXPECT_GT(usage.components, 0u);
  EXPECT_EQ(usage.total(), usage.components);
  EXPECT_EQ(usage.limit, 0u);
  EXPECT_GE(usage.peak, usage.total());
  const auto bare = *World::Make();
  EXPECT_EQ(bare->memory_usage().total(), 0u);
}

TEST_F(MemoryTest, EachPurposeIsAccountedByItself) {
  const MemoryUsage before = world_->memory_usage();
  ASSERT_TRUE(world_->MakeQuery(QuerySpec().Read(position_)).ok());
  const MemoryUsage queried = world_->memory_usage();
  EXPECT_GT(queried.queries, before.queries);
  EXPECT_EQ(queried.total() - before.total(), queried.queries);
  CreateMany(1);
  const MemoryUsage created = world_->memory_usage();
  EXPECT_EQ(created.components, before.components);
  EXPECT_GT(created.archetypes, 0u);
  // A slab of four chunks; four entries in the pool's list of free chunks, four in that of slabs.
  EXPECT_EQ(created.chunks, 4 * kStrideBytes + 4 * 8 + 4 * 24);
  EXPECT_EQ(created.directory, kPageBytes + 4 * 8);
  EXPECT_EQ(created.scratch, 0u);
}

TEST_F(MemoryTest, ValuesUnderWayAreAccountedAsScratch) {
  // A validator looks at the account while its value lies there.
  static const World* watched = nullptr;
  static std::size_t seen = 0;
  TypeSpec spec;
  ASSERT_FALSE(ParseType("u8[600]", &spec).has_value());
  const auto layout = *ComponentDescriptor::FromSpec("wide", spec);
  const Validator watch{[](const void*, const void*) noexcept {
                          seen = watched->memory_usage().scratch;
                          return true;
                        },
                        nullptr, "anything"};
  const auto wide = *world_->Register(
      *ComponentDescriptor::FromFields("wide", 600, 1, layout.fields(), nullptr, watch));
  watched = world_.get();
  const Entity entity = *world_->Create({ComponentValue(wide)});
  ASSERT_TRUE(world_->SetField(entity, wide, "[3]", Scalar::Int(7)).ok());
  EXPECT_EQ(seen, 1200u) << "the value, and the copy that is checked";
  EXPECT_EQ(world_->memory_usage().scratch, 0u);
}

// The second page of the directory is the only thing that the 1025th entity needs: k = 16384.
TEST_F(MemoryTest, TheLimitIsExactToTheByte) {
  CreateMany(kLastRowOfFirstPage);
  const std::size_t in_use = world_->memory_usage().total();

  ResetWithLimit(in_use + kPageBytes);
  CreateMany(kLastRowOfFirstPage);
  ASSERT_EQ(world_->memory_usage().total(), in_use);
  const auto passed = world_->Create({P({}), V({})});
  ASSERT_TRUE(passed.ok()) << passed.status();
  EXPECT_EQ(*passed, Entity(1024, 1));
  EXPECT_EQ(world_->memory_usage().total(), in_use + kPageBytes);
  EXPECT_EQ(world_->memory_usage().peak, in_use + kPageBytes);

  ResetWithLimit(in_use + kPageBytes - 1);
  CreateMany(kLastRowOfFirstPage);
  const MemoryUsage before = world_->memory_usage();
  const std::uint64_t version = world_->version();
  for (int i = 0; i < 2; ++i) {
    const auto refused = world_->Create({P({}), V({})});
    EXPECT_REFUSED(refused, kResourceExhausted, kMemoryLimit);
    const std::string message(refused.status().message());
    EXPECT_EQ(message, "Create: 16384 bytes are wanted and " + std::to_string(in_use) + " of " +
                           std::to_string(in_use + kPageBytes - 1) +
                           " are in use; destroy entities and Trim, or raise memory_limit_bytes");
    const MemoryUsage after = world_->memory_usage();
    EXPECT_EQ(after.total(), before.total());
    EXPECT_EQ(after.peak, before.peak);
    EXPECT_EQ(world_->entity_count(), kLastRowOfFirstPage);
    EXPECT_EQ(world_->version(), version);
  }
  // An id that comes back needs no page.
  ASSERT_TRUE(world_->Destroy(entities_[5]).ok());
  EXPECT_EQ(*world_->Create({P({}), V({})}), Entity(5, 2));
}

TEST_F(MemoryTest, EveryKindOfCallIsRefusedForTheLimit) {
  // No room beyond the components: the registry's own growth, archetypes, queries, chunks.
  const std::size_t components = world_->memory_usage().peak;
  ResetWithLimit(components);
  EXPECT_REFUSED(world_->Create(), kResourceExhausted, kMemoryLimit);
  EXPECT_REFUSED(world_->Create({P({})}), kResourceExhausted, kMemoryLimit);
  EXPECT_REFUSED(world_->MakeQuery(QuerySpec().Read(position_)), kResourceExhausted, kMemoryLimit);
  EXPECT_REFUSED(world_->Register(Describe<Health>("another_health").Field("", &Health::value)),
                 kResourceExhausted, kMemoryLimit);
  EXPECT_REFUSED(world_->FindComponent("another_health"), kInvalidArgument, kComponentUnknown);
  EXPECT_EQ(world_->entity_count(), 0u);
  EXPECT_EQ(world_->version(), 1u);

  // Room for one archetype and what belongs to it, none for a second one. Create takes the
  // temporary lists of a layout too, which are gone again: an archetype's own bytes are more.
  ResetWithLimit(0);
  CreateMany(1);
  const std::size_t limit = world_->memory_usage().total() + 256;
  ResetWithLimit(limit);
  CreateMany(1);
  const Entity entity = entities_[0];
  const Location location = *world_->Locate(entity);
  EXPECT_REFUSED(world_->Add(entity, {H({1})}), kResourceExhausted, kMemoryLimit);
  EXPECT_REFUSED(world_->Add(entity, {H({1}), D()}), kResourceExhausted, kMemoryLimit);
  EXPECT_REFUSED(world_->Remove(entity, {position_.id()}), kResourceExhausted, kMemoryLimit);
  EXPECT_REFUSED(world_->Exchange(entity, {position_.id()}, {H({1})}), kResourceExhausted,
                 kMemoryLimit);
  EXPECT_REFUSED(world_->Put(entity, {H({1})}), kResourceExhausted, kMemoryLimit);
  EXPECT_EQ(*world_->Locate(entity), location);
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
  EXPECT_FALSE(*world_->Has(entity, health_.id()));
  EXPECT_LE(world_->memory_usage().peak, limit);
  EXPECT_TRUE(world_->Set(entity, {P({7, 8, 9})}).ok()) << "writing needs no memory";
  EXPECT_TRUE(world_->Destroy(entity).ok()) << "and neither does destroying";
}

TEST_F(MemoryTest, AFailureOfTheResourceIsNotTheLimits) {
  WorldOptions options;
  options.memory = std::pmr::null_memory_resource();
  options.memory_limit_bytes = 1'000'000;
  const auto world = *World::Make(options);
  const auto status = world->Create().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ReasonOf(status), Reason::kNone);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(world->memory_usage().total(), 0u);
}

template <typename Exception>
absl::Status CaughtIn(const Exception& exception) try {
  throw exception;
} catch (...) {
  return world_errors::Caught("Add");
}

TEST(Caught, TellsTheLimitFromOtherFailuresAndWhatTheUserThrew) {
  const absl::Status limit = CaughtIn(MemoryLimitReached(4160, 1000, 5000));
  EXPECT_REFUSED(limit, kResourceExhausted, kMemoryLimit);
  EXPECT_EQ(limit.message(),
            "Add: 4160 bytes are wanted and 1000 of 5000 are in use; destroy entities and Trim, or "
            "raise memory_limit_bytes");
  EXPECT_EQ(CaughtIn(std::bad_alloc()), OutOfMemory());
  EXPECT_THROW(CaughtIn(7).IgnoreError(), int);
  const world_errors::UserBadAlloc user{std::make_exception_ptr(std::bad_array_new_length())};
  EXPECT_THROW(CaughtIn(user).IgnoreError(), std::bad_array_new_length);
}

TEST_F(MemoryTest, TrimGivesBackWhatNoRowIsLeftIn) {
  CreateMany(1000);  // 9 chunks of 122 rows; slabs of 4, 4 and 8 chunks.
  EXPECT_EQ(*world_->Trim(), 0u) << "the third slab is in use";
  const std::uint64_t version = world_->version();
  while (entities_.size() > 8 * 122) {
    ASSERT_TRUE(world_->Destroy(entities_.back()).ok());
    entities_.pop_back();
  }
  EXPECT_EQ(*world_->Trim(), 8 * kStrideBytes);
  EXPECT_EQ(world_->chunk_pool().allocated_count(), 8u);
  EXPECT_EQ(*world_->Trim(), 0u);
  EXPECT_EQ(world_->version(), version + 24) << "Trim is no structural change of the rows";
  EXPECT_EQ(world_->entity_count(), 976u);
  EXPECT_EQ(**world_->Get(entities_[500], velocity_), (Velocity{4, 5, 6}));
}

TEST_F(MemoryTest, TrimAfterDestroyingAllLeavesTheDocumentedSpare) {
  const MemoryUsage empty = world_->memory_usage();
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(position_));
  CreateMany(3000);
  const MemoryUsage full = world_->memory_usage();
  DestroyAll();
  const std::size_t given_back = *world_->Trim();
  const MemoryUsage after = world_->memory_usage();
  EXPECT_EQ(after.chunks, 0u);
  EXPECT_EQ(after.scratch, 0u);
  EXPECT_EQ(after.components, empty.components);
  EXPECT_EQ(after.directory, full.directory) << "generations are kept";
  EXPECT_EQ(after.queries, full.queries);
  // What went are the list of 25 chunks and four versions of each.
  EXPECT_EQ(after.archetypes, full.archetypes - 32 * 8 - 128 * 8);
  EXPECT_EQ(given_back, full.total() - after.total());
  EXPECT_EQ(after.peak, full.peak);

  // The same again needs what it needed, no more: nothing is lost on the way.
  CreateMany(3000);
  EXPECT_EQ(entities_.front(), Entity(2999, 2)) << "destroyed last";
  EXPECT_EQ(world_->memory_usage().total(), full.total());
  EXPECT_EQ(*world_->CountRows(query), 3000u);
  DestroyAll();
  EXPECT_EQ(*world_->Trim(), given_back);
}

TEST_F(MemoryTest, TrimIsRefusedInAScope) {
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(position_));
  CreateMany(1);
  DestroyAll();
  {
    const auto scope = *world_->OpenScope(query);
    EXPECT_REFUSED(world_->Trim(), kFailedPrecondition, kScopeOpen);
    EXPECT_EQ(world_->chunk_pool().allocated_count(), 4u);
  }
  EXPECT_GT(*world_->Trim(), 4 * kStrideBytes);
}

TEST_F(MemoryTest, RowsAndIdsDoNotDependOnTrim) {
  std::vector<std::vector<Entity>> runs;
  for (bool trims : {false, true}) {
    Reset({});
    entities_.clear();
    const QueryId query = *world_->MakeQuery(QuerySpec());
    CreateMany(2000);
    for (std::size_t i = 0; i < 2000; i += 3) ASSERT_TRUE(world_->Destroy(entities_[i]).ok());
    if (trims) {
      ASSERT_GT(*world_->Trim(), 0u);
    }
    for (int i = 0; i < 900; ++i) ASSERT_TRUE(world_->Create({P({}), H({i})}).ok());
    if (trims) {
      ASSERT_TRUE(world_->Trim().ok());
    }
    runs.push_back(Rows(query));
  }
  EXPECT_EQ(runs[0], runs[1]);
}

TEST_F(MemoryTest, ALimitIsReachedAgainAfterTrim) {
  // Two archetypes take turns; only Trim lets the second one have what the first one had.
  CreateMany(2000);
  const std::size_t limit = world_->memory_usage().total() + 4096;
  ResetWithLimit(limit);
  CreateMany(2000);
  DestroyAll();
  EXPECT_GT(world_->memory_usage().total(), limit / 2) << "free chunks are kept";
  ASSERT_TRUE(world_->Trim().ok());
  EXPECT_LT(world_->memory_usage().total(), limit / 2);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(world_->Create({H({i})}).ok());
}

TEST(SlabMemoryWorld, AWorldLivesInMappedSlabs) {
  SlabMemory memory;
  WorldOptions options;
  options.memory = &memory;
  auto world = *World::Make(options);
  TypeSpec spec;
  ASSERT_FALSE(ParseType("f32[250]", &spec).has_value());
  const auto wide = *world->Register(*ComponentDescriptor::FromSpec("wide", spec));
  std::vector<Entity> entities;
  for (int i = 0; i < 6000; ++i) entities.push_back(*world->Create({ComponentValue(wide)}));
  ASSERT_TRUE(world->SetField(entities[5999], wide, "[249]", Scalar::F32(7)).ok());
  EXPECT_EQ(*world->GetField(entities[5999], wide, "[249]"), Scalar::F32(7));
#if defined(__linux__)
  // 2000 chunks: slabs of 4, 4, 8 ... 256 chunks, then 504 chunks at a time, a huge page each. The
  // slab of 256 chunks is the first of at least 1 MiB.
  EXPECT_GE(memory.mapped_bytes(), std::size_t{3} << 21);
#endif
  for (Entity entity : entities) ASSERT_TRUE(world->Destroy(entity).ok());
  ASSERT_TRUE(world->Trim().ok());
  EXPECT_EQ(memory.mapped_bytes(), 0u) << "the pages are the system's again";
}

}  // namespace
}  // namespace ashlar
