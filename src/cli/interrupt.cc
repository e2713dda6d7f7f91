#include "cli/interrupt.h"

#include <atomic>

namespace ashlar::cli {
namespace {

std::atomic<int> signal_seen{0};
static_assert(std::atomic<int>::is_always_lock_free, "the handler may use lock-free atomics only");

void Note(int number) { signal_seen.store(number, std::memory_order_relaxed); }

}  // namespace

Interrupt::Interrupt() {
  signal_seen.store(0, std::memory_order_relaxed);
  struct sigaction action{};
  action.sa_handler = Note;
  sigemptyset(&action.sa_mask);
  // RESETHAND: the second signal finds the default action again and ends the process.
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

int Interrupt::Signal() { return signal_seen.load(std::memory_order_relaxed); }

}  // namespace ashlar::cli
