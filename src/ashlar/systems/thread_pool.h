// ThreadPoolExecutor: an executor with threads of its own, for programs that have no job system.
//
//   jobs: | newest | ... | oldest |      one for each ParallelFor that still has tasks to give out
//
// A thread without work takes a task of the newest job, so that inner loops end first. Who called
// ParallelFor takes tasks of that job alone, and waits only when all of them were given out: those
// that are still running are run by others, each of whom gets on. So nothing waits in a circle.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/systems/executor.h"

namespace ashlar::inline v0 {

// The threads sleep while there is nothing to do. ParallelFor allocates nothing.
class ThreadPoolExecutor final : public Executor {
 public:
  // Threads are at most that many.
  static constexpr std::size_t kThreadCountMax = 1024;

  // The calling thread counts: thread_count - 1 threads are started. 0: as many as the machine
  // runs at once. Errors: kOptionInvalid (more than kThreadCountMax, or more than the system
  // starts), memory.
  static absl::StatusOr<std::unique_ptr<ThreadPoolExecutor>> Make(std::size_t thread_count);

  // REQUIRES: no ParallelFor is running.
  ~ThreadPoolExecutor() override;
  ThreadPoolExecutor(const ThreadPoolExecutor&) = delete;
  ThreadPoolExecutor& operator=(const ThreadPoolExecutor&) = delete;

  std::size_t thread_count() const override { return thread_count_; }

 private:
  struct Job;

  explicit ThreadPoolExecutor(std::size_t thread_count) : thread_count_(thread_count) {}

  void Run(std::size_t count, TaskRef task) override;

  // What a thread of ours does until the end.
  void Work();

  // Takes a job out of the list, where it still is. REQUIRES: mutex_ is held.
  void Unlink(Job* job) noexcept;

  const std::size_t thread_count_;
  std::mutex mutex_;
  std::condition_variable work_;  // A job came, or the end.
  std::condition_variable done_;  // A job has been left by a thread that helped.
  Job* newest_ = nullptr;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace ashlar::inline v0
