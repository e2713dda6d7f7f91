// Values for generated programs: ordinary ones, the edges of every type, and those that a world
// must refuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ashlar/schema/field_type.h"
#include "ashlar/schema/scalar.h"
#include "model/generator.h"

namespace ashlar::model {

// What a drawn value is meant to be. It is an aim, not a promise: a component without rules has
// nothing to break, and an entity field takes every entity.
enum class ValueAim : std::uint8_t { kFits, kBreaksRule, kDoesNotFit };

// One scalar for the field. Entities are labels below `label_count`, null, or made-up bits. Every
// scalar survives the text form of a trace.
Scalar DrawScalar(const FieldSpec& field, ValueAim aim, std::uint32_t label_count, Random* random);

// A value for a component of this type: one scalar for each of its scalars, or none ("all zero").
// Where the aim is not kFits, one scalar misses it and the others fit.
std::vector<Scalar> DrawValue(const TypeSpec& type, ValueAim aim, std::uint32_t label_count,
                              Random* random);

// Scalars of a component of this type; 0 for a tag.
std::size_t ScalarCount(const TypeSpec& type);

// The field that holds the scalar of that number. REQUIRES: scalar < ScalarCount(type).
const FieldSpec& FieldOf(const TypeSpec& type, std::size_t scalar);

// The bits of a float: an ordinary number, a special one (signed zero, denormal, infinity, NaN with
// and without payload), or any bits.
std::uint32_t DrawF32Bits(Random* random);

}  // namespace ashlar::model
