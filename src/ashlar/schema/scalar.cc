// What each scalar type is, which neutral values fit it, and its bytes.
#include "ashlar/schema/scalar.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"

namespace ashlar::inline v0 {
namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);
static_assert(sizeof(bool) == 1);

struct TypeFacts {
  std::string_view name;
  std::size_t size_bytes;
  std::size_t alignment_bytes;
};

// In the order of ScalarType.
constexpr std::array<TypeFacts, kScalarTypeCount> kTypes = {{
    {"f32", 4, 4},
    {"f64", 8, 8},
    {"i8", 1, 1},
    {"i16", 2, 2},
    {"i32", 4, 4},
    {"i64", 8, 8},
    {"u8", 1, 1},
    {"u16", 2, 2},
    {"u32", 4, 4},
    {"u64", 8, 8},
    {"bool", 1, 1},
    {"entity", sizeof(Entity), alignof(Entity)},
}};

const TypeFacts& FactsOf(ScalarType type) { return kTypes[static_cast<std::size_t>(type)]; }

// The whole numbers up to here are floats without gaps; beyond, some would be rounded.
constexpr std::int64_t kF32IntegerMax = std::int64_t{1} << 24;
constexpr std::int64_t kF64IntegerMax = std::int64_t{1} << 53;

// Half way between the largest float and what would come next: from here on, doubles round to
// infinity (ties go to even).
constexpr double kF32RoundsToInfinity = 0x1.ffffffp127;

bool IsWithin(const Scalar& value, std::int64_t magnitude_max) {
  const auto number = static_cast<std::int64_t>(value.bits);
  return value.kind == Scalar::Kind::kInt && number >= -magnitude_max && number <= magnitude_max;
}

std::optional<Scalar> FitF32(const Scalar& value) {
  if (value.kind == Scalar::Kind::kF32) {
    return Scalar::F32Bits(static_cast<std::uint32_t>(value.bits));
  }
  if (value.kind == Scalar::Kind::kF64) {
    const double number = std::bit_cast<double>(value.bits);
    if (std::isnan(number)) return Scalar::F32Bits(kF32QuietNan);
    if (!std::isinf(number) && std::abs(number) >= kF32RoundsToInfinity) return std::nullopt;
    return Scalar::F32(static_cast<float>(number));
  }
  if (IsWithin(value, kF32IntegerMax)) {
    return Scalar::F32(static_cast<float>(static_cast<std::int64_t>(value.bits)));
  }
  return std::nullopt;
}

// A conversion by the processor would make a signalling NaN quiet.
std::uint64_t WidenNan(std::uint32_t bits) {
  const std::uint64_t sign = bits >> 31;
  const std::uint64_t payload = bits & 0x007fffffu;
  return (sign << 63) | 0x7ff0000000000000u | (payload << 29);
}

std::optional<Scalar> FitF64(const Scalar& value) {
  if (value.kind == Scalar::Kind::kF64) return value;
  if (value.kind == Scalar::Kind::kF32) {
    const auto bits = static_cast<std::uint32_t>(value.bits);
    const float number = std::bit_cast<float>(bits);
    if (std::isnan(number)) return Scalar::F64Bits(WidenNan(bits));
    return Scalar::F64(static_cast<double>(number));
  }
  if (IsWithin(value, kF64IntegerMax)) {
    return Scalar::F64(static_cast<double>(static_cast<std::int64_t>(value.bits)));
  }
  return std::nullopt;
}

template <typename T>
std::optional<Scalar> FitInteger(const Scalar& value) {
  if (value.kind == Scalar::Kind::kInt) {
    const auto number = static_cast<std::int64_t>(value.bits);
    if (std::in_range<T>(number)) return Scalar::Int(number);
  } else if (value.kind == Scalar::Kind::kUint) {
    if (std::in_range<T>(value.bits)) return Scalar::Uint(value.bits);
  }
  return std::nullopt;
}

template <typename T>
std::string IntegerRangeText() {
  return absl::StrCat("[", std::numeric_limits<T>::min(), ", ", std::numeric_limits<T>::max(), "]");
}

// SAFETY: `out` and `in` have the scalar's size (StoreScalar, LoadScalar); memcpy asks for no
// alignment.
template <typename T>
void StoreAs(const T& value, std::byte* out) {
  std::memcpy(out, &value, sizeof(T));
}

template <typename T>
T LoadAs(const std::byte* in) {
  T value;
  std::memcpy(&value, in, sizeof(T));
  return value;
}

template <typename T>
Scalar LoadInteger(const std::byte* in) {
  if constexpr (std::is_signed_v<T>) {
    return Scalar::Int(LoadAs<T>(in));
  } else {
    return Scalar::Uint(LoadAs<T>(in));
  }
}

}  // namespace

std::size_t ScalarSizeBytes(ScalarType type) { return FactsOf(type).size_bytes; }

std::size_t ScalarAlignmentBytes(ScalarType type) { return FactsOf(type).alignment_bytes; }

std::string_view ScalarTypeName(ScalarType type) { return FactsOf(type).name; }

std::optional<ScalarType> ParseScalarType(std::string_view name) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].name == name) return static_cast<ScalarType>(i);
  }
  return std::nullopt;
}

bool IsFloat(ScalarType type) { return type == ScalarType::kF32 || type == ScalarType::kF64; }

bool IsInteger(ScalarType type) { return type >= ScalarType::kI8 && type <= ScalarType::kU64; }

std::optional<Scalar> FitScalar(ScalarType type, const Scalar& value) {
  switch (type) {
    case ScalarType::kF32:
      return FitF32(value);
    case ScalarType::kF64:
      return FitF64(value);
    case ScalarType::kI8:
      return FitInteger<std::int8_t>(value);
    case ScalarType::kI16:
      return FitInteger<std::int16_t>(value);
    case ScalarType::kI32:
      return FitInteger<std::int32_t>(value);
    case ScalarType::kI64:
      return FitInteger<std::int64_t>(value);
    case ScalarType::kU8:
      return FitInteger<std::uint8_t>(value);
    case ScalarType::kU16:
      return FitInteger<std::uint16_t>(value);
    case ScalarType::kU32:
      return FitInteger<std::uint32_t>(value);
    case ScalarType::kU64:
      return FitInteger<std::uint64_t>(value);
    case ScalarType::kBool:
      if (value.kind != Scalar::Kind::kBool) return std::nullopt;
      return Scalar::Bool(value.bits != 0);
    case ScalarType::kEntity:
      if (value.kind != Scalar::Kind::kEntity) return std::nullopt;
      return value;
  }
  return std::nullopt;
}

std::string ScalarRangeText(ScalarType type) {
  switch (type) {
    case ScalarType::kF32:
      return "(integers up to 2^24 in magnitude, other numbers up to 3.4028235e+38)";
    case ScalarType::kF64:
      return "(integers up to 2^53 in magnitude, other numbers up to 1.7976931348623157e+308)";
    case ScalarType::kI8:
      return "[-128, 127]";
    case ScalarType::kI16:
      return IntegerRangeText<std::int16_t>();
    case ScalarType::kI32:
      return IntegerRangeText<std::int32_t>();
    case ScalarType::kI64:
      return IntegerRangeText<std::int64_t>();
    case ScalarType::kU8:
      return "[0, 255]";
    case ScalarType::kU16:
      return IntegerRangeText<std::uint16_t>();
    case ScalarType::kU32:
      return IntegerRangeText<std::uint32_t>();
    case ScalarType::kU64:
      return IntegerRangeText<std::uint64_t>();
    case ScalarType::kBool:
      return "(true or false)";
    case ScalarType::kEntity:
      return "(an entity: 4v2, null)";
  }
  return "(unknown)";
}

void StoreScalar(ScalarType type, const Scalar& fitted, std::byte* out) {
  if (type == ScalarType::kEntity) {
    StoreAs(Entity::FromBits(fitted.bits), out);
    return;
  }
  // The low bits of a fitted scalar are its value in every size.
  switch (ScalarSizeBytes(type)) {
    case 1:
      StoreAs(static_cast<std::uint8_t>(fitted.bits), out);
      break;
    case 2:
      StoreAs(static_cast<std::uint16_t>(fitted.bits), out);
      break;
    case 4:
      StoreAs(static_cast<std::uint32_t>(fitted.bits), out);
      break;
    default:
      StoreAs(fitted.bits, out);
      break;
  }
}

Scalar LoadScalar(ScalarType type, const std::byte* in) {
  switch (type) {
    case ScalarType::kF32:
      return Scalar::F32Bits(LoadAs<std::uint32_t>(in));
    case ScalarType::kF64:
      return Scalar::F64Bits(LoadAs<std::uint64_t>(in));
    case ScalarType::kI8:
      return LoadInteger<std::int8_t>(in);
    case ScalarType::kI16:
      return LoadInteger<std::int16_t>(in);
    case ScalarType::kI32:
      return LoadInteger<std::int32_t>(in);
    case ScalarType::kI64:
      return LoadInteger<std::int64_t>(in);
    case ScalarType::kU8:
      return LoadInteger<std::uint8_t>(in);
    case ScalarType::kU16:
      return LoadInteger<std::uint16_t>(in);
    case ScalarType::kU32:
      return LoadInteger<std::uint32_t>(in);
    case ScalarType::kU64:
      return LoadInteger<std::uint64_t>(in);
    case ScalarType::kBool:
      return Scalar::Bool(LoadAs<std::uint8_t>(in) != 0);
    case ScalarType::kEntity:
      return Scalar::EntityValue(LoadAs<Entity>(in));
  }
  return Scalar();
}

}  // namespace ashlar::inline v0
