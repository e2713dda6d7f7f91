// Each invariant of the storage is broken on purpose, and the check must name it.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/audit/integrity_fixture.h"
#include "ashlar/core/poison.h"

namespace ashlar {
namespace {

using IntegrityStorageTest = IntegrityTest;

TEST_F(IntegrityStorageTest, I4TwoArchetypesOfOneSignature) {
  Archetype& archetype = ArchetypeOf(tagged_);
  const Signature right = archetype.signature();
  StorageTestPeer::SetSignature(archetype, ArchetypeOf(entities_[0]).signature());
  EXPECT_EQ(Broken(), 4);
  StorageTestPeer::SetSignature(archetype, right);
}

// Hash() multiplies each word of 64 components and rotates the result into the next: the second
// word below is what the first component has become by then.
TEST(Integrity, I4TwoSignaturesOfOneHash) {
  const auto world = *World::Make({});
  for (int i = 0; i < 128; ++i) {
    ASSERT_TRUE(
        world->Register(*ComponentDescriptor::FromSpec("t" + std::to_string(i), TypeSpec())).ok());
  }
  constexpr std::uint64_t kWord = std::rotl(std::uint64_t{0x9E3779B97F4A7C15}, 23);
  std::vector<ComponentValue> many;
  for (std::uint16_t i = 0; i < 64; ++i) {
    if ((kWord >> i & 1) != 0) many.emplace_back(ComponentId(64 + i));
  }
  const Entity a = *world->Create({ComponentValue(ComponentId(0))});
  const Entity b = *world->Create(many);
  const Archetype& of_a = world->archetypes()[world->Locate(a)->archetype];
  const Archetype& of_b = world->archetypes()[world->Locate(b)->archetype];
  EXPECT_EQ(of_a.signature().Hash(), of_b.signature().Hash());
  EXPECT_EQ(of_a.signature().size(), 1u);
  EXPECT_EQ(of_b.signature().size(), many.size());
  EXPECT_TRUE(CheckIntegrity(*world).ok()) << CheckIntegrity(*world);
}

TEST_F(IntegrityStorageTest, I5CapacityThatIsNotTheLayouts) {
  Archetype& archetype = ArchetypeOf(tagged_);
  StorageTestPeer::SetCapacity(archetype, 3);
  EXPECT_EQ(Broken(), 5);
  StorageTestPeer::SetCapacity(archetype, 2);
}

TEST_F(IntegrityStorageTest, I5ColumnThatIsElsewhere) {
  Column& column = StorageTestPeer::ColumnAt(ArchetypeOf(entities_[0]), 1);
  column.begin_bytes += 64;
  EXPECT_EQ(Broken(), 5);
  column.begin_bytes -= 64;
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I5EveryNumberOfALayout) {
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

TEST_F(IntegrityStorageTest, I5ColumnThatIsLookedUpElsewhere) {
  Archetype& archetype = ArchetypeOf(entities_[0]);
  std::uint16_t& begin = StorageTestPeer::LookedUpBegin(archetype, health_.id());
  begin += 64;
  EXPECT_EQ(Broken(), 5) << "where a column begins";
  begin -= 64;
  std::uint16_t& size = StorageTestPeer::LookedUpSize(archetype, health_.id());
  ++size;
  EXPECT_EQ(Broken(), 5) << "how large its values are";
  --size;
  auto& extents = StorageTestPeer::Extents(archetype);
  extents.push_back(extents.back());
  EXPECT_EQ(Broken(), 5) << "a column of the layout that the archetype lacks";
  extents.pop_back();
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I5CapacityOfNoRowOrOfMoreThanFit) {
  Archetype& bare = **WorldTestPeer::Archetypes(*world_).FindOrMake(Signature());
  ASSERT_EQ(bare.chunk_count(), 0u);
  StorageTestPeer::LayoutCapacity(bare) = 0;
  StorageTestPeer::SetCapacity(bare, 0);
  EXPECT_EQ(Broken(), 5);
  StorageTestPeer::LayoutCapacity(bare) = 2;
  StorageTestPeer::SetCapacity(bare, 2);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());

  // 4096 bytes hold 200 positions with their ids, and 64 bytes of header.
  Reset({});
  Archetype& positions = ArchetypeOf(*world_->Create({P({})}));
  ASSERT_EQ(positions.capacity(), 200u);
  StorageTestPeer::LayoutCapacity(positions) = 201;
  StorageTestPeer::SetCapacity(positions, 201);
  EXPECT_EQ(Broken(), 5);
  StorageTestPeer::LayoutCapacity(positions) = 200;
  StorageTestPeer::SetCapacity(positions, 200);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I5GapThatWasWritten) {
  Archetype& archetype = ArchetypeOf(entities_[0]);
  // Two rows of position end at 128 + 24; the gap behind them is a redzone.
  std::byte* gap = archetype.ChunkBase(ChunkIndex(1)) + 128 + 24;
  RedzoneLift(gap, 8);
  *gap = std::byte{0};
  EXPECT_EQ(Broken(), 5);
  RedzoneArm(gap, 8);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I5GapBehindAChunkThatWasWritten) {
  std::byte* gap = ArchetypeOf(tagged_).ChunkBase(ChunkIndex(0)) + 4096;
  RedzoneLift(gap, 8);
  *gap = std::byte{0};
  EXPECT_EQ(Broken(), 5);
  RedzoneArm(gap, 8);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I7MatchListThatMissesRepeatsOrMixes) {
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

TEST_F(IntegrityStorageTest, I7ArchetypeThatHasAnothersNumber) {
  Archetype& archetype = ArchetypeOf(tagged_);
  const ArchetypeNumber number = archetype.number();
  archetype.set_number(ArchetypeNumber(number.value() + 1));
  EXPECT_EQ(Broken(), 7);
  archetype.set_number(number);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I7RowsThatNoQueryCanSee) {
  // Out of the order, and without a number that would tell.
  auto& numbered = StorageTestPeer::Numbered(WorldTestPeer::Archetypes(*world_));
  const auto right = numbered;
  Archetype& archetype = ArchetypeOf(tagged_);
  const ArchetypeNumber number = archetype.number();
  ASSERT_EQ(numbered[number.value()], &archetype);
  numbered.resize(number.value());
  archetype.set_number(ArchetypeNumber());
  EXPECT_EQ(Broken(), 7);
  numbered = right;
  archetype.set_number(number);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I8ObjectThatNobodyCounted) {
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

TEST_F(IntegrityStorageTest, I9CountThatIsNotThatOfItsBits) {
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

TEST_F(IntegrityStorageTest, I10VersionFromTheFutureOrOfNoChunk) {
  ChunkVersions& versions = ArchetypeOf(tagged_).versions();
  const std::uint64_t written = versions.written(ChunkIndex(0), 0);
  versions.ColumnWritten(ChunkIndex(0), 0, world_->version() + 1);
  EXPECT_EQ(Broken(), 10) << "a column";
  versions.ColumnWritten(ChunkIndex(0), 0, written);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  versions.ColumnWrittenInAll(0, world_->version() + 1);
  EXPECT_EQ(Broken(), 10) << "a column, in all chunks";
  versions.ColumnWrittenInAll(0, written);
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

TEST_F(IntegrityStorageTest, I13UnusedRowThatMayBeTouched) {
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

TEST_F(IntegrityStorageTest, I11PoolThatLosesCount) {
  std::size_t& handed_out = StorageTestPeer::HandedOut(WorldTestPeer::Pool(*world_));
  ++handed_out;
  EXPECT_EQ(Broken(), 11);
  --handed_out;
  std::byte* chunk = WorldTestPeer::Pool(*world_).Acquire();
  EXPECT_EQ(Broken(), 11) << "a chunk that no archetype has";
  WorldTestPeer::Pool(*world_).Release(chunk);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I11SlabsThatHoldMoreOrLessThanIsSaid) {
  ChunkPool& pool = WorldTestPeer::Pool(*world_);
  auto& free = StorageTestPeer::FreeChunks(pool);
  std::byte* lost = free.back();
  free.pop_back();
  EXPECT_EQ(Broken(), 11) << "a chunk that is neither free nor handed out";
  free.push_back(lost);
  --StorageTestPeer::SlabChunks(pool, 0);
  EXPECT_EQ(Broken(), 11) << "a slab that is shorter";
  ++StorageTestPeer::SlabChunks(pool, 0);
  ++StorageTestPeer::BytesHeld(pool);
  EXPECT_EQ(Broken(), 11) << "bytes that no slab has";
  --StorageTestPeer::BytesHeld(pool);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(IntegrityStorageTest, I11ChunkThatIsTwiceFreeOrNobodys) {
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

TEST_F(IntegrityStorageTest, I11BytesThatNoPurposeHolds) {
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

TEST_F(IntegrityStorageTest, I11PurposeThatHoldsMoreThanItShould) {
  WorldMemory& memory = WorldTestPeer::Memory(*world_);
  for (std::pmr::memory_resource* purpose :
       {memory.chunks(), memory.directory(), memory.scratch()}) {
    void* leaked = purpose->allocate(64);
    EXPECT_EQ(Broken(), 11);
    purpose->deallocate(leaked, 64);
    EXPECT_TRUE(CheckIntegrity(*world_).ok());
  }
}

TEST_F(IntegrityStorageTest, I11MoreInUseThanThePeak) {
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

TEST_F(IntegrityStorageTest, I11MoreInUseThanTheLimit) {
  WorldOptions options;
  options.memory_limit_bytes = 1 << 20;
  Reset(options);
  WorldMemory& memory = WorldTestPeer::Memory(*world_);
  std::atomic<std::size_t>& in_use = StorageTestPeer::InUse(StorageTestPeer::Budget(memory));
  // The budget forgets what is in use, gives out all of its bytes, and remembers.
  const std::size_t forgotten = in_use.exchange(0);
  ASSERT_GT(forgotten, 0u);
  void* rest = memory.archetypes()->allocate(1 << 20);
  in_use += forgotten;
  EXPECT_EQ(Broken(), 11);
  memory.archetypes()->deallocate(rest, 1 << 20);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

}  // namespace
}  // namespace ashlar
