// The scalar twins of the particle kernels, and the choice of a twin.
//
// In every twin the new velocity goes into the position before or after its NaNs are made the one
// NaN: a NaN velocity makes a NaN position whatever its payload, and that one is replaced too.
#include "ashlar/kernels/particles.h"

#include <algorithm>
#include <array>

#include "ashlar/core/check.h"
#include "ashlar/kernels/twins.h"

namespace ashlar::inline v0::kernels {
namespace {

// Rows of three become floats that each have an inverse mass, so many rows at a time: compilers
// make a loop over floats more than twice as fast as one over rows.
constexpr std::size_t kRowsSpread = 32;

}  // namespace

void IntegrateAxisScalar(float* position, float* velocity, const float* force,
                         const float* inverse_mass, std::size_t rows, float dt) noexcept {
  for (std::size_t i = 0; i < rows; ++i) {
    const float acceleration = force[i] * inverse_mass[i];
    const float velocity_step = acceleration * dt;
    const float moved = Canonical(velocity[i] + velocity_step);
    const float position_step = moved * dt;
    velocity[i] = moved;
    position[i] = Canonical(position[i] + position_step);
  }
}

void IntegrateRowsScalar(float* position, float* velocity, const float* force,
                         const float* inverse_mass, std::size_t rows, float dt) noexcept {
  std::array<float, 3 * kRowsSpread> masses;
  for (std::size_t row = 0; row < rows; row += kRowsSpread) {
    const std::size_t count = std::min(kRowsSpread, rows - row);
    for (std::size_t i = 0; i < count; ++i) {
      masses[3 * i] = inverse_mass[row + i];
      masses[3 * i + 1] = inverse_mass[row + i];
      masses[3 * i + 2] = inverse_mass[row + i];
    }
    IntegrateAxisScalar(position + 3 * row, velocity + 3 * row, force + 3 * row, masses.data(),
                        3 * count, dt);
  }
}

// Above 0 are the bits from the least denormal up to infinity: 1 to 0x7f800000.
std::size_t AgeScalar(float* life, std::size_t rows, float dt) noexcept {
  std::size_t dead = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    life[i] = Canonical(life[i] - dt);
    dead += std::bit_cast<std::uint32_t>(life[i]) - 1 >= kInfinityBits ? 1 : 0;
  }
  return dead;
}

IntegrateRowsFunction IntegrateRowsFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return &IntegrateRowsAvx512;
  if (level == SimdLevel::kAvx2) return &IntegrateRowsAvx2;
#endif
  return &IntegrateRowsScalar;
}

IntegrateAxisFunction IntegrateAxisFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return &IntegrateAxisAvx512;
  if (level == SimdLevel::kAvx2) return &IntegrateAxisAvx2;
#endif
  return &IntegrateAxisScalar;
}

AgeFunction AgeFor(SimdLevel level) {
  ASHLAR_CHECK(level <= BestSimdLevel());
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return &AgeAvx512;
  if (level == SimdLevel::kAvx2) return &AgeAvx2;
#endif
  return &AgeScalar;
}

}  // namespace ashlar::inline v0::kernels
