#include "ashlar/audit/digest.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

using DigestTest = WorldFixture;

TEST_F(DigestTest, DoesNotDependOnRowsArchetypesOrChunks) {
  std::set<std::uint64_t> digests;
  for (std::uint32_t cap : {0u, 1u, 2u, 4u}) {
    for (bool detour : {false, true}) {
      WorldOptions options;
      options.rows_per_chunk_max = cap;
      options.chunk_size_bytes = detour ? 65536 : 4096;
      Reset(options);
      const Entity a = *world_->Create({P({1, 2, 3}), H({4})});
      const Entity b = *world_->Create({P({5, 6, 7})});
      if (detour) {
        // The rows change places and more archetypes come into being; the state is the same.
        ASSERT_TRUE(world_->Add(a, {D(), V({1, 1, 1})}).ok());
        ASSERT_TRUE(world_->Add(b, {D()}).ok());
        ASSERT_TRUE(world_->Remove(b, {disabled_.id()}).ok());
        ASSERT_TRUE(world_->Remove(a, {velocity_.id(), disabled_.id()}).ok());
      }
      digests.insert(Digest(*world_));
    }
  }
  EXPECT_EQ(digests.size(), 1u);
}

TEST_F(DigestTest, DependsOnEveryPartOfTheState) {
  std::set<std::uint64_t> digests;
  const auto differs = [&] { return digests.insert(Digest(*world_)).second; };
  EXPECT_TRUE(differs());
  const Entity a = *world_->Create({P({1, 2, 3})});
  EXPECT_TRUE(differs()) << "an entity";
  const Entity b = *world_->Create({P({1, 2, 3})});
  EXPECT_TRUE(differs()) << "one more";
  ASSERT_TRUE(world_->Set(b, {P({1, 2, -0.0f})}).ok());
  EXPECT_TRUE(differs()) << "a value";
  ASSERT_TRUE(world_->Set(b, {P({1, 2, 0.0f})}).ok());
  EXPECT_TRUE(differs()) << "the sign of a zero";
  ASSERT_TRUE(world_->Add(b, {D()}).ok());
  EXPECT_TRUE(differs()) << "a tag";
  ASSERT_TRUE(world_->Destroy(a).ok());
  EXPECT_TRUE(differs()) << "a destroyed entity";
  ASSERT_TRUE(world_->Destroy(b).ok());
  EXPECT_TRUE(differs()) << "the free list";
  const Entity c = *world_->Create();
  ASSERT_TRUE(world_->Destroy(c).ok());
  EXPECT_TRUE(differs()) << "a generation of a free slot";
}

TEST_F(DigestTest, DependsOnTheOrderOfTheFreeList) {
  std::set<std::uint64_t> digests;
  for (bool turned : {false, true}) {
    Reset({});
    const Entity a = *world_->Create();
    const Entity b = *world_->Create();
    ASSERT_TRUE(world_->Destroy(turned ? b : a).ok());
    ASSERT_TRUE(world_->Destroy(turned ? a : b).ok());
    digests.insert(Digest(*world_));
  }
  EXPECT_EQ(digests.size(), 2u);
}

TEST_F(DigestTest, SwappedValuesDiffer) {
  std::set<std::uint64_t> digests;
  for (bool turned : {false, true}) {
    Reset({});
    *world_->Create({P(turned ? Position{4, 5, 6} : Position{1, 2, 3})});
    *world_->Create({P(turned ? Position{1, 2, 3} : Position{4, 5, 6})});
    digests.insert(Digest(*world_));
  }
  EXPECT_EQ(digests.size(), 2u);
}

}  // namespace
}  // namespace ashlar
