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

// The same for two pairs of spans, all of `count` floats, in one walk. None may overlap a position.
using MovementPairFunction = void (*)(float* position_a, const float* velocity_a, float* position_b,
                                      const float* velocity_b, std::size_t count,
                                      float dt) noexcept;

// A MovementFunction that also asks the caches for `count` floats from each of two places that will
// be moved later. The places are hints: nothing there is read or written, and any address will do.
using MovementAheadFunction = void (*)(float* position, const float* velocity, std::size_t count,
                                       float dt, const float* position_later,
                                       const float* velocity_later) noexcept;

#if defined(__x86_64__)
// REQUIRES for all: BestSimdLevel() >= SimdLevel::kAvx2.
void MovementAvx2(float* position, const float* velocity, std::size_t count, float dt) noexcept;
void MovementPairAvx2(float* position_a, const float* velocity_a, float* position_b,
                      const float* velocity_b, std::size_t count, float dt) noexcept;
void MovementAheadAvx2(float* position, const float* velocity, std::size_t count, float dt,
                       const float* position_later, const float* velocity_later) noexcept;

// REQUIRES for all: BestSimdLevel() >= SimdLevel::kAvx512.
void MovementAvx512(float* position, const float* velocity, std::size_t count, float dt) noexcept;
void MovementPairAvx512(float* position_a, const float* velocity_a, float* position_b,
                        const float* velocity_b, std::size_t count, float dt) noexcept;
void MovementAheadAvx512(float* position, const float* velocity, std::size_t count, float dt,
                         const float* position_later, const float* velocity_later) noexcept;
#endif

// The twin for a level. REQUIRES: level <= BestSimdLevel().
MovementFunction MovementFor(SimdLevel level);

// The twin for pairs, or null where pairs do not pay. REQUIRES: level <= BestSimdLevel().
MovementPairFunction MovementPairFor(SimdLevel level);

// The twin with hints, or null where hints do not pay: at the scalar level, which is no faster than
// the memory, and on processors that find the next span by themselves. Where they pay, it is for
// more spans than the second-level cache holds. REQUIRES: level <= BestSimdLevel().
MovementAheadFunction MovementAheadFor(SimdLevel level);

}  // namespace ashlar::inline v0::kernels
