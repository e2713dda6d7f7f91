// The limit at every byte: whatever a world may hold, a call either does what it says or leaves the
// state as it was, and the integrity check agrees.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class MemoryLimitTest : public WorldFixture {
 protected:
  struct Call {
    std::string name;
    std::function<absl::Status()> run;
  };

  // Each needs memory of its own kind in the world that Build makes.
  std::vector<Call> Calls() {
    return {
        {"create, next page and chunk",
         [this] { return StatusOf(world_->Create({P({}), V({})})); }},
        {"create, new archetype", [this] { return StatusOf(world_->Create({H({1}), D()})); }},
        {"add", [this] { return world_->Add(first_, {H({1})}); }},
        {"add two", [this] { return world_->Add(first_, {H({1}), D()}); }},
        {"remove", [this] { return world_->Remove(first_, {velocity_.id()}); }},
        {"exchange", [this] { return world_->Exchange(first_, {velocity_.id()}, {H({1})}); }},
        {"put", [this] { return world_->Put(first_, {P({7, 8, 9}), H({1})}); }},
        {"query", [this] { return StatusOf(world_->MakeQuery(QuerySpec().Read(velocity_))); }},
        {"register",
         [this] {
           return StatusOf(world_->Register(Describe<Health>("further").Field("", &Health::value)));
         }},
    };
  }

  // The same world each time: 1024 entities in four slabs' chunks but one, a query, a page. They
  // are of two archetypes: with all 16 chunks in one, the last of them would make its versions
  // grow, and that is more than some of the calls need.
  void Build(std::size_t limit_bytes) {
    WorldOptions options;
    options.memory_limit_bytes = limit_bytes;
    options.rows_per_chunk_max = 64;
    Reset(options);
    ASSERT_TRUE(world_->MakeQuery(QuerySpec().Read(position_)).ok());
    first_ = *world_->Create({P({1, 2, 3}), V({4, 5, 6})});
    for (int i = 1; i < 960; ++i) ASSERT_TRUE(world_->Create({P({}), V({})}).ok());
    for (int i = 960; i < 1024; ++i) ASSERT_TRUE(world_->Create({P({})}).ok());
    ASSERT_EQ(world_->chunk_pool().free_count(), 0u);
  }

  // Runs the call under that limit; true when it passed.
  bool Passes(const Call& call, std::size_t limit_bytes) {
    Build(limit_bytes);
    const std::uint64_t digest = Digest(*world_);
    const std::uint64_t version = world_->version();
    const std::size_t queries = world_->queries().size();
    const std::size_t components = world_->registry().size();
    const std::size_t numbered = world_->archetypes().numbered().size();
    const absl::Status status = call.run();
    EXPECT_TRUE(CheckIntegrity(*world_).ok()) << call.name << ": " << CheckIntegrity(*world_);
    EXPECT_LE(world_->memory_usage().peak, limit_bytes);
    if (status.ok()) return true;
    EXPECT_REFUSED(status, kResourceExhausted, kMemoryLimit);
    EXPECT_EQ(Digest(*world_), digest) << call.name;
    EXPECT_EQ(world_->version(), version) << call.name;
    EXPECT_EQ(world_->entity_count(), 1024u) << call.name;
    EXPECT_EQ(world_->queries().size(), queries) << call.name;
    EXPECT_EQ(world_->registry().size(), components) << call.name;
    EXPECT_EQ(world_->archetypes().numbered().size(), numbered) << call.name;
    return false;
  }

  Entity first_;
};

TEST_F(MemoryLimitTest, ACallPassesWithWhatItNeedsAndNotWithAByteLess) {
  Build(0);
  const std::size_t peak_before = world_->memory_usage().peak;
  const std::size_t in_use = world_->memory_usage().total();
  for (const Call& call : Calls()) {
    Build(0);
    ASSERT_TRUE(call.run().ok()) << call.name;
    // What the call needs: the most that was in use during it.
    const std::size_t need = world_->memory_usage().peak;
    ASSERT_GE(need, world_->memory_usage().total());
    ASSERT_GT(need, peak_before) << call.name << ": the making of the world must need less";
    EXPECT_TRUE(Passes(call, need)) << call.name;
    EXPECT_FALSE(Passes(call, need - 1)) << call.name;
    EXPECT_GT(need, in_use);
  }
}

TEST_F(MemoryLimitTest, EveryLimitOnTheWayIsRefusedCleanly) {
  Build(0);
  const std::size_t least = world_->memory_usage().peak;
  for (const Call& call : Calls()) {
    Build(0);
    ASSERT_TRUE(call.run().ok()) << call.name;
    const std::size_t need = world_->memory_usage().peak;
    const std::size_t step = std::max<std::size_t>(1, (need - least) / 12);
    for (std::size_t limit = least; limit < need; limit += step) {
      EXPECT_FALSE(Passes(call, limit)) << call.name << " with " << limit << " of " << need;
    }
  }
}

}  // namespace
}  // namespace ashlar
