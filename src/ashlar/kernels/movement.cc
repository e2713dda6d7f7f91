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

// Moves line `number` of the spans.
template <Walk kWalk>
ASHLAR_AVX2_INLINE void MoveLine(const Spans& spans, std::size_t number, __m256 dt,
                                 __m256& nan) noexcept {
  const std::size_t i = number * kLineFloats;
  if constexpr (kWalk == Walk::kAhead) spans.later.Fetch(i);
  MoveVectors(spans.position + i, spans.velocity + i, dt, nan);
  if constexpr (kWalk == Walk::kPair) {
    MoveVectors(spans.position_b + i, spans.velocity_b + i, dt, nan);
  }
}

template <Walk kWalk, std::size_t... kNumbers>
ASHLAR_AVX2_INLINE void MoveNumbered(const Spans& spans, __m256 dt, __m256& nan,
                                     std::index_sequence<kNumbers...> /*lines*/) noexcept {
  (MoveLine<kWalk>(spans, kNumbers, dt, nan), ...);
}

// Moves the first kCount lines.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX2_INLINE void MoveBlock(Spans& spans, __m256 dt, __m256& nan) noexcept {
  MoveNumbered<kWalk>(spans, dt, nan, std::make_index_sequence<kCount>());
  spans.DropLines(kCount, kWalk);
}

// Moves a block of kCount lines, and of each of its halves, where `lines` has that bit.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX2_INLINE void MoveLines(Spans& spans, std::size_t lines, __m256 dt,
                                  __m256& nan) noexcept {
  if ((lines & kCount) != 0) MoveBlock<kWalk, kCount>(spans, dt, nan);
  if constexpr (kCount > 1) MoveLines<kWalk, kCount / 2>(spans, lines, dt, nan);
}

// Moves the long blocks of kCount and its halves that `lines`, fewer than 2 * kCount, begin with.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX2_INLINE void MoveHalves(Spans& spans, std::size_t& lines, __m256 dt,
                                   __m256& nan) noexcept {
  if constexpr (kCount >= kLongBlockMin) {
    if (lines >= kCount) {
      MoveBlock<kWalk, kCount>(spans, dt, nan);
      lines -= kCount;
    }
    MoveHalves<kWalk, kCount / 2>(spans, lines, dt, nan);
  }
}

template <Walk kWalk>
ASHLAR_AVX2_INLINE void MoveLongLines(Spans& spans, std::size_t lines, __m256 dt,
                                      __m256& nan) noexcept {
  constexpr std::size_t kFirst = FirstBlock(kWalk);
  for (; lines >= std::max(kFirst, 2 * kBlock); lines -= kFirst) {
    MoveBlock<kWalk, kFirst>(spans, dt, nan);
  }
  MoveHalves<kWalk, kFirst / 2>(spans, lines, dt, nan);
  for (; lines >= kBlock; lines -= kBlock) MoveBlock<kWalk, kBlock>(spans, dt, nan);
  MoveLines<kWalk, kBlock / 2>(spans, lines, dt, nan);
}

// Whether a walk is over at most kShortFloatsMax floats.
enum class Length { kShort, kLong };

// Blending NaNs away vector by vector would double the time of spans in the nearest cache. So the
// loop only watches for one, and says whether a second pass must mend the results.
//
// The last vector ends at the last float and so may overlap the one before it. It is computed from
// the old positions before anything is stored, and stored last: floats that it shares get the value
// that they have already. That touches nothing beyond the span, needs no masked store (dozens of
// cycles on some processors), and AddressSanitizer sees every access.
//
// REQUIRES: count >= kLanes, and count <= kShortFloatsMax for kShort.
template <Walk kWalk, Length kLength>
ASHLAR_AVX2_INLINE bool MoveSpans(Spans spans, std::size_t count, float dt) noexcept {
  constexpr bool kPair = kWalk == Walk::kPair;
  const __m256 dt_lanes = _mm256_set1_ps(dt);
  const std::size_t last = count - kLanes;
  const __m256 last_a = MovedVector(spans.position + last, spans.velocity + last, dt_lanes);
  const __m256 last_b =
      kPair ? MovedVector(spans.position_b + last, spans.velocity_b + last, dt_lanes) : last_a;
  __m256 nan = _mm256_cmp_ps(last_a, last_b, _CMP_UNORD_Q);

  if constexpr (kLength == Length::kShort) {
    MoveLines<kWalk, kShortBlockMax>(spans, count / kLineFloats, dt_lanes, nan);
  } else {
    MoveLongLines<kWalk>(spans, count / kLineFloats, dt_lanes, nan);
  }
  if constexpr (kWalk == Walk::kAhead) spans.later.Fetch(0);
  if ((count & kLanes) != 0) {
    MoveOneVector(spans.position, spans.velocity, dt_lanes, nan);
    if constexpr (kPair) MoveOneVector(spans.position_b, spans.velocity_b, dt_lanes, nan);
  }
  const auto to_last = static_cast<std::ptrdiff_t>(count % kLineFloats) - std::ptrdiff_t{kLanes};
  _mm256_storeu_ps(spans.position + to_last, last_a);
  if constexpr (kPair) _mm256_storeu_ps(spans.position_b + to_last, last_b);
  return _mm256_movemask_ps(nan) != 0;
}

// Where the straight code for short spans does not go: what may use the stack, or what is rare.
[[gnu::noinline]] ASHLAR_AVX2 void MoveOtherOne(float* position, const float* velocity,
                                                std::size_t count, float dt) noexcept {
  if (count < kLanes) return MovementScalar(position, velocity, count, dt);
  if (MoveSpans<Walk::kOne, Length::kLong>({position, velocity}, count, dt)) [[unlikely]] {
    CanonicaliseAvx2(position, count);
  }
}
[[gnu::noinline]] ASHLAR_AVX2 void MoveOtherAhead(float* position, const float* velocity,
                                                  std::size_t count, float dt,
                                                  const float* position_later,
                                                  const float* velocity_later) noexcept {
  if (count < kLanes) return MovementScalar(position, velocity, count, dt);
  const Spans spans = {position, velocity, nullptr, nullptr,
                       Later::Of(position_later, velocity_later)};
  if (MoveSpans<Walk::kAhead, Length::kLong>(spans, count, dt)) [[unlikely]] {
    CanonicaliseAvx2(position, count);
  }
}
[[gnu::noinline]] void MoveOtherPair(float* position_a, const float* velocity_a, float* position_b,
                                     const float* velocity_b, std::size_t count,
                                     float dt) noexcept {
  MovementAvx2(position_a, velocity_a, count, dt);
  MovementAvx2(position_b, velocity_b, count, dt);
}
[[gnu::noinline]] void CanonicaliseBoth(float* position_a, float* position_b,
                                        std::size_t count) noexcept {
  CanonicaliseAvx2(position_a, count);
  CanonicaliseAvx2(position_b, count);
}

// Whether straight code does it: not where there is no whole vector, nor where a span is long.
constexpr bool IsStraight(std::size_t count) { return count >= kLanes && count <= kShortFloatsMax; }

// The twin of a vector level where it pays; null at the scalar level and on other processors.
template <typename Function>
Function VectorTwinOnAmd(SimdLevel level, Function avx2, Function avx512) {
  if (level == SimdLevel::kScalar || !__builtin_cpu_is("amd")) return nullptr;
  return level == SimdLevel::kAvx512 ? avx512 : avx2;
}

}  // namespace

ASHLAR_AVX2 void MovementAvx2(float* position, const float* velocity, std::size_t count,
                              float dt) noexcept {
  if (!IsStraight(count)) return MoveOtherOne(position, velocity, count, dt);
  if (MoveSpans<Walk::kOne, Length::kShort>({position, velocity}, count, dt)) [[unlikely]] {
    return CanonicaliseAvx2(position, count);
  }
}

ASHLAR_AVX2 void MovementAheadAvx2(float* position, const float* velocity, std::size_t count,
                                   float dt, const float* position_later,
                                   const float* velocity_later) noexcept {
  if (!IsStraight(count)) {
    return MoveOtherAhead(position, velocity, count, dt, position_later, velocity_later);
  }
  const Spans spans = {position, velocity, nullptr, nullptr,
                       Later::Of(position_later, velocity_later)};
  if (MoveSpans<Walk::kAhead, Length::kShort>(spans, count, dt)) [[unlikely]] {
    return CanonicaliseAvx2(position, count);
  }
}

ASHLAR_AVX2 void MovementPairAvx2(float* position_a, const float* velocity_a, float* position_b,
                                  const float* velocity_b, std::size_t count, float dt) noexcept {
  if (!IsStraight(count)) {
    return MoveOtherPair(position_a, velocity_a, position_b, velocity_b, count, dt);
  }
  const Spans spans = {position_a, velocity_a, position_b, velocity_b};
  if (MoveSpans<Walk::kPair, Length::kShort>(spans, count, dt)) [[unlikely]] {
    return CanonicaliseBoth(position_a, position_b, count);
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

// Measured over 16,384 entities in the second-level cache, in chunks of 4096 bytes, against two
// plain arrays: 1.05 of their time for the walk alone, and 1.12 for one span after the other (AMD
// Zen 5; AVX-512 twin). Not measured elsewhere.
MovementPairFunction MovementPairFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  return VectorTwinOnAmd(level, &MovementPairAvx2, &MovementPairAvx512);
#else
  return nullptr;
#endif
}

// Measured over a million entities in chunks of 4096 bytes, against two plain arrays. AMD Zen 5:
// 1.5 times their time without hints, 1.0 to 1.4 times with hints three chunks ahead (where every
// step begins at the first chunk; systems/movement.cc turns, and is faster); 4 and 2 times
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
