// The AVX-512 twins of the movement kernel. Tails are masked: no lane beyond the span is read or
// written, and there is neither a scalar loop nor a vector that is stored twice.
#include <algorithm>
#include <utility>

#include "ashlar/kernels/movement.h"
#include "ashlar/kernels/movement_lines.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

#if defined(__x86_64__)
namespace {

static_assert(kLineFloats == kAvx512Lanes);

// Moves the lanes of one vector.
ASHLAR_AVX512_INLINE void MoveVector(float* position, const float* velocity, __m512 dt) noexcept {
  const __m512 step = _mm512_mul_ps(_mm512_loadu_ps(velocity), dt);
  const __m512 moved = _mm512_add_ps(_mm512_loadu_ps(position), step);
  _mm512_storeu_ps(position, CanonicalAvx512(moved));
}

ASHLAR_AVX512_INLINE void MoveSomeLanes(float* position, const float* velocity, __mmask16 lanes,
                                        __m512 dt) noexcept {
  const __m512 step = _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, velocity), dt);
  const __m512 moved = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, position), step);
  _mm512_mask_storeu_ps(position, lanes, CanonicalAvx512(moved));
}

// Moves line `number` of the spans.
template <Walk kWalk>
ASHLAR_AVX512_INLINE void MoveLine(const Spans& spans, std::size_t number, __m512 dt) noexcept {
  const std::size_t i = number * kLineFloats;
  if constexpr (kWalk == Walk::kAhead) spans.later.Fetch(i);
  MoveVector(spans.position + i, spans.velocity + i, dt);
  if constexpr (kWalk == Walk::kPair) MoveVector(spans.position_b + i, spans.velocity_b + i, dt);
}

template <Walk kWalk, std::size_t... kNumbers>
ASHLAR_AVX512_INLINE void MoveNumbered(const Spans& spans, __m512 dt,
                                       std::index_sequence<kNumbers...> /*lines*/) noexcept {
  (MoveLine<kWalk>(spans, kNumbers, dt), ...);
}

// Moves the first kCount lines.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveBlock(Spans& spans, __m512 dt) noexcept {
  MoveNumbered<kWalk>(spans, dt, std::make_index_sequence<kCount>());
  spans.DropLines(kCount, kWalk);
}

// Moves a block of kCount lines, and of each of its halves, where `lines` has that bit.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveLines(Spans& spans, std::size_t lines, __m512 dt) noexcept {
  if ((lines & kCount) != 0) MoveBlock<kWalk, kCount>(spans, dt);
  if constexpr (kCount > 1) MoveLines<kWalk, kCount / 2>(spans, lines, dt);
}

// Moves the last `count` floats, fewer than a line.
template <Walk kWalk>
ASHLAR_AVX512_INLINE void MoveTail(const Spans& spans, std::size_t count, __m512 dt) noexcept {
  if (count == 0) return;
  if constexpr (kWalk == Walk::kAhead) spans.later.Fetch(0);
  MoveSomeLanes(spans.position, spans.velocity, FirstLanes(count), dt);
  if constexpr (kWalk == Walk::kPair) {
    MoveSomeLanes(spans.position_b, spans.velocity_b, FirstLanes(count), dt);
  }
}

// REQUIRES: count <= kShortFloatsMax.
template <Walk kWalk>
ASHLAR_AVX512_INLINE void MoveShort(Spans spans, std::size_t count, float dt) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  MoveLines<kWalk, kShortBlockMax>(spans, count / kLineFloats, dt_lanes);
  MoveTail<kWalk>(spans, count % kLineFloats, dt_lanes);
}

// Moves the long blocks of kCount and its halves that `lines`, fewer than 2 * kCount, begin with.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveHalves(Spans& spans, std::size_t& lines, __m512 dt) noexcept {
  if constexpr (kCount >= kLongBlockMin) {
    if (lines >= kCount) {
      MoveBlock<kWalk, kCount>(spans, dt);
      lines -= kCount;
    }
    MoveHalves<kWalk, kCount / 2>(spans, lines, dt);
  }
}

template <Walk kWalk>
ASHLAR_AVX512_INLINE void MoveLong(Spans spans, std::size_t count, float dt) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t lines = count / kLineFloats;
  constexpr std::size_t kFirst = FirstBlock(kWalk);
  for (; lines >= std::max(kFirst, 2 * kBlock); lines -= kFirst) {
    MoveBlock<kWalk, kFirst>(spans, dt_lanes);
  }
  MoveHalves<kWalk, kFirst / 2>(spans, lines, dt_lanes);
  for (; lines >= kBlock; lines -= kBlock) MoveBlock<kWalk, kBlock>(spans, dt_lanes);
  MoveLines<kWalk, kBlock / 2>(spans, lines, dt_lanes);
  MoveTail<kWalk>(spans, count % kLineFloats, dt_lanes);
}

// Long spans, which may use the stack. Of pairs, the two one after the other.
[[gnu::noinline]] ASHLAR_AVX512 void MoveLongOne(float* position, const float* velocity,
                                                 std::size_t count, float dt) noexcept {
  MoveLong<Walk::kOne>({position, velocity}, count, dt);
}
[[gnu::noinline]] ASHLAR_AVX512 void MoveLongAhead(float* position, const float* velocity,
                                                   std::size_t count, float dt,
                                                   const float* position_later,
                                                   const float* velocity_later) noexcept {
  MoveLong<Walk::kAhead>(
      {position, velocity, nullptr, nullptr, Later::Of(position_later, velocity_later)}, count, dt);
}
[[gnu::noinline]] void MoveLongPair(float* position_a, const float* velocity_a, float* position_b,
                                    const float* velocity_b, std::size_t count, float dt) noexcept {
  MovementAvx512(position_a, velocity_a, count, dt);
  MovementAvx512(position_b, velocity_b, count, dt);
}

}  // namespace

ASHLAR_AVX512 void MovementAvx512(float* position, const float* velocity, std::size_t count,
                                  float dt) noexcept {
  if (count > kShortFloatsMax) return MoveLongOne(position, velocity, count, dt);
  MoveShort<Walk::kOne>({position, velocity}, count, dt);
}

ASHLAR_AVX512 void MovementAheadAvx512(float* position, const float* velocity, std::size_t count,
                                       float dt, const float* position_later,
                                       const float* velocity_later) noexcept {
  if (count > kShortFloatsMax) {
    return MoveLongAhead(position, velocity, count, dt, position_later, velocity_later);
  }
  MoveShort<Walk::kAhead>(
      {position, velocity, nullptr, nullptr, Later::Of(position_later, velocity_later)}, count, dt);
}

ASHLAR_AVX512 void MovementPairAvx512(float* position_a, const float* velocity_a, float* position_b,
                                      const float* velocity_b, std::size_t count,
                                      float dt) noexcept {
  if (count > kShortFloatsMax) {
    return MoveLongPair(position_a, velocity_a, position_b, velocity_b, count, dt);
  }
  MoveShort<Walk::kPair>({position_a, velocity_a, position_b, velocity_b}, count, dt);
}
#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
