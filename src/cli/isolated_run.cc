#include "cli/isolated_run.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace ashlar::cli {
namespace {

constexpr int kChildPass = 0;
constexpr int kChildFailure = 86;  // A number that no sanitizer ends with by default.

// What the child does; never returns into the parent's code.
[[noreturn]] void RunChild(const oplang::Program& program, const LockstepFunction& run,
                           std::chrono::seconds time_limit) {
  // A sanitizer's handlers of memory faults stay; these signals are ours alone.
  for (const int number : {SIGABRT, SIGALRM, SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
  const rlimit no_core{0, 0};  // Hundreds of tries would leave hundreds of core files.
  setrlimit(RLIMIT_CORE, &no_core);
  const int null_device = open("/dev/null", O_WRONLY);
  if (null_device >= 0) dup2(null_device, STDERR_FILENO);
  alarm(static_cast<unsigned>(time_limit.count()));
  _exit(run(program, nullptr).has_value() ? kChildFailure : kChildPass);
}

}  // namespace

std::string IsolatedText(const IsolatedResult& result) {
  switch (result.kind) {
    case IsolatedResult::Kind::kPass:
      return "no difference";
    case IsolatedResult::Kind::kFailure:
      return "a difference";
    case IsolatedResult::Kind::kDied:
      if (result.number < 0) {
        return "the process ended with status " + std::to_string(-result.number);
      }
      return "the process died of signal " + std::to_string(result.number) + " (" +
             strsignal(result.number) + ")";
    case IsolatedResult::Kind::kTimedOut:
      return "the process did not come to an end";
    case IsolatedResult::Kind::kNotRun:
      return "no process could be started";
  }
  return "unknown";
}

IsolatedResult RunIsolated(const oplang::Program& program, const LockstepFunction& run,
                           std::chrono::seconds time_limit) {
  using Kind = IsolatedResult::Kind;
  const pid_t child = fork();
  if (child < 0) return {Kind::kNotRun, 0};
  if (child == 0) RunChild(program, run, time_limit);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return {Kind::kNotRun, 0};
  }
  if (WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGALRM) return {Kind::kTimedOut, 0};
    return {Kind::kDied, WTERMSIG(status)};
  }
  const int code = WEXITSTATUS(status);
  if (code == kChildPass) return {Kind::kPass, 0};
  if (code == kChildFailure) return {Kind::kFailure, 0};
  return {Kind::kDied, -code};
}

}  // namespace ashlar::cli
