#include "ashlar/core/slab_memory.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace ashlar {
namespace {

#if defined(__linux__)
constexpr bool kMaps = true;
#else
constexpr bool kMaps = false;
#endif

std::size_t Misalignment(const void* memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) % alignment;
}

TEST(SlabMemory, SmallBlocksAreNotMapped) {
  SlabMemory memory;
  void* block = memory.allocate(SlabMemory::kMappedBytesMin - 1, 64);
  EXPECT_EQ(memory.mapped_bytes(), 0u);
  EXPECT_EQ(Misalignment(block, 64), 0u);
  std::memset(block, 1, SlabMemory::kMappedBytesMin - 1);
  memory.deallocate(block, SlabMemory::kMappedBytesMin - 1, 64);
}

TEST(SlabMemory, LargeBlocksAreWholePagesOnHugePageBorders) {
  if (!kMaps) GTEST_SKIP() << "nothing is mapped on this system";
  SlabMemory memory;
  struct Block {
    void* begin;
    std::size_t bytes;
  };
  std::vector<Block> blocks;
  std::size_t bytes_wanted = 0;
  for (std::size_t bytes : {SlabMemory::kMappedBytesMin, SlabMemory::kMappedBytesMin + 1,
                            std::size_t{504 * 4160}, std::size_t{5'000'000}}) {
    blocks.push_back({memory.allocate(bytes, 64), bytes});
    EXPECT_EQ(Misalignment(blocks.back().begin, SlabMemory::kMappedAlignment), 0u);
    bytes_wanted += bytes;
    std::memset(blocks.back().begin, static_cast<int>(blocks.size()), bytes);
  }
  EXPECT_GE(memory.mapped_bytes(), bytes_wanted);
  EXPECT_LT(memory.mapped_bytes(), bytes_wanted + 4 * 65536u) << "less than a page more for each";
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto* begin = static_cast<const unsigned char*>(blocks[i].begin);
    EXPECT_EQ(begin[0], i + 1);
    EXPECT_EQ(begin[blocks[i].bytes - 1], i + 1);
    memory.deallocate(blocks[i].begin, blocks[i].bytes, 64);
  }
  EXPECT_EQ(memory.mapped_bytes(), 0u);
}

TEST(SlabMemory, TakesLargerAlignments) {
  SlabMemory memory;
  constexpr std::size_t kAlignment = std::size_t{8} << 20;
  void* block = memory.allocate(SlabMemory::kMappedBytesMin, kAlignment);
  EXPECT_EQ(Misalignment(block, kAlignment), 0u);
  memory.deallocate(block, SlabMemory::kMappedBytesMin, kAlignment);
}

TEST(SlabMemory, RefusesWhatNoSystemHas) {
  if (!kMaps) GTEST_SKIP() << "operator new answers, each in its way";
  SlabMemory memory;
  constexpr std::size_t kMostBytes = std::numeric_limits<std::size_t>::max();
  for (std::size_t bytes :
       {kMostBytes, kMostBytes - SlabMemory::kMappedAlignment, kMostBytes / 2}) {
    EXPECT_THROW((void)memory.allocate(bytes, 64), std::bad_alloc) << bytes;
  }
  EXPECT_EQ(memory.mapped_bytes(), 0u);
}

TEST(SlabMemory, IsEqualOnlyToItself) {
  SlabMemory a;
  SlabMemory b;
  EXPECT_TRUE(a.is_equal(a));
  EXPECT_FALSE(a.is_equal(b));
}

TEST(SlabMemoryDeathTest, NoticesWhatWasNotGivenBack) {
  if (!kMaps) GTEST_SKIP() << "nothing is mapped on this system";
  EXPECT_DEATH(
      {
        SlabMemory memory;
        (void)memory.allocate(SlabMemory::kMappedBytesMin, 64);
      },
      "mapped_bytes\\(\\) == 0");
}

}  // namespace
}  // namespace ashlar
