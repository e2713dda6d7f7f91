#include "ashlar/storage/chunk_pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

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

}  // namespace
}  // namespace ashlar
