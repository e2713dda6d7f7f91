// One record of the binary form, field by field, for both directions (see binary_codec.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::inline v0::oplang {

// Bits 5-7 of a record's flags. 0..5 all say kSmall.
enum class Naming : std::uint8_t { kSmall = 0, kWhole = 6, kLiteral = 7 };

inline constexpr std::size_t kSelectorCount = 4;
inline constexpr std::uint8_t kSelectorPastEnd = 250;  // The first one that names nothing.
inline constexpr Label kSmallLabelMask = 63;
inline constexpr QueryLabel kSmallQueryMask = 7;

// Bits of the variant of an arming record, and how far its selector counts.
inline constexpr std::uint8_t kArmSticky = 1;
inline constexpr std::uint8_t kArmWide = 2;
inline constexpr std::uint32_t kArmSmallMax = 8;
inline constexpr std::uint32_t kArmWideMax = 64;

// The caps of rows that the header's byte +1 picks from.
inline constexpr std::array<std::uint32_t, 4> kRowCaps = {0, 1, 2, 4};

// How many entities a create_many record makes, by its variant, where no other number is appended.
inline constexpr std::array<std::uint32_t, 4> kCreatedCounts = {2, 1, 5, 130};

// The byte +4 of a record that says what is done: above kVerbBits, three bits that pick from
// kRecordPlaces, and above those, that it is done by query.
inline constexpr std::uint8_t kVerbBits = 0x07;
inline constexpr std::uint8_t kVerbByQuery = 0xC0;
inline constexpr unsigned kRecordPlaceShift = 3;

struct RecordPlace {
  std::uint8_t buffer;
  bool is_late;
};
inline constexpr std::array<RecordPlace, 8> kRecordPlaces = {
    {{0, false}, {1, false}, {2, false}, {0, true}, {1, true}, {2, true}, {0, false}, {0, false}}};

// Where the components of such a record begin, and how many entities a `many` names by its variant.
inline constexpr std::size_t kVerbSelectors = 1;
inline constexpr std::array<std::uint32_t, 4> kNamedCounts = {2, 1, 3, 0};

// The variant of a record that appends an entity, and of an apply that skips what is dead.
inline constexpr std::uint8_t kAppendsEntity = 1;
inline constexpr std::uint8_t kApplySkips = 1;

// The bit of a term's payload byte beside its kind.
inline constexpr std::uint8_t kTermWithDisabled = 4;

struct Record {
  std::array<std::uint8_t, kRecordBytes> bytes{};

  std::uint8_t opcode() const { return bytes[0]; }
  std::size_t listed_count() const { return (bytes[1] & 7u) % (kSelectorCount + 1); }
  std::uint8_t variant() const { return (bytes[1] >> 3) & 3u; }
  Naming naming() const {
    const unsigned naming = bytes[1] >> 5;
    return naming < 6 ? Naming::kSmall : static_cast<Naming>(naming);
  }
  std::uint16_t name() const { return static_cast<std::uint16_t>(Little(2, 2)); }
  std::uint8_t selector(std::size_t i) const { return bytes[4 + i]; }
  std::uint8_t payload_byte(std::size_t i) const { return bytes[8 + i]; }
  std::uint64_t payload() const { return Little(8, 8); }

  // `size` bytes from `at` as a little-endian number.
  std::uint64_t Little(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = (value << 8) | bytes[at + i];
    return value;
  }

  void set_opcode(std::uint8_t opcode) { bytes[0] = opcode; }
  void set_listed_count(std::size_t count) { SetFlags(0, 7, count); }
  void set_variant(std::size_t variant) { SetFlags(3, 3, variant); }
  void set_naming(Naming naming) { SetFlags(5, 7, static_cast<std::size_t>(naming)); }
  void set_selector(std::size_t i, std::uint8_t selector) { bytes[4 + i] = selector; }
  void set_payload_byte(std::size_t i, std::uint8_t byte) { bytes[8 + i] = byte; }
  void SetLittle(std::size_t at, std::size_t size, std::uint64_t value) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }

 private:
  void SetFlags(unsigned shift, unsigned mask, std::size_t value) {
    const unsigned kept = bytes[1] & ~(mask << shift);
    bytes[1] = static_cast<std::uint8_t>(kept | ((static_cast<unsigned>(value) & mask) << shift));
  }
};

// The component that a selector names, among `count` declared ones.
inline ComponentRef ComponentOf(std::uint8_t selector, std::size_t count) {
  const std::size_t number = selector < kSelectorPastEnd
                                 ? selector % std::max<std::size_t>(count, 1)
                                 : count + static_cast<std::size_t>(selector - kSelectorPastEnd);
  return static_cast<ComponentRef>(std::min<std::size_t>(number, 0xFFFF));
}

// The scalar that a setfield record names in its bytes +5..+7, of a component with `count` scalars:
// +5 counts inside a page, +6 and +7 count pages.
inline std::uint32_t ScalarIndexOf(const Record& record, std::size_t count) {
  const std::uint32_t low = record.bytes[5];
  const auto page = static_cast<std::uint32_t>(record.Little(6, 2));
  const auto size = static_cast<std::uint32_t>(count);
  if (low >= kSelectorPastEnd) return size + (low - kSelectorPastEnd) + 6 * page;
  return (low + kSelectorPastEnd * page) % std::max<std::uint32_t>(size, 1);
}

}  // namespace ashlar::inline v0::oplang
