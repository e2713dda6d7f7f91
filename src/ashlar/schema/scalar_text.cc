// Scalars as text. Numbers go through <charconv> only, so that no locale is asked.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "ashlar/schema/scalar.h"
#include "ashlar/schema/text_cursor.h"

namespace ashlar::inline v0 {
namespace {

constexpr std::uint64_t kF64QuietNan = 0x7ff8000000000000u;
constexpr std::uint32_t kLabelMax = 65535;

bool IsF32Nan(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
bool IsF64Nan(std::uint64_t bits) { return (bits << 1) > (0x7ff0000000000000u << 1); }

// The shortest text that reads back to the same bits, marked as a float by a '.' or an 'e'.
template <typename F>
std::string FloatText(F value) {
  if (std::isinf(value)) return std::signbit(value) ? "-inf" : "inf";
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  std::string text(buffer.data(), end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string F32Text(std::uint32_t bits) {
  if (bits == kF32QuietNan) return "nan";
  if (IsF32Nan(bits)) return absl::StrCat("nan(0x", absl::Hex(bits, absl::kZeroPad8), ")");
  return FloatText(std::bit_cast<float>(bits));
}

std::string F64Text(std::uint64_t bits) {
  if (bits == kF64QuietNan) return "nan";
  if (IsF64Nan(bits)) return absl::StrCat("nan(0x", absl::Hex(bits, absl::kZeroPad16), ")");
  return FloatText(std::bit_cast<double>(bits));
}

// The whole of `text` as an unsigned number; nothing where it is not one or is too large. (The
// unsigned from_chars takes no sign.)
template <typename T>
std::optional<T> ParseUnsigned(std::string_view text, int base = 10) {
  T value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Scalar> ParseEntity(std::string_view text, std::size_t v) {
  const auto index = ParseUnsigned<std::uint32_t>(text.substr(0, v));
  const auto generation = ParseUnsigned<std::uint32_t>(text.substr(v + 1));
  if (!index.has_value() || !generation.has_value()) return std::nullopt;
  return Scalar::EntityValue(Entity(*index, *generation));
}

// "nan" or "nan(0x7fc00001)". The size of the pattern says which float it is of: no pattern below
// 2^32 is a NaN of 64 bits.
std::optional<Scalar> ParseNan(ScalarType type, std::string_view text) {
  text.remove_prefix(3);
  if (text.empty()) {
    return type == ScalarType::kF32 ? Scalar::F32Bits(kF32QuietNan) : Scalar::F64Bits(kF64QuietNan);
  }
  if (!text.starts_with("(0x") || !text.ends_with(')')) return std::nullopt;
  const auto bits = ParseUnsigned<std::uint64_t>(text.substr(3, text.size() - 4), 16);
  if (!bits.has_value()) return std::nullopt;
  if (*bits <= 0xffffffffu) {
    const auto low = static_cast<std::uint32_t>(*bits);
    return IsF32Nan(low) ? std::optional(Scalar::F32Bits(low)) : std::nullopt;
  }
  return IsF64Nan(*bits) ? std::optional(Scalar::F64Bits(*bits)) : std::nullopt;
}

// The two parts of a number's text: its sign, and the rest.
struct Signed {
  bool is_negative;
  std::string_view digits;
};

// The exponent after an 'e', far out of every range where it does not fit.
std::int64_t ExponentOf(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (result.ec != std::errc::result_out_of_range) return exponent;
  constexpr std::int64_t kFarOut = std::int64_t{1} << 62;
  return text.starts_with('-') ? -kFarOut : kFarOut;
}

// Whether a decimal number that from_chars found to be out of range is too small (it rounds to
// zero) rather than too large: whether it is 0.ddd times ten to a power that is not positive.
bool IsTiny(std::string_view digits) {
  std::int64_t power = 0;
  bool is_past_point = false;
  bool is_past_zeros = false;
  std::size_t i = 0;
  for (; i < digits.size() && digits[i] != 'e' && digits[i] != 'E'; ++i) {
    if (digits[i] == '.') {
      is_past_point = true;
      continue;
    }
    is_past_zeros = is_past_zeros || digits[i] != '0';
    if (is_past_zeros && !is_past_point) ++power;
    if (!is_past_zeros && is_past_point) --power;
  }
  if (i < digits.size()) power += ExponentOf(digits.substr(i + 1));
  return power <= 0;
}

// A decimal number with correct rounding; nothing where it is none or too large. The text begins
// with a digit or a point, so that from_chars finds no "inf" and no second sign in it.
template <typename F>
std::optional<F> ParseDecimal(const Signed& number) {
  F value = 0;
  const std::string_view digits = number.digits;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (stop != digits.data() + digits.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    if (!IsTiny(digits)) return std::nullopt;
    value = 0;
  }
  return number.is_negative ? -value : value;
}

std::optional<Scalar> ParseFloat(ScalarType type, const Signed& number) {
  if (type == ScalarType::kF32) {
    if (const auto value = ParseDecimal<float>(number)) return Scalar::F32(*value);
  }
  if (const auto value = ParseDecimal<double>(number)) return Scalar::F64(*value);
  return std::nullopt;
}

std::optional<Scalar> SignedInteger(ScalarType type, bool is_negative, std::uint64_t magnitude) {
  if (!is_negative) return Scalar::Uint(magnitude);
  if (magnitude == 0 && type == ScalarType::kF32) return Scalar::F32(-0.0f);
  if (magnitude == 0 && type == ScalarType::kF64) return Scalar::F64(-0.0);
  if (magnitude > std::uint64_t{1} << 63) return std::nullopt;
  return Scalar::Int(static_cast<std::int64_t>(0 - magnitude));
}

std::optional<Scalar> ParseNumber(ScalarType type, const Signed& number) {
  const std::string_view digits = number.digits;
  if (digits == "inf") {
    const double value = number.is_negative ? -std::numeric_limits<double>::infinity()
                                            : std::numeric_limits<double>::infinity();
    return type == ScalarType::kF32 ? Scalar::F32(static_cast<float>(value)) : Scalar::F64(value);
  }
  if (digits.empty()) return std::nullopt;
  if (!IsDigit(digits[0]) && digits[0] != '.') return std::nullopt;
  if (digits.starts_with("0x")) {
    const auto magnitude = ParseUnsigned<std::uint64_t>(digits.substr(2), 16);
    if (!magnitude.has_value()) return std::nullopt;
    return SignedInteger(type, number.is_negative, *magnitude);
  }
  if (digits.find_first_not_of("0123456789") != std::string_view::npos) {
    return ParseFloat(type, number);
  }
  if (const auto magnitude = ParseUnsigned<std::uint64_t>(digits)) {
    if (const auto integer = SignedInteger(type, number.is_negative, *magnitude)) return integer;
  }
  // An integer that no Scalar holds. A float type would take it rounded, where it refuses smaller
  // ones; the other types refuse it whatever it is.
  if (IsFloat(type)) return std::nullopt;
  return ParseFloat(type, number);
}

}  // namespace

std::string ScalarText(const Scalar& scalar) {
  switch (scalar.kind) {
    case Scalar::Kind::kInt:
      return absl::StrCat(static_cast<std::int64_t>(scalar.bits));
    case Scalar::Kind::kUint:
      return absl::StrCat(scalar.bits);
    case Scalar::Kind::kF32:
      return F32Text(static_cast<std::uint32_t>(scalar.bits));
    case Scalar::Kind::kF64:
      return F64Text(scalar.bits);
    case Scalar::Kind::kBool:
      return scalar.bits != 0 ? "true" : "false";
    case Scalar::Kind::kEntity: {
      const Entity entity = Entity::FromBits(scalar.bits);
      if (entity.is_null()) return "null";
      return absl::StrCat(entity.index(), "v", entity.generation());
    }
    case Scalar::Kind::kLabel:
      return absl::StrCat("e", scalar.bits);
  }
  return "?";
}

std::optional<Scalar> ParseScalar(ScalarType type, std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text == "true") return Scalar::Bool(true);
  if (text == "false") return Scalar::Bool(false);
  if (text == "null") return Scalar::EntityValue(Entity());
  if (text[0] == 'e') {
    const auto label = ParseUnsigned<std::uint32_t>(text.substr(1));
    if (!label.has_value() || *label > kLabelMax) return std::nullopt;
    return Scalar::Label(*label);
  }
  if (text.starts_with("nan")) return ParseNan(type, text);
  if (const std::size_t v = text.find('v'); v != std::string_view::npos)
    return ParseEntity(text, v);
  const bool has_sign = text[0] == '-' || text[0] == '+';
  return ParseNumber(type, {text[0] == '-', text.substr(has_sign ? 1 : 0)});
}

}  // namespace ashlar::inline v0
