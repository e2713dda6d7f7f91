#include "fuzz/freed_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <set>

#include "ashlar/core/poison.h"

namespace ashlar::fuzz {
namespace {

TEST(FreedMemory, GivesNoByteTwiceUntilItIsFreed) {
  FreedMemory memory;
  std::set<void*> seen;
  for (int i = 0; i < 100; ++i) {
    void* block = memory.allocate(40, 8);
    EXPECT_TRUE(seen.insert(block).second);
    memory.deallocate(block, 40, 8);
  }
  EXPECT_EQ(memory.kept_bytes(), 4000u);
  memory.FreeKept();
  EXPECT_EQ(memory.kept_bytes(), 0u);
}

TEST(FreedMemory, WhatWasGivenBackIsPoisoned) {
  if (!ASHLAR_ASAN) GTEST_SKIP() << "memory is poisoned under AddressSanitizer only";
  FreedMemory memory;
  for (const std::size_t size_bytes : std::array<std::size_t, 5>{1, 7, 8, 61, 4096}) {
    auto* block = static_cast<std::byte*>(memory.allocate(size_bytes, 64));
    block[size_bytes - 1] = std::byte{1};
    memory.deallocate(block, size_bytes, 64);
    EXPECT_TRUE(RegionPoisoned(block, size_bytes)) << size_bytes;
  }
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
}

}  // namespace
}  // namespace ashlar::fuzz
