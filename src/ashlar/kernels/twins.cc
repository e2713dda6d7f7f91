#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

#if defined(__x86_64__)
ASHLAR_AVX2 void CanonicaliseAvx2(float* values, std::size_t count) noexcept {
  const __m256 quiet_nan = _mm256_castsi256_ps(_mm256_set1_epi32(kQuietNanBits));
  std::size_t i = 0;
  for (; i + kAvx2Lanes <= count; i += kAvx2Lanes) {
    const __m256 value = _mm256_loadu_ps(values + i);
    const __m256 is_nan = _mm256_cmp_ps(value, value, _CMP_UNORD_Q);
    _mm256_storeu_ps(values + i, _mm256_blendv_ps(value, quiet_nan, is_nan));
  }
  for (; i < count; ++i) values[i] = Canonical(values[i]);
}
#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
