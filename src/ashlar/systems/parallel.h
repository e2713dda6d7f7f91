// Loops over a scope's chunks on several threads.
//
//   auto scope = world.OpenScope(query);
//   if (!scope.ok()) return scope.status();
//   ParallelForEach(executor, *scope, [&](const ChunkView& view) { ... });
#pragma once

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/systems/executor.h"
#include "ashlar/world/iteration_scope.h"

namespace ashlar::inline v0 {

// Ranges into which a scope is cut for an executor: some for each thread, so that one that began
// late, or whose rows take longer, does not keep the others waiting; one where there is one thread.
inline std::size_t RangeCountFor(const Executor& executor) {
  constexpr std::size_t kRangesPerThread = 4;
  const std::size_t threads = executor.thread_count();
  return threads <= 1 ? 1 : threads * kRangesPerThread;
}

// Calls visit(view) for each view of the scope, on the executor's threads, and returns when all
// have returned. The views of one range of chunks (IterationScope::Partition) come in order on one
// thread, others at the same time. A visit may write the columns that the scope's query writes, of
// its own view, and read what no visit writes; then the outcome is that of a plain loop, versions
// included, at any number of threads. Structural changes are refused, as in a plain loop. What
// `visit` throws ends its range; the exception of the first range that has one is thrown again when
// all have ended. Allocates nothing by itself.
inline void ParallelForEach(Executor& executor, const IterationScope& scope,
                            absl::FunctionRef<void(const ChunkView&)> visit) {
  const ScopePartition ranges = scope.Partition(RangeCountFor(executor));
  executor.ParallelFor(ranges.size(), [&](std::size_t range) {
    for (const ChunkView& view : ranges[range]) visit(view);
  });
}

}  // namespace ashlar::inline v0
