// What operations are made of: their numbers, and how they name entities, components and queries.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0::oplang {

inline constexpr std::uint64_t kU32Max = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kU64Max = std::numeric_limits<std::uint64_t>::max();

// The numbers are those of the binary form: append, never reuse.
enum class OpCode : std::uint8_t {
  kNop = 0,
  kCreate = 1,
  kDestroy = 2,
  kAdd = 3,
  kRemove = 4,
  kExchange = 5,
  kSet = 6,
  kPut = 7,
  kGet = 8,
  kHas = 9,
  kSetField = 10,
  kQuery = 11,
  kIterate = 12,
  kFill = 13,
  kOpenScope = 14,
  kCloseScope = 15,
  kMove = 16,
  kPlaceGeneration = 17,
  kExpect = 18,  // Text only: the binary form leaves expectations out.
  kFailAllocation = 19,
  kFailConstruction = 20,
  kPlaceIndex = 21,
  kPlaceVersion = 22,
  kTrim = 23,
  kDangling = 24,
  kMark = 25,
  kChanged = 26,
  kAdded = 27,
  kEnable = 28,
  kDisable = 29,
  kIsEnabled = 30,
  kFlip = 31,
  kCreateMany = 32,
  kDestroyAll = 33,
  kRecord = 34,
  kApply = 35,
  kDiscard = 36,
  kByQuery = 37,
  kMany = 38,
  kSort = 39,
  kSortByEntity = 40,
  kPutSingle = 41,
  kRemoveSingle = 42,
  kGetSingle = 43,
  kHook = 44,
  kUnhook = 45,
};
inline constexpr int kOpCodeCount = 46;

// "create", "place_generation", ...: the keyword of the text form.
std::string_view OpCodeName(OpCode code);

// What a command does, or a change of many entities at once; the binary form has these numbers.
enum class CommandVerb : std::uint8_t { kCreate, kDestroy, kAdd, kRemove, kExchange, kSet, kPut };
inline constexpr int kCommandVerbCount = 7;

// Those that changes by query and by lists of entities have.
inline constexpr std::array<CommandVerb, 5> kBulkVerbs = {CommandVerb::kDestroy, CommandVerb::kAdd,
                                                          CommandVerb::kRemove, CommandVerb::kSet,
                                                          CommandVerb::kPut};

// Whether it names components that go, or gives values.
inline bool Removes(CommandVerb verb) {
  return verb == CommandVerb::kRemove || verb == CommandVerb::kExchange;
}
inline bool Gives(CommandVerb verb) {
  return verb != CommandVerb::kDestroy && verb != CommandVerb::kRemove;
}

// "create", "destroy", ...: the word of the text form.
std::string_view CommandVerbName(CommandVerb verb);

// The verb of that name; nothing for other text.
std::optional<CommandVerb> ParseCommandVerb(std::string_view name);

// What a hook hears of, and what it records; the binary form has these numbers.
enum class HookMoment : std::uint8_t { kRemoved, kAdded, kSet };
inline constexpr int kHookMomentCount = 3;
enum class HookReaction : std::uint8_t { kNone, kRemove, kDestroy };
inline constexpr int kHookReactionCount = 3;

// "removed", "added", "set": the word of the text form.
std::string_view HookMomentName(HookMoment moment);

// The moment of that name; nothing for other text.
std::optional<HookMoment> ParseHookMoment(std::string_view name);

using Label = std::uint16_t;      // e0 .. e65535
using QueryLabel = std::uint8_t;  // q0 .. q255

// An entity operand: a label, or the bits themselves (forged, stale, null).
struct EntityRef {
  bool is_label = true;
  Label label = 0;
  Entity literal;

  static EntityRef Of(Label label) { return {true, label, Entity()}; }
  static EntityRef Literal(Entity entity) { return {false, 0, entity}; }
  friend bool operator==(const EntityRef&, const EntityRef&) = default;
};

// A component operand: its number in Program::components. Numbers past the end are legal and name
// no registered component ("#99" in text).
using ComponentRef = std::uint16_t;

// A component with a value: one scalar for each scalar of the component, or none for "all zero"
// (and for tags). Entity scalars may be labels.
struct ComponentArg {
  ComponentRef component = 0;
  std::vector<Scalar> value;

  friend bool operator==(const ComponentArg&, const ComponentArg&) = default;
};

enum class TermKind : std::uint8_t { kAll, kAny, kNone, kOptional };

struct QueryTerm {
  TermKind kind = TermKind::kAll;
  ComponentRef component = 0;
  bool with_disabled = false;  // A disabled component counts as present.
  friend bool operator==(const QueryTerm&, const QueryTerm&) = default;
};

// Whether every entity that the terms match has the component.
inline bool Requires(std::span<const QueryTerm> terms, ComponentRef component) {
  return std::ranges::any_of(terms, [&](const QueryTerm& term) {
    return term.kind == TermKind::kAll && term.component == component;
  });
}

}  // namespace ashlar::inline v0::oplang
