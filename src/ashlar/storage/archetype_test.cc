#include "ashlar/storage/archetype.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "ashlar/storage/storage_fixture.h"

namespace ashlar {
namespace {

class ArchetypeTest : public StorageFixture {
 protected:
  Archetype& Make(std::initializer_list<ComponentId> ids) { return **table_.FindOrMake(Of(ids)); }

  // A row whose health is `value`.
  void Push(Archetype& archetype, Entity entity, std::int32_t value) {
    const Archetype::Slot slot = archetype.Reserve();
    const Column column = archetype.ColumnOf(kHealth);
    std::memcpy(slot.chunk + column.begin_bytes + slot.row.value() * 4u, &value, 4);
    archetype.Commit(slot, entity, 1);
  }
  std::int32_t HealthAt(const Archetype& archetype, std::uint32_t chunk, std::uint32_t row) {
    std::int32_t value = 0;
    std::memcpy(
        &value,
        archetype.ChunkBase(ChunkIndex(chunk)) + archetype.ColumnOf(kHealth).begin_bytes + row * 4u,
        4);
    return value;
  }
  std::vector<std::uint32_t> Ids(const Archetype& archetype) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
      for (std::uint32_t row = 0; row < archetype.RowsInChunk(ChunkIndex(chunk)); ++row) {
        ids.push_back(archetype.EntityAt(ChunkIndex(chunk), RowIndex(row)).index());
      }
    }
    return ids;
  }

  ArchetypeTable table_{&registry_, &pool_, 2, memory_};  // Two rows a chunk.
};

TEST_F(ArchetypeTest, TheHoleIsFilledFromTheLastRowAcrossChunks) {
  Archetype& archetype = Make({kHealth});
  for (std::uint32_t i = 0; i < 5; ++i) Push(archetype, Entity(i, 1), 100 + static_cast<int>(i));
  EXPECT_EQ(archetype.chunk_count(), 3u);
  EXPECT_EQ(archetype.RowsInChunk(ChunkIndex(2)), 1u);

  EXPECT_EQ(archetype.SwapRemove(ChunkIndex(0), RowIndex(1), 1), Entity(4, 1));
  EXPECT_EQ(Ids(archetype), (std::vector<std::uint32_t>{0, 4, 2, 3}));
  EXPECT_EQ(HealthAt(archetype, 0, 1), 104);
  EXPECT_EQ(archetype.chunk_count(), 2u) << "no chunk is empty";
  EXPECT_EQ(pool_.handed_out_count(), 2u);
}

TEST_F(ArchetypeTest, RemovingTheLastRowMovesNothing) {
  Archetype& archetype = Make({kHealth});
  for (std::uint32_t i = 0; i < 3; ++i) Push(archetype, Entity(i, 1), static_cast<int>(i));
  EXPECT_TRUE(archetype.SwapRemove(ChunkIndex(1), RowIndex(0), 1).is_null());
  EXPECT_EQ(Ids(archetype), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(archetype.row_count(), 2u);
}

TEST_F(ArchetypeTest, EmptiesAndFillsAgain) {
  Archetype& archetype = Make({kHealth});
  Push(archetype, Entity(9, 1), 9);
  EXPECT_TRUE(archetype.SwapRemove(ChunkIndex(0), RowIndex(0), 1).is_null());
  EXPECT_EQ(archetype.row_count(), 0u);
  EXPECT_EQ(archetype.chunk_count(), 0u);
  EXPECT_EQ(pool_.handed_out_count(), 0u);
  Push(archetype, Entity(9, 2), 10);
  EXPECT_EQ(HealthAt(archetype, 0, 0), 10);
}

TEST_F(ArchetypeTest, ACancelledRowLeavesNothing) {
  Archetype& archetype = Make({kHealth});
  archetype.Cancel(archetype.Reserve());
  EXPECT_EQ(archetype.chunk_count(), 0u);
  EXPECT_EQ(pool_.handed_out_count(), 0u);
  Push(archetype, Entity(0, 1), 1);
  archetype.Cancel(archetype.Reserve());
  EXPECT_EQ(archetype.row_count(), 1u);
  EXPECT_EQ(pool_.handed_out_count(), 1u);
}

TEST_F(ArchetypeTest, TagsHaveNoColumn) {
  Archetype& archetype = Make({kHealth, kDisabled});
  EXPECT_EQ(archetype.columns().size(), 1u);
  EXPECT_EQ(archetype.ColumnOf(kDisabled).begin_bytes, 0u);
  EXPECT_EQ(archetype.ColumnOf(kPosition).begin_bytes, 0u);
  EXPECT_EQ(archetype.ColumnOf(ComponentId(400)).begin_bytes, 0u);
  EXPECT_TRUE(archetype.signature().Contains(kDisabled));
}

TEST_F(ArchetypeTest, CopiesValuesOfEverySize) {
  for (std::uint32_t size = 1; size <= 100; ++size) {
    std::vector<std::byte> source(size);
    std::vector<std::byte> target(size + 1, std::byte{0xEE});
    for (std::uint32_t i = 0; i < size; ++i) source[i] = static_cast<std::byte>(i * 7 + 1);
    CopyValue(target.data(), source.data(), size);
    EXPECT_EQ(std::memcmp(target.data(), source.data(), size), 0) << size;
    EXPECT_EQ(target[size], std::byte{0xEE}) << size;
  }
}

}  // namespace
}  // namespace ashlar
