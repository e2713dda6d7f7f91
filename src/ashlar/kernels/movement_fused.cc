// The twins of the fused movement kernel. The ways of movement.cc and movement_avx512.cc with NaNs
// and with the last vector are here too.
#include "ashlar/kernels/movement_fused.h"

#include <cmath>

#include "ashlar/core/check.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

void MovementFusedScalar(float* position, const float* velocity, std::size_t count,
                         float dt) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    position[i] = Canonical(std::fma(velocity[i], dt, position[i]));
  }
}

#if defined(__x86_64__)
namespace {

#define ASHLAR_AVX2_FMA __attribute__((target("avx2,fma")))
#define ASHLAR_AVX2_FMA_INLINE __attribute__((target("avx2,fma"), always_inline)) inline

ASHLAR_AVX2_FMA_INLINE __m256 MovedVector(const float* position, const float* velocity,
                                          __m256 dt) noexcept {
  return _mm256_fmadd_ps(_mm256_loadu_ps(velocity), dt, _mm256_loadu_ps(position));
}

ASHLAR_AVX512_INLINE void MoveVector(float* position, const float* velocity, __m512 dt) noexcept {
  const __m512 moved = _mm512_fmadd_ps(_mm512_loadu_ps(velocity), dt, _mm512_loadu_ps(position));
  _mm512_storeu_ps(position, CanonicalAvx512(moved));
}

}  // namespace

ASHLAR_AVX2_FMA void MovementFusedAvx2(float* position, const float* velocity, std::size_t count,
                                       float dt) noexcept {
  if (count < kAvx2Lanes) {
    MovementFusedScalar(position, velocity, count, dt);
    return;
  }
  const __m256 dt_lanes = _mm256_set1_ps(dt);
  const std::size_t last_begin = count - kAvx2Lanes;
  const __m256 last = MovedVector(position + last_begin, velocity + last_begin, dt_lanes);
  __m256 nan = _mm256_cmp_ps(last, last, _CMP_UNORD_Q);
  std::size_t i = 0;
  for (; i + 2 * kAvx2Lanes <= count; i += 2 * kAvx2Lanes) {
    const std::size_t j = i + kAvx2Lanes;
    const __m256 low = MovedVector(position + i, velocity + i, dt_lanes);
    const __m256 high = MovedVector(position + j, velocity + j, dt_lanes);
    nan = _mm256_or_ps(nan, _mm256_cmp_ps(low, high, _CMP_UNORD_Q));
    _mm256_storeu_ps(position + i, low);
    _mm256_storeu_ps(position + j, high);
  }
  if (i + kAvx2Lanes <= count) {
    const __m256 moved = MovedVector(position + i, velocity + i, dt_lanes);
    nan = _mm256_or_ps(nan, _mm256_cmp_ps(moved, moved, _CMP_UNORD_Q));
    _mm256_storeu_ps(position + i, moved);
  }
  _mm256_storeu_ps(position + last_begin, last);
  if (_mm256_movemask_ps(nan) != 0) [[unlikely]]
    CanonicaliseAvx2(position, count);
}

ASHLAR_AVX512 void MovementFusedAvx512(float* position, const float* velocity, std::size_t count,
                                       float dt) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t i = 0;
  for (; i + 2 * kAvx512Lanes <= count; i += 2 * kAvx512Lanes) {
    MoveVector(position + i, velocity + i, dt_lanes);
    MoveVector(position + i + kAvx512Lanes, velocity + i + kAvx512Lanes, dt_lanes);
  }
  if (i + kAvx512Lanes <= count) {
    MoveVector(position + i, velocity + i, dt_lanes);
    i += kAvx512Lanes;
  }
  if (i == count) return;
  const __mmask16 lanes = FirstLanes(count - i);
  const __m512 moved = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(lanes, velocity + i), dt_lanes,
                                       _mm512_maskz_loadu_ps(lanes, position + i));
  _mm512_mask_storeu_ps(position + i, lanes, CanonicalAvx512(moved));
}
#endif  // defined(__x86_64__)

MovementFunction MovementFusedFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return &MovementFusedAvx512;
  if (level == SimdLevel::kAvx2) return &MovementFusedAvx2;
#endif
  return &MovementFusedScalar;
}

}  // namespace ashlar::inline v0::kernels
