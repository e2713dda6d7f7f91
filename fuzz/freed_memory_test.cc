#include "fuzz/freed_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <set>

#include "ashlar/core/poison.h"

namespace ashlar::fuzz {
namespace {

TEST(FreedMemory, GivesNoByteTwiceInOneInput) {
  FreedMemory memory;
  std::set<void*> seen;
  for (int i = 0; i < 100; ++i) {
    void* block = memory.allocate(40, 8);
    EXPECT_EQ(memory.in_use_bytes(), 40u);
    EXPECT_TRUE(seen.insert(block).second);
    memory.deallocate(block, 40, 8);
  }
  EXPECT_EQ(memory.in_use_bytes(), 0u);
  EXPECT_EQ(memory.kept_bytes(), 4000u);
  EXPECT_EQ(memory.ready_bytes(), 0u);
}

TEST(FreedMemory, TheNextInputGetsTheBlocksOfThisOne) {
  FreedMemory memory;
  void* block = memory.allocate(40, 8);
  memory.deallocate(block, 40, 8);
  memory.EndInput();
  EXPECT_EQ(memory.kept_bytes(), 0u);
  EXPECT_EQ(memory.ready_bytes(), 40u);
  // Only for what they are: of another size or alignment it is another block.
  void* larger = memory.allocate(41, 8);
  void* aligned = memory.allocate(40, 64);
  EXPECT_EQ(memory.ready_bytes(), 40u);
  auto* again = static_cast<std::byte*>(memory.allocate(40, 8));
  EXPECT_EQ(again, block);
  EXPECT_EQ(again[0], std::byte{0xBE});
  EXPECT_EQ(again[39], std::byte{0xBE});
  EXPECT_EQ(memory.ready_bytes(), 0u);
  memory.deallocate(larger, 41, 8);
  memory.deallocate(aligned, 40, 64);
  memory.deallocate(again, 40, 8);
}

TEST(FreedMemory, WhatWasGivenBackIsPoisoned) {
  if (!ASHLAR_ASAN) GTEST_SKIP() << "memory is poisoned under AddressSanitizer only";
  FreedMemory memory;
  for (const std::size_t size_bytes : std::array<std::size_t, 5>{1, 7, 8, 61, 4096}) {
    auto* block = static_cast<std::byte*>(memory.allocate(size_bytes, 64));
    block[size_bytes - 1] = std::byte{1};
    memory.deallocate(block, size_bytes, 64);
    EXPECT_TRUE(RegionPoisoned(block, size_bytes)) << size_bytes;
    memory.EndInput();
    EXPECT_TRUE(RegionPoisoned(block, size_bytes)) << size_bytes;
    auto* again = static_cast<std::byte*>(memory.allocate(size_bytes, 64));
    ASSERT_EQ(again, block);
    again[0] = again[size_bytes - 1];  // May be touched.
    memory.deallocate(again, size_bytes, 64);
  }
}

TEST(FreedMemory, RefusesWhatWasNotGivenOut) {
  EXPECT_DEATH(
      {
        FreedMemory memory;
        void* block = memory.allocate(40, 8);
        memory.deallocate(block, 41, 8);
      },
      "size_bytes <= in_use_bytes_");
  if (!ASHLAR_ASAN) GTEST_SKIP() << "memory is poisoned under AddressSanitizer only";
  EXPECT_DEATH(
      {
        FreedMemory memory;
        void* other = memory.allocate(40, 8);
        void* block = memory.allocate(40, 8);
        memory.deallocate(block, 40, 8);
        memory.deallocate(block, 40, 8);
        memory.deallocate(other, 40, 8);
      },
      "is_kept");
}

// The oldest goes first: what was given back last is kept.
TEST(FreedMemory, FreesTheOldestFirst) {
  FreedMemory memory;
  void* oldest = memory.allocate(600'000, 8);
  void* newest = memory.allocate(600'000, 8);
  memory.deallocate(oldest, 600'000, 8);
  memory.deallocate(newest, 600'000, 8);
  EXPECT_EQ(memory.kept_bytes(), 600'000u);
  memory.EndInput();
  void* again = memory.allocate(600'000, 8);
  EXPECT_EQ(again, newest);
  memory.deallocate(again, 600'000, 8);
}

TEST(FreedMemory, KeepsAMegabyteAtMost) {
  FreedMemory memory;
  for (int i = 0; i < 5; ++i) {
    void* block = memory.allocate(400'000, 8);
    memory.deallocate(block, 400'000, 8);
    EXPECT_LE(memory.kept_bytes(), FreedMemory::kKeptBytesMax);
    EXPECT_GE(memory.kept_bytes(), 400'000u);
  }
  // One block that is larger than all may be is kept alone.
  void* block = memory.allocate(2'000'000, 8);
  memory.deallocate(block, 2'000'000, 8);
  EXPECT_EQ(memory.kept_bytes(), 2'000'000u);
  memory.EndInput();
  EXPECT_EQ(memory.ready_bytes(), 2'000'000u);
}

TEST(FreedMemory, HasFourMegabytesReadyAtMost) {
  FreedMemory memory;
  for (std::size_t size_bytes = 900'001; size_bytes < 900'010; ++size_bytes) {
    void* block = memory.allocate(size_bytes, 8);
    memory.deallocate(block, size_bytes, 8);
    memory.EndInput();
    EXPECT_LE(memory.ready_bytes(), FreedMemory::kReadyBytesMax);
    EXPECT_GE(memory.ready_bytes(), size_bytes);
  }
}

}  // namespace
}  // namespace ashlar::fuzz
