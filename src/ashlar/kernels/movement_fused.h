// Movement with a fused multiply-add: position += velocity * dt, rounded once.
//
// NOT the same bits as movement.h, which rounds the product too; the twins here agree among
// themselves. Every NaN result is the one quiet NaN 0x7fc00000, as there. For programs that want
// the smaller error of one rounding; where the memory sets the pace it is no faster. Nothing of
// the kernel uses it by itself, and nothing that compares bits may mix the two.
#pragma once

#include <cstddef>

#include "ashlar/core/cpu.h"
#include "ashlar/kernels/movement.h"

namespace ashlar::inline v0::kernels {

// As MovementFunction says, but rounded once. The scalar twin asks the C library, which is slow on
// processors that have no such instruction.
void MovementFusedScalar(float* position, const float* velocity, std::size_t count,
                         float dt) noexcept;

#if defined(__x86_64__)
// REQUIRES: BestSimdLevel() >= SimdLevel::kAvx2.
void MovementFusedAvx2(float* position, const float* velocity, std::size_t count,
                       float dt) noexcept;

// REQUIRES: BestSimdLevel() >= SimdLevel::kAvx512.
void MovementFusedAvx512(float* position, const float* velocity, std::size_t count,
                         float dt) noexcept;
#endif

// The twin for a level. REQUIRES: level <= BestSimdLevel().
MovementFunction MovementFusedFor(SimdLevel level);

}  // namespace ashlar::inline v0::kernels
