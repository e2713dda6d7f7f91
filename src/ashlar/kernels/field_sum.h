// Sums of one float field over spans of rows, defined lane by lane, so that every twin gives the
// same bits:
//
//   lane[l] = ((+0.0f + value[l]) + value[l + 16]) + value[l + 32] ...   l = row mod 16
//   sum     = tree: lanes l and l + 8, then l + 4, then l + 2, then l + 1 are added, low one left
//
// A NaN result is the one quiet NaN 0x7fc00000. Infinities and denormals are as IEEE 754 says in
// round-to-nearest without flush-to-zero, which is what the calling thread must be set to.
#pragma once

#include <cstddef>

#include "ashlar/core/cpu.h"

namespace ashlar::inline v0::kernels {

// The sum of values[0], values[stride], ... values[(rows - 1) * stride]. `stride` is in floats: 1
// for a column of its own, 3 for one field of an f32[3]. Nothing else is read. +0.0 for no rows.
// Any alignment works. Stride 1 is the fast one: 16 rows cost as much as one addition that waits
// for the one before it; with other strides, a load for each row. REQUIRES: stride >= 1.
using FieldSumFunction = float (*)(const float* values, std::size_t rows,
                                   std::size_t stride) noexcept;

float FieldSumScalar(const float* values, std::size_t rows, std::size_t stride) noexcept;

#if defined(__x86_64__)
// REQUIRES: BestSimdLevel() >= SimdLevel::kAvx2.
float FieldSumAvx2(const float* values, std::size_t rows, std::size_t stride) noexcept;

// REQUIRES: BestSimdLevel() >= SimdLevel::kAvx512.
float FieldSumAvx512(const float* values, std::size_t rows, std::size_t stride) noexcept;
#endif

// The sum over several spans, from their sums: ((total + sums[0]) + sums[1]) + sums[2] ... It
// begins with a total of +0.0f and may be continued with what it returned. A NaN result is the one
// NaN.
float AddFieldSums(float total, const float* sums, std::size_t count) noexcept;

// The twin for a level. REQUIRES: level <= BestSimdLevel().
FieldSumFunction FieldSumFor(SimdLevel level);

}  // namespace ashlar::inline v0::kernels
