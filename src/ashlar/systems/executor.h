// Executor: something that runs tasks on several threads. An engine with its own job system derives
// one from it; SerialExecutor is for one thread, ThreadPoolExecutor (systems/thread_pool.h) has
// threads of its own, TbbExecutor (systems/tbb_executor.h) uses oneTBB.
//
//   class EngineExecutor final : public ashlar::Executor {
//    public:
//     std::size_t thread_count() const override { return jobs_->worker_count(); }
//    private:
//     void Run(std::size_t count, ashlar::TaskRef task) override { jobs_->For(0, count, task); }
//   };
//
// What a task computes is the same on every executor, where it depends on its index alone.
#pragma once

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace ashlar::inline v0 {

// Called with the index of a task. Refers to the callable, which must outlive it.
using TaskRef = absl::FunctionRef<void(std::size_t)>;

class Executor {
 public:
  virtual ~Executor() = default;

  // How many tasks may run at the same time, at least 1; that many tasks keep every thread busy.
  // The same for the executor's whole life.
  virtual std::size_t thread_count() const = 0;

  // Calls task(0), task(1), ... task(count - 1), each once, in any order and on any threads, and
  // returns when all have ended; what they wrote can then be seen. Each task runs with floats as
  // IEEE 754 has them by default (round to nearest, denormals kept, no traps); the thread is set
  // back afterwards. Tasks may call ParallelFor themselves, of the same executor too, and several
  // threads may call it at once. Where tasks throw, all others are run nevertheless, and the
  // exception of the lowest index is thrown again.
  void ParallelFor(std::size_t count, TaskRef task);

 protected:
  Executor() = default;
  Executor(const Executor&) = default;
  Executor& operator=(const Executor&) = default;

 private:
  // Calls task(i) once for each i below `count`, which is at least 1, from any threads, and returns
  // when all calls have returned; each of them happens before the return. `task` never throws and
  // sets the floats by itself. It may come from inside a task, and must not wait then for a thread
  // that waits for it. What Run itself throws leaves ParallelFor as it is; then tasks may be
  // missing.
  virtual void Run(std::size_t count, TaskRef task) = 0;
};

// Runs the tasks on the calling thread, in order.
class SerialExecutor final : public Executor {
 public:
  std::size_t thread_count() const override { return 1; }

 private:
  void Run(std::size_t count, TaskRef task) override;
};

}  // namespace ashlar::inline v0
