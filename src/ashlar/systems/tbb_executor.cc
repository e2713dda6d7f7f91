#include "ashlar/systems/tbb_executor.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <new>
#include <string>
#include <utility>

#include "ashlar/core/status.h"

namespace ashlar::inline v0 {

// Keeps the headers of oneTBB out of ours.
struct TbbExecutor::Arena {
  explicit Arena(int max_concurrency) : arena(max_concurrency) {}
  tbb::task_arena arena;
};

absl::StatusOr<std::unique_ptr<TbbExecutor>> TbbExecutor::Make(std::size_t thread_count) try {
  if (thread_count > kThreadCountMax) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid,
                     "threads: " + std::to_string(thread_count) + " are wanted; at most " +
                         std::to_string(kThreadCountMax) + " are possible");
  }
  auto arena = std::make_unique<Arena>(thread_count == 0 ? tbb::task_arena::automatic
                                                         : static_cast<int>(thread_count));
  arena->arena.initialize();
  return std::unique_ptr<TbbExecutor>(new TbbExecutor(std::move(arena)));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

TbbExecutor::TbbExecutor(std::unique_ptr<Arena> arena) : arena_(std::move(arena)) {}

TbbExecutor::~TbbExecutor() = default;

std::size_t TbbExecutor::thread_count() const {
  return static_cast<std::size_t>(arena_->arena.max_concurrency());
}

void TbbExecutor::Run(std::size_t count, TaskRef task) {
  // Tasks are large: each is worth being taken by a thread of its own.
  arena_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& indices) {
          for (std::size_t i = indices.begin(); i != indices.end(); ++i) task(i);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace ashlar::inline v0
