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

// Moves the line from `i` on.
template <Walk kWalk>
ASHLAR_AVX512_INLINE void MoveLine(const Spans& spans, std::size_t i, __m512 dt) noexcept {
  MoveVector(spans.position + i, spans.velocity + i, dt);
  if constexpr (kWalk == Walk::kPair) MoveVector(spans.position_b + i, spans.velocity_b + i, dt);
}

template <Walk kWalk, std::size_t... kNumbers>
ASHLAR_AVX512_INLINE void MoveNumbered(const Spans& spans, __m512 dt, const Later& later,
                                       std::index_sequence<kNumbers...> /*lines*/) noexcept {
  if constexpr (kWalk == Walk::kAhead) (later.Fetch(kNumbers * kLineFloats), ...);
  (MoveLine<kWalk>(spans, kNumbers * kLineFloats, dt), ...);
}

// Moves kCount lines from `i` on, and `i` behind them.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveBlock(const Spans& spans, std::size_t& i, __m512 dt,
                                    const Later& later) noexcept {
  MoveNumbered<kWalk>(spans.From(i, kWalk), dt, later.From(i), std::make_index_sequence<kCount>());
  i += kCount * kLineFloats;
}

// Moves the long blocks of kCount and its halves that `lines`, fewer than 2 * kCount, begin with.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveHalves(const Spans& spans, std::size_t& lines, std::size_t& i,
                                     __m512 dt, const Later& later) noexcept {
  if constexpr (kCount >= kLongBlockMin) {
    if (lines >= kCount) {
      MoveBlock<kWalk, kCount>(spans, i, dt, later);
      lines -= kCount;
    }
    MoveHalves<kWalk, kCount / 2>(spans, lines, i, dt, later);
  }
}

// Moves the last `lines`, fewer than 2 * kCount, in blocks of kCount and its halves.
template <Walk kWalk, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveRest(const Spans& spans, std::size_t lines, std::size_t& i, __m512 dt,
                                   const Later& later) noexcept {
  if ((lines & kCount) != 0) MoveBlock<kWalk, kCount>(spans, i, dt, later);
  if constexpr (kCount > 1) MoveRest<kWalk, kCount / 2>(spans, lines, i, dt, later);
}

template <Walk kWalk>
ASHLAR_AVX512_INLINE void MoveSpans(const Spans& spans, std::size_t count, float dt,
                                    const Later& later) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t i = 0;
  std::size_t lines = count / kLineFloats;
  constexpr std::size_t kFirst = FirstBlock(kWalk);
  for (; lines >= std::max(kFirst, 2 * kBlock); lines -= kFirst) {
    MoveBlock<kWalk, kFirst>(spans, i, dt_lanes, later);
  }
  MoveHalves<kWalk, kFirst / 2>(spans, lines, i, dt_lanes, later);
  for (; lines >= kBlock; lines -= kBlock) MoveBlock<kWalk, kBlock>(spans, i, dt_lanes, later);
  MoveRest<kWalk, kBlock / 2>(spans, lines, i, dt_lanes, later);
  if (i == count) return;
  if constexpr (kWalk == Walk::kAhead) later.Fetch(i);
  const __mmask16 lanes = FirstLanes(count - i);
  MoveSomeLanes(spans.position + i, spans.velocity + i, lanes, dt_lanes);
  if constexpr (kWalk == Walk::kPair) {
    MoveSomeLanes(spans.position_b + i, spans.velocity_b + i, lanes, dt_lanes);
  }
}

}  // namespace

ASHLAR_AVX512 void MovementAvx512(float* position, const float* velocity, std::size_t count,
                                  float dt) noexcept {
  MoveSpans<Walk::kOne>({position, velocity}, count, dt, {});
}

ASHLAR_AVX512 void MovementAheadAvx512(float* position, const float* velocity, std::size_t count,
                                       float dt, const float* position_later,
                                       const float* velocity_later) noexcept {
  MoveSpans<Walk::kAhead>({position, velocity}, count, dt,
                          Later::Of(position_later, velocity_later));
}

ASHLAR_AVX512 void MovementPairAvx512(float* position_a, const float* velocity_a, float* position_b,
                                      const float* velocity_b, std::size_t count,
                                      float dt) noexcept {
  MoveSpans<Walk::kPair>({position_a, velocity_a, position_b, velocity_b}, count, dt, {});
}
#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
