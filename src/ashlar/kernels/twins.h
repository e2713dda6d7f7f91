// What the twins of all kernels share: the one NaN, and the attributes that choose instructions.
// For the sources of this room alone.
#pragma once

#include <bit>
#include <cfloat>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ashlar::inline v0::kernels {

// Sums and products must be rounded to float at once, not kept wider.
static_assert(FLT_EVAL_METHOD == 0 && sizeof(float) == 4);

inline constexpr std::uint32_t kMagnitudeMask = 0x7fffffff;
inline constexpr std::uint32_t kInfinityBits = 0x7f800000;
inline constexpr std::uint32_t kQuietNanBits = 0x7fc00000;

// The value, or the one quiet NaN for every NaN: which payload a NaN result carries depends on the
// order of operands, which a compiler may swap. Looks at bits, not at `value != value`, so that no
// flag about floating point can drop it.
inline float Canonical(float value) noexcept {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits & kMagnitudeMask) > kInfinityBits ? kQuietNanBits : bits);
}

#if defined(__x86_64__)

// Target attributes stand on the functions, never on the file: an inline function of a header that
// is compiled here must stay fit for every processor.
#define ASHLAR_AVX2 __attribute__((target("avx2")))
#define ASHLAR_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline
#define ASHLAR_AVX512_TARGET target("avx512f,avx512vl,avx512bw,avx512dq,popcnt")
#define ASHLAR_AVX512 __attribute__((ASHLAR_AVX512_TARGET))
#define ASHLAR_AVX512_INLINE __attribute__((ASHLAR_AVX512_TARGET, always_inline)) inline

inline constexpr std::size_t kAvx2Lanes = 8;
inline constexpr std::size_t kAvx512Lanes = 16;

// Makes every NaN among the values the one quiet NaN: the rare second pass of AVX2 twins, which
// only watch for one in the first. REQUIRES: BestSimdLevel() >= SimdLevel::kAvx2.
ASHLAR_AVX2 void CanonicaliseAvx2(float* values, std::size_t count) noexcept;

// Canonical, lane by lane, in one instruction: the table says for quiet and signalling NaNs "keep
// the destination", which is the quiet NaN, and for the six other classes "take the source". So no
// AVX-512 twin needs a second pass.
ASHLAR_AVX512_INLINE __m512 CanonicalAvx512(__m512 values) noexcept {
  const __m512 quiet_nan = _mm512_castsi512_ps(_mm512_set1_epi32(kQuietNanBits));
  return _mm512_fixupimm_ps(quiet_nan, values, _mm512_set1_epi32(0x11111100), 0);
}

// The mask of the first `count` lanes; of all of them from 16 on.
ASHLAR_AVX512_INLINE __mmask16 FirstLanes(std::size_t count) noexcept {
  return static_cast<__mmask16>(count >= kAvx512Lanes ? 0xffffu : (1u << count) - 1u);
}

#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
