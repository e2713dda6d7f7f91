// Which level a system runs at: what its caller asks for, else the environment, else the best.
#pragma once

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "ashlar/core/cpu.h"

namespace ashlar::inline v0 {

// `level` where there is one; else what the environment variable ASHLAR_SIMD says ("scalar", "avx2"
// or "avx512"); else BestSimdLevel(). `who` begins the message of an error. Reads the environment,
// so no other thread may write to it meanwhile. Error: kOptionInvalid, for a level that this
// machine does not have and for a variable that names none.
absl::StatusOr<SimdLevel> ChooseSimdLevel(std::string_view who, std::optional<SimdLevel> level);

}  // namespace ashlar::inline v0
