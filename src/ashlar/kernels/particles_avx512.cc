// The AVX-512 twins of the particle kernels. NaNs are replaced on the way and tails are masked, as
// in movement_avx512.cc.
#include "ashlar/kernels/particles.h"
#include "ashlar/kernels/particles_spans.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {

#if defined(__x86_64__)
namespace {

constexpr std::size_t kLanes = kAvx512Lanes;

struct Moved {
  __m512 position;
  __m512 velocity;
};

ASHLAR_AVX512_INLINE Moved Integrated(__m512 position, __m512 velocity, __m512 force,
                                      __m512 inverse_mass, __m512 dt) noexcept {
  const __m512 acceleration = _mm512_mul_ps(force, inverse_mass);
  const __m512 velocity_step = _mm512_mul_ps(acceleration, dt);
  const __m512 moved = _mm512_add_ps(velocity, velocity_step);
  const __m512 position_step = _mm512_mul_ps(moved, dt);
  return {CanonicalAvx512(_mm512_add_ps(position, position_step)), CanonicalAvx512(moved)};
}

// The inverse masses of the 16 floats that are part number `part` of those of 16 rows.
template <std::size_t kAxes>
ASHLAR_AVX512_INLINE __m512 Spread(__m512 row_masses, std::size_t part) noexcept {
  if constexpr (kAxes == 1) {
    return row_masses;
  } else {
    const __m512i rows = _mm512_load_si512(kRowOfFloat.data() + kLanes * part);
    return _mm512_permutexvar_ps(rows, row_masses);
  }
}

// Integrates 16 rows from `row` on.
template <std::size_t kAxes>
ASHLAR_AVX512_INLINE void IntegrateBlock(const ParticleSpans& spans, std::size_t row,
                                         __m512 dt) noexcept {
  const __m512 row_masses = _mm512_loadu_ps(spans.inverse_mass + row);
  for (std::size_t part = 0; part < kAxes; ++part) {
    const std::size_t i = kAxes * row + kLanes * part;
    const Moved moved =
        Integrated(_mm512_loadu_ps(spans.position + i), _mm512_loadu_ps(spans.velocity + i),
                   _mm512_loadu_ps(spans.force + i), Spread<kAxes>(row_masses, part), dt);
    _mm512_storeu_ps(spans.velocity + i, moved.velocity);
    _mm512_storeu_ps(spans.position + i, moved.position);
  }
}

template <std::size_t kAxes>
ASHLAR_AVX512_INLINE void IntegrateSpans(const ParticleSpans& spans, std::size_t rows,
                                         float dt) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t row = 0;
  if constexpr (kAxes == 1) {
    for (; row + 4 * kLanes <= rows; row += 4 * kLanes) {
      IntegrateBlock<1>(spans, row, dt_lanes);
      IntegrateBlock<1>(spans, row + kLanes, dt_lanes);
      IntegrateBlock<1>(spans, row + 2 * kLanes, dt_lanes);
      IntegrateBlock<1>(spans, row + 3 * kLanes, dt_lanes);
    }
  }
  for (; row + kLanes <= rows; row += kLanes) IntegrateBlock<kAxes>(spans, row, dt_lanes);
  if (row == rows) return;
  const __m512 row_masses = _mm512_maskz_loadu_ps(FirstLanes(rows - row), spans.inverse_mass + row);
  // Parts in which no row has a float are left out: their addresses may be outside of the spans.
  for (std::size_t part = 0; kAxes * row + kLanes * part < kAxes * rows; ++part) {
    const std::size_t i = kAxes * row + kLanes * part;
    const __mmask16 lanes = FirstLanes(kAxes * rows - i);
    const Moved moved = Integrated(_mm512_maskz_loadu_ps(lanes, spans.position + i),
                                   _mm512_maskz_loadu_ps(lanes, spans.velocity + i),
                                   _mm512_maskz_loadu_ps(lanes, spans.force + i),
                                   Spread<kAxes>(row_masses, part), dt_lanes);
    _mm512_mask_storeu_ps(spans.velocity + i, lanes, moved.velocity);
    _mm512_mask_storeu_ps(spans.position + i, lanes, moved.position);
  }
}

// Ages 16 rows and says which of them are dead.
ASHLAR_AVX512_INLINE __mmask16 AgeVector(float* life, __m512 dt) noexcept {
  const __m512 aged = _mm512_sub_ps(_mm512_loadu_ps(life), dt);
  _mm512_storeu_ps(life, CanonicalAvx512(aged));
  return _mm512_cmp_ps_mask(aged, _mm512_setzero_ps(), _CMP_NGT_UQ);
}

ASHLAR_AVX512_INLINE std::size_t CountLanes(__mmask64 lanes) noexcept {
  return static_cast<std::size_t>(_mm_popcnt_u64(lanes));
}

}  // namespace

ASHLAR_AVX512 void IntegrateRowsAvx512(float* position, float* velocity, const float* force,
                                       const float* inverse_mass, std::size_t rows,
                                       float dt) noexcept {
  IntegrateSpans<3>({position, velocity, force, inverse_mass}, rows, dt);
}

ASHLAR_AVX512 void IntegrateAxisAvx512(float* position, float* velocity, const float* force,
                                       const float* inverse_mass, std::size_t rows,
                                       float dt) noexcept {
  IntegrateSpans<1>({position, velocity, force, inverse_mass}, rows, dt);
}

ASHLAR_AVX512 std::size_t AgeAvx512(float* life, std::size_t rows, float dt) noexcept {
  const __m512 dt_lanes = _mm512_set1_ps(dt);
  std::size_t dead = 0;
  std::size_t i = 0;
  for (; i + 4 * kLanes <= rows; i += 4 * kLanes) {
    const __mmask16 first = AgeVector(life + i, dt_lanes);
    const __mmask16 second = AgeVector(life + i + kLanes, dt_lanes);
    const __mmask16 third = AgeVector(life + i + 2 * kLanes, dt_lanes);
    const __mmask16 fourth = AgeVector(life + i + 3 * kLanes, dt_lanes);
    dead +=
        CountLanes(_mm512_kunpackd(_mm512_kunpackw(fourth, third), _mm512_kunpackw(second, first)));
  }
  for (; i + kLanes <= rows; i += kLanes) dead += CountLanes(AgeVector(life + i, dt_lanes));
  if (i == rows) return dead;
  const __mmask16 lanes = FirstLanes(rows - i);
  const __m512 aged = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, life + i), dt_lanes);
  _mm512_mask_storeu_ps(life + i, lanes, CanonicalAvx512(aged));
  return dead + CountLanes(_mm512_mask_cmp_ps_mask(lanes, aged, _mm512_setzero_ps(), _CMP_NGT_UQ));
}
#endif  // defined(__x86_64__)

}  // namespace ashlar::inline v0::kernels
