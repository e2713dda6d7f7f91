// The order of values by which the operation language sorts rows.
#pragma once

#include <span>

#include "ashlar/schema/scalar.h"

namespace ashlar::model {

// Whether the first comes before the second: scalar by scalar, left to right. Numbers as numbers;
// floats in the total order of IEEE 754 (-NaN, -inf, ..., -0, +0, ..., +inf, NaN); false before
// true; entities by their bits. Both are fitted values of one component.
bool ComesBefore(std::span<const Scalar> first, std::span<const Scalar> second);

}  // namespace ashlar::model
