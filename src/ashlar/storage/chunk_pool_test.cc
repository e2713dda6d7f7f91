#include "ashlar/storage/chunk_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <new>
#include <set>
#include <vector>

#include "ashlar/core/accounted_memory.h"
#include "ashlar/core/poison.h"

namespace ashlar {
namespace {

TEST(ChunkPool, HandsOutAlignedChunksThatDoNotOverlap) {
  ChunkPool pool(std::pmr::get_default_resource(), 4096);
  std::vector<std::byte*> chunks;
  std::set<std::uintptr_t> starts;
  for (int i = 0; i < 100; ++i) {
    chunks.push_back(pool.Acquire());
    const auto at = reinterpret_cast<std::uintptr_t>(chunks.back());
    EXPECT_EQ(at % 64, 0u);
    starts.insert(at);
    std::memset(chunks.back(), i, 4096);
  }
  ASSERT_EQ(starts.size(), 100u);
  for (auto a = starts.begin(), b = std::next(a); b != starts.end(); ++a, ++b) {
    EXPECT_GE(*b - *a, 4096u + 64u) << "a gap lies behind every chunk";
  }
  EXPECT_EQ(pool.handed_out_count(), 100u);
  EXPECT_EQ(pool.handed_out_count() + pool.free_count(), pool.allocated_count());
  for (std::byte* chunk : chunks) pool.Release(chunk);
  EXPECT_EQ(pool.free_count(), pool.allocated_count());
}

TEST(ChunkPool, GivesTheChunkReleasedLast) {
  ChunkPool pool(std::pmr::get_default_resource(), 8192);
  std::byte* a = pool.Acquire();
  std::byte* b = pool.Acquire();
  pool.Release(a);
  pool.Release(b);
  EXPECT_EQ(pool.Acquire(), b);
  EXPECT_EQ(pool.Acquire(), a);
  pool.Release(a);
  pool.Release(b);
}

TEST(ChunkPool, CountsItsSlabsAnew) {
  ChunkPool pool(std::pmr::get_default_resource(), 4096);
  EXPECT_EQ(pool.CountSlabs().chunks, 0u);
  std::byte* chunk = pool.Acquire();
  EXPECT_EQ(pool.CountSlabs().chunks, pool.allocated_count());
  EXPECT_EQ(pool.CountSlabs().bytes, pool.bytes_held());
  EXPECT_TRUE(pool.GapsIntact());
  EXPECT_TRUE(pool.Owns(chunk));
  EXPECT_FALSE(pool.Owns(chunk + 1));
  EXPECT_FALSE(pool.Owns(nullptr));
  pool.Release(chunk);
}

TEST(ChunkPool, SeesAWriteBehindAChunk) {
  ChunkPool pool(std::pmr::get_default_resource(), 4096);
  std::byte* chunk = pool.Acquire();
  RedzoneLift(chunk + 4096, 1);
  chunk[4096] = std::byte{1};
  EXPECT_FALSE(pool.GapsIntact());
  pool.Release(chunk);
}

TEST(ChunkPoolDeathTest, AsksForASizeThatAChunkMayHave) {
  EXPECT_DEATH(ChunkPool(std::pmr::get_default_resource(), 5000), "IsChunkSize");
}

TEST(ChunkPoolDeathTest, NoticesChunksThatComeBackTwiceOrNever) {
  ChunkPool pool(std::pmr::get_default_resource(), 4096);
  std::byte* chunk = pool.Acquire();
  EXPECT_DEATH(pool.~ChunkPool(), "free_.size\\(\\) == allocated_count_");
  pool.Release(chunk);
  EXPECT_DEATH(pool.Release(chunk), "free_.size\\(\\) < allocated_count_");
}

// Gives memory until it is closed.
class Gate : public std::pmr::memory_resource {
 public:
  bool is_closed = false;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (is_closed) throw std::bad_alloc();
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// What a test still holds goes back with it.
class ChunkPoolTrim : public ::testing::Test {
 protected:
  ~ChunkPoolTrim() override {
    for (std::byte* chunk : held_) pool_.Release(chunk);
  }
  std::byte* Acquire() {
    held_.push_back(pool_.Acquire());
    return held_.back();
  }
  // Releases the chunks acquired as number first, first + 1, ... before last.
  void Release(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) pool_.Release(held_[i]);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(first),
                held_.begin() + static_cast<std::ptrdiff_t>(last));
  }

  MemoryBudget budget_{0};
  Gate gate_;
  AccountedResource memory_{&gate_, &budget_};
  ChunkPool pool_{&memory_, 4096};
  std::vector<std::byte*> held_;
};

// Slabs of 4, 4, 8, 16 chunks: each as large as all before it.
TEST_F(ChunkPoolTrim, GivesBackTheSlabsThatNobodyUses) {
  for (int i = 0; i < 32; ++i) Acquire();
  EXPECT_EQ(pool_.slab_count(), 4u);
  Release(4, 8);  // The second slab.
  EXPECT_EQ(pool_.CountUnusedSlabs().slabs, 1u);
  EXPECT_EQ(pool_.CountUnusedSlabs().bytes, 4u * 4160u);
  EXPECT_EQ(pool_.Trim(), 4u * 4160u);
  EXPECT_EQ(pool_.slab_count(), 3u);
  EXPECT_EQ(pool_.allocated_count(), 28u);
  EXPECT_EQ(pool_.free_count(), 0u);
  EXPECT_EQ(pool_.bytes_held(), 28u * 4160u);
  EXPECT_EQ(pool_.CountSlabs().bytes, 28u * 4160u);
  EXPECT_EQ(pool_.Trim(), 0u);
  for (std::byte* chunk : held_) EXPECT_TRUE(pool_.Owns(chunk));
}

TEST_F(ChunkPoolTrim, ASlabWithOneChunkInUseStays) {
  for (int i = 0; i < 4; ++i) Acquire();
  Release(0, 3);
  EXPECT_EQ(pool_.CountUnusedSlabs().chunks, 0u);
  EXPECT_EQ(pool_.Trim(), 0u);
  EXPECT_EQ(pool_.free_count(), 3u);
}

TEST_F(ChunkPoolTrim, FreeChunksKeepTheirOrder) {
  for (int i = 0; i < 12; ++i) Acquire();
  std::byte* a = held_[1];
  std::byte* b = held_[9];
  std::byte* c = held_[2];
  // Chunks of the first slab and of the third, and all four of the second in between.
  for (std::byte* chunk : {a, held_[4], held_[5], b, held_[6], held_[7], c}) pool_.Release(chunk);
  held_ = {held_[0], held_[3], held_[8], held_[10], held_[11]};
  EXPECT_EQ(pool_.Trim(), 4u * 4160u);
  EXPECT_EQ(Acquire(), c);
  EXPECT_EQ(Acquire(), b);
  EXPECT_EQ(Acquire(), a);
}

TEST_F(ChunkPoolTrim, AnUnusedPoolHoldsNothing) {
  for (int i = 0; i < 1000; ++i) Acquire();
  Release(0, 1000);
  const std::size_t in_use = budget_.in_use_bytes();
  EXPECT_EQ(in_use, pool_.bytes_held() + pool_.list_bytes());
  EXPECT_EQ(pool_.Trim(), in_use);
  EXPECT_EQ(budget_.in_use_bytes(), 0u);
  EXPECT_EQ(pool_.allocated_count(), 0u);
  EXPECT_EQ(pool_.list_bytes(), 0u);
  EXPECT_EQ(pool_.Trim(), 0u);
  Acquire();
  EXPECT_EQ(pool_.allocated_count(), 4u) << "it starts anew";
}

// Trim and Release need no memory, whatever was given back between.
TEST_F(ChunkPoolTrim, AllocatesNothingAndNeitherDoesReleaseAfterwards) {
  for (int i = 0; i < 100; ++i) Acquire();
  gate_.is_closed = true;
  for (std::size_t keep : {std::size_t{50}, std::size_t{7}, std::size_t{1}, std::size_t{0}}) {
    Release(keep, held_.size());
    pool_.Trim();
    EXPECT_EQ(pool_.handed_out_count(), keep);
  }
  EXPECT_EQ(budget_.in_use_bytes(), 0u);
}

}  // namespace
}  // namespace ashlar
