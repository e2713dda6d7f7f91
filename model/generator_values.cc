// Palettes. A random 64-bit number hardly ever is one of those that code goes wrong at, so most
// values are drawn from short lists and only some from all bits.

#include "model/generator_values.h"

#include <cstddef>
#include <limits>
#include <optional>

#include "ashlar/core/entity.h"
#include "ashlar/schema/field_rule.h"

namespace ashlar::model {
namespace {

// Values with more scalars than this are one scalar repeated, with a few others strewn in: each
// scalar costs a draw, a word of the trace and a comparison, and finds nothing that 16 do not.
constexpr std::size_t kWideScalars = 16;

// Candidates drawn until one is as aimed. The palettes hold enough of each kind that 32 draws miss
// less than once in a hundred; then the last is taken as it is.
constexpr int kCandidatesMax = 32;

template <typename T, std::size_t N>
T Pick(const T (&palette)[N], Random* random) {
  return palette[random->Below(N)];
}

constexpr std::uint32_t kF32Palette[] = {
    0x3F800000u,  // 1
    0x3F000000u,  // 0.5
    0xC0000000u,  // -2
    0x42280000u,  // 42
    0x3DCCCCCDu,  // what 0.1 rounds to
    0x4B800000u,  // 2^24, from where on integers are lost
    0x00000000u,  // 0
    0x80000000u,  // -0
    0x00000001u,  // the smallest denormal
    0x807FFFFFu,  // the largest denormal, negative
    0x7F7FFFFFu,  // the largest number
    0x7F800000u,  // infinity
    0xFF800000u,  // -infinity
    0x7FC00000u,  // the NaN that kernels answer with
    0xFFC00001u,  // a quiet NaN with sign and payload
    0x7F800001u,  // a signalling NaN
};

constexpr std::uint64_t kF64Palette[] = {
    0x3FF0000000000000u,  // 1
    0x3FE0000000000000u,  // 0.5
    0xC000000000000000u,  // -2
    0x4045000000000000u,  // 42
    0x3FB999999999999Au,  // what 0.1 rounds to
    0x4340000000000000u,  // 2^53, from where on integers are lost
    0x0000000000000000u,  // 0
    0x8000000000000000u,  // -0
    0x0000000000000001u,  // the smallest denormal
    0x7FEFFFFFFFFFFFFFu,  // the largest number
    0xFFF0000000000000u,  // -infinity
    0x7FF8000000000000u,  // the quiet NaN
    0xFFF8000000000001u,  // a quiet NaN with sign and payload
};

// The ends of every integer type, and their neighbours outside.
constexpr std::int64_t kIntegerPalette[] = {
    0,
    1,
    -1,
    127,
    128,
    255,
    256,
    -128,
    -129,
    32767,
    32768,
    65535,
    65536,
    -32768,
    -32769,
    2147483647,
    2147483648,
    4294967295,
    4294967296,
    -2147483648,
    -2147483649,
    std::numeric_limits<std::int64_t>::max(),
    std::numeric_limits<std::int64_t>::min(),
};

Scalar DrawInteger(Random* random) {
  switch (random->Below(8)) {
    case 0:
      return Scalar::Uint((std::uint64_t{1} << 63) + random->Below(2));
    case 1:
      return Scalar::Uint(std::numeric_limits<std::uint64_t>::max());
    case 2:
      return Scalar::Int(static_cast<std::int64_t>(random->Next()) >> random->Below(64));
    case 3:
    case 4:
      return Scalar::Int(Pick(kIntegerPalette, random));
    default:
      return Scalar::Int(static_cast<std::int64_t>(random->Below(100)));
  }
}

// The rule's bounds and what lies just outside. REQUIRES: integer bounds.
std::optional<Scalar> DrawNearBound(const FieldRule& rule, Random* random) {
  const std::optional<Scalar>& bound = random->Chance(1, 2) ? rule.min : rule.max;
  if (!bound.has_value() || bound->kind != Scalar::Kind::kInt) return std::nullopt;
  // By unsigned arithmetic, so that the neighbours of the ends of an i64 wrap instead of trapping.
  return Scalar::Int(static_cast<std::int64_t>(bound->bits + random->Below(3) - 1));
}

// A number of another kind: a fraction for an integer, a number too large for a float.
Scalar DrawMisfit(ScalarType type, Random* random) {
  switch (type) {
    case ScalarType::kF32:
      return random->Chance(1, 2) ? Scalar::F64(1e39) : Scalar::Int((1 << 24) + 1);
    case ScalarType::kF64:
      return Scalar::Int((std::int64_t{1} << 53) + 1);
    case ScalarType::kBool:
    case ScalarType::kEntity:
      return Scalar::Int(static_cast<std::int64_t>(random->Below(3)));
    default:
      return random->Chance(1, 4) ? Scalar::F64(2.5) : DrawInteger(random);
  }
}

Scalar DrawEntityScalar(std::uint32_t label_count, Random* random) {
  if (random->Chance(1, 8)) return Scalar::EntityValue(Entity());
  if (random->Chance(1, 8)) return Scalar::EntityValue(Entity::FromBits(random->Next()));
  return Scalar::Label(static_cast<std::uint32_t>(random->Below(label_count)));
}

Scalar DrawCandidate(const FieldSpec& field, ValueAim aim, std::uint32_t label_count,
                     Random* random) {
  if (aim == ValueAim::kDoesNotFit) return DrawMisfit(field.type.scalar, random);
  switch (field.type.scalar) {
    case ScalarType::kF32:
      // Integers are taken too, where a float holds them exactly.
      return random->Chance(1, 16) ? Scalar::Int(static_cast<std::int64_t>(random->Below(100)))
                                   : Scalar::F32Bits(DrawF32Bits(random));
    case ScalarType::kF64:
      return random->Chance(1, 8) ? Scalar::F64Bits(random->Next())
                                  : Scalar::F64Bits(Pick(kF64Palette, random));
    case ScalarType::kBool:
      return Scalar::Bool(random->Chance(1, 2));
    case ScalarType::kEntity:
      return DrawEntityScalar(label_count, random);
    default:
      break;
  }
  if (!field.rule.empty() && random->Chance(1, 3)) {
    if (const std::optional<Scalar> near = DrawNearBound(field.rule, random)) return *near;
  }
  return DrawInteger(random);
}

ValueAim Judge(const FieldSpec& field, const Scalar& scalar) {
  // A label will be an entity by the time a world sees it.
  if (scalar.kind == Scalar::Kind::kLabel) return ValueAim::kFits;
  const std::optional<Scalar> fitted = FitScalar(field.type.scalar, scalar);
  if (!fitted.has_value()) return ValueAim::kDoesNotFit;
  if (field.rule.empty()) return ValueAim::kFits;
  return RuleCheck(field.type.scalar, field.rule).Accepts(*fitted) ? ValueAim::kFits
                                                                   : ValueAim::kBreaksRule;
}

// Whether "all zero" keeps every rule.
bool TakesZero(const TypeSpec& type) {
  for (const FieldSpec& field : type.fields) {
    if (!field.rule.empty() && Judge(field, Scalar::Int(0)) != ValueAim::kFits) return false;
  }
  return true;
}

}  // namespace

std::size_t ScalarCount(const TypeSpec& type) {
  std::size_t count = 0;
  for (const FieldSpec& field : type.fields) count += field.type.count;
  return count;
}

const FieldSpec& FieldOf(const TypeSpec& type, std::size_t scalar) {
  std::size_t field = 0;
  while (scalar >= type.fields[field].type.count) scalar -= type.fields[field++].type.count;
  return type.fields[field];
}

std::uint32_t DrawF32Bits(Random* random) {
  return random->Chance(1, 8) ? static_cast<std::uint32_t>(random->Next())
                              : Pick(kF32Palette, random);
}

Scalar DrawScalar(const FieldSpec& field, ValueAim aim, std::uint32_t label_count, Random* random) {
  // Nothing but rules can be broken.
  if (aim == ValueAim::kBreaksRule && field.rule.empty()) aim = ValueAim::kFits;
  Scalar scalar = DrawCandidate(field, aim, label_count, random);
  for (int i = 1; i < kCandidatesMax && Judge(field, scalar) != aim; ++i) {
    scalar = DrawCandidate(field, aim, label_count, random);
  }
  return scalar;
}

std::vector<Scalar> DrawValue(const TypeSpec& type, ValueAim aim, std::uint32_t label_count,
                              Random* random) {
  const std::size_t count = ScalarCount(type);
  const bool is_wide = count > kWideScalars;
  const bool zero_is_aim = TakesZero(type) ? aim == ValueAim::kFits : aim == ValueAim::kBreaksRule;
  if (count == 0 || (zero_is_aim && random->Chance(is_wide ? 3 : 1, 4))) return {};

  std::vector<Scalar> value;
  value.reserve(count);
  for (const FieldSpec& field : type.fields) {
    Scalar scalar = DrawScalar(field, ValueAim::kFits, label_count, random);
    for (std::uint32_t i = 0; i < field.type.count; ++i) {
      const bool is_strewn = i % 64 == 63;
      if (i > 0 && (!is_wide || is_strewn)) {
        scalar = DrawScalar(field, ValueAim::kFits, label_count, random);
      }
      value.push_back(scalar);
    }
  }
  if (aim != ValueAim::kFits) {
    const std::size_t missed = random->Below(count);
    value[missed] = DrawScalar(FieldOf(type, missed), aim, label_count, random);
  }
  return value;
}

}  // namespace ashlar::model
