// The one type grammar: what a field of a component may be, in code, in traces and on the command
// line.
//
//   scalar  = f32 | f64 | i8 | i16 | i32 | i64 | u8 | u16 | u32 | u64 | bool | entity
//   field   = scalar | scalar "[" count "]" | scalar "x" count        f32[3] and f32x3 are the same
//   rule    = ["in" "[" number "," number "]"] ["finite"]             applies to every element
//   type    = "tag" | field [rule] | "{" name ":" field [rule] { "," name ":" field [rule] } "}"
//
// Spaces and tabs may stand between any two tokens. A count is 1..65536; a count of 1 is the plain
// scalar. A name is 1..64 letters, digits and '_' and does not begin with a digit; a number is what
// ParseScalar reads for the scalar, and must fit it ("-inf" and "inf" are bounds of a float).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0 {

// `count` scalars in a row. 1 is a plain scalar.
struct FieldType {
  ScalarType scalar = ScalarType::kF32;
  std::uint32_t count = 1;

  friend bool operator==(const FieldType&, const FieldType&) = default;
};

// Whether `text` may name a component or a field.
bool IsName(std::string_view text);

// The largest count of a field.
inline constexpr std::uint32_t kArrayCountMax = 65536;

// Bounds on the values of a field, inclusive. `finite` refuses NaN and both infinities. A NaN is
// outside every range. Only number types can have a rule. Bounds are kept as they were said: Int(0)
// and F32(0.0) are the same bound of an f32 field, but not equal here.
struct FieldRule {
  std::optional<Scalar> min;
  std::optional<Scalar> max;
  bool finite = false;

  bool empty() const { return !min.has_value() && !max.has_value() && !finite; }
  friend bool operator==(const FieldRule&, const FieldRule&) = default;
};

// A field as text says it: its name is empty where the type is a single nameless field.
struct FieldSpec {
  std::string name;
  FieldType type;
  FieldRule rule;

  friend bool operator==(const FieldSpec&, const FieldSpec&) = default;
};

// A component type as text says it. No fields: a tag.
struct TypeSpec {
  std::vector<FieldSpec> fields;

  friend bool operator==(const TypeSpec&, const TypeSpec&) = default;
};

// What is wrong in a text, and at which byte of it (0-based).
struct TextError {
  std::size_t offset = 0;
  std::string message;
};

// Reads one type from the start of `text` as far as it goes and says in `consumed` where it ended
// (trailing spaces not included). Returns the error, or nothing; on an error `type` and `consumed`
// are left as they were. A type that is read has good and different names, rules that hold
// together, and at most kFieldCountMax fields. Memory: linear in `text`.
std::optional<TextError> ParseTypePrefix(std::string_view text, TypeSpec* type,
                                         std::size_t* consumed);

// As ParseTypePrefix, but the whole text must be one type (spaces around it are fine).
std::optional<TextError> ParseType(std::string_view text, TypeSpec* type);

// "f32", "f32[3]": the text of one field's type, without its rule.
std::string FieldTypeText(const FieldType& type);

// The canonical text: "f32[3]", "{pos: f32[3], mass: f32 in [0,10]}", "tag". ParseType reads it
// back to an equal TypeSpec. A rule with one bound, which only a program can make, is written with
// the end of the scalar's range as the other.
std::string TypeText(const TypeSpec& type);

}  // namespace ashlar::inline v0
