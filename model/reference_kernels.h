// What systems do to one value, in plain arithmetic.
#pragma once

#include "ashlar/schema/scalar.h"

namespace ashlar::model {

// position + velocity * dt, all f32: the product is rounded, then the sum; every NaN is the same
// one.
Scalar Moved(const Scalar& position, const Scalar& velocity, float dt);

}  // namespace ashlar::model
