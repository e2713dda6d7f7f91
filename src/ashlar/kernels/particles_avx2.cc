// The AVX2 twins of the particle kernels. As in movement.cc they watch for NaNs and mend them in a
// second pass, and their last block overlaps the one before it: it is computed from the old values
// before anything is stored, and stored last.
#include "ashlar/kernels/particles.h"
#include "ashlar/kernels/particles_spans.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

#if defined(__x86_64__)
namespace {

#define ASHLAR_AVX2_POPCNT __attribute__((target("avx2,popcnt")))
#define ASHLAR_AVX2_POPCNT_INLINE __attribute__((target("avx2,popcnt"), always_inline)) inline

constexpr std::size_t kLanes = kAvx2Lanes;

// New values of 8 rows: a vector of each for an axis by itself, three for rows of three floats.
template <std::size_t kAxes>
struct Block {
  __m256 position[kAxes];
  __m256 velocity[kAxes];
};

// Integrates 8 rows from `row` on, and stores nothing.
template <std::size_t kAxes>
ASHLAR_AVX2_INLINE void Integrate(const ParticleSpans& spans, std::size_t row, __m256 dt,
                                  Block<kAxes>& block) noexcept {
  const __m256 row_masses = _mm256_loadu_ps(spans.inverse_mass + row);
  for (std::size_t part = 0; part < kAxes; ++part) {
    const std::size_t i = kAxes * row + kLanes * part;
    __m256 masses = row_masses;
    if constexpr (kAxes == 3) {
      // SAFETY: the 8 rows' numbers from 8 * part on are inside the table's 48, which is aligned.
      const auto* rows = reinterpret_cast<const __m256i*>(kRowOfFloat.data() + kLanes * part);
      masses = _mm256_permutevar8x32_ps(row_masses, _mm256_load_si256(rows));
    }
    const __m256 acceleration = _mm256_mul_ps(_mm256_loadu_ps(spans.force + i), masses);
    const __m256 velocity_step = _mm256_mul_ps(acceleration, dt);
    const __m256 velocity = _mm256_add_ps(_mm256_loadu_ps(spans.velocity + i), velocity_step);
    const __m256 position_step = _mm256_mul_ps(velocity, dt);
    block.velocity[part] = velocity;
    block.position[part] = _mm256_add_ps(_mm256_loadu_ps(spans.position + i), position_step);
  }
}

// Watching positions is enough: where a velocity is a NaN, so is the position.
template <std::size_t kAxes>
ASHLAR_AVX2_INLINE __m256 NanOf(const Block<kAxes>& block) noexcept {
  const __m256 first = block.position[0];
  if constexpr (kAxes == 1) {
    return _mm256_cmp_ps(first, first, _CMP_UNORD_Q);
  } else {
    const __m256 last = block.position[2];
    return _mm256_or_ps(_mm256_cmp_ps(first, block.position[1], _CMP_UNORD_Q),
                        _mm256_cmp_ps(last, last, _CMP_UNORD_Q));
  }
}

template <std::size_t kAxes>
ASHLAR_AVX2_INLINE void Store(const ParticleSpans& spans, std::size_t row,
                              const Block<kAxes>& block) noexcept {
  for (std::size_t part = 0; part < kAxes; ++part) {
    const std::size_t i = kAxes * row + kLanes * part;
    _mm256_storeu_ps(spans.velocity + i, block.velocity[part]);
    _mm256_storeu_ps(spans.position + i, block.position[part]);
  }
}

template <std::size_t kAxes>
ASHLAR_AVX2_INLINE void IntegrateBlock(const ParticleSpans& spans, std::size_t row, __m256 dt,
                                       __m256& nan) noexcept {
  Block<kAxes> block;
  Integrate(spans, row, dt, block);
  nan = _mm256_or_ps(nan, NanOf(block));
  Store(spans, row, block);
}

// REQUIRES: rows >= 8.
template <std::size_t kAxes>
ASHLAR_AVX2_INLINE void IntegrateSpans(const ParticleSpans& spans, std::size_t rows,
                                       float dt) noexcept {
  const __m256 dt_lanes = _mm256_set1_ps(dt);
  Block<kAxes> last;
  Integrate(spans, rows - kLanes, dt_lanes, last);
  __m256 nan = NanOf(last);
  std::size_t row = 0;
  if constexpr (kAxes == 1) {
    for (; row + 2 * kLanes <= rows; row += 2 * kLanes) {
      IntegrateBlock<1>(spans, row, dt_lanes, nan);
      IntegrateBlock<1>(spans, row + kLanes, dt_lanes, nan);
    }
  }
  for (; row + kLanes <= rows; row += kLanes) IntegrateBlock<kAxes>(spans, row, dt_lanes, nan);
  Store(spans, rows - kLanes, last);
  if (_mm256_movemask_ps(nan) != 0) [[unlikely]] {
    CanonicaliseAvx2(spans.velocity, kAxes * rows);
    CanonicaliseAvx2(spans.position, kAxes * rows);
  }
}

// A bit for each lane that is not above 0.
ASHLAR_AVX2_INLINE unsigned DeadLanes(__m256 aged) noexcept {
  const __m256 dead = _mm256_cmp_ps(aged, _mm256_setzero_ps(), _CMP_NGT_UQ);
  return static_cast<unsigned>(_mm256_movemask_ps(dead));
}

ASHLAR_AVX2_POPCNT_INLINE std::size_t CountLanes(unsigned lanes) noexcept {
  return static_cast<std::size_t>(_mm_popcnt_u32(lanes));
}

}  // namespace

ASHLAR_AVX2 void IntegrateRowsAvx2(float* position, float* velocity, const float* force,
                                   const float* inverse_mass, std::size_t rows, float dt) noexcept {
  if (rows < kLanes) {
    IntegrateRowsScalar(position, velocity, force, inverse_mass, rows, dt);
    return;
  }
  IntegrateSpans<3>({position, velocity, force, inverse_mass}, rows, dt);
}

ASHLAR_AVX2 void IntegrateAxisAvx2(float* position, float* velocity, const float* force,
                                   const float* inverse_mass, std::size_t rows, float dt) noexcept {
  if (rows < kLanes) {
    IntegrateAxisScalar(position, velocity, force, inverse_mass, rows, dt);
    return;
  }
  IntegrateSpans<1>({position, velocity, force, inverse_mass}, rows, dt);
}

ASHLAR_AVX2_POPCNT std::size_t AgeAvx2(float* life, std::size_t rows, float dt) noexcept {
  if (rows < kLanes) return AgeScalar(life, rows, dt);
  const __m256 dt_lanes = _mm256_set1_ps(dt);
  const std::size_t last_begin = rows - kLanes;
  const __m256 last = _mm256_sub_ps(_mm256_loadu_ps(life + last_begin), dt_lanes);
  __m256 nan = _mm256_cmp_ps(last, last, _CMP_UNORD_Q);
  std::size_t dead = 0;
  std::size_t i = 0;
  for (; i + 2 * kLanes <= rows; i += 2 * kLanes) {
    const __m256 low = _mm256_sub_ps(_mm256_loadu_ps(life + i), dt_lanes);
    const __m256 high = _mm256_sub_ps(_mm256_loadu_ps(life + i + kLanes), dt_lanes);
    nan = _mm256_or_ps(nan, _mm256_cmp_ps(low, high, _CMP_UNORD_Q));
    dead += CountLanes(DeadLanes(low) | (DeadLanes(high) << kLanes));
    _mm256_storeu_ps(life + i, low);
    _mm256_storeu_ps(life + i + kLanes, high);
  }
  if (i + kLanes <= rows) {
    const __m256 aged = _mm256_sub_ps(_mm256_loadu_ps(life + i), dt_lanes);
    nan = _mm256_or_ps(nan, _mm256_cmp_ps(aged, aged, _CMP_UNORD_Q));
    dead += CountLanes(DeadLanes(aged));
    _mm256_storeu_ps(life + i, aged);
    i += kLanes;
  }
  _mm256_storeu_ps(life + last_begin, last);
  if (_mm256_movemask_ps(nan) != 0) [[unlikely]]
    CanonicaliseAvx2(life, rows);
  // The first lanes of the last vector have been counted already.
  return dead + CountLanes(DeadLanes(last) >> (i - last_begin));
}
#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
