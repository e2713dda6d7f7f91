// Movement: position += velocity * dt over plain spans.
//
// Every twin gives the same bits for every input: the product is rounded, then the sum (no fused
// multiply-add), and every NaN result is the one quiet NaN 0x7fc00000. Signed zeros and denormals
// come out as IEEE 754 says in round-to-nearest without flush-to-zero, which is what the calling
// thread must be set to.
#pragma once

#include <cstddef>

#include "ashlar/core/cpu.h"

namespace ashlar::inline v0::kernels {

// position[i] = position[i] + velocity[i] * dt for i in [0, count).
// `position` and `velocity` are floats (three for each entity, x y z x y z ...); count is the
// number of floats. The spans must not overlap. Any alignment works; 64 is fastest. Nothing beyond
// `count` is read or written.
using MovementFunction = void (*)(float* position, const float* velocity, std::size_t count,
                                  float dt) noexcept;

void MovementScalar(float* position, const float* velocity, std::size_t count, float dt) noexcept;

#if defined(__x86_64__)
// REQUIRES: BestSimdLevel() >= SimdLevel::kAvx2.
void MovementAvx2(float* position, const float* velocity, std::size_t count, float dt) noexcept;
#endif

// The twin for a level. REQUIRES: level <= BestSimdLevel().
MovementFunction MovementFor(SimdLevel level);

}  // namespace ashlar::inline v0::kernels
