#include "ashlar/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace ashlar::inline v0 {

void CheckFailed(const char* text, const char* file, int line) noexcept {
  std::fprintf(stderr, "ASHLAR_CHECK failed: %s at %s:%d\n", text, file, line);
  std::abort();
}

}  // namespace ashlar::inline v0
