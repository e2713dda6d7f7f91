// The AVX-512 twins of the movement kernel. Tails are masked: no lane beyond the span is read or
// written, and there is neither a scalar loop nor a vector that is stored twice.
#include <utility>

#include "ashlar/kernels/movement.h"
#include "ashlar/kernels/movement_lines.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

#if defined(__x86_64__)
namespace {

static_assert(kLineFloats == kAvx512Lanes);

// Moves the line from `i` on.
template <bool kAhead>
ASHLAR_AVX512_INLINE void MoveLine(float* position, const float* velocity, std::size_t i, __m512 dt,
                                   const Later& later) noexcept {
  if constexpr (kAhead) later.Fetch(i);
  const __m512 step = _mm512_mul_ps(_mm512_loadu_ps(velocity + i), dt);
  const __m512 moved = _mm512_add_ps(_mm512_loadu_ps(position + i), step);
  _mm512_storeu_ps(position + i, CanonicalAvx512(moved));
}

template <bool kAhead, std::size_t... kNumbers>
ASHLAR_AVX512_INLINE void MoveNumbered(float* position, const float* velocity, std::size_t i,
                                       __m512 dt, const Later& later,
                                       std::index_sequence<kNumbers...> /*lines*/) noexcept {
  (MoveLine<kAhead>(position, velocity, i + kNumbers * kLineFloats, dt, later), ...);
}

// Moves kCount lines from `i` on, and `i` behind them.
template <bool kAhead, std::size_t kCount>
ASHLAR_AVX512_INLINE void MoveBlock(float* position, const float* velocity, std::size_t& i,
                                    __m512 dt, const Later& later) noexcept {
  MoveNumbered<kAhead>(position, velocity, i, dt, later, std::make_index_sequence<kCount>());
  i += kCount * kLineFloats;
}

template <bool kAhead>
ASHLAR_AVX512_INLINE void MoveSpan(float* position, const float* velocity, std::size_t count,
                                   float dt, const Later& later) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t i = 0;
  std::size_t lines = count / kLineFloats;
  if constexpr (kAhead) {
    for (; lines > kChain; lines -= kBlockBeforeChain) {
      MoveBlock<kAhead, kBlockBeforeChain>(position, velocity, i, dt_lanes, later);
    }
    i += lines * kLineFloats;
    switch (lines) {
#define ASHLAR_CASE(n)                                                            \
  case n:                                                                         \
    MoveLine<kAhead>(position, velocity, i - (n) * kLineFloats, dt_lanes, later); \
    [[fallthrough]];
      ASHLAR_MOVEMENT_CHAIN(ASHLAR_CASE)
#undef ASHLAR_CASE
      default:
        break;
    }
  } else {
    for (; lines >= kLongBlock; lines -= kLongBlock) {
      MoveBlock<kAhead, kLongBlock>(position, velocity, i, dt_lanes, later);
    }
    for (; lines >= kShortBlock; lines -= kShortBlock) {
      MoveBlock<kAhead, kShortBlock>(position, velocity, i, dt_lanes, later);
    }
    for (; lines != 0; --lines) MoveBlock<kAhead, 1>(position, velocity, i, dt_lanes, later);
  }
  if (i == count) return;
  if constexpr (kAhead) later.Fetch(i);
  const __mmask16 lanes = FirstLanes(count - i);
  const __m512 step = _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, velocity + i), dt_lanes);
  const __m512 moved = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, position + i), step);
  _mm512_mask_storeu_ps(position + i, lanes, CanonicalAvx512(moved));
}

}  // namespace

ASHLAR_AVX512 void MovementAvx512(float* position, const float* velocity, std::size_t count,
                                  float dt) noexcept {
  MoveSpan<false>(position, velocity, count, dt, {});
}

ASHLAR_AVX512 void MovementAheadAvx512(float* position, const float* velocity, std::size_t count,
                                       float dt, const float* position_later,
                                       const float* velocity_later) noexcept {
  MoveSpan<true>(position, velocity, count, dt, Later::Of(position_later, velocity_later));
}
#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
