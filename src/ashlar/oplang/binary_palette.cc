#include "ashlar/oplang/binary_palette.h"

#include <algorithm>
#include <array>
#include <bit>

#include "ashlar/core/limits.h"
#include "ashlar/oplang/palette_scalars.h"

namespace ashlar::inline v0::oplang {
namespace {

enum class Tint : std::uint8_t {
  kNone,
  kRamp,
  kSame,
  kQuarters,
  kSpecial,
  kRuleEdge,
  kOutside,
  kAnyKind,
  kWrongCount,
};

struct TintBegin {
  std::uint8_t mode;  // The first of the tint's modes.
  Tint tint;
};

constexpr std::array<TintBegin, 9> kTints = {{
    {0, Tint::kNone},
    {16, Tint::kRamp},
    {96, Tint::kSame},
    {128, Tint::kQuarters},
    {160, Tint::kSpecial},
    {224, Tint::kRuleEdge},
    {240, Tint::kOutside},
    {248, Tint::kAnyKind},
    {254, Tint::kWrongCount},
}};

// Special values step through their list by the mode's low bits.
constexpr std::uint8_t kSpecialBegin = 160;
constexpr std::uint8_t kSpecialSteps = 8;

Tint TintOf(std::uint8_t mode) {
  Tint tint = Tint::kNone;
  for (const TintBegin& begin : kTints) {
    if (mode >= begin.mode) tint = begin.tint;
  }
  return tint;
}

// One value, scalar by scalar.
class ValueMaker {
 public:
  ValueMaker(const TypeSpec& type, PaletteKey key)
      : type_(type), key_(key), tint_(TintOf(key.mode)), count_(ScalarCountOf(type)) {}

  // Hands the scalars to `sink` in order, until it returns false.
  template <typename Sink>
  void Make(Sink sink) const {
    const std::size_t wanted = WantedCount();
    std::size_t i = 0;
    for (const FieldSpec& field : type_.fields) {
      for (std::uint32_t element = 0; element < field.type.count && i < wanted && i < count_;
           ++element, ++i) {
        if (!sink(At(i, field.type.scalar, field.rule))) return;
      }
    }
    for (; i < wanted; ++i) {
      if (!sink(AnyKindScalar(key_.pick))) return;
    }
  }

 private:
  // How many scalars the value has: the right number, but where the tint says otherwise.
  std::size_t WantedCount() const {
    if (tint_ == Tint::kNone) return 0;
    if (count_ == 0) return key_.mode >= 240 ? 1 : 0;
    if (tint_ != Tint::kWrongCount) return count_;
    switch (key_.pick & 3) {
      case 0:
        return count_ - 1;
      case 1:
        return count_ + 1;
      case 2:
        return count_ == 1 ? 2 : 1;
      default:
        return count_ + 1 + ((key_.pick >> 2) & 7);
    }
  }

  Scalar At(std::size_t i, ScalarType type, const FieldRule& rule) const {
    const auto index = static_cast<std::uint32_t>(i);
    // The tints that spoil one scalar say which kind of edge in the low bits of the pick.
    const bool is_spoilt = index == (key_.pick >> 3) % count_;
    switch (tint_) {
      case Tint::kSame:
        return Clamped(type, rule, SmallScalar(type, key_.pick));
      case Tint::kQuarters:
        return Clamped(type, rule, QuarterScalar(type, key_.pick));
      case Tint::kSpecial:
        return SpecialScalar(type,
                             key_.pick + index * ((key_.mode - kSpecialBegin) % kSpecialSteps));
      case Tint::kRuleEdge:
        if (is_spoilt) return RuleEdgeScalar(type, rule, key_.pick & 7);
        return Clamped(type, rule, SmallScalar(type, 0));
      case Tint::kOutside:
        if (is_spoilt) return OutsideScalar(type, key_.pick & 7);
        return Clamped(type, rule, SmallScalar(type, 0));
      case Tint::kAnyKind:
        if (is_spoilt) return AnyKindScalar(key_.pick & 7);
        return Clamped(type, rule, SmallScalar(type, 0));
      case Tint::kNone:
      case Tint::kRamp:
      case Tint::kWrongCount:
        break;
    }
    return Clamped(type, rule, SmallScalar(type, key_.pick + index));
  }

  const TypeSpec& type_;
  PaletteKey key_;
  Tint tint_;
  std::size_t count_;
};

bool IsValueOf(const TypeSpec& type, PaletteKey key, std::span<const Scalar> value) {
  std::size_t matched = 0;
  bool same = true;
  ValueMaker(type, key).Make([&](const Scalar& scalar) {
    same = matched < value.size() && value[matched] == scalar;
    ++matched;
    return same;
  });
  return same && matched == value.size();
}

// The one pick whose small number, or quarter, can be `scalar`.
std::uint8_t PlainPick(const Scalar& scalar, bool is_quarter) {
  if (scalar.kind != Scalar::Kind::kF32 && scalar.kind != Scalar::Kind::kF64) {
    return static_cast<std::uint8_t>(scalar.bits);
  }
  const double value =
      scalar.kind == Scalar::Kind::kF32
          ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(scalar.bits)))
          : std::bit_cast<double>(scalar.bits);
  const bool is_small = value > -256.0 && value < 256.0;  // Not so for a NaN.
  if (!is_small) return 0;
  return static_cast<std::uint8_t>(static_cast<int>(is_quarter ? value * 4 : value));
}

// Whether a value that begins with `first` may be one of the tint's with this pick. Says no only
// where the first scalar alone rules it out, by less work than making the value takes.
bool MayBegin(Tint tint, unsigned pick, const FieldSpec& field, const Scalar& first) {
  switch (tint) {
    case Tint::kRamp:
    case Tint::kSame:
    case Tint::kQuarters:  // A rule's bounds stand for many numbers.
      return !field.rule.empty() || pick == PlainPick(first, tint == Tint::kQuarters);
    case Tint::kSpecial:  // The step counts from the second scalar on.
      return SpecialScalar(field.type.scalar, pick) == first;
    default:
      return true;
  }
}

// How many picks differ in what they give, for a type of `count` scalars.
unsigned PickCount(Tint tint, std::size_t count) {
  const bool spoils_one =
      tint == Tint::kRuleEdge || tint == Tint::kOutside || tint == Tint::kAnyKind;
  return spoils_one ? 8 * static_cast<unsigned>(std::clamp<std::size_t>(count, 1, 32)) : 256;
}

}  // namespace

std::size_t ScalarCountOf(const TypeSpec& type) {
  std::size_t count = 0;
  for (const FieldSpec& field : type.fields) count += field.type.count;
  return std::min(count, kComponentSizeBytesMax);
}

TypeSpec ScalarTypeOf(const TypeSpec& type, std::size_t scalar) {
  for (const FieldSpec& field : type.fields) {
    if (scalar < field.type.count) return {{{"", {field.type.scalar, 1}, field.rule}}};
    scalar -= field.type.count;
  }
  return {};
}

std::vector<Scalar> PaletteValue(const TypeSpec& type, PaletteKey key) {
  std::vector<Scalar> value;
  if (TintOf(key.mode) != Tint::kNone) value.reserve(ScalarCountOf(type));
  ValueMaker(type, key).Make([&value](const Scalar& scalar) {
    value.push_back(scalar);
    return true;
  });
  return value;
}

std::optional<PaletteKey> FindInPalette(const TypeSpec& type, std::span<const Scalar> value) {
  if (value.empty()) return PaletteKey{0, 0};
  const std::size_t count = ScalarCountOf(type);
  for (const TintBegin& tint : kTints) {
    // Most tints give the right number of scalars, so another number needs no search in them.
    const bool may_be_another_number = count == 0 || tint.tint == Tint::kWrongCount;
    if (value.size() != count && !may_be_another_number) continue;
    const unsigned modes = tint.tint == Tint::kSpecial ? kSpecialSteps : 1;
    for (unsigned pick = 0; pick < PickCount(tint.tint, count); ++pick) {
      if (count > 0 && !MayBegin(tint.tint, pick, type.fields[0], value[0])) continue;
      for (unsigned step = 0; step < modes; ++step) {
        const PaletteKey key{static_cast<std::uint8_t>(tint.mode + step),
                             static_cast<std::uint8_t>(pick)};
        if (IsValueOf(type, key, value)) return key;
      }
    }
  }
  return std::nullopt;
}

std::uint32_t PaletteFloatBits(std::uint8_t pick) { return SpecialFloatBits(pick); }

}  // namespace ashlar::inline v0::oplang
