// The particle step over plain spans: forces to velocities, velocities to positions, and ageing.
//
//   step of velocity  = (force * inverse_mass) * dt           rounded after each product
//   velocity          = canonical(velocity + step of velocity)
//   position          = canonical(position + velocity * dt)   with the new velocity
//
// (semi-implicit Euler: Hairer, Lubich, Wanner, "Geometric Numerical Integration", 2nd ed., I.1.2).
// An inverse mass of 0 is a particle that finite forces do not move. `canonical` is as in
// movement.h: every NaN result is the one quiet NaN 0x7fc00000. Every twin gives the same bits for
// every input, in round-to-nearest without flush-to-zero, which is what the calling thread must be
// set to.
//
// Each is one pass: IntegrateRows reads 40 bytes a row and writes 24, IntegrateAxis reads 16 and
// writes 8, Age reads and writes 4. A NaN among the results costs the AVX2 twins a second pass.
#pragma once

#include <cstddef>

#include "ashlar/core/cpu.h"

namespace ashlar::inline v0::kernels {

// Rows of three floats, x y z x y z ...: position, velocity and force hold 3 * rows floats,
// inverse_mass holds rows. No two spans overlap. Any alignment works; 64 is fastest. Nothing beyond
// the spans is read or written.
using IntegrateRowsFunction = void (*)(float* position, float* velocity, const float* force,
                                       const float* inverse_mass, std::size_t rows,
                                       float dt) noexcept;

// The same for one axis stored by itself: each span holds `rows` floats.
using IntegrateAxisFunction = void (*)(float* position, float* velocity, const float* force,
                                       const float* inverse_mass, std::size_t rows,
                                       float dt) noexcept;

// life[i] = canonical(life[i] - dt); returns how many of the results are not above 0 (so a NaN is
// dead too).
using AgeFunction = std::size_t (*)(float* life, std::size_t rows, float dt) noexcept;

void IntegrateRowsScalar(float* position, float* velocity, const float* force,
                         const float* inverse_mass, std::size_t rows, float dt) noexcept;
void IntegrateAxisScalar(float* position, float* velocity, const float* force,
                         const float* inverse_mass, std::size_t rows, float dt) noexcept;
std::size_t AgeScalar(float* life, std::size_t rows, float dt) noexcept;

#if defined(__x86_64__)
// REQUIRES for all three: BestSimdLevel() >= SimdLevel::kAvx2.
void IntegrateRowsAvx2(float* position, float* velocity, const float* force,
                       const float* inverse_mass, std::size_t rows, float dt) noexcept;
void IntegrateAxisAvx2(float* position, float* velocity, const float* force,
                       const float* inverse_mass, std::size_t rows, float dt) noexcept;
std::size_t AgeAvx2(float* life, std::size_t rows, float dt) noexcept;

// REQUIRES for all three: BestSimdLevel() >= SimdLevel::kAvx512.
void IntegrateRowsAvx512(float* position, float* velocity, const float* force,
                         const float* inverse_mass, std::size_t rows, float dt) noexcept;
void IntegrateAxisAvx512(float* position, float* velocity, const float* force,
                         const float* inverse_mass, std::size_t rows, float dt) noexcept;
std::size_t AgeAvx512(float* life, std::size_t rows, float dt) noexcept;
#endif

// The twins for a level. REQUIRES: level <= BestSimdLevel().
IntegrateRowsFunction IntegrateRowsFor(SimdLevel level);
IntegrateAxisFunction IntegrateAxisFor(SimdLevel level);
AgeFunction AgeFor(SimdLevel level);

}  // namespace ashlar::inline v0::kernels
