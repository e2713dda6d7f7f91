// Which vector instructions this machine has, and which of them we are asked to use.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ashlar::inline v0 {

// The instruction sets that kernels have twins for, in rising order: a machine that has one has all
// before it. kAvx2 is AVX2 with FMA and POPCNT; kAvx512 is AVX-512 F, VL, BW and DQ.
enum class SimdLevel : std::uint8_t { kScalar, kAvx2, kAvx512 };

// All of them, in rising order.
inline constexpr std::array<SimdLevel, 3> kSimdLevels = {SimdLevel::kScalar, SimdLevel::kAvx2,
                                                         SimdLevel::kAvx512};

// "scalar", "avx2" or "avx512".
std::string_view SimdLevelName(SimdLevel level);

// The level with that name; nothing for other text.
std::optional<SimdLevel> ParseSimdLevel(std::string_view text);

// The best level that the processor and the operating system support. Found once.
SimdLevel BestSimdLevel();

}  // namespace ashlar::inline v0
