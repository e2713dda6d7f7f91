#include "ashlar/oplang/operation.h"

#include <array>

namespace ashlar::inline v0::oplang {
namespace {

constexpr std::array<std::string_view, kOpCodeCount> kOpCodeNames = {
    "nop",
    "create",
    "destroy",
    "add",
    "remove",
    "exchange",
    "set",
    "put",
    "get",
    "has",
    "setfield",
    "query",
    "iterate",
    "fill",
    "open",
    "close",
    "move",
    "place_generation",
    "expect",
    "fail_allocation",
    "fail_construction",
    "place_index",
    "place_version",
    "trim",
    "dangling",
    "mark",
    "changed",
    "added",
    "enable",
    "disable",
    "enabled",
    "flip",
    "create_many",
    "destroy_all",
    "record",
    "apply",
    "discard",
    "by_query",
    "many",
    "sort",
    "sort_by_entity",
    "put_single",
    "remove_single",
    "get_single",
    "hook",
    "unhook",
};

constexpr std::array<std::string_view, kCommandVerbCount> kCommandVerbNames = {
    "create", "destroy", "add", "remove", "exchange", "set", "put"};

constexpr std::array<std::string_view, kHookMomentCount> kHookMomentNames = {"removed", "added",
                                                                             "set"};

constexpr std::array<std::string_view, 5> kOwnershipNames = {"plain", "owned", "self", "unique",
                                                             "aligned"};

// A table has the names of an enumeration's values, from 0 on.
template <std::size_t kCount, typename Value>
std::string_view NameIn(const std::array<std::string_view, kCount>& names, Value value) {
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : "unknown";
}

// The value of that name, from `first` on.
template <typename Value, std::size_t kCount>
std::optional<Value> FindIn(const std::array<std::string_view, kCount>& names,
                            std::string_view name, std::size_t first = 0) {
  for (std::size_t i = first; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Value>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view CommandVerbName(CommandVerb verb) { return NameIn(kCommandVerbNames, verb); }

std::optional<CommandVerb> ParseCommandVerb(std::string_view name) {
  return FindIn<CommandVerb>(kCommandVerbNames, name);
}

std::string_view HookMomentName(HookMoment moment) { return NameIn(kHookMomentNames, moment); }

std::optional<HookMoment> ParseHookMoment(std::string_view name) {
  return FindIn<HookMoment>(kHookMomentNames, name);
}

std::string_view OwnershipName(Ownership ownership) { return NameIn(kOwnershipNames, ownership); }

std::optional<Ownership> ParseOwnership(std::string_view name) {
  return FindIn<Ownership>(kOwnershipNames, name, 1);
}

bool CanBeSplit(const ComponentDeclaration& component) {
  return component.ownership == Ownership::kPlain && !component.type.fields.empty();
}

void ApplySplit(SplitPattern pattern, std::span<ComponentDeclaration> components) {
  for (std::size_t i = 0; i < components.size(); ++i) {
    const bool is_meant = pattern == SplitPattern::kAll ||
                          (pattern == SplitPattern::kEven && i % 2 == 0) ||
                          (pattern == SplitPattern::kOdd && i % 2 == 1);
    components[i].is_split = is_meant && CanBeSplit(components[i]);
  }
}

SplitPattern NearestSplit(std::span<const ComponentDeclaration> components) {
  SplitPattern nearest = SplitPattern::kNone;
  std::size_t fewest = components.size() + 1;
  using enum SplitPattern;
  for (const SplitPattern pattern : {kNone, kAll, kEven, kOdd}) {
    std::vector<ComponentDeclaration> said(components.begin(), components.end());
    ApplySplit(pattern, said);
    std::size_t others = 0;
    for (std::size_t i = 0; i < said.size(); ++i) {
      others += said[i].is_split != components[i].is_split ? 1u : 0u;
    }
    if (others >= fewest) continue;
    fewest = others;
    nearest = pattern;
  }
  return nearest;
}

std::string_view OpCodeName(OpCode code) {
  const auto index = static_cast<std::size_t>(code);
  return index < kOpCodeNames.size() ? kOpCodeNames[index] : "unknown";
}

std::string OutcomeText(const Outcome& outcome) {
  std::string text(StatusCodeName(outcome.code));
  if (outcome.reason != Reason::kNone) {
    text += ' ';
    text += ReasonName(outcome.reason);
  }
  return text;
}

bool Meets(const Expectation& expectation, const Outcome& outcome) {
  switch (expectation.kind) {
    case Expectation::Kind::kAny:
      return true;
    case Expectation::Kind::kOk:
      return outcome.code == absl::StatusCode::kOk;
    case Expectation::Kind::kError:
      break;
  }
  const Outcome& wanted = expectation.outcome;
  return outcome.code == wanted.code &&
         (wanted.reason == Reason::kNone || outcome.reason == wanted.reason);
}

}  // namespace ashlar::inline v0::oplang
