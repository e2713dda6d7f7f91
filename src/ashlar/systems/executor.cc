#include "ashlar/systems/executor.h"

#include <cfenv>
#include <exception>
#include <mutex>
#include <utility>

namespace ashlar::inline v0 {
namespace {

// While it lives, this thread's floats are as IEEE 754 has them by default. The default environment
// of <cfenv> keeps denormals, on x86 and ARM. Half a microsecond goes into the three calls, so a
// task should take longer.
class DefaultFloats {
 public:
  DefaultFloats() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloats() { std::fesetenv(&before_); }
  DefaultFloats(const DefaultFloats&) = delete;
  DefaultFloats& operator=(const DefaultFloats&) = delete;

 private:
  std::fenv_t before_;
};

// The exception of the lowest index among those that tasks threw.
class FirstException {
 public:
  void Take(std::size_t index, std::exception_ptr exception) noexcept {
    const std::lock_guard lock(mutex_);
    if (exception_ != nullptr && index_ < index) return;
    index_ = index;
    exception_ = std::move(exception);
  }

  void Rethrow() {
    if (exception_ != nullptr) std::rethrow_exception(std::move(exception_));
  }

 private:
  std::mutex mutex_;
  std::size_t index_ = 0;
  std::exception_ptr exception_;  // Null: none.
};

}  // namespace

void Executor::ParallelFor(std::size_t count, TaskRef task) {
  if (count == 0) return;
  FirstException first;
  Run(count, [&](std::size_t index) noexcept {
    const DefaultFloats floats;
    try {
      task(index);
    } catch (...) {
      first.Take(index, std::current_exception());
    }
  });
  first.Rethrow();
}

void SerialExecutor::Run(std::size_t count, TaskRef task) {
  for (std::size_t i = 0; i < count; ++i) task(i);
}

}  // namespace ashlar::inline v0
