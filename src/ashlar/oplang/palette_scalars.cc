#include "ashlar/oplang/palette_scalars.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "ashlar/oplang/operands.h"

namespace ashlar::inline v0::oplang {
namespace {

constexpr std::int64_t kI64Min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kI64Max = std::numeric_limits<std::int64_t>::max();

constexpr std::array<std::uint32_t, 28> kF32Bits = {
    0x00000000,  // 0.0
    0x80000000,  // -0.0
    0x3f800000,  // 1.0
    0xbf800000,  // -1.0
    0x3f000000,  // 0.5
    0x3f800001,  // the float after 1.0
    0x3dcccccd,  // 0.1
    0x4b800000,  // 2^24: the first float without all its integer neighbours
    0x7f7fffff,  // the largest
    0xff7fffff,  // the smallest
    0x7f7ffffe,  // the float before the largest
    0x00800000,  // the least normal number
    0x80800000,  // and its negative
    0x007fffff,  // the largest denormal
    0x00000001,  // the least denormal
    0x80000001,  // and its negative
    0x7f800000,  // infinity
    0xff800000,  // -infinity
    0x7fc00000,  // the canonical quiet NaN
    0xffc00000,  // with a sign
    0x7fc00001,  // with a payload
    0x7fffffff,  // with the largest payload
    0xffffffff,  // both
    0x7f800001,  // signalling, the least payload
    0x7fa00000,  // signalling, the top payload bit
    0xff800001,  // signalling, with a sign
    0x5f000000,  // 2^63
    0x7149f2ca,  // 1e30
};

constexpr std::array<std::uint64_t, 20> kF64Bits = {
    0x0000000000000000,  // 0.0
    0x8000000000000000,  // -0.0
    0x3ff0000000000000,  // 1.0
    0xbff0000000000000,  // -1.0
    0x3fb999999999999a,  // 0.1, which no float holds
    0x3ff0000000000001,  // the double after 1.0
    0x4340000000000000,  // 2^53
    0x7fefffffffffffff,  // the largest
    0xffefffffffffffff,  // the smallest
    0x0010000000000000,  // the least normal number
    0x000fffffffffffff,  // the largest denormal
    0x0000000000000001,  // the least denormal
    0x8000000000000001,  // and its negative
    0x7ff0000000000000,  // infinity
    0xfff0000000000000,  // -infinity
    0x7ff8000000000000,  // the canonical quiet NaN
    0x7ff8000000000001,  // with a payload
    0xffffffffffffffff,  // with a sign and the largest payload
    0x7ff0000000000001,  // signalling
    0x47f0000000000000,  // 2^128, above every float
};

constexpr std::array<std::int64_t, 12> kIntegers = {
    0, 1, -1, 2, 127, -128, 255, 256, 32767, 65535, 16777217, 2147483647,
};

constexpr std::array<Entity, 8> kForged = {{
    Entity(),
    Entity(0, 1),
    Entity(1, 1),
    Entity(0, 2),
    Entity(5, 0),
    Entity(0xFFFFFFFF, 1),
    Entity(0xFFFFFFFF, 0xFFFFFFFF),
    Entity(0, 0xFFFFFFFF),
}};

bool IsSigned(ScalarType type) {
  return type == ScalarType::kI8 || type == ScalarType::kI16 || type == ScalarType::kI32 ||
         type == ScalarType::kI64;
}

unsigned BitCount(ScalarType type) { return static_cast<unsigned>(8 * ScalarSizeBytes(type)); }

// The bounds of an integer type.
Scalar IntegerMin(ScalarType type) {
  return Scalar::Int(IsSigned(type) ? kI64Min >> (64 - BitCount(type)) : 0);
}
Scalar IntegerMax(ScalarType type) {
  if (IsSigned(type)) return Scalar::Int(kI64Max >> (64 - BitCount(type)));
  return Scalar::Uint(kU64Max >> (64 - BitCount(type)));
}

double FloatOf(const Scalar& scalar) {
  return scalar.kind == Scalar::Kind::kF32
             ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(scalar.bits)))
             : std::bit_cast<double>(scalar.bits);
}

// Of two fitted scalars of one number type. No NaN is less than anything.
bool Less(const Scalar& a, const Scalar& b) {
  if (a.kind == Scalar::Kind::kF32 || a.kind == Scalar::Kind::kF64) {
    return FloatOf(a) < FloatOf(b);
  }
  if (a.kind != b.kind) return a.kind == Scalar::Kind::kInt;  // A kUint is above every kInt.
  if (a.kind == Scalar::Kind::kUint) return a.bits < b.bits;
  return static_cast<std::int64_t>(a.bits) < static_cast<std::int64_t>(b.bits);
}

// A bound of a rule as the field stores it; nothing where there is none.
std::optional<Scalar> Bound(ScalarType type, const std::optional<Scalar>& bound) {
  return bound.has_value() ? FitScalar(type, *bound) : std::nullopt;
}

// The next value of the type, upward or downward; the same one at the end of an integer's range.
Scalar Stepped(ScalarType type, const Scalar& from, bool up) {
  if (type == ScalarType::kF32) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(from.bits));
    const float far = std::numeric_limits<float>::infinity();
    return Scalar::F32(std::nextafter(value, up ? far : -far));
  }
  if (type == ScalarType::kF64) {
    const double far = std::numeric_limits<double>::infinity();
    return Scalar::F64(std::nextafter(std::bit_cast<double>(from.bits), up ? far : -far));
  }
  if (from == (up ? IntegerMax(type) : IntegerMin(type))) return from;
  // Two's complement: the bits of a kInt and of a kUint count alike.
  const std::uint64_t bits = up ? from.bits + 1 : from.bits - 1;
  return IsSigned(type) ? Scalar::Int(static_cast<std::int64_t>(bits)) : Scalar::Uint(bits);
}

Scalar SpecialInteger(ScalarType type, std::uint32_t which) {
  switch (which % (4 + kIntegers.size())) {
    case 0:
      return IntegerMin(type);
    case 1:
      return IntegerMax(type);
    case 2:
      return Stepped(type, IntegerMin(type), /*up=*/true);
    case 3:
      return Stepped(type, IntegerMax(type), /*up=*/false);
    default:
      break;
  }
  const Scalar number = Scalar::Int(kIntegers[which % (4 + kIntegers.size()) - 4]);
  if (Less(number, IntegerMin(type))) return IntegerMin(type);
  return Less(IntegerMax(type), number) ? IntegerMax(type) : number;
}

Scalar SpecialF32(std::uint32_t which) {
  const std::array<Scalar, 4> other_kinds = {
      Scalar::Int(-16777216), Scalar::F64(0.1),
      Scalar::F64Bits(0x7ff0000000000001),   // A NaN that becomes the canonical one.
      Scalar::F64Bits(0x36a0000000000000)};  // 2^-149, the least denormal.
  const std::size_t index = which % (kF32Bits.size() + other_kinds.size());
  if (index < kF32Bits.size()) return Scalar::F32Bits(kF32Bits[index]);
  return other_kinds[index - kF32Bits.size()];
}

Scalar SpecialF64(std::uint32_t which) {
  const std::array<Scalar, 4> other_kinds = {
      Scalar::Int(9007199254740992), Scalar::F32Bits(0x3dcccccd),
      Scalar::F32Bits(0x7fa00001),   // A signalling NaN to be widened.
      Scalar::F32Bits(0xff800000)};  // -infinity
  const std::size_t index = which % (kF64Bits.size() + other_kinds.size());
  if (index < kF64Bits.size()) return Scalar::F64Bits(kF64Bits[index]);
  return other_kinds[index - kF64Bits.size()];
}

Scalar OutsideInteger(ScalarType type, std::uint32_t which) {
  if (IsSigned(type) && type != ScalarType::kI64) {
    const auto max = static_cast<std::int64_t>(IntegerMax(type).bits);
    const std::array<Scalar, 5> outside = {Scalar::Int(max + 1), Scalar::Int(-max - 2),
                                           Scalar::Int(kI64Max), Scalar::Int(kI64Min),
                                           Scalar::Uint(kU64Max)};
    return outside[which % outside.size()];
  }
  if (type == ScalarType::kI64)
    return Scalar::Uint(which % 2 == 0 ? std::uint64_t{1} << 63 : kU64Max);
  const Scalar above =
      type == ScalarType::kU64 ? Scalar::Int(kI64Min) : Scalar::Uint(IntegerMax(type).bits + 1);
  const std::array<Scalar, 3> outside = {above, Scalar::Int(-1), Scalar::Int(kI64Min)};
  return outside[which % outside.size()];
}

}  // namespace

Scalar SmallScalar(ScalarType type, std::uint32_t number) {
  if (type == ScalarType::kBool) return Scalar::Bool((number & 1) != 0);
  if (type == ScalarType::kEntity) return Scalar::Label(number & 63);
  auto value = static_cast<std::int64_t>(number & 255);
  const std::int64_t negative_from = type == ScalarType::kI8 ? 128 : 192;
  const bool has_sign = IsFloat(type) || IsSigned(type);
  if (has_sign && value >= negative_from) value -= 256;
  if (type == ScalarType::kF32) return Scalar::F32(static_cast<float>(value));
  if (type == ScalarType::kF64) return Scalar::F64(static_cast<double>(value));
  return Scalar::Int(value);
}

Scalar QuarterScalar(ScalarType type, std::uint32_t number) {
  const Scalar small = SmallScalar(type, number);
  if (type == ScalarType::kF32) return Scalar::F32(static_cast<float>(FloatOf(small) * 0.25));
  if (type == ScalarType::kF64) return Scalar::F64(FloatOf(small) * 0.25);
  return small;
}

Scalar Clamped(ScalarType type, const FieldRule& rule, const Scalar& scalar) {
  if (rule.empty() || !(IsFloat(type) || IsInteger(type))) return scalar;
  const std::optional<Scalar> min = Bound(type, rule.min);
  const std::optional<Scalar> max = Bound(type, rule.max);
  if (min.has_value() && Less(scalar, *min)) return *min;
  if (max.has_value() && Less(*max, scalar)) return *max;
  return scalar;
}

Scalar SpecialScalar(ScalarType type, std::uint32_t which) {
  if (type == ScalarType::kF32) return SpecialF32(which);
  if (type == ScalarType::kF64) return SpecialF64(which);
  if (type == ScalarType::kBool) return Scalar::Bool((which & 1) != 0);
  if (type == ScalarType::kEntity) {
    return (which & 1) != 0 ? Scalar::Label((which >> 1) & 63)
                            : Scalar::EntityValue(kForged[(which >> 1) % kForged.size()]);
  }
  return SpecialInteger(type, which);
}

Scalar RuleEdgeScalar(ScalarType type, const FieldRule& rule, std::uint32_t which) {
  if (type == ScalarType::kBool || type == ScalarType::kEntity) return SpecialScalar(type, which);
  Scalar min = IntegerMin(ScalarType::kI8);
  Scalar max = min;
  if (type == ScalarType::kF32) {
    min = Scalar::F32(std::numeric_limits<float>::lowest());
    max = Scalar::F32(std::numeric_limits<float>::max());
  } else if (type == ScalarType::kF64) {
    min = Scalar::F64(std::numeric_limits<double>::lowest());
    max = Scalar::F64(std::numeric_limits<double>::max());
  } else {
    min = IntegerMin(type);
    max = IntegerMax(type);
  }
  min = Bound(type, rule.min).value_or(min);
  max = Bound(type, rule.max).value_or(max);
  const std::array<Scalar, 4> edges = {min, max, Stepped(type, min, /*up=*/false),
                                       Stepped(type, max, /*up=*/true)};
  if (which % 8 < edges.size() || IsInteger(type)) return edges[which % edges.size()];
  constexpr std::array<std::uint32_t, 4> kUnfinished = {0x7fc00000, 0x7f800000, 0xff800000,
                                                        0x7f800001};
  const Scalar unfinished = Scalar::F32Bits(kUnfinished[which % kUnfinished.size()]);
  return type == ScalarType::kF32 ? unfinished : *FitScalar(ScalarType::kF64, unfinished);
}

Scalar OutsideScalar(ScalarType type, std::uint32_t which) {
  if (type == ScalarType::kF32) {
    const std::array<Scalar, 7> outside = {
        Scalar::F64(1e39),
        Scalar::F64(-1e39),
        Scalar::F64Bits(0x47effffff0000000),  // Halfway from the largest float to 2^128.
        Scalar::Int(16777217),
        Scalar::Int(-16777217),
        Scalar::Int(kI64Min),
        Scalar::Uint(kU64Max)};
    return outside[which % outside.size()];
  }
  if (type == ScalarType::kF64) {
    const std::array<Scalar, 4> outside = {Scalar::Int(9007199254740993),
                                           Scalar::Int(-9007199254740993), Scalar::Int(kI64Max),
                                           Scalar::Uint(kU64Max)};
    return outside[which % outside.size()];
  }
  if (IsInteger(type)) return OutsideInteger(type, which);
  return Scalar::Int(static_cast<std::int64_t>(which % 3));
}

Scalar AnyKindScalar(std::uint32_t which) {
  const std::array<Scalar, 8> kinds = {Scalar::Int(1),     Scalar::Uint(kU64Max),
                                       Scalar::F32(1.0f),  Scalar::F64(1.0),
                                       Scalar::Bool(true), Scalar::EntityValue(Entity(0, 1)),
                                       Scalar::Label(1),   Scalar::F32Bits(0x7fc00001)};
  return kinds[which % kinds.size()];
}

std::uint32_t SpecialFloatBits(std::uint32_t which) { return kF32Bits[which % kF32Bits.size()]; }

}  // namespace ashlar::inline v0::oplang
