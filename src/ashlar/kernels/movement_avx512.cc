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

template <Walk kWalk, std::size_t... kNumbers>
ASHLAR_AVX512_INLINE void MoveNumbered(float* position, const float* velocity, __m512 dt,
                                       const Later& later,
                                       std::index_sequence<kNumbers...> /*lines*/) noexcept {
  if constexpr (kWalk == Walk::kAhead) (later.Fetch(kNumbers * kLineFloats), ...);
  (MoveVector(position + kNumbers * kLineFloats, velocity + kNumbers * kLineFloats, dt), ...);
}

// Moves kCount lines from `i` on, and `i` behind them.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveBlock(float* position, const float* velocity, std::size_t& i,
                                    __m512 dt, const Later& later) noexcept {
  MoveNumbered<kWalk>(position + i, velocity + i, dt, later.From(i),
                      std::make_index_sequence<kCount>());
  i += kCount * kLineFloats;
}

// Moves the long blocks of kCount and its halves that `lines`, fewer than 2 * kCount, begin with.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveHalves(float* position, const float* velocity, std::size_t& lines,
                                     std::size_t& i, __m512 dt, const Later& later) noexcept {
  if constexpr (kCount >= kLongBlockMin) {
    if (lines >= kCount) {
      MoveBlock<kWalk, kCount>(position, velocity, i, dt, later);
      lines -= kCount;
    }
    MoveHalves<kWalk, kCount / 2>(position, velocity, lines, i, dt, later);
  }
}

// Moves the last `lines`, fewer than 2 * kCount, in blocks of kCount and its halves.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveRest(float* position, const float* velocity, std::size_t lines,
                                   std::size_t& i, __m512 dt, const Later& later) noexcept {
  if ((lines & kCount) != 0) MoveBlock<kWalk, kCount>(position, velocity, i, dt, later);
  if constexpr (kCount > 1) MoveRest<kWalk, kCount / 2>(position, velocity, lines, i, dt, later);
}

template <Walk kWalk>
ASHLAR_AVX512_INLINE void MoveSpan(float* position, const float* velocity, std::size_t count,
                                   float dt, const Later& later) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t i = 0;
  std::size_t lines = count / kLineFloats;
  constexpr std::size_t kFirst = FirstBlock(kWalk);
  for (; lines >= std::max(kFirst, 2 * kBlock); lines -= kFirst) {
    MoveBlock<kWalk, kFirst>(position, velocity, i, dt_lanes, later);
  }
  MoveHalves<kWalk, kFirst / 2>(position, velocity, lines, i, dt_lanes, later);
  for (; lines >= kBlock; lines -= kBlock)
    MoveBlock<kWalk, kBlock>(position, velocity, i, dt_lanes, later);
  MoveRest<kWalk, kBlock / 2>(position, velocity, lines, i, dt_lanes, later);
  if (i == count) return;
  if constexpr (kWalk == Walk::kAhead) later.Fetch(i);
  MoveSomeLanes(position + i, velocity + i, FirstLanes(count - i), dt_lanes);
}

template <std::size_t... kNumbers>
ASHLAR_AVX512_INLINE void MoveNumberedPairs(const SpanPair& spans, __m512 dt,
                                            std::index_sequence<kNumbers...> /*lines*/) noexcept {
  ((MoveVector(spans.position_a + kNumbers * kLineFloats, spans.velocity_a + kNumbers * kLineFloats,
               dt),
    MoveVector(spans.position_b + kNumbers * kLineFloats, spans.velocity_b + kNumbers * kLineFloats,
               dt)),
   ...);
}

// Moves the first `lines`, fewer than 2 * kCount, of both spans in blocks of kCount and its halves.
template <std::size_t kCount>
ASHLAR_AVX512_INLINE void MovePairLines(SpanPair& spans, std::size_t lines, __m512 dt) noexcept {
  if ((lines & kCount) != 0) {
    MoveNumberedPairs(spans, dt, std::make_index_sequence<kCount>());
    spans.DropLines(kCount);
  }
  if constexpr (kCount > 1) MovePairLines<kCount / 2>(spans, lines, dt);
}

[[gnu::noinline]] void MoveLongPair(float* position_a, const float* velocity_a, float* position_b,
                                    const float* velocity_b, std::size_t count, float dt) noexcept {
  MovementAvx512(position_a, velocity_a, count, dt);
  MovementAvx512(position_b, velocity_b, count, dt);
}

}  // namespace

ASHLAR_AVX512 void MovementAvx512(float* position, const float* velocity, std::size_t count,
                                  float dt) noexcept {
  MoveSpan<Walk::kOne>(position, velocity, count, dt, {});
}

ASHLAR_AVX512 void MovementAheadAvx512(float* position, const float* velocity, std::size_t count,
                                       float dt, const float* position_later,
                                       const float* velocity_later) noexcept {
  MoveSpan<Walk::kAhead>(position, velocity, count, dt, Later::Of(position_later, velocity_later));
}

ASHLAR_AVX512 void MovementPairAvx512(float* position_a, const float* velocity_a, float* position_b,
                                      const float* velocity_b, std::size_t count,
                                      float dt) noexcept {
  if (count > kPairFloatsMax) {
    return MoveLongPair(position_a, velocity_a, position_b, velocity_b, count, dt);
  }
  SpanPair spans = {position_a, velocity_a, position_b, velocity_b};
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  MovePairLines<kPairBlockMax>(spans, count / kLineFloats, dt_lanes);
  const std::size_t rest = count % kLineFloats;
  if (rest == 0) return;
  MoveSomeLanes(spans.position_a, spans.velocity_a, FirstLanes(rest), dt_lanes);
  MoveSomeLanes(spans.position_b, spans.velocity_b, FirstLanes(rest), dt_lanes);
}
#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
