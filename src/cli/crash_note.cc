#include "cli/crash_note.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ASHLAR_CLI_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ASHLAR_CLI_SANITIZED 1
#endif

#if defined(ASHLAR_CLI_SANITIZED)
#include <sanitizer/common_interface_defs.h>
#endif

namespace ashlar::cli {
namespace {

// Static, because a handler must not allocate and may find the heap in ruins.
std::array<char, 1001> note{};
volatile std::sig_atomic_t note_length = 0;

void Say() {
  const auto length = static_cast<std::size_t>(note_length);
  note_length = 0;  // Once only, though a report and the abort after it both come here.
  if (length == 0) return;
  // Nothing can be done about a failed write in a dying process.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, note.data(), length);
}

extern "C" void AshlarCrashHandler(int number) {
  Say();
  // SA_RESETHAND put the default action back; the signal comes again when this returns.
  raise(number);
}

// Under a sanitizer its handlers report memory faults and end the process, and the note is said at
// its death; an abort is nobody's but ours.
#if defined(ASHLAR_CLI_SANITIZED)
constexpr std::array kSignals = {SIGABRT};
#else
constexpr std::array kSignals = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif
std::array<struct sigaction, kSignals.size()> old_actions{};

}  // namespace

CrashNote::CrashNote() {
  note_length = 0;
#if defined(ASHLAR_CLI_SANITIZED)
  __sanitizer_set_death_callback(Say);
#endif
  struct sigaction action{};
  action.sa_handler = AshlarCrashHandler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &action, &old_actions[i]);
  }
}

CrashNote::~CrashNote() {
  note_length = 0;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &old_actions[i], nullptr);
  }
}

void CrashNote::Set(std::string_view text) {
  note_length = 0;
  const std::size_t length = std::min(text.size(), note.size() - 1);
  std::memcpy(note.data(), text.data(), length);
  note_length = static_cast<std::sig_atomic_t>(length);
}

}  // namespace ashlar::cli
