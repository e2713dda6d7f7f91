// Which vector instructions this machine has, and which of them we are asked to use.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ashlar::inline v0 {

// The instruction sets that kernels have twins for, in rising order.
enum class SimdLevel : std::uint8_t { kScalar, kAvx2 };

// "scalar" or "avx2".
std::string_view SimdLevelName(SimdLevel level);

// The level with that name; nothing for other text.
std::optional<SimdLevel> ParseSimdLevel(std::string_view text);

// The best level that the processor and the operating system support. Found once.
SimdLevel BestSimdLevel();

}  // namespace ashlar::inline v0
