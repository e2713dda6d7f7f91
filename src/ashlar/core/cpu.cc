#include "ashlar/core/cpu.h"

namespace ashlar::inline v0 {
namespace {

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
// The compiler's support code asks the operating system too: registers that it does not save count
// as absent.
SimdLevel FindBestSimdLevel() {
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("popcnt");
  if (!has_avx2) return SimdLevel::kScalar;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  return has_avx512 ? SimdLevel::kAvx512 : SimdLevel::kAvx2;
}
#else
SimdLevel FindBestSimdLevel() { return SimdLevel::kScalar; }
#endif

}  // namespace

std::string_view SimdLevelName(SimdLevel level) {
  switch (level) {
    case SimdLevel::kScalar:
      return "scalar";
    case SimdLevel::kAvx2:
      return "avx2";
    case SimdLevel::kAvx512:
      return "avx512";
  }
  return "unknown";
}

std::optional<SimdLevel> ParseSimdLevel(std::string_view text) {
  for (SimdLevel level : kSimdLevels) {
    if (text == SimdLevelName(level)) return level;
  }
  return std::nullopt;
}

SimdLevel BestSimdLevel() {
  static const SimdLevel best = FindBestSimdLevel();
  return best;
}

}  // namespace ashlar::inline v0
