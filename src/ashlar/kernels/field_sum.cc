// The twins of the field sum.
//
// No lane is ever -0.0: it begins as +0.0, and a sum is -0.0 only where both sides are. So adding
// +0.0 changes no lane, and the vector twins may add zeros where the last 16 rows are not all
// there. Which payload a NaN has on the way does not matter, since the result has the one NaN.
#include "ashlar/kernels/field_sum.h"

#include <array>
#include <cstdint>

#include "ashlar/core/check.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {
namespace {

constexpr std::size_t kLanes = 16;

using Lanes = std::array<float, kLanes>;

// Adds up to 16 rows, each to its lane.
inline void AddRows(Lanes& lanes, const float* values, std::size_t rows,
                    std::size_t stride) noexcept {
  for (std::size_t lane = 0; lane < rows; ++lane) lanes[lane] = lanes[lane] + values[lane * stride];
}

inline float Tree(Lanes& lanes) noexcept {
  for (std::size_t half = kLanes / 2; half != 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] = lanes[lane] + lanes[lane + half];
  }
  return Canonical(lanes[0]);
}

}  // namespace

float FieldSumScalar(const float* values, std::size_t rows, std::size_t stride) noexcept {
  Lanes lanes{};
  std::size_t row = 0;
  for (; row + kLanes <= rows; row += kLanes) AddRows(lanes, values + row * stride, kLanes, stride);
  if (row != rows) AddRows(lanes, values + row * stride, rows - row, stride);
  return Tree(lanes);
}

#if defined(__x86_64__)
namespace {

// A load that reads 8 numbers from 8 - n on is the mask of the first n lanes.
alignas(64) constexpr std::array<std::int32_t, 16> kFirstLanes = {-1, -1, -1, -1, -1, -1, -1, -1};

// The first `count` floats, at most 8, and zeros.
ASHLAR_AVX2_INLINE __m256 FirstFloats(const float* values, std::size_t count) noexcept {
  // SAFETY: from at most 8 on, 8 of the 16 numbers are there.
  const auto* mask = reinterpret_cast<const __m256i*>(kFirstLanes.data() + kAvx2Lanes - count);
  return _mm256_maskload_ps(values, _mm256_loadu_si256(mask));
}

// The tree from the sums of lanes l and l + 8 on.
ASHLAR_AVX2_INLINE float Tree(__m256 eight) noexcept {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return Canonical(_mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two))));
}

}  // namespace

// With other strides than 1 each row is a load of its own, and those set the pace: on AMD Zen 5,
// single loads into vectors take as long as the scalar loop, and gathers 2.4 times as long.
ASHLAR_AVX2 float FieldSumAvx2(const float* values, std::size_t rows, std::size_t stride) noexcept {
  if (stride != 1) return FieldSumScalar(values, rows, stride);
  __m256 low = _mm256_setzero_ps();
  __m256 high = _mm256_setzero_ps();
  std::size_t row = 0;
  for (; row + kLanes <= rows; row += kLanes) {
    low = _mm256_add_ps(low, _mm256_loadu_ps(values + row));
    high = _mm256_add_ps(high, _mm256_loadu_ps(values + row + kAvx2Lanes));
  }
  if (row + kAvx2Lanes <= rows) {
    low = _mm256_add_ps(low, _mm256_loadu_ps(values + row));
    row += kAvx2Lanes;
    if (row != rows) high = _mm256_add_ps(high, FirstFloats(values + row, rows - row));
  } else if (row != rows) {
    low = _mm256_add_ps(low, FirstFloats(values + row, rows - row));
  }
  return Tree(_mm256_add_ps(low, high));
}

ASHLAR_AVX512 float FieldSumAvx512(const float* values, std::size_t rows,
                                   std::size_t stride) noexcept {
  if (stride != 1) return FieldSumScalar(values, rows, stride);
  __m512 lanes = _mm512_setzero_ps();
  std::size_t row = 0;
  for (; row + kLanes <= rows; row += kLanes) {
    lanes = _mm512_add_ps(lanes, _mm512_loadu_ps(values + row));
  }
  if (row != rows) {
    lanes = _mm512_add_ps(lanes, _mm512_maskz_loadu_ps(FirstLanes(rows - row), values + row));
  }
  return Tree(_mm256_add_ps(_mm512_castps512_ps256(lanes), _mm512_extractf32x8_ps(lanes, 1)));
}
#endif  // defined(__x86_64__)

float AddFieldSums(float total, const float* sums, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) total = total + sums[i];
  return Canonical(total);
}

FieldSumFunction FieldSumFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return &FieldSumAvx512;
  if (level == SimdLevel::kAvx2) return &FieldSumAvx2;
#endif
  return &FieldSumScalar;
}

}  // namespace ashlar::inline v0::kernels
