// The reference world. Each function is the written rule of its call, in the order of the rule.

#include "model/reference_world.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "ashlar/core/limits.h"
#include "model/reference_kernels.h"

namespace ashlar::model {
namespace {

using oplang::Outcome;
using oplang::QueryTerm;
using oplang::TermKind;

constexpr Outcome kDone;

// Every reason belongs to one code.
Outcome Refused(Reason reason) {
  switch (reason) {
    case Reason::kEntityNotAlive:
    case Reason::kComponentAbsent:
      return {absl::StatusCode::kNotFound, reason};
    case Reason::kComponentPresent:
      return {absl::StatusCode::kAlreadyExists, reason};
    case Reason::kScopeOpen:
      return {absl::StatusCode::kFailedPrecondition, reason};
    case Reason::kIdsExhausted:
      return {absl::StatusCode::kResourceExhausted, reason};
    default:
      return {absl::StatusCode::kInvalidArgument, reason};
  }
}

std::vector<std::uint16_t> NamesOf(std::span<const NamedValue> values) {
  std::vector<std::uint16_t> names;
  for (const NamedValue& value : values) names.push_back(value.component);
  return names;
}

bool Matches(const Components& row, std::span<const QueryTerm> terms) {
  bool any_wanted = false;
  bool any_found = false;
  for (const QueryTerm& term : terms) {
    const bool has = row.contains(term.component);
    if (term.kind == TermKind::kAll && !has) return false;
    if (term.kind == TermKind::kNone && has) return false;
    if (term.kind == TermKind::kAny) {
      any_wanted = true;
      any_found = any_found || has;
    }
  }
  return any_found || !any_wanted;
}

}  // namespace

ReferenceWorld::ReferenceWorld(const oplang::Options& options, const ModelSchema& schema)
    : chunk_size_bytes_(options.chunk_size_bytes),
      index_limit_(options.entity_index_limit != 0 ? options.entity_index_limit : 0xFFFFFFFFu),
      schema_(schema) {}

// The id is the one freed last, with the slot's next generation; else the next fresh index.
Outcome ReferenceWorld::Create(std::span<const NamedValue> values, Entity* created) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  Components row;
  const Reason why = Write(values, Need::kAbsent, &row);
  if (why != Reason::kNone) return Refused(why);
  if (!free_.empty()) {
    *created = free_.back();
    free_.pop_back();
  } else if (next_index_ < index_limit_) {
    *created = Entity(static_cast<std::uint32_t>(next_index_++), kGenerationFirst);
  } else {
    return Refused(Reason::kIdsExhausted);
  }
  entities_[*created] = row;
  ++version_;
  return kDone;
}

// A slot whose last generation has lived is never used again.
Outcome ReferenceWorld::Destroy(Entity entity) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  entities_.erase(entity);
  if (entity.generation() != kGenerationLast) {
    free_.push_back(Entity(entity.index(), entity.generation() + 1));
  }
  ++version_;
  return kDone;
}

Outcome ReferenceWorld::Add(Entity entity, std::span<const NamedValue> values) {
  return Exchange(entity, {}, values);
}

Outcome ReferenceWorld::Remove(Entity entity, std::span<const std::uint16_t> components) {
  return Exchange(entity, components, {});
}

// A component in both lists is taken off and put on again: it ends with the new value.
Outcome ReferenceWorld::Exchange(Entity entity, std::span<const std::uint16_t> removed,
                                 std::span<const NamedValue> added) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  Components row = entities_[entity];
  Reason why = CheckNames(row, removed, Need::kPresent);
  if (why != Reason::kNone) return Refused(why);
  for (std::uint16_t component : removed) row.erase(component);
  why = Write(added, Need::kAbsent, &row);
  if (why != Reason::kNone) return Refused(why);
  Store(entity, row, !added.empty());
  return kDone;
}

// Structural only where a component is absent, so that is when an open scope refuses it.
Outcome ReferenceWorld::Put(Entity entity, std::span<const NamedValue> values) {
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  Components row = entities_[entity];
  const std::vector<std::uint16_t> names = NamesOf(values);
  Reason why = CheckNames(row, names, Need::kEither);
  if (why != Reason::kNone) return Refused(why);
  const bool is_structural = CheckNames(row, names, Need::kPresent) != Reason::kNone;
  if (is_structural && scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  why = Write(values, Need::kEither, &row);
  if (why != Reason::kNone) return Refused(why);
  Store(entity, row, !values.empty());
  return kDone;
}

Outcome ReferenceWorld::PlaceGeneration(Entity entity, std::uint32_t generation, Entity* placed) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  if (generation == 0) return Refused(Reason::kOptionInvalid);
  *placed = Entity(entity.index(), generation);
  const Components row = entities_[entity];
  entities_.erase(entity);
  entities_[*placed] = row;
  return kDone;
}

// The indices between are retired: no create issues them.
Outcome ReferenceWorld::PlaceIndex(std::uint64_t index) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (index < next_index_ || index > index_limit_ || index - next_index_ > kPlacedIndicesMax) {
    return Refused(Reason::kOptionInvalid);
  }
  next_index_ = index;
  return kDone;
}

Outcome ReferenceWorld::PlaceVersion(std::uint64_t version) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (version < version_ || version > kPlacedVersionMax) return Refused(Reason::kOptionInvalid);
  version_ = version;
  return kDone;
}

Outcome ReferenceWorld::Trim() const {  // Memory is not modelled.
  return scope_depth_ > 0 ? Refused(Reason::kScopeOpen) : kDone;
}

Outcome ReferenceWorld::Set(Entity entity, std::span<const NamedValue> values) {
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  Components row = entities_[entity];
  const Reason why = Write(values, Need::kPresent, &row);
  if (why != Reason::kNone) return Refused(why);
  Store(entity, row, !values.empty());
  return kDone;
}

Outcome ReferenceWorld::SetScalar(Entity entity, std::uint16_t component, std::uint32_t scalar,
                                  const Scalar& value) {
  const Value* now = nullptr;
  if (const Outcome outcome = Get(entity, component, &now); outcome != kDone) return outcome;
  if (scalar >= now->size()) return Refused(Reason::kFieldUnknown);
  Value changed = *now;
  changed[scalar] = value;
  const Reason why = schema_.Fit(component, changed, &changed);
  if (why != Reason::kNone) return Refused(why);
  entities_[entity][component] = changed;
  ++version_;
  return kDone;
}

Outcome ReferenceWorld::Get(Entity entity, std::uint16_t component, const Value** value) const {
  bool has = false;
  if (const Outcome outcome = Has(entity, component, &has); outcome != kDone) return outcome;
  if (!has) return Refused(Reason::kComponentAbsent);
  *value = &entities_.at(entity).at(component);
  return kDone;
}

Outcome ReferenceWorld::CheckComponent(std::uint16_t component) const {
  return schema_.Has(component) ? kDone : Refused(Reason::kComponentUnknown);
}

Outcome ReferenceWorld::Has(Entity entity, std::uint16_t component, bool* has) const {
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  *has = entities_.at(entity).contains(component);
  return CheckComponent(component);
}

// A component may stand in one term only; a term that contradicts an earlier one says so.
Outcome ReferenceWorld::CheckQuery(std::span<const QueryTerm> terms) const {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!schema_.Has(terms[i].component)) return Refused(Reason::kComponentUnknown);
    for (std::size_t j = 0; j < i; ++j) {
      if (terms[j].component != terms[i].component) continue;
      const bool one_excludes =
          (terms[i].kind == TermKind::kNone) != (terms[j].kind == TermKind::kNone);
      return Refused(one_excludes ? Reason::kQueryConflict : Reason::kComponentRepeated);
    }
  }
  return kDone;
}

std::vector<Entity> ReferenceWorld::Match(std::span<const QueryTerm> terms) const {
  std::vector<Entity> matches;
  matches.reserve(entities_.size());
  for (const auto& [entity, row] : entities_) {
    if (Matches(row, terms)) matches.push_back(entity);
  }
  return matches;
}

// The component must be one that the query requires, so that every row has it.
Outcome ReferenceWorld::Fill(std::span<const QueryTerm> terms, const NamedValue& value) {
  if (!schema_.Has(value.component)) return Refused(Reason::kComponentUnknown);
  const QueryTerm required{TermKind::kAll, value.component};
  if (std::ranges::count(terms, required) == 0) return Refused(Reason::kComponentAbsent);
  Value fitted;
  const Reason why = schema_.Fit(value.component, value.value, &fitted);
  if (why != Reason::kNone) return Refused(why);
  for (Entity entity : Match(terms)) entities_[entity][value.component] = fitted;
  ++version_;
  return kDone;
}

// Over everything that has position and velocity and is not disabled. Rules are not asked.
Outcome ReferenceWorld::Move(float dt) {
  const std::optional<std::uint16_t> position = schema_.Find("position");
  const std::optional<std::uint16_t> velocity = schema_.Find("velocity");
  const std::optional<std::uint16_t> disabled = schema_.Find("disabled");
  if (!position || !velocity || !disabled) return Refused(Reason::kComponentUnknown);
  if (!schema_.IsThreeFloats(*position) || !schema_.IsThreeFloats(*velocity) ||
      schema_.StoredSizeBytes(*disabled) != 0) {
    return Refused(Reason::kComponentTypeMismatch);
  }
  ++version_;
  for (auto& [entity, row] : entities_) {
    if (!row.contains(*position) || !row.contains(*velocity) || row.contains(*disabled)) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      row[*position][i] = Moved(row[*position][i], row[*velocity][i], dt);
    }
  }
  return kDone;
}

// Left to right, each name: registered, not named before, and present or absent as needed.
Reason ReferenceWorld::CheckNames(const Components& row, std::span<const std::uint16_t> names,
                                  Need need) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!schema_.Has(names[i])) return Reason::kComponentUnknown;
    for (std::size_t j = 0; j < i; ++j) {
      if (names[j] == names[i]) return Reason::kComponentRepeated;
    }
    const bool has = row.contains(names[i]);
    if (need == Need::kPresent && !has) return Reason::kComponentAbsent;
    if (need == Need::kAbsent && has) return Reason::kComponentPresent;
  }
  return Reason::kNone;
}

// Checks the names, then puts every value into the row, left to right. Then a chunk must be able to
// hold it: the header, one entity id and one of each component, each on cache lines of its own.
Reason ReferenceWorld::Write(std::span<const NamedValue> values, Need need, Components* row) const {
  const Reason why_not = CheckNames(*row, NamesOf(values), need);
  if (why_not != Reason::kNone) return why_not;
  for (const NamedValue& named : values) {
    const Reason why = schema_.Fit(named.component, named.value, &(*row)[named.component]);
    if (why != Reason::kNone) return why;
  }
  std::uint64_t size_bytes = 64 + 64;
  for (const auto& [component, value] : *row) {
    size_bytes += (schema_.StoredSizeBytes(component) + 63) / 64 * 64;
  }
  return size_bytes <= chunk_size_bytes_ ? Reason::kNone : Reason::kRowTooLarge;
}

// What neither changes the set of components nor writes a value is no change.
void ReferenceWorld::Store(Entity entity, const Components& row, bool writes) {
  version_ += writes || entities_[entity].size() != row.size() ? 1 : 0;
  entities_[entity] = row;
}

}  // namespace ashlar::model
