// TbbExecutor: an executor that runs its tasks in an arena of oneTBB. In a library of its own,
// ashlar::tbb, which is there where oneTBB was found when Ashlar was built; nothing else of Ashlar
// needs it.
#pragma once

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "ashlar/systems/executor.h"

namespace ashlar::inline v0 {

// Runs beside whatever else the program does with oneTBB, whose threads it shares. What oneTBB
// cannot allocate leaves ParallelFor as its exception.
class TbbExecutor final : public Executor {
 public:
  static constexpr std::size_t kThreadCountMax = 1024;

  // At most so many threads, the calling one among them. 0: as many as oneTBB holds right. Errors:
  // kOptionInvalid (more than kThreadCountMax), memory.
  static absl::StatusOr<std::unique_ptr<TbbExecutor>> Make(std::size_t thread_count);

  // REQUIRES: no ParallelFor is running.
  ~TbbExecutor() override;
  TbbExecutor(const TbbExecutor&) = delete;
  TbbExecutor& operator=(const TbbExecutor&) = delete;

  std::size_t thread_count() const override;

 private:
  struct Arena;

  explicit TbbExecutor(std::unique_ptr<Arena> arena);

  void Run(std::size_t count, TaskRef task) override;

  std::unique_ptr<Arena> arena_;
};

}  // namespace ashlar::inline v0
