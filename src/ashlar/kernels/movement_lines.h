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

// How a long span is walked over: in blocks of lines without a jump, long ones first.
//
// A processor may foretell the loads of an instruction that came often in equal strides. Where a
// span ends it is wrong, for hundreds of nanoseconds. In long blocks no instruction comes often.
// Measured on AMD Zen 5 over 16,384 entities, in the second-level cache, against one span of all:
// chunks of 16 and 64 KiB take 1.9 times its time in blocks of four lines, 1.0 to 1.2 times in
// these. One span itself takes 1.7 times as long in blocks of 32 lines as in 16 or 256; blocks of
// 64 and 128 sometimes do, depending on where the code lies. So one goes from 256 by halves to 64,
// and then to 16.
//
// With hints, it goes in blocks of 8 while it has 32 lines or more.
inline constexpr std::size_t kBlock = 16;
inline constexpr std::size_t kBlockAhead = 8;
inline constexpr std::size_t kLongBlockMin = 64;
inline constexpr std::size_t kLongBlockMax = 256;

// Short spans, which those of chunks of 4096 bytes are, are walked over in blocks of 32, 16, 8, 4,
// 2 and 1 lines, each at most once. What such a walk waits for is room for its stores, so that
// every store besides costs as much as one of a line: registers saved on the stack, of which a loop
// or an index needs some, are a tenth of the time of two chunks of 4096 bytes (AMD Zen 5, 16,384
// entities: 1.05 of two plain arrays without any, 1.17 with five). So it has neither, and what is
// rare is done by functions that are jumped to, before it or behind it.
inline constexpr std::size_t kShortBlockMax = 32;
inline constexpr std::size_t kShortFloatsMax = 2 * kShortBlockMax * kLineFloats - 1;

// What a walk does at each line: moves it, asks for another besides, or moves one of a second span.
enum class Walk { kOne, kAhead, kPair };

// The lines of the blocks that a walk over a long span begins with.
constexpr std::size_t FirstBlock(Walk walk) {
  return walk == Walk::kAhead ? kBlockAhead : kLongBlockMax;
}

// Where the lines of later are. Numbers, not pointers: an offset may leave the array.
struct Later {
  std::uintptr_t position = 0;
  std::uintptr_t velocity = 0;

  static Later Of(const float* position, const float* velocity) noexcept {
    return {reinterpret_cast<std::uintptr_t>(position), reinterpret_cast<std::uintptr_t>(velocity)};
  }

  [[gnu::always_inline]] Later From(std::size_t i) const noexcept {
    return {position + i * sizeof(float), velocity + i * sizeof(float)};
  }

  // Asks for the cache lines of the 16 floats from `offset` on. Always inlined: g++ 12 takes a
  // function that only asks for lines for one without effects, and drops calls of it.
  [[gnu::always_inline]] void Fetch(std::size_t offset) const noexcept {
    const std::size_t bytes = offset * sizeof(float);
    _mm_prefetch(reinterpret_cast<const char*>(position + bytes), _MM_HINT_T0);
    _mm_prefetch(reinterpret_cast<const char*>(velocity + bytes), _MM_HINT_T0);
  }
};

// The spans of a walk, all of the same count, as far as they have not been moved; what a walk has
// no use for is left out. Single pointers, not an array of pairs: g++ 12 keeps an array in memory.
struct Spans {
  float* position;
  const float* velocity;
  float* position_b = nullptr;
  const float* velocity_b = nullptr;
  Later later = {};

  [[gnu::always_inline]] void DropLines(std::size_t count, Walk walk) noexcept {
    position += count * kLineFloats;
    velocity += count * kLineFloats;
    if (walk == Walk::kPair) {
      position_b += count * kLineFloats;
      velocity_b += count * kLineFloats;
    }
    if (walk == Walk::kAhead) later = later.From(count * kLineFloats);
  }
};

}  // namespace ashlar::inline v0::kernels

#endif  // defined(__x86_64__)
