// Each invariant is broken on purpose, and the check must name it.
#include "ashlar/audit/integrity.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "ashlar/audit/storage_test_peer.h"
#include "ashlar/core/poison.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class IntegrityTest : public WorldFixture {
 protected:
  IntegrityTest() {
    WorldOptions options;
    options.rows_per_chunk_max = 2;
    Reset(options);
    query_ = *world_->MakeQuery(QuerySpec().Read(position_));
    for (int i = 0; i < 5; ++i) entities_[i] = *world_->Create({P({}), H({i})});
    tagged_ = *world_->Create({P({}), D()});
    for (int i = 0; i < 3; ++i) spare_[i] = *world_->Create();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(world_->Destroy(spare_[i]).ok());
    EXPECT_TRUE(CheckIntegrity(*world_).ok()) << CheckIntegrity(*world_);
  }

  Archetype& ArchetypeOf(Entity entity) {
    return WorldTestPeer::Archetypes(*world_)[world_->Locate(entity)->archetype];
  }
  EntityDirectory& Directory() { return WorldTestPeer::Directory(*world_); }

  // The invariant that the check names now.
  int Broken() {
    const absl::Status status = CheckIntegrity(*world_);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << status;
    return BrokenInvariant(status);
  }

  QueryId query_;
  Entity entities_[5];
  Entity tagged_;
  Entity spare_[3];
};

TEST_F(IntegrityTest, I1LocationThatNamesAnotherRow) {
  Location& location = StorageTestPeer::LocationOf(Directory(), entities_[1].index());
  const Location right = location;
  location.row = RowIndex(0);
  EXPECT_EQ(Broken(), 1);
  location.row = RowIndex(9);
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

TEST_F(IntegrityTest, I3TailOverCapacityOrEmpty) {
  Archetype& archetype = ArchetypeOf(tagged_);
  StorageTestPeer::SetRowsInTail(archetype, 3);
  EXPECT_EQ(Broken(), 3);
  StorageTestPeer::SetRowsInTail(archetype, 0);
  EXPECT_EQ(Broken(), 3);
  StorageTestPeer::SetRowsInTail(archetype, 1);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I4TwoArchetypesOfOneSignature) {
  Archetype& archetype = ArchetypeOf(tagged_);
  const Signature right = archetype.signature();
  StorageTestPeer::SetSignature(archetype, ArchetypeOf(entities_[0]).signature());
  EXPECT_EQ(Broken(), 4);
  StorageTestPeer::SetSignature(archetype, right);
}

TEST_F(IntegrityTest, I5CapacityThatIsNotTheLayouts) {
  Archetype& archetype = ArchetypeOf(tagged_);
  StorageTestPeer::SetCapacity(archetype, 3);
  EXPECT_EQ(Broken(), 5);
  StorageTestPeer::SetCapacity(archetype, 2);
}

TEST_F(IntegrityTest, I5ColumnThatIsElsewhere) {
  Column& column = StorageTestPeer::ColumnAt(ArchetypeOf(entities_[0]), 1);
  column.begin_bytes += 64;
  EXPECT_EQ(Broken(), 5);
  column.begin_bytes -= 64;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I5EveryNumberOfALayout) {
  Archetype& archetype = ArchetypeOf(entities_[0]);
  const auto nudge = [&](std::uint32_t& number, const char* what) {
    ++number;
    EXPECT_EQ(Broken(), 5) << what;
    --number;
  };
  nudge(StorageTestPeer::EntityExtent(archetype).begin_bytes, "where ids begin");
  nudge(StorageTestPeer::EntityExtent(archetype).end_bytes, "where ids end");
  for (std::size_t i = 0; i < 2; ++i) {
    nudge(StorageTestPeer::Extent(archetype, i).begin_bytes, "where a column begins");
    nudge(StorageTestPeer::Extent(archetype, i).end_bytes, "where it ends");
    nudge(StorageTestPeer::Extent(archetype, i).stride_bytes, "how large its values are");
    nudge(StorageTestPeer::ColumnAt(archetype, i).size_bytes, "how large they are taken for");
    const ComponentId component = StorageTestPeer::ColumnAt(archetype, i).component;
    StorageTestPeer::ColumnAt(archetype, i).component = disabled_.id();
    EXPECT_EQ(Broken(), 5) << "whose values they are";
    StorageTestPeer::ColumnAt(archetype, i).component = component;
  }
  const Signature signature = archetype.signature();
  Signature other = signature;
  other.Insert(velocity_.id());
  StorageTestPeer::SetSignature(archetype, other);
  EXPECT_EQ(Broken(), 5) << "a component without a column";
  other = signature;
  other.Erase(health_.id());
  StorageTestPeer::SetSignature(archetype, other);
  EXPECT_EQ(Broken(), 5) << "a column without a component";
  StorageTestPeer::SetSignature(archetype, signature);
  // One row: so many fit a chunk that holds less, and no more than two are allowed.
  Archetype& tagged = ArchetypeOf(tagged_);
  for (const std::uint32_t capacity : {1u, 3u}) {
    StorageTestPeer::LayoutCapacity(tagged) = capacity;
    EXPECT_EQ(Broken(), 5) << capacity;
  }
  StorageTestPeer::LayoutCapacity(tagged) = 2;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I5GapThatWasWritten) {
  Archetype& archetype = ArchetypeOf(entities_[0]);
  // Two rows of position end at 128 + 24; the gap behind them is a redzone.
  std::byte* gap = archetype.ChunkBase(ChunkIndex(1)) + 128 + 24;
  RedzoneLift(gap, 8);
  *gap = std::byte{0};
  EXPECT_EQ(Broken(), 5);
  RedzoneArm(gap, 8);
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
  head = right_head;
  Location& record = StorageTestPeer::LocationOf(directory, right_head);
  const Location right = record;
  record.chunk = ChunkIndex(right_head);
  EXPECT_EQ(Broken(), 6) << "a loop";
  record.chunk = ChunkIndex(0xFFFFFFFFu);
  EXPECT_EQ(Broken(), 6) << "slots that are lost";
  record = right;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I7MatchListThatMissesRepeatsOrMixes) {
  auto& matches = StorageTestPeer::Matches(WorldTestPeer::Queries(*world_), query_);
  ASSERT_EQ(matches.size(), 2u);
  std::swap(matches[0], matches[1]);
  EXPECT_EQ(Broken(), 7) << "order";
  std::swap(matches[0], matches[1]);
  Archetype* last = matches.back();
  matches.pop_back();
  EXPECT_EQ(Broken(), 7) << "one is missing";
  matches.push_back(last);
  matches.push_back(last);
  EXPECT_EQ(Broken(), 7) << "one is there twice";
  matches.pop_back();
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I7ArchetypeThatHasAnothersNumber) {
  Archetype& archetype = ArchetypeOf(tagged_);
  const ArchetypeNumber number = archetype.number();
  archetype.set_number(ArchetypeNumber(number.value() + 1));
  EXPECT_EQ(Broken(), 7);
  archetype.set_number(number);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I8ObjectThatNobodyCounted) {
  const auto name = world_->Register(Describe<std::string>("name"));
  ASSERT_TRUE(name.ok());
  ASSERT_TRUE(world_->Create({ComponentValue(*name, std::string("an object"))}).ok());
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  ++*world_->registry().ObjectCounter(name->id());
  EXPECT_EQ(Broken(), 8);
  --*world_->registry().ObjectCounter(name->id());
  ++*world_->registry().ObjectCounter(position_.id());
  EXPECT_EQ(Broken(), 8) << "bytes are no objects";
  --*world_->registry().ObjectCounter(position_.id());
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I9CountThatIsNotThatOfItsBits) {
  const auto shield =
      world_->Register(ComponentDescriptor::FromSpec("shield", TypeSpec())->set_enableable(true));
  const Entity entity = *world_->Create({ComponentValue(*shield)});
  ASSERT_TRUE(world_->SetEnabled(entity, *shield, false).ok());
  ASSERT_TRUE(CheckIntegrity(*world_).ok()) << CheckIntegrity(*world_);
  // One component in one chunk of two rows: its count, then its only word.
  auto& words = StorageTestPeer::EnableWords(ArchetypeOf(entity));
  ASSERT_EQ(words.size(), 2u);
  words[0] = 1;
  EXPECT_EQ(Broken(), 9);
  words[0] = 0;
  words[1] = 2;  // A row that is not there.
  EXPECT_EQ(Broken(), 9);
  words[1] = 0;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  words.resize(4);  // Of a chunk that is not there.
  EXPECT_EQ(Broken(), 9);
  words.resize(2);
}

TEST_F(IntegrityTest, I10VersionFromTheFutureOrOfNoChunk) {
  ChunkVersions& versions = ArchetypeOf(tagged_).versions();
  const std::uint64_t written = versions.written(ChunkIndex(0), 0);
  versions.ColumnWritten(ChunkIndex(0), 0, world_->version() + 1);
  EXPECT_EQ(Broken(), 10) << "a column";
  versions.ColumnWritten(ChunkIndex(0), 0, written);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  const std::uint64_t order = versions.order(ChunkIndex(0));
  versions.RowLeft(ChunkIndex(0), world_->version() + 1);
  EXPECT_EQ(Broken(), 10) << "the rows";
  versions.RowLeft(ChunkIndex(0), order);
  versions.ReserveChunks(1);
  versions.PushChunk();
  EXPECT_EQ(Broken(), 10) << "a chunk that is not there";
  versions.PopChunk();
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I13UnusedRowThatMayBeTouched) {
  if (!ASHLAR_ASAN) GTEST_SKIP() << "rows are poisoned under AddressSanitizer only";
  Archetype& archetype = ArchetypeOf(tagged_);
  ASSERT_EQ(archetype.row_count(), 1u);
  ASSERT_EQ(archetype.capacity(), 2u);
  std::byte* chunk = archetype.ChunkBase(ChunkIndex(0));
  RedzoneLift(chunk + 64 + 8, 8);
  EXPECT_EQ(Broken(), 13) << "the id of row 1";
  RegionPoison(chunk + 64 + 8, 8);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  const Column column = archetype.columns()[0];
  RedzoneLift(chunk + column.begin_bytes + column.size_bytes, 4);
  EXPECT_EQ(Broken(), 13) << "the value of row 1";
  RegionPoison(chunk + column.begin_bytes + column.size_bytes, 4);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I11PoolThatLosesCount) {
  std::size_t& handed_out = StorageTestPeer::HandedOut(WorldTestPeer::Pool(*world_));
  ++handed_out;
  EXPECT_EQ(Broken(), 11);
  --handed_out;
  std::byte* chunk = WorldTestPeer::Pool(*world_).Acquire();
  EXPECT_EQ(Broken(), 11) << "a chunk that no archetype has";
  WorldTestPeer::Pool(*world_).Release(chunk);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I11ChunkThatIsTwiceFreeOrNobodys) {
  auto& free = StorageTestPeer::FreeChunks(WorldTestPeer::Pool(*world_));
  ASSERT_GE(free.size(), 2u);
  std::byte* chunk = free[0];
  free[0] = free[1];
  EXPECT_EQ(Broken(), 11);
  std::byte elsewhere{};
  free[0] = &elsewhere;
  EXPECT_EQ(Broken(), 11);
  free[0] = chunk;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I11BytesThatNoPurposeHolds) {
  MemoryBudget& budget = StorageTestPeer::Budget(WorldTestPeer::Memory(*world_));
  const std::size_t in_use = budget.in_use_bytes();
  budget.Take(64);
  EXPECT_EQ(Broken(), 11) << "in use, and held by nobody";
  budget.GiveBack(64);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  budget.GiveBack(in_use);
  EXPECT_EQ(Broken(), 11) << "held, and not in use";
  budget.Take(in_use);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityTest, I11PurposeThatHoldsMoreThanItShould) {
  WorldMemory& memory = WorldTestPeer::Memory(*world_);
  for (std::pmr::memory_resource* purpose :
       {memory.chunks(), memory.directory(), memory.scratch()}) {
    void* leaked = purpose->allocate(64);
    EXPECT_EQ(Broken(), 11);
    purpose->deallocate(leaked, 64);
    EXPECT_TRUE(CheckIntegrity(*world_).ok());
  }
}

TEST_F(IntegrityTest, I11MoreInUseThanThePeak) {
  // The purpose and the budget agree, and yet the peak was not kept.
  WorldMemory& memory = WorldTestPeer::Memory(*world_);
  MemoryBudget& budget = StorageTestPeer::Budget(memory);
  const std::size_t room = budget.peak_bytes() - budget.in_use_bytes();
  void* within = memory.archetypes()->allocate(room + 64);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  StorageTestPeer::Peak(budget) -= 1;
  EXPECT_EQ(Broken(), 11);
  memory.archetypes()->deallocate(within, room + 64);
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
