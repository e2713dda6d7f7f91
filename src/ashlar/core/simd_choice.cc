#include "ashlar/core/simd_choice.h"

#include <cstdlib>
#include <string>

#include "ashlar/core/status.h"

namespace ashlar::inline v0 {

absl::StatusOr<SimdLevel> ChooseSimdLevel(std::string_view who, std::optional<SimdLevel> level) {
  if (!level.has_value()) {
    const char* variable = std::getenv("ASHLAR_SIMD");
    if (variable == nullptr) return BestSimdLevel();
    level = ParseSimdLevel(variable);
    if (!level.has_value()) {
      return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid,
                       std::string(who) + ": ASHLAR_SIMD is '" + std::string(variable) +
                           "'; it may be 'scalar', 'avx2' or 'avx512'");
    }
  }
  if (*level > BestSimdLevel()) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid,
                     std::string(who) + ": this machine has no " +
                         std::string(SimdLevelName(*level)) + "; its best level is " +
                         std::string(SimdLevelName(BestSimdLevel())));
  }
  return *level;
}

}  // namespace ashlar::inline v0
