// The twins of the movement kernel, but for those of AVX-512.
//
// What makes them agree bit for bit: the same two roundings, an instruction set without a fused
// multiply-add (and -ffp-contract=off for targets that have one), and one NaN. Which payload a NaN
// result carries depends on the order of operands, which a compiler may swap, so it is replaced.
#include "ashlar/kernels/movement.h"

#include <utility>

#include "ashlar/core/check.h"
#include "ashlar/kernels/movement_lines.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

void MovementScalar(float* position, const float* velocity, std::size_t count, float dt) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const float step = velocity[i] * dt;
    position[i] = Canonical(position[i] + step);
  }
}

#if defined(__x86_64__)
namespace {

constexpr std::size_t kLanes = kAvx2Lanes;
static_assert(kLineFloats == 2 * kLanes);

ASHLAR_AVX2_INLINE __m256 MovedVector(const float* position, const float* velocity,
                                      __m256 dt) noexcept {
  const __m256 step = _mm256_mul_ps(_mm256_loadu_ps(velocity), dt);
  return _mm256_add_ps(_mm256_loadu_ps(position), step);
}

// Moves the line from `i` on. One comparison watches both vectors, since it is unordered when
// either side is a NaN; its lanes gather in `nan`.
template <bool kAhead>
ASHLAR_AVX2_INLINE void MoveLine(float* position, const float* velocity, std::size_t i, __m256 dt,
                                 const Later& later, __m256& nan) noexcept {
  if constexpr (kAhead) later.Fetch(i);
  const __m256 low = MovedVector(position + i, velocity + i, dt);
  const __m256 high = MovedVector(position + i + kLanes, velocity + i + kLanes, dt);
  nan = _mm256_or_ps(nan, _mm256_cmp_ps(low, high, _CMP_UNORD_Q));
  _mm256_storeu_ps(position + i, low);
  _mm256_storeu_ps(position + i + kLanes, high);
}

template <bool kAhead, std::size_t... kNumbers>
ASHLAR_AVX2_INLINE void MoveNumbered(float* position, const float* velocity, std::size_t i,
                                     __m256 dt, const Later& later, __m256& nan,
                                     std::index_sequence<kNumbers...> /*lines*/) noexcept {
  (MoveLine<kAhead>(position, velocity, i + kNumbers * kLineFloats, dt, later, nan), ...);
}

// Moves kCount lines from `i` on, and `i` behind them.
template <bool kAhead, std::size_t kCount>
ASHLAR_AVX2_INLINE void MoveBlock(float* position, const float* velocity, std::size_t& i, __m256 dt,
                                  const Later& later, __m256& nan) noexcept {
  MoveNumbered<kAhead>(position, velocity, i, dt, later, nan, std::make_index_sequence<kCount>());
  i += kCount * kLineFloats;
}

// Blending NaNs away vector by vector would double the time of spans in the nearest cache. So the
// loop only watches for one, and a second pass mends the results when there was.
//
// The last vector ends at the last float and so may overlap the one before it. It is computed from
// the old positions before anything is stored, and stored last: floats that it shares get the value
// that they have already. That touches nothing beyond the span, needs no masked store (dozens of
// cycles on some processors), and AddressSanitizer sees every access.
template <bool kAhead>
ASHLAR_AVX2_INLINE void MoveSpan(float* position, const float* velocity, std::size_t count,
                                 float dt, const Later& later) noexcept {
  const __m256 dt_lanes = _mm256_set1_ps(dt);
  const std::size_t last_begin = count - kLanes;
  const __m256 last = MovedVector(position + last_begin, velocity + last_begin, dt_lanes);
  __m256 nan = _mm256_cmp_ps(last, last, _CMP_UNORD_Q);

  std::size_t i = 0;
  std::size_t lines = count / kLineFloats;
  if constexpr (kAhead) {
    for (; lines > kChain; lines -= kBlockBeforeChain) {
      MoveBlock<kAhead, kBlockBeforeChain>(position, velocity, i, dt_lanes, later, nan);
    }
    i += lines * kLineFloats;
    switch (lines) {
#define ASHLAR_CASE(n)                                                                 \
  case n:                                                                              \
    MoveLine<kAhead>(position, velocity, i - (n) * kLineFloats, dt_lanes, later, nan); \
    [[fallthrough]];
      ASHLAR_MOVEMENT_CHAIN(ASHLAR_CASE)
#undef ASHLAR_CASE
      default:
        break;
    }
  } else {
    for (; lines >= kLongBlock; lines -= kLongBlock) {
      MoveBlock<kAhead, kLongBlock>(position, velocity, i, dt_lanes, later, nan);
    }
    for (; lines >= kShortBlock; lines -= kShortBlock) {
      MoveBlock<kAhead, kShortBlock>(position, velocity, i, dt_lanes, later, nan);
    }
    for (; lines != 0; --lines) MoveBlock<kAhead, 1>(position, velocity, i, dt_lanes, later, nan);
  }
  if constexpr (kAhead) later.Fetch(i);
  if (i + kLanes <= count) {
    const __m256 moved = MovedVector(position + i, velocity + i, dt_lanes);
    nan = _mm256_or_ps(nan, _mm256_cmp_ps(moved, moved, _CMP_UNORD_Q));
    _mm256_storeu_ps(position + i, moved);
  }
  _mm256_storeu_ps(position + last_begin, last);
  if (_mm256_movemask_ps(nan) != 0) [[unlikely]]
    CanonicaliseAvx2(position, count);
}

}  // namespace

ASHLAR_AVX2 void MovementAvx2(float* position, const float* velocity, std::size_t count,
                              float dt) noexcept {
  if (count < kLanes) {
    MovementScalar(position, velocity, count, dt);
    return;
  }
  MoveSpan<false>(position, velocity, count, dt, Later{});
}

ASHLAR_AVX2 void MovementAheadAvx2(float* position, const float* velocity, std::size_t count,
                                   float dt, const float* position_later,
                                   const float* velocity_later) noexcept {
  if (count < kLanes) {
    MovementScalar(position, velocity, count, dt);
    return;
  }
  MoveSpan<true>(position, velocity, count, dt, Later::Of(position_later, velocity_later));
}

#endif  // defined(__x86_64__)

MovementFunction MovementFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return &MovementAvx512;
  if (level == SimdLevel::kAvx2) return &MovementAvx2;
#endif
  return &MovementScalar;
}

// Measured over a million entities in chunks of 4096 bytes, against two plain arrays. AMD Zen 5:
// 1.6 times their time without hints, 1.0 to 1.2 times with hints three chunks ahead; 4 and 2 times
// where the order of chunks is not that of memory. Its AVX-512 twin: 1.3 and 1.9 times without, and
// with hints as the AVX2 twin. Intel (Sapphire Rapids), with a prototype: 1.1
// times without, and nothing gained.
MovementAheadFunction MovementAheadFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  if (__builtin_cpu_is("amd")) {
    if (level == SimdLevel::kAvx512) return &MovementAheadAvx512;
    if (level == SimdLevel::kAvx2) return &MovementAheadAvx2;
  }
#endif
  return nullptr;
}

}  // namespace ashlar::inline v0::kernels
