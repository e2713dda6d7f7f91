#include "ashlar/systems/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <system_error>

#include "ashlar/core/status.h"

namespace ashlar::inline v0 {

// One ParallelFor, on its caller's stack. Who enters it does so under the lock, while it is in the
// list; the caller takes it out of the list and leaves when nobody is inside.
struct ThreadPoolExecutor::Job {
  Job(std::size_t task_count, TaskRef run) : count(task_count), task(run) {}

  // Runs tasks until all have been given out.
  void RunTasks() {
    for (;;) {
      const std::size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count) return;
      task(index);
    }
  }

  const std::size_t count;
  const TaskRef task;
  std::atomic<std::size_t> next{0};  // The task that is given out next.
  std::size_t helpers = 0;           // Threads inside, besides the caller.
  Job* older = nullptr;
};

absl::StatusOr<std::unique_ptr<ThreadPoolExecutor>> ThreadPoolExecutor::Make(
    std::size_t thread_count) try {
  if (thread_count == 0) thread_count = std::max(1u, std::thread::hardware_concurrency());
  if (thread_count > kThreadCountMax) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid,
                     "threads: " + std::to_string(thread_count) + " are wanted; at most " +
                         std::to_string(kThreadCountMax) + " are possible");
  }
  std::unique_ptr<ThreadPoolExecutor> pool(new ThreadPoolExecutor(thread_count));
  pool->threads_.reserve(thread_count - 1);
  try {
    while (pool->threads_.size() + 1 < thread_count) {
      pool->threads_.emplace_back([executor = pool.get()] { executor->Work(); });
    }
  } catch (const std::system_error& error) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid,
                     "threads: " + std::to_string(pool->threads_.size() + 1) + " of " +
                         std::to_string(thread_count) + " could be started: " + error.what());
  }
  return pool;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

ThreadPoolExecutor::~ThreadPoolExecutor() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPoolExecutor::Run(std::size_t count, TaskRef task) {
  const std::size_t wanted = std::min(count - 1, threads_.size());
  Job job(count, task);
  if (wanted == 0) return job.RunTasks();
  {
    const std::lock_guard lock(mutex_);
    job.older = newest_;
    newest_ = &job;
  }
  if (wanted == threads_.size()) {
    work_.notify_all();
  } else {
    for (std::size_t i = 0; i < wanted; ++i) work_.notify_one();
  }
  job.RunTasks();
  std::unique_lock lock(mutex_);
  Unlink(&job);
  done_.wait(lock, [&] { return job.helpers == 0; });
}

void ThreadPoolExecutor::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [this] { return newest_ != nullptr || is_ending_; });
    if (newest_ == nullptr) return;
    Job* job = newest_;
    ++job->helpers;
    lock.unlock();
    job->RunTasks();
    lock.lock();
    Unlink(job);
    if (--job->helpers == 0) done_.notify_all();
  }
}

void ThreadPoolExecutor::Unlink(Job* job) noexcept {
  for (Job** link = &newest_; *link != nullptr; link = &(*link)->older) {
    if (*link == job) {
      *link = job->older;
      return;
    }
  }
}

}  // namespace ashlar::inline v0
