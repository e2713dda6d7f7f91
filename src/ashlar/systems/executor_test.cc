// Every executor is asked for the same: each task once, all ended, the first exception, floats as
// they are by default. ThreadSanitizer says whether what tasks wrote can be read afterwards.
#include "ashlar/systems/executor.h"

#include <atomic>
#include <cfenv>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/systems/thread_pool.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#if defined(ASHLAR_HAS_TBB)
#include "ashlar/systems/tbb_executor.h"
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ashlar::inline v0 {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// An engine's own: starts a thread for each task, the last one first.
class ThreadForEachTask final : public Executor {
 public:
  std::size_t thread_count() const override { return 3; }

 private:
  void Run(std::size_t count, TaskRef task) override {
    std::vector<std::thread> threads;
    for (std::size_t i = count; i-- > 0;) threads.emplace_back([task, i] { task(i); });
    for (std::thread& thread : threads) thread.join();
  }
};

struct ExecutorCase {
  std::string name;
  std::size_t thread_count;
  std::function<std::unique_ptr<Executor>()> make;
};

ExecutorCase Pool(std::size_t threads) {
  return {"Pool" + std::to_string(threads), threads,
          [threads] { return ThreadPoolExecutor::Make(threads).value(); }};
}

std::vector<ExecutorCase> Cases() {
  std::vector<ExecutorCase> cases = {
      {"Serial", 1, [] { return std::make_unique<SerialExecutor>(); }},
      {"ThreadForEachTask", 3, [] { return std::make_unique<ThreadForEachTask>(); }},
      Pool(1),
      Pool(2),
      Pool(4),
      Pool(8),
  };
#if defined(ASHLAR_HAS_TBB)
  for (const std::size_t threads : {1u, 2u, 4u}) {
    cases.push_back({"Tbb" + std::to_string(threads), threads,
                     [threads] { return TbbExecutor::Make(threads).value(); }});
  }
#endif
  return cases;
}

class ExecutorTest : public testing::TestWithParam<ExecutorCase> {
 protected:
  std::unique_ptr<Executor> executor_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(All, ExecutorTest, testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(ExecutorTest, SaysHowManyThreads) {
  EXPECT_EQ(executor_->thread_count(), GetParam().thread_count);
}

TEST_P(ExecutorTest, RunsEachTaskOnce) {
  for (const std::size_t count : {0u, 1u, 2u, 7u, 64u}) {
    std::vector<int> runs(count);  // Of no atomics: each is written by its own task.
    executor_->ParallelFor(count, [&](std::size_t i) { ++runs[i]; });
    EXPECT_THAT(runs, Each(1)) << count;
  }
}

TEST_P(ExecutorTest, ManyRoundsSeeWhatTheLastOneWrote) {
  std::vector<std::size_t> values(5);
  for (int round = 0; round < 50; ++round) {
    const std::size_t before = values[4];
    executor_->ParallelFor(5, [&](std::size_t i) { values[i] = before + i; });
  }
  EXPECT_THAT(values, ElementsAre(196, 197, 198, 199, 200));
}

TEST_P(ExecutorTest, TheExceptionOfTheLowestIndexComesWhenAllHaveEnded) {
  std::vector<int> runs(9);
  std::string caught;
  try {
    executor_->ParallelFor(9, [&](std::size_t i) {
      ++runs[i];
      if (i >= 3) throw std::runtime_error("task " + std::to_string(i));
    });
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
  EXPECT_EQ(caught, "task 3");
  EXPECT_THAT(runs, Each(1));
  // And it is over with that.
  executor_->ParallelFor(9, [&](std::size_t i) { ++runs[i]; });
  EXPECT_THAT(runs, Each(2));
}

TEST_P(ExecutorTest, AUsersBadAllocIsAnExceptionLikeOthers) {
  EXPECT_THROW(executor_->ParallelFor(3, [](std::size_t) { throw std::bad_alloc(); }),
               std::bad_alloc);
}

TEST_P(ExecutorTest, TasksMayHaveTasks) {
  std::vector<std::vector<int>> runs(4, std::vector<int>(6));
  executor_->ParallelFor(4, [&](std::size_t i) {
    executor_->ParallelFor(6, [&, i](std::size_t k) {
      executor_->ParallelFor(2, [&, i, k](std::size_t m) {
        if (m == 1) ++runs[i][k];
      });
    });
  });
  EXPECT_THAT(runs, Each(Each(1)));
}

TEST_P(ExecutorTest, SeveralThreadsMayCallAtOnce) {
  std::vector<std::vector<int>> runs(3, std::vector<int>(16));
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < 3; ++caller) {
    callers.emplace_back([this, &mine = runs[caller]] {
      for (int round = 0; round < 10; ++round) {
        executor_->ParallelFor(16, [&](std::size_t i) { ++mine[i]; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_THAT(runs, Each(Each(10)));
}

TEST_P(ExecutorTest, TasksRoundToNearest) {
  ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
  std::vector<int> modes(12, -1);
  executor_->ParallelFor(12, [&](std::size_t i) {
    modes[i] = std::fegetround();
    std::fesetround(FE_DOWNWARD);  // Whose task spoils them, spoils none but its own.
  });
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  std::fesetround(FE_TONEAREST);
  EXPECT_THAT(modes, Each(FE_TONEAREST));
}

#if defined(__x86_64__)
TEST_P(ExecutorTest, TasksKeepDenormals) {
  constexpr unsigned kFlushAndZero = 0x9fc0;  // Results flushed, operands taken for zero.
  constexpr unsigned kControl = 0xffc0;       // Without the flags of what was raised.
  const unsigned before = _mm_getcsr();
  _mm_setcsr(kFlushAndZero);
  std::vector<unsigned> modes(12);
  executor_->ParallelFor(12, [&](std::size_t i) {
    modes[i] = _mm_getcsr() & kControl;
    _mm_setcsr(kFlushAndZero);
  });
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(after, kFlushAndZero);
  EXPECT_THAT(modes, Each(0x1f80u));
}
#endif

TEST(ThreadPoolExecutorTest, TasksRunAtTheSameTime) {
  const auto pool = ThreadPoolExecutor::Make(4).value();
  std::atomic<int> waiting{4};
  // Ends only where four threads are inside at once.
  pool->ParallelFor(4, [&](std::size_t) {
    --waiting;
    while (waiting.load() > 0) std::this_thread::yield();
  });
  EXPECT_EQ(waiting.load(), 0);
}

TEST(ThreadPoolExecutorTest, NoNumberIsThatOfTheMachine) {
  const auto pool = ThreadPoolExecutor::Make(0).value();
  EXPECT_GE(pool->thread_count(), 1u);
}

TEST(ThreadPoolExecutorTest, TooManyAreRefused) {
  const absl::Status status = ThreadPoolExecutor::Make(1025).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonOf(status), Reason::kOptionInvalid);
  EXPECT_THAT(std::string(status.message()), HasSubstr("1025 are wanted; at most 1024"));
}

#if defined(ASHLAR_HAS_TBB)
TEST(TbbExecutorTest, TooManyAreRefused) {
  EXPECT_EQ(ReasonOf(TbbExecutor::Make(1025).status()), Reason::kOptionInvalid);
  EXPECT_GE(TbbExecutor::Make(0).value()->thread_count(), 1u);
}
#endif

}  // namespace
}  // namespace ashlar::inline v0
