#include "ashlar/storage/entity_directory.h"

#include <gtest/gtest.h>

#include <vector>

namespace ashlar {
namespace {

Location At(std::uint32_t row) { return {ArchetypeId(3), ChunkIndex(1), RowIndex(row)}; }

Entity Issue(EntityDirectory& directory, std::uint32_t row = 0) {
  EXPECT_TRUE(directory.ReserveOne());
  return directory.Issue(At(row));
}

TEST(EntityDirectory, IssuesFreshIndicesInOrderWithGenerationOne) {
  EntityDirectory directory(std::pmr::get_default_resource(), 100);
  EXPECT_EQ(Issue(directory, 7), Entity(0, 1));
  EXPECT_EQ(Issue(directory, 8), Entity(1, 1));
  EXPECT_EQ(*directory.Find(Entity(0, 1)), At(7));
  EXPECT_EQ(*directory.Find(Entity(1, 1)), At(8));
  EXPECT_EQ(directory.live_count(), 2u);
}

TEST(EntityDirectory, ReusesTheSlotFreedLastWithItsNextGeneration) {
  EntityDirectory directory(std::pmr::get_default_resource(), 100);
  for (int i = 0; i < 3; ++i) Issue(directory);
  directory.Free(Entity(0, 1));
  directory.Free(Entity(2, 1));
  EXPECT_EQ(Issue(directory), Entity(2, 2));
  EXPECT_EQ(Issue(directory), Entity(0, 2));
  EXPECT_EQ(Issue(directory), Entity(3, 1));
  EXPECT_FALSE(directory.IsAlive(Entity(0, 1)));
  EXPECT_FALSE(directory.IsAlive(Entity(2, 1)));
}

TEST(EntityDirectory, RefusesForgedIds) {
  EntityDirectory directory(std::pmr::get_default_resource(), 100);
  EXPECT_FALSE(directory.IsAlive(Entity()));
  Issue(directory);
  Issue(directory);
  directory.Free(Entity(1, 1));
  EXPECT_FALSE(directory.IsAlive(Entity()));
  EXPECT_FALSE(directory.IsAlive(Entity(0, 0)));
  EXPECT_FALSE(directory.IsAlive(Entity(0, 2)));
  EXPECT_FALSE(directory.IsAlive(Entity(1, 1)));
  EXPECT_FALSE(directory.IsAlive(Entity(1, 2))) << "the generation that will be issued next";
  EXPECT_FALSE(directory.IsAlive(Entity(2, 1)));
  EXPECT_FALSE(directory.IsAlive(Entity(0xFFFFFFFFu, 1)));
  EXPECT_FALSE(directory.IsAlive(Entity(0xFFFFFFFFu, 0xFFFFFFFFu)));
}

TEST(EntityDirectory, RetiresASlotWhoseGenerationsAreUsedUp) {
  EntityDirectory directory(std::pmr::get_default_resource(), 100);
  const Entity first = Issue(directory);
  const Entity last = directory.PlaceGeneration(first, kGenerationLast);
  EXPECT_EQ(last, Entity(0, 0xFFFFFFFFu));
  EXPECT_FALSE(directory.IsAlive(first));
  EXPECT_TRUE(directory.IsAlive(last));
  directory.Free(last);
  EXPECT_FALSE(directory.IsAlive(last));
  EXPECT_EQ(directory.retired_count(), 1u);
  EXPECT_EQ(directory.free_count(), 0u);
  EXPECT_EQ(directory.StateOf(0), EntityDirectory::SlotState::kRetired);
  EXPECT_EQ(Issue(directory), Entity(1, 1)) << "never slot 0 again";
}

TEST(EntityDirectory, SaysWhenIndicesAreUsedUpAndRecovers) {
  EntityDirectory directory(std::pmr::get_default_resource(), 2);
  Issue(directory);
  Issue(directory);
  EXPECT_FALSE(directory.ReserveOne());
  EXPECT_FALSE(directory.ReserveOne());
  directory.Free(Entity(0, 1));
  EXPECT_EQ(Issue(directory), Entity(0, 2));
  EXPECT_FALSE(directory.ReserveOne());
}

TEST(EntityDirectory, GrowsByPagesWithoutMovingRecords) {
  EntityDirectory directory(std::pmr::get_default_resource(), 0xFFFFFFFFu);
  const Entity first = Issue(directory, 5);
  const Location* before = directory.Find(first);
  for (std::uint32_t i = 1; i < 5000; ++i) ASSERT_EQ(Issue(directory, i), Entity(i, 1));
  EXPECT_EQ(directory.Find(first), before);
  EXPECT_EQ(*directory.Find(Entity(4999, 1)), At(4999));
}

TEST(EntityDirectory, WalksTheFreeListInOrderOfIssue) {
  EntityDirectory directory(std::pmr::get_default_resource(), 100);
  for (int i = 0; i < 4; ++i) Issue(directory);
  for (std::uint32_t i : {1u, 3u, 0u}) directory.Free(Entity(i, 1));
  std::vector<std::uint32_t> order;
  directory.ForEachFree([&](std::uint32_t index) {
    order.push_back(index);
    return true;
  });
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 3, 1}));
}

TEST(EntityDirectoryDeathTest, AsksForALimitThatLeavesNoIndexOut) {
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
  EXPECT_DEATH(EntityDirectory(memory, 0), "index_limit >= 1");
  EXPECT_DEATH(EntityDirectory(memory, std::uint64_t{1} << 32), "index_limit <= 0xFFFFFFFFu");
}

}  // namespace
}  // namespace ashlar
