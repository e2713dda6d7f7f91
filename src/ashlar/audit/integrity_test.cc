// Each invariant of entities and rows is broken on purpose, and the check must name it. Those of
// the storage below them are in integrity_storage_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ashlar/audit/integrity_fixture.h"

namespace ashlar {
namespace {

TEST_F(IntegrityTest, I1LocationThatNamesAnotherRow) {
  Location& location = StorageTestPeer::LocationOf(Directory(), entities_[1].index());
  const Location right = location;
  location.row = RowIndex(0);
  EXPECT_EQ(Broken(), 1);
  location.row = RowIndex(9);
  EXPECT_EQ(Broken(), 1);
  location = {right.archetype, ChunkIndex(9), RowIndex(0)};
  EXPECT_EQ(Broken(), 1);
  location = {ArchetypeId(99), ChunkIndex(0), RowIndex(0)};
  EXPECT_EQ(Broken(), 1);
  location = right;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I2RowOfADeadEntity) {
  // The row of a destroyed entity comes back at the end of an archetype.
  Archetype& archetype = ArchetypeOf(tagged_);
  archetype.Commit(archetype.Reserve(), spare_[0], world_->version());
  EXPECT_EQ(Broken(), 2);
  archetype.SwapRemove(ChunkIndex(0), RowIndex(1), world_->version());
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I2TwoRowsOfOneEntity) {
  Archetype& archetype = ArchetypeOf(tagged_);
  archetype.Commit(archetype.Reserve(), entities_[2], world_->version());
  EXPECT_EQ(Broken(), 2);
  archetype.SwapRemove(ChunkIndex(0), RowIndex(1), world_->version());
}

TEST_F(IntegrityTest, I2LiveCountThatIsNotTheSumOfRows) {
  // The slot counts agree with each other, so only the sum of rows can tell.
  const std::size_t rows_before = ArchetypeOf(entities_[4]).row_count();
  Archetype& archetype = ArchetypeOf(entities_[4]);
  EXPECT_TRUE(archetype.SwapRemove(ChunkIndex(2), RowIndex(0), world_->version()).is_null());
  const int broken = Broken();
  EXPECT_TRUE(broken == 1 || broken == 2) << broken;
  archetype.Commit(archetype.Reserve(), entities_[4], world_->version());
  EXPECT_EQ(archetype.row_count(), rows_before);
}

TEST_F(IntegrityTest, I2EntityThatIsCountedTwice) {
  ++StorageTestPeer::LiveCount(Directory());
  EXPECT_EQ(Broken(), 2);
  --StorageTestPeer::LiveCount(Directory());
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I3TailOverCapacityOrEmpty) {
  Archetype& archetype = ArchetypeOf(tagged_);
  StorageTestPeer::SetRowsInTail(archetype, 3);
  EXPECT_EQ(Broken(), 3);
  StorageTestPeer::SetRowsInTail(archetype, 0);
  EXPECT_EQ(Broken(), 3);
  StorageTestPeer::SetRowsInTail(archetype, 1);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I6FreeListThatLoopsLosesOrLies) {
  EntityDirectory& directory = Directory();
  std::uint32_t& head = StorageTestPeer::FreeHead(directory);
  const std::uint32_t right_head = head;
  head = entities_[0].index();
  EXPECT_EQ(Broken(), 6) << "a live slot";
  head = 1000;
  EXPECT_EQ(Broken(), 6) << "a slot that was never issued";
  EXPECT_EQ(FreeVisits(), 1u);
  head = right_head;
  Location& record = StorageTestPeer::LocationOf(directory, right_head);
  const Location right = record;
  record.chunk = ChunkIndex(right_head);
  EXPECT_EQ(Broken(), 6) << "a loop";
  EXPECT_THAT(std::string(CheckIntegrity(*world_).message()), ::testing::HasSubstr("has a loop"));
  EXPECT_EQ(FreeVisits(), directory.slot_count() + 1) << "even so the list ends";
  record.chunk = ChunkIndex(0xFFFFFFFFu);
  EXPECT_EQ(Broken(), 6) << "slots that are lost";
  record = right;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I6SlotsThatAreCountedWrongly) {
  EntityDirectory& directory = Directory();
  ASSERT_EQ(directory.free_count(), 3u);
  ++StorageTestPeer::RetiredCount(directory);
  EXPECT_EQ(Broken(), 6) << "a retired slot that there is not";
  --StorageTestPeer::RetiredCount(directory);
  // The list ends at its first slot, and the count says so too: the other two are in no list.
  Location& record = StorageTestPeer::LocationOf(directory, StorageTestPeer::FreeHead(directory));
  const Location right = record;
  record.chunk = ChunkIndex();
  StorageTestPeer::FreeCount(directory) = 1;
  EXPECT_EQ(Broken(), 6) << "slots that nobody counts";
  record = right;
  StorageTestPeer::FreeCount(directory) = 3;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I12ScopeThatNeverEnded) {
  ++WorldTestPeer::ScopeDepth(*world_);
  EXPECT_EQ(Broken(), 12);
  --WorldTestPeer::ScopeDepth(*world_);
  auto scope = *world_->OpenScope(query_);
  EXPECT_EQ(Broken(), 12);
  EXPECT_TRUE(CheckIntegrity(*world_, 1).ok());
}

TEST(Integrity, OtherStatusesNameNoInvariant) {
  EXPECT_EQ(BrokenInvariant(absl::OkStatus()), 0);
  EXPECT_EQ(BrokenInvariant(absl::InternalError("I3: not ours")), 0);
  for (const char* text : {"", "3: no letter", "I: no number", "Ix: no number"}) {
    EXPECT_EQ(
        BrokenInvariant(MakeError(absl::StatusCode::kInternal, Reason::kInvariantBroken, text)), 0);
  }
  EXPECT_EQ(BrokenInvariant(
                MakeError(absl::StatusCode::kInternal, Reason::kInvariantBroken, "I13: ours")),
            13);
}

}  // namespace
}  // namespace ashlar
