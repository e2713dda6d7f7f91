// The check macros: the only macros of the kernel besides the probes.
//
// ASHLAR_CHECK(condition) aborts with file and line. It is for bugs of the kernel's own, or of a
// caller below World (`REQUIRES:` in a docstring), is O(1), and is on in every build. Anything that
// data can cause is an absl::Status instead.
//
// ASHLAR_ALWAYS(x) and ASHLAR_NEVER(x) mark a branch that defends against what cannot happen. They
// are transparent by default; with ASHLAR_COVERAGE they become constants, so that the dead branch
// does not count against coverage; with ASHLAR_PARANOID they abort when the belief is wrong.
#pragma once

namespace ashlar::inline v0 {

// Prints "ASHLAR_CHECK failed: <text> at <file>:<line>" to standard error and aborts.
[[noreturn]] void CheckFailed(const char* text, const char* file, int line) noexcept;

}  // namespace ashlar::inline v0

#define ASHLAR_CHECK(condition)                              \
  do {                                                       \
    if (!(condition)) [[unlikely]] {                         \
      ::ashlar::CheckFailed(#condition, __FILE__, __LINE__); \
    }                                                        \
  } while (false)

#if defined(ASHLAR_COVERAGE)
#define ASHLAR_ALWAYS(condition) (true)
#define ASHLAR_NEVER(condition) (false)
#elif defined(ASHLAR_PARANOID)
#define ASHLAR_ALWAYS(condition) \
  ((condition) ? true : (::ashlar::CheckFailed(#condition, __FILE__, __LINE__), false))
#define ASHLAR_NEVER(condition) \
  ((condition) ? (::ashlar::CheckFailed("not " #condition, __FILE__, __LINE__), true) : false)
#else
#define ASHLAR_ALWAYS(condition) (condition)
#define ASHLAR_NEVER(condition) (condition)
#endif
