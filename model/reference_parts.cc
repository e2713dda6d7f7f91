// The reference world's smaller parts: what is switched off, singletons, hooks, and when rows are
// sorted.

#include <algorithm>

#include "model/reference_ids.h"
#include "model/reference_world.h"

namespace ashlar::model {

using oplang::Outcome;
using oplang::QueryTerm;

// What is so already is no change.
Outcome ReferenceWorld::SetEnabled(Entity entity, std::uint16_t component, bool enabled) {
  bool was_enabled = false;
  const Outcome outcome = IsEnabled(entity, component, &was_enabled);
  if (outcome != kDone || was_enabled == enabled) return outcome;
  if (enabled) {
    disabled_[entity].erase(component);
  } else {
    disabled_[entity].insert(component);
  }
  ++version_;
  return kDone;
}

Outcome ReferenceWorld::IsEnabled(Entity entity, std::uint16_t component, bool* enabled) const {
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  if (!schema_.Has(component)) return Refused(Reason::kComponentUnknown);
  if (!schema_.IsEnableable(component)) return Refused(Reason::kComponentNotEnableable);
  if (!entities_.at(entity).contains(component)) return Refused(Reason::kComponentAbsent);
  *enabled = !DisabledOf(entity).contains(component);
  return kDone;
}

const std::set<std::uint16_t>& ReferenceWorld::DisabledOf(Entity entity) const {
  static const std::set<std::uint16_t> kNone;
  const auto found = disabled_.find(entity);
  return found == disabled_.end() ? kNone : found->second;
}

bool ReferenceWorld::SameRows(const ReferenceWorld& other) const {
  return entities_ == other.entities_ && std::ranges::all_of(entities_, [&](const auto& row) {
           return DisabledOf(row.first) == other.DisabledOf(row.first);
         });
}

// Of the rows that match before the first is switched over.
Outcome ReferenceWorld::Flip(std::span<const QueryTerm> terms, std::uint16_t component) {
  if (!schema_.Has(component)) return Refused(Reason::kComponentUnknown);
  if (!schema_.IsEnableable(component)) return Refused(Reason::kComponentNotEnableable);
  if (!oplang::Requires(terms, component)) return Refused(Reason::kComponentAbsent);
  const std::uint64_t version = version_ + 1;
  for (Entity entity : Match(terms)) {
    SetEnabled(entity, component, DisabledOf(entity).contains(component));
  }
  version_ = version;
  return kDone;
}

// --- Singletons: none of an entity's, and so nothing here asks for scopes ---

Outcome ReferenceWorld::PutSingle(const NamedValue& value) {
  if (!schema_.Has(value.component)) return Refused(Reason::kComponentUnknown);
  Value fitted;
  const Reason why = schema_.Fit(value.component, value.value, &fitted);
  if (why != Reason::kNone) return Refused(why);
  singletons_[value.component] = {fitted, ++version_};
  return kDone;
}

Outcome ReferenceWorld::RemoveSingle(std::uint16_t component) {
  const Value* value = nullptr;
  if (const Outcome outcome = GetSingle(component, &value); outcome != kDone) return outcome;
  singletons_.erase(component);
  ++version_;
  return kDone;
}

Outcome ReferenceWorld::GetSingle(std::uint16_t component, const Value** value) const {
  if (!schema_.Has(component)) return Refused(Reason::kComponentUnknown);
  const auto found = singletons_.find(component);
  if (found == singletons_.end()) return Refused(Reason::kComponentAbsent);
  *value = &found->second.value;
  return kDone;
}

// --- Hooks ---

Outcome ReferenceWorld::SetHook(std::uint16_t component, oplang::HookMoment moment,
                                std::optional<oplang::HookReaction> reaction) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (!schema_.Has(component)) return Refused(Reason::kComponentUnknown);
  hooks_.Set(component, moment, reaction);
  return kDone;
}

// --- Sorting ---

// Every row of a set of components that the terms can match must have the component.
Outcome ReferenceWorld::CheckSort(const std::optional<std::vector<QueryTerm>>& terms,
                                  std::optional<std::uint16_t> component) const {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (!terms.has_value()) return Refused(Reason::kQueryUnknown);
  if (!component.has_value()) return kDone;
  if (!schema_.Has(*component)) return Refused(Reason::kComponentUnknown);
  const bool is_absent = std::ranges::any_of(entities_, [&](const auto& entity) {
    return MatchesSet(schema_, entity.second, *terms) && !entity.second.contains(*component);
  });
  return is_absent ? Refused(Reason::kComponentAbsent) : kDone;
}

}  // namespace ashlar::model
