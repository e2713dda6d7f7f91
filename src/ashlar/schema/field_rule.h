// Rules on the values of a field: whether a rule makes sense, and whether a value keeps it.
#pragma once

#include <optional>
#include <string>

#include "ashlar/schema/field_type.h"

namespace ashlar::inline v0 {

// What is wrong with one bound for fields of `type`; nothing where it is fine.
std::optional<std::string> BoundError(ScalarType type, const Scalar& bound);

// What is wrong with the whole rule; nothing where it is fine.
std::optional<std::string> RuleError(ScalarType type, const FieldRule& rule);

// The text of a rule as a type's text has it: "in [0,100] finite"; "" for an empty one.
std::string RuleText(ScalarType type, const FieldRule& rule);

// A rule made ready for many values of one field. REQUIRES: RuleError(type, rule) is nothing.
class RuleCheck {
 public:
  RuleCheck(ScalarType type, const FieldRule& rule);

  // Whether the rule takes `fitted`, which FitScalar made for the type.
  bool Accepts(const Scalar& fitted) const;

 private:
  ScalarType type_;
  std::optional<Scalar> min_;
  std::optional<Scalar> max_;
  bool finite_;
};

}  // namespace ashlar::inline v0
