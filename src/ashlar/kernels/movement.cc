// The twins of the movement kernel, but for those of AVX-512.
//
// What makes them agree bit for bit: the same two roundings, an instruction set without a fused
// multiply-add (and -ffp-contract=off for targets that have one), and one NaN. Which payload a NaN
// result carries depends on the order of operands, which a compiler may swap, so it is replaced.
#include "ashlar/kernels/movement.h"

#include <algorithm>
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

// Moves two vectors, a line. One comparison watches both, since it is unordered when either side is
// a NaN; its lanes gather in `nan`.
ASHLAR_AVX2_INLINE void MoveVectors(float* position, const float* velocity, __m256 dt,
                                    __m256& nan) noexcept {
  const __m256 low = MovedVector(position, velocity, dt);
  const __m256 high = MovedVector(position + kLanes, velocity + kLanes, dt);
  nan = _mm256_or_ps(nan, _mm256_cmp_ps(low, high, _CMP_UNORD_Q));
  _mm256_storeu_ps(position, low);
  _mm256_storeu_ps(position + kLanes, high);
}

ASHLAR_AVX2_INLINE void MoveOneVector(float* position, const float* velocity, __m256 dt,
                                      __m256& nan) noexcept {
  const __m256 moved = MovedVector(position, velocity, dt);
  nan = _mm256_or_ps(nan, _mm256_cmp_ps(moved, moved, _CMP_UNORD_Q));
  _mm256_storeu_ps(position, moved);
}

template <Walk kWalk, std::size_t... kNumbers>
ASHLAR_AVX2_INLINE void MoveNumbered(float* position, const float* velocity, __m256 dt,
                                     const Later& later, __m256& nan,
                                     std::index_sequence<kNumbers...> /*lines*/) noexcept {
  if constexpr (kWalk == Walk::kAhead) (later.Fetch(kNumbers * kLineFloats), ...);
  (MoveVectors(position + kNumbers * kLineFloats, velocity + kNumbers * kLineFloats, dt, nan), ...);
}

// Moves kCount lines from `i` on, and `i` behind them.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX2_INLINE void MoveBlock(float* position, const float* velocity, std::size_t& i, __m256 dt,
                                  const Later& later, __m256& nan) noexcept {
  MoveNumbered<kWalk>(position + i, velocity + i, dt, later.From(i), nan,
                      std::make_index_sequence<kCount>());
  i += kCount * kLineFloats;
}

// Moves the long blocks of kCount and its halves that `lines`, fewer than 2 * kCount, begin with.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX2_INLINE void MoveHalves(float* position, const float* velocity, std::size_t& lines,
                                   std::size_t& i, __m256 dt, const Later& later,
                                   __m256& nan) noexcept {
  if constexpr (kCount >= kLongBlockMin) {
    if (lines >= kCount) {
      MoveBlock<kWalk, kCount>(position, velocity, i, dt, later, nan);
      lines -= kCount;
    }
    MoveHalves<kWalk, kCount / 2>(position, velocity, lines, i, dt, later, nan);
  }
}

// Moves the last `lines`, fewer than 2 * kCount, in blocks of kCount and its halves.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX2_INLINE void MoveRest(float* position, const float* velocity, std::size_t lines,
                                 std::size_t& i, __m256 dt, const Later& later,
                                 __m256& nan) noexcept {
  if ((lines & kCount) != 0) MoveBlock<kWalk, kCount>(position, velocity, i, dt, later, nan);
  if constexpr (kCount > 1)
    MoveRest<kWalk, kCount / 2>(position, velocity, lines, i, dt, later, nan);
}

// Blending NaNs away vector by vector would double the time of spans in the nearest cache. So the
// loop only watches for one, and a second pass mends the results when there was.
//
// The last vector ends at the last float and so may overlap the one before it. It is computed from
// the old positions before anything is stored, and stored last: floats that it shares get the value
// that they have already. That touches nothing beyond the span, needs no masked store (dozens of
// cycles on some processors), and AddressSanitizer sees every access.
//
// REQUIRES: count >= kLanes.
template <Walk kWalk>
ASHLAR_AVX2_INLINE void MoveSpan(float* position, const float* velocity, std::size_t count,
                                 float dt, const Later& later) noexcept {
  const __m256 dt_lanes = _mm256_set1_ps(dt);
  const std::size_t last = count - kLanes;
  const __m256 last_moved = MovedVector(position + last, velocity + last, dt_lanes);
  __m256 nan = _mm256_cmp_ps(last_moved, last_moved, _CMP_UNORD_Q);

  std::size_t i = 0;
  std::size_t lines = count / kLineFloats;
  constexpr std::size_t kFirst = FirstBlock(kWalk);
  for (; lines >= std::max(kFirst, 2 * kBlock); lines -= kFirst) {
    MoveBlock<kWalk, kFirst>(position, velocity, i, dt_lanes, later, nan);
  }
  MoveHalves<kWalk, kFirst / 2>(position, velocity, lines, i, dt_lanes, later, nan);
  for (; lines >= kBlock; lines -= kBlock) {
    MoveBlock<kWalk, kBlock>(position, velocity, i, dt_lanes, later, nan);
  }
  MoveRest<kWalk, kBlock / 2>(position, velocity, lines, i, dt_lanes, later, nan);
  if constexpr (kWalk == Walk::kAhead) later.Fetch(i);
  if (i + kLanes <= count) MoveOneVector(position + i, velocity + i, dt_lanes, nan);
  _mm256_storeu_ps(position + last, last_moved);
  if (_mm256_movemask_ps(nan) != 0) [[unlikely]]
    CanonicaliseAvx2(position, count);
}

template <std::size_t... kNumbers>
ASHLAR_AVX2_INLINE void MoveNumberedPairs(const SpanPair& spans, __m256 dt, __m256& nan,
                                          std::index_sequence<kNumbers...> /*lines*/) noexcept {
  ((MoveVectors(spans.position_a + kNumbers * kLineFloats,
                spans.velocity_a + kNumbers * kLineFloats, dt, nan),
    MoveVectors(spans.position_b + kNumbers * kLineFloats,
                spans.velocity_b + kNumbers * kLineFloats, dt, nan)),
   ...);
}

// Moves the first `lines`, fewer than 2 * kCount, of both spans in blocks of kCount and its halves.
template <std::size_t kCount>
ASHLAR_AVX2_INLINE void MovePairLines(SpanPair& spans, std::size_t lines, __m256 dt,
                                      __m256& nan) noexcept {
  if ((lines & kCount) != 0) {
    MoveNumberedPairs(spans, dt, nan, std::make_index_sequence<kCount>());
    spans.DropLines(kCount);
  }
  if constexpr (kCount > 1) MovePairLines<kCount / 2>(spans, lines, dt, nan);
}

// What is rare in a walk over two spans.
[[gnu::noinline]] void MoveSpanAfterSpan(float* position_a, const float* velocity_a,
                                         float* position_b, const float* velocity_b,
                                         std::size_t count, float dt) noexcept {
  MovementAvx2(position_a, velocity_a, count, dt);
  MovementAvx2(position_b, velocity_b, count, dt);
}
[[gnu::noinline]] void CanonicaliseBoth(float* position_a, float* position_b,
                                        std::size_t count) noexcept {
  CanonicaliseAvx2(position_a, count);
  CanonicaliseAvx2(position_b, count);
}

// The twin of a vector level where it pays; null at the scalar level and on other processors.
template <typename Function>
Function VectorTwinOnAmd(SimdLevel level, Function avx2, Function avx512) {
  if (level == SimdLevel::kScalar || !__builtin_cpu_is("amd")) return nullptr;
  return level == SimdLevel::kAvx512 ? avx512 : avx2;
}

}  // namespace

ASHLAR_AVX2 void MovementAvx2(float* position, const float* velocity, std::size_t count,
                              float dt) noexcept {
  if (count < kLanes) return MovementScalar(position, velocity, count, dt);
  MoveSpan<Walk::kOne>(position, velocity, count, dt, {});
}

ASHLAR_AVX2 void MovementAheadAvx2(float* position, const float* velocity, std::size_t count,
                                   float dt, const float* position_later,
                                   const float* velocity_later) noexcept {
  if (count < kLanes) return MovementScalar(position, velocity, count, dt);
  MoveSpan<Walk::kAhead>(position, velocity, count, dt, Later::Of(position_later, velocity_later));
}

ASHLAR_AVX2 void MovementPairAvx2(float* position_a, const float* velocity_a, float* position_b,
                                  const float* velocity_b, std::size_t count, float dt) noexcept {
  if (count < kLanes || count > kPairFloatsMax) {
    return MoveSpanAfterSpan(position_a, velocity_a, position_b, velocity_b, count, dt);
  }
  const __m256 dt_lanes = _mm256_set1_ps(dt);
  const std::size_t last = count - kLanes;
  const __m256 last_a = MovedVector(position_a + last, velocity_a + last, dt_lanes);
  const __m256 last_b = MovedVector(position_b + last, velocity_b + last, dt_lanes);
  __m256 nan = _mm256_cmp_ps(last_a, last_b, _CMP_UNORD_Q);

  SpanPair spans = {position_a, velocity_a, position_b, velocity_b};
  MovePairLines<kPairBlockMax>(spans, count / kLineFloats, dt_lanes, nan);
  if ((count & kLanes) != 0) {
    MoveOneVector(spans.position_a, spans.velocity_a, dt_lanes, nan);
    MoveOneVector(spans.position_b, spans.velocity_b, dt_lanes, nan);
  }
  _mm256_storeu_ps(position_a + last, last_a);
  _mm256_storeu_ps(position_b + last, last_b);
  if (_mm256_movemask_ps(nan) != 0) [[unlikely]] {
    CanonicaliseBoth(position_a, position_b, count);
  }
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

// Measured over 16,384 entities in the second-level cache, in chunks of 4096 bytes: .85 of the time
// of one span after the other (AMD Zen 5; AVX-512 twin). Not measured elsewhere.
MovementPairFunction MovementPairFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  return VectorTwinOnAmd(level, &MovementPairAvx2, &MovementPairAvx512);
#else
  return nullptr;
#endif
}

// Measured over a million entities in chunks of 4096 bytes, against two plain arrays. AMD Zen 5:
// 1.6 times their time without hints, 1.0 to 1.2 times with hints three chunks ahead; 4 and 2 times
// where the order of chunks is not that of memory. Its AVX-512 twin: 1.3 and 1.9 times without, and
// with hints as the AVX2 twin. Intel (Sapphire Rapids), with a prototype: 1.1 times without, and
// nothing gained.
MovementAheadFunction MovementAheadFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  return VectorTwinOnAmd(level, &MovementAheadAvx2, &MovementAheadAvx512);
#else
  return nullptr;
#endif
}

}  // namespace ashlar::inline v0::kernels
