#include "ashlar/schema/field_rule.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "ashlar/core/check.h"

namespace ashlar::inline v0 {
namespace {

double AsDouble(const Scalar& value) {
  if (value.kind == Scalar::Kind::kF32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value.bits)));
  }
  return std::bit_cast<double>(value.bits);
}

// a <= b, for values fitted to the same number type. False when one is NaN.
bool LessOrEqual(ScalarType type, const Scalar& a, const Scalar& b) {
  if (IsFloat(type)) return AsDouble(a) <= AsDouble(b);
  const bool a_is_huge = a.kind == Scalar::Kind::kUint;
  const bool b_is_huge = b.kind == Scalar::Kind::kUint;
  if (a_is_huge != b_is_huge) return b_is_huge;
  if (a_is_huge) return a.bits <= b.bits;
  return static_cast<std::int64_t>(a.bits) <= static_cast<std::int64_t>(b.bits);
}

// The bound fitted to the type. REQUIRES: BoundError(type, bound) is nothing.
std::optional<Scalar> FitBound(ScalarType type, const std::optional<Scalar>& bound) {
  if (!bound.has_value()) return std::nullopt;
  const std::optional<Scalar> fitted = FitScalar(type, *bound);
  ASHLAR_CHECK(fitted.has_value());
  return fitted;
}

// The ends of a type's range, as text that reads back as a bound of it.
std::string LowestText(ScalarType type) {
  switch (type) {
    case ScalarType::kI8:
      return "-128";
    case ScalarType::kI16:
      return "-32768";
    case ScalarType::kI32:
      return absl::StrCat(std::numeric_limits<std::int32_t>::min());
    case ScalarType::kI64:
      return absl::StrCat(std::numeric_limits<std::int64_t>::min());
    default:
      return IsFloat(type) ? "-inf" : "0";
  }
}

std::string HighestText(ScalarType type) {
  switch (type) {
    case ScalarType::kI8:
      return "127";
    case ScalarType::kI16:
      return "32767";
    case ScalarType::kI32:
      return absl::StrCat(std::numeric_limits<std::int32_t>::max());
    case ScalarType::kI64:
      return absl::StrCat(std::numeric_limits<std::int64_t>::max());
    case ScalarType::kU8:
      return "255";
    case ScalarType::kU16:
      return "65535";
    case ScalarType::kU32:
      return absl::StrCat(std::numeric_limits<std::uint32_t>::max());
    case ScalarType::kU64:
      return absl::StrCat(std::numeric_limits<std::uint64_t>::max());
    default:
      return "inf";
  }
}

}  // namespace

std::optional<std::string> BoundError(ScalarType type, const Scalar& bound) {
  const std::string_view name = ScalarTypeName(type);
  const std::optional<Scalar> fitted = FitScalar(type, bound);
  if (!fitted.has_value()) {
    return absl::StrCat("the bound ", ScalarText(bound), " does not fit ",
                        absl::string_view(name.data(), name.size()), " ", ScalarRangeText(type));
  }
  if (IsFloat(type) && std::isnan(AsDouble(*fitted))) return "a bound is not a number";
  return std::nullopt;
}

std::optional<std::string> RuleError(ScalarType type, const FieldRule& rule) {
  if (rule.empty()) return std::nullopt;
  if (!IsFloat(type) && !IsInteger(type)) {
    const std::string_view name = ScalarTypeName(type);
    return absl::StrCat("a field of type ", absl::string_view(name.data(), name.size()),
                        " takes no rule");
  }
  for (const auto& bound : {rule.min, rule.max}) {
    if (!bound.has_value()) continue;
    if (auto error = BoundError(type, *bound)) return error;
  }
  if (rule.min.has_value() && rule.max.has_value() &&
      !LessOrEqual(type, *FitBound(type, rule.min), *FitBound(type, rule.max))) {
    return absl::StrCat("the range [", ScalarText(*rule.min), ",", ScalarText(*rule.max),
                        "] is empty");
  }
  return std::nullopt;
}

std::string RuleText(ScalarType type, const FieldRule& rule) {
  std::string text;
  if (rule.min.has_value() || rule.max.has_value()) {
    absl::StrAppend(&text, "in [", rule.min ? ScalarText(*rule.min) : LowestText(type), ",",
                    rule.max ? ScalarText(*rule.max) : HighestText(type), "]");
  }
  if (rule.finite) absl::StrAppend(&text, text.empty() ? "" : " ", "finite");
  return text;
}

RuleCheck::RuleCheck(ScalarType type, const FieldRule& rule)
    : type_(type),
      min_(FitBound(type, rule.min)),
      max_(FitBound(type, rule.max)),
      finite_(rule.finite && IsFloat(type)) {}

bool RuleCheck::Accepts(const Scalar& fitted) const {
  if (min_.has_value() && !LessOrEqual(type_, *min_, fitted)) return false;
  if (max_.has_value() && !LessOrEqual(type_, fitted, *max_)) return false;
  return !finite_ || std::isfinite(AsDouble(fitted));
}

}  // namespace ashlar::inline v0
