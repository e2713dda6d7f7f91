// The AVX-512 twins of the movement kernel. Tails are masked: no lane beyond the span is read or
// written, and there is neither a scalar loop nor a vector that is stored twice.
#include "ashlar/kernels/movement.h"
#include "ashlar/kernels/movement_later.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

#if defined(__x86_64__)
namespace {

constexpr std::size_t kBlock = 4 * kAvx512Lanes;

// Moves 16 floats from `i` on.
template <bool kAhead>
ASHLAR_AVX512_INLINE void MoveVector(float* position, const float* velocity, std::size_t i,
                                     __m512 dt, const Later& later) noexcept {
  if constexpr (kAhead) later.Fetch(i);
  const __m512 step = _mm512_mul_ps(_mm512_loadu_ps(velocity + i), dt);
  const __m512 moved = _mm512_add_ps(_mm512_loadu_ps(position + i), step);
  _mm512_storeu_ps(position + i, CanonicalAvx512(moved));
}

template <bool kAhead>
ASHLAR_AVX512_INLINE void MoveSpan(float* position, const float* velocity, std::size_t count,
                                   float dt, const Later& later) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t i = 0;
  for (; i + kBlock <= count; i += kBlock) {
    MoveVector<kAhead>(position, velocity, i, dt_lanes, later);
    MoveVector<kAhead>(position, velocity, i + kAvx512Lanes, dt_lanes, later);
    MoveVector<kAhead>(position, velocity, i + 2 * kAvx512Lanes, dt_lanes, later);
    MoveVector<kAhead>(position, velocity, i + 3 * kAvx512Lanes, dt_lanes, later);
  }
  for (; i + kAvx512Lanes <= count; i += kAvx512Lanes) {
    MoveVector<kAhead>(position, velocity, i, dt_lanes, later);
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
