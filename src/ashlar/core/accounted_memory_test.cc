#include "ashlar/core/accounted_memory.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

namespace ashlar {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();

// Counts the requests that reach it, and refuses them when told to.
class Upstream : public std::pmr::memory_resource {
 public:
  std::size_t requests = 0;
  bool fails = false;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++requests;
    if (fails) throw std::bad_alloc();
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(MemoryBudget, TakesUpToTheLimitAndNotOneByteMore) {
  MemoryBudget budget(100);
  EXPECT_EQ(budget.Take(60), 60u);
  EXPECT_EQ(budget.Take(40), 100u);
  EXPECT_EQ(budget.Take(0), 100u);
  try {
    budget.Take(1);
    FAIL() << "nothing was left";
  } catch (const MemoryLimitReached& error) {
    EXPECT_EQ(error.wanted_bytes(), 1u);
    EXPECT_EQ(error.in_use_bytes(), 100u);
    EXPECT_EQ(error.limit_bytes(), 100u);
    EXPECT_STREQ(error.what(), "ashlar: the memory limit is reached");
  }
  EXPECT_EQ(budget.in_use_bytes(), 100u);
  budget.GiveBack(1);
  EXPECT_EQ(budget.Take(1), 100u);
  budget.GiveBack(100);
}

TEST(MemoryBudget, SumsThatWouldWrapAreRefused) {
  MemoryBudget limited(kMost - 1);
  limited.Take(10);
  EXPECT_THROW(limited.Take(kMost), MemoryLimitReached);
  EXPECT_THROW(limited.Take(kMost - 10), MemoryLimitReached);
  EXPECT_EQ(limited.Take(kMost - 11), kMost - 1);
  EXPECT_EQ(limited.in_use_bytes(), kMost - 1);

  MemoryBudget unlimited(0);
  unlimited.Take(10);
  try {
    unlimited.Take(kMost - 9);
    FAIL() << "the sum wraps";
  } catch (const MemoryLimitReached&) {
    FAIL() << "there is no limit to reach";
  } catch (const std::bad_alloc&) {
  }
  EXPECT_EQ(unlimited.Take(kMost - 10), kMost);
  EXPECT_EQ(unlimited.limit_bytes(), 0u);
}

TEST(MemoryBudget, PeakIsTheMostThatSucceeded) {
  MemoryBudget budget(0);
  budget.RecordPeak(budget.Take(70));
  budget.GiveBack(50);
  EXPECT_EQ(budget.peak_bytes(), 70u);
  budget.RecordPeak(budget.Take(40));
  EXPECT_EQ(budget.in_use_bytes(), 60u);
  EXPECT_EQ(budget.peak_bytes(), 70u);
  budget.RecordPeak(budget.Take(11));
  EXPECT_EQ(budget.peak_bytes(), 71u);
}

TEST(MemoryBudgetDeathTest, GivesBackOnlyWhatWasTaken) {
  MemoryBudget budget(100);
  budget.Take(8);
  EXPECT_DEATH(budget.GiveBack(9), "before >= bytes");
}

TEST(AccountedResource, CountsByPurposeWithinOneBudget) {
  MemoryBudget budget(100);
  Upstream upstream;
  AccountedResource a(&upstream, &budget);
  AccountedResource b(&upstream, &budget);
  void* of_a = a.allocate(60, 8);
  void* of_b = b.allocate(40, 64);
  EXPECT_EQ(a.in_use_bytes(), 60u);
  EXPECT_EQ(b.in_use_bytes(), 40u);
  EXPECT_EQ(budget.in_use_bytes(), 100u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(of_b) % 64, 0u);
  a.deallocate(of_a, 60, 8);
  EXPECT_EQ(a.in_use_bytes(), 0u);
  EXPECT_EQ(budget.in_use_bytes(), 40u);
  EXPECT_EQ(budget.peak_bytes(), 100u);
  b.deallocate(of_b, 40, 64);
}

TEST(AccountedResource, RefusesBeforeItAllocates) {
  MemoryBudget budget(100);
  Upstream upstream;
  AccountedResource resource(&upstream, &budget);
  EXPECT_THROW((void)resource.allocate(101, 1), MemoryLimitReached);
  EXPECT_EQ(upstream.requests, 0u);
  EXPECT_EQ(resource.in_use_bytes(), 0u);
  EXPECT_EQ(budget.in_use_bytes(), 0u);
}

TEST(AccountedResource, AFailedAllocationIsNotCounted) {
  MemoryBudget budget(100);
  Upstream upstream;
  AccountedResource resource(&upstream, &budget);
  upstream.fails = true;
  try {
    (void)resource.allocate(50, 1);
    FAIL() << "the upstream resource refused";
  } catch (const MemoryLimitReached&) {
    FAIL() << "the limit was not reached";
  } catch (const std::bad_alloc&) {
  }
  EXPECT_EQ(upstream.requests, 1u);
  EXPECT_EQ(resource.in_use_bytes(), 0u);
  EXPECT_EQ(budget.in_use_bytes(), 0u);
  EXPECT_EQ(budget.peak_bytes(), 0u);
}

TEST(AccountedResource, IsEqualOnlyToItself) {
  MemoryBudget budget(0);
  AccountedResource a(std::pmr::new_delete_resource(), &budget);
  AccountedResource b(std::pmr::new_delete_resource(), &budget);
  EXPECT_TRUE(a.is_equal(a));
  EXPECT_FALSE(a.is_equal(b));
  // A move between purposes copies, so the bytes stay with their purpose.
  std::pmr::vector<std::uint64_t> from({1, 2, 3}, &a);
  const std::pmr::vector<std::uint64_t> to(std::move(from), &b);
  EXPECT_EQ(b.in_use_bytes(), 24u);
}

TEST(AccountedResourceDeathTest, NoticesWhatWasNotGivenBack) {
  EXPECT_DEATH(
      {
        MemoryBudget budget(0);
        AccountedResource resource(std::pmr::new_delete_resource(), &budget);
        (void)resource.allocate(8);
      },
      "in_use_bytes\\(\\) == 0");
}

TEST(AccountedResourceDeathTest, NoticesMoreThanWasHandedOut) {
  MemoryBudget budget(0);
  std::pmr::monotonic_buffer_resource upstream;
  AccountedResource resource(&upstream, &budget);
  void* block = resource.allocate(8);
  EXPECT_DEATH(resource.deallocate(block, 9), "before >= bytes");
  resource.deallocate(block, 8);
}

TEST(AccountedResource, ThreadsShareABudget) {
  constexpr std::size_t kThreads = 4;
  MemoryBudget budget(kThreads * 64);
  AccountedResource resource(std::pmr::new_delete_resource(), &budget);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 2000; ++k) resource.deallocate(resource.allocate(64), 64);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.in_use_bytes(), 0u);
  EXPECT_EQ(resource.in_use_bytes(), 0u);
  EXPECT_LE(budget.peak_bytes(), kThreads * 64);
  EXPECT_GE(budget.peak_bytes(), 64u);
}

}  // namespace
}  // namespace ashlar
