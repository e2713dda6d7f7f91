// The palette of the binary form: values from two bytes.
//
// Random numbers hardly ever meet an edge, so two bytes pick from edges instead. The mode byte says
// what kind of value, the pick byte which one; every pair means something.
//
//   mode      a value of the component's type, scalar by scalar
//     0..15   none at all (reads as all zero)
//    16..95   ramp: pick, pick + 1, pick + 2, ...; kept inside the field's rule
//    96..127  the same small number everywhere; kept inside the field's rule
//   128..159  the same multiple of a quarter (floats); kept inside the field's rule
//   160..223  special values of the type: extremes, -0.0, denormals, infinities, NaNs,
//             null and forged entities, labels
//   224..239  one scalar at, or one step outside, the bounds of its field's rule
//   240..247  one scalar just outside what its type can hold
//   248..253  one scalar of some other kind, which its type mostly does not take
//   254..255  a wrong number of scalars
//
// A tag has no scalars: 240 and above give it one, which it cannot take; below it gets none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ashlar/schema/field_type.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0::oplang {

struct PaletteKey {
  std::uint8_t mode = 0;
  std::uint8_t pick = 0;
};

// How many scalars a component of this type has; bounded by what a descriptor admits, whatever the
// type says.
std::size_t ScalarCountOf(const TypeSpec& type);

// The type of one scalar alone, as a component of its own; a tag where there is no such scalar.
TypeSpec ScalarTypeOf(const TypeSpec& type, std::size_t scalar);

// Total. Cost: linear in the scalars of the type.
std::vector<Scalar> PaletteValue(const TypeSpec& type, PaletteKey key);

// A key of exactly this value, if it has one.
std::optional<PaletteKey> FindInPalette(const TypeSpec& type, std::span<const Scalar> value);

// The special floats that a `move` record picks from.
std::uint32_t PaletteFloatBits(std::uint8_t pick);

}  // namespace ashlar::inline v0::oplang
