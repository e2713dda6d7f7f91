// How the vector twins of movement walk over a span: by cache lines, in blocks without a jump, and
// with hints about lines that will be moved later. For the sources of this room alone.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>

#include "ashlar/core/limits.h"

namespace ashlar::inline v0::kernels {

inline constexpr std::size_t kLineFloats = kCacheLineBytes / sizeof(float);

// How a span is walked over.
//
// Without hints: in blocks of 64 lines as long as there are so many. Processors that foretell a
// load from earlier ones by the same instruction lose their way for hundreds of nanoseconds where a
// span ends, if that instruction had come often enough to be trusted. In long blocks none does.
// Measured on AMD Zen 5 over 16,384 entities, in the second-level cache, against one span of all:
// chunks of 16 and 64 KiB take 1.9 times its time in blocks of four lines (AVX2: 1.5 times), 1.0 to
// 1.2 times in these. Shorter spans gain nothing and keep the short loop, which the nearest cache
// runs best.
//
// With hints: up to 24 lines, which is all that a chunk of 4096 bytes has, as one chain, entered
// where it has as many left: .85 of the time of a loop over a million entities, and no more than it
// over 100,000. Longer spans begin with blocks of eight: with hints, long blocks were slower.
inline constexpr std::size_t kLongBlock = 64;
inline constexpr std::size_t kShortBlock = 4;
inline constexpr std::size_t kBlockBeforeChain = 8;
inline constexpr std::size_t kChain = 24;
static_assert(kChain == 24 && kBlockBeforeChain <= kChain, "ASHLAR_MOVEMENT_CHAIN has 24 cases");

// CASE(24) to CASE(1).
// clang-format off
#define ASHLAR_MOVEMENT_CHAIN(CASE)                                       \
  CASE(24) CASE(23) CASE(22) CASE(21) CASE(20) CASE(19) CASE(18) CASE(17) \
  CASE(16) CASE(15) CASE(14) CASE(13) CASE(12) CASE(11) CASE(10) CASE(9)  \
  CASE(8) CASE(7) CASE(6) CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
// clang-format on

// Where the lines of later are. Numbers, not pointers: an offset may leave the array.
struct Later {
  std::uintptr_t position = 0;
  std::uintptr_t velocity = 0;

  static Later Of(const float* position, const float* velocity) noexcept {
    return {reinterpret_cast<std::uintptr_t>(position), reinterpret_cast<std::uintptr_t>(velocity)};
  }

  // Asks for the cache lines of the 16 floats from `offset` on. Always inlined: g++ 12 takes a
  // function that only asks for lines for one without effects, and drops calls of it.
  [[gnu::always_inline]] void Fetch(std::size_t offset) const noexcept {
    const std::size_t bytes = offset * sizeof(float);
    _mm_prefetch(reinterpret_cast<const char*>(position + bytes), _MM_HINT_T0);
    _mm_prefetch(reinterpret_cast<const char*>(velocity + bytes), _MM_HINT_T0);
  }
};

}  // namespace ashlar::inline v0::kernels

#endif  // defined(__x86_64__)
