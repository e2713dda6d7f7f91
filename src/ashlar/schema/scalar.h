// Scalars: the types that fields are made of, and neutral values of them.
//
// A neutral value is what a program without the component's C++ type hands over: a trace, the
// command line, the reference model. It keeps the number as it was said, so that one that does not
// fit its field can be refused with the field, the value and the range.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ashlar/core/entity.h"

namespace ashlar::inline v0 {

// The NaN that text says, and that a NaN of the other float type becomes.
inline constexpr std::uint32_t kF32QuietNan = 0x7fc00000u;

enum class ScalarType : std::uint8_t {
  kF32,
  kF64,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kBool,
  kEntity,
};
inline constexpr int kScalarTypeCount = 12;

// 4 for kF32, 8 for kEntity, ... The alignment is the size, but for kEntity, whose alignment is 4.
std::size_t ScalarSizeBytes(ScalarType type);
std::size_t ScalarAlignmentBytes(ScalarType type);

// "f32", "entity", ...
std::string_view ScalarTypeName(ScalarType type);
std::optional<ScalarType> ParseScalarType(std::string_view name);

bool IsFloat(ScalarType type);
bool IsInteger(ScalarType type);  // Signed or unsigned; not bool, not entity.

// One neutral value. Plain data; equality is equality of kind and bits.
struct Scalar {
  enum class Kind : std::uint8_t {
    kInt,     // bits: std::int64_t. Every integer that fits one is of this kind.
    kUint,    // bits: std::uint64_t above 2^63-1.
    kF32,     // bits: the 32 bits of a float, NaN payloads included.
    kF64,     // bits: the 64 bits of a double.
    kBool,    // bits: 0 or 1.
    kEntity,  // bits: Entity::ToBits().
    kLabel,   // bits: the label of an operation sequence; it stands for an entity that a create
              // operation of that sequence made, and must be resolved before a world sees it.
  };

  Kind kind = Kind::kInt;
  std::uint64_t bits = 0;

  static constexpr Scalar Int(std::int64_t value) {
    return {Kind::kInt, static_cast<std::uint64_t>(value)};
  }
  static constexpr Scalar Uint(std::uint64_t value) {
    return {value >> 63 ? Kind::kUint : Kind::kInt, value};
  }
  static constexpr Scalar F32(float value) { return F32Bits(std::bit_cast<std::uint32_t>(value)); }
  static constexpr Scalar F32Bits(std::uint32_t bits) { return {Kind::kF32, bits}; }
  static constexpr Scalar F64(double value) { return F64Bits(std::bit_cast<std::uint64_t>(value)); }
  static constexpr Scalar F64Bits(std::uint64_t bits) { return {Kind::kF64, bits}; }
  static constexpr Scalar Bool(bool value) { return {Kind::kBool, value ? 1u : 0u}; }
  static constexpr Scalar EntityValue(Entity entity) { return {Kind::kEntity, entity.ToBits()}; }
  static constexpr Scalar Label(std::uint32_t label) { return {Kind::kLabel, label}; }

  friend constexpr bool operator==(const Scalar&, const Scalar&) = default;
};

// Converts `value` to the one form that a field of `type` stores, or says no:
//   f32     from kF32; from kF64 when it rounds to a finite float, or is infinite or NaN (the NaN
//           becomes the quiet NaN 0x7fc00000); from integers of at most 2^24 in magnitude. -> kF32
//   f64     from kF64; from kF32 (NaN: payload widened by bits, sign kept); from integers of at
//           most 2^53 in magnitude.                                                         -> kF64
//   iN, uN  from kInt and kUint inside the range. Never from a float.       -> kInt, or kUint above
//   bool    from kBool only.                                                               -> kBool
//   entity  from kEntity only.                                                           -> kEntity
std::optional<Scalar> FitScalar(ScalarType type, const Scalar& value);

// "[-2147483648, 2147483647]" for kI32; words for types without a range. For error messages.
std::string ScalarRangeText(ScalarType type);

// Writes a fitted scalar (see FitScalar) as ScalarSizeBytes(type) bytes in native byte order.
void StoreScalar(ScalarType type, const Scalar& fitted, std::byte* out);

// Reads it back. LoadScalar(StoreScalar(s)) == s for every fitted s. A bool byte other than 0 reads
// as true.
Scalar LoadScalar(ScalarType type, const std::byte* in);

// Text of one scalar, from which ParseScalar makes an equal one (given the type):
// integers in decimal; floats as the shortest decimal that reads back to the same bits, always with
// '.', 'e', "inf" or "nan" in it ("1.0", "-0.0", "1e+30", "inf", "-inf"), NaN as "nan" for the
// canonical quiet NaN (0x7fc00000 / 0x7ff8000000000000) and "nan(0x7fc00001)" with the whole bit
// pattern otherwise; "true"/"false"; entities as "4v2" (index v generation) or "null"; labels as
// "e3".
std::string ScalarText(const Scalar& scalar);

// Reads one scalar as it would be written for a field of `type`. Scalars that are well formed but
// do not fit come back as what they are (4294967296 for an i32 is an Int, 1.5 an F64, true a Bool),
// so that the caller can report them; text that is no scalar at all gives nothing. For a float type
// a number with '.' or an exponent is read with correct rounding to that type (1e39 for f32 is an
// F64, 1e-99 is 0.0); one without is an integer, and fits as far as integers do ("-0" is -0.0).
// Also read: "0x1F" integers, "+5", "nan", "inf", "null", "7v3", "e12" (a label, at most 65535).
// Numbers that no Scalar can hold give nothing: 1e400, or an integer beyond 64 bits; the latter is
// an F64 for types other than floats, since no such type takes it. The locale does not matter.
// Cost: O(text).
std::optional<Scalar> ParseScalar(ScalarType type, std::string_view text);

}  // namespace ashlar::inline v0
