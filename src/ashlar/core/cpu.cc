#include "ashlar/core/cpu.h"

namespace ashlar::inline v0 {

std::string_view SimdLevelName(SimdLevel level) {
  switch (level) {
    case SimdLevel::kScalar:
      return "scalar";
    case SimdLevel::kAvx2:
      return "avx2";
  }
  return "unknown";
}

std::optional<SimdLevel> ParseSimdLevel(std::string_view text) {
  for (SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2}) {
    if (text == SimdLevelName(level)) return level;
  }
  return std::nullopt;
}

SimdLevel BestSimdLevel() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  static const bool has_avx2 = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
  }();
  if (has_avx2) return SimdLevel::kAvx2;
#endif
  return SimdLevel::kScalar;
}

}  // namespace ashlar::inline v0
