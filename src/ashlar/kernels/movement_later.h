// Hints about floats that movement will move later. For the sources of this room alone.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>

namespace ashlar::inline v0::kernels {

// Where those floats are. Numbers, not pointers: an offset may leave the array.
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
