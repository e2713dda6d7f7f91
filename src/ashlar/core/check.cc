#include "ashlar/core/check.h"

#include <cstdio>
#include <cstdlib>

#if defined(ASHLAR_COVERAGE)
// Of clang's profile runtime, which else writes at exit only.
extern "C" int __llvm_profile_write_file(void);
#endif

namespace ashlar::inline v0 {

void CheckFailed(const char* text, const char* file, int line) noexcept {
  std::fprintf(stderr, "ASHLAR_CHECK failed: %s at %s:%d\n", text, file, line);
#if defined(ASHLAR_COVERAGE)
  // What a death test ran counts as well.
  (void)__llvm_profile_write_file();
#endif
  std::abort();
}

}  // namespace ashlar::inline v0
