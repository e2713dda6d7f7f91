// The scalars that palette values are made of: for one field's type and rule, each kind of edge.
#pragma once

#include <cstdint>

#include "ashlar/schema/field_type.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0::oplang {

// A small number: `number` mod 256, of which the upper quarter (for i8: half) reads as negative in
// types that have a sign. Entities: a small label.
Scalar SmallScalar(ScalarType type, std::uint32_t number);

// A quarter of the small number, for floats; others as SmallScalar.
Scalar QuarterScalar(ScalarType type, std::uint32_t number);

// `scalar`, or the nearest value inside the rule's bounds. REQUIRES: the scalar is fitted.
Scalar Clamped(ScalarType type, const FieldRule& rule, const Scalar& scalar);

// Extremes and other values that the type can hold, some in another kind that fits too.
Scalar SpecialScalar(ScalarType type, std::uint32_t which);

// At a bound of the rule or of the type, or one step outside it.
Scalar RuleEdgeScalar(ScalarType type, const FieldRule& rule, std::uint32_t which);

// Just, or far, outside what the type can hold.
Scalar OutsideScalar(ScalarType type, std::uint32_t which);

// One scalar of each kind.
Scalar AnyKindScalar(std::uint32_t which);

// Float bit patterns that arithmetic gets wrong: signed zeros, denormals, infinities, NaNs.
std::uint32_t SpecialFloatBits(std::uint32_t which);

}  // namespace ashlar::inline v0::oplang
