// The reference world. Each function is the written rule of its call, in the order of the rule.

#include "model/reference_world.h"

#include <algorithm>
#include <utility>

#include "ashlar/core/limits.h"

namespace ashlar::model {
namespace {

using oplang::Outcome;
using oplang::QueryTerm;
using ComponentNumbers = absl::InlinedVector<std::uint16_t, 8>;

ComponentNumbers NamesOf(std::span<const NamedValue> values) {
  ComponentNumbers names;
  for (const NamedValue& value : values) names.push_back(value.component);
  return names;
}

}  // namespace

ReferenceWorld::ReferenceWorld(const oplang::Options& options, const ModelSchema& schema)
    : chunk_size_bytes_(options.chunk_size_bytes),
      schema_(schema),
      ids_(options.entity_index_limit) {}

Outcome ReferenceWorld::Create(std::span<const NamedValue> values, Entity* created) {
  std::vector<Entity> one;
  const Outcome outcome = CreateMany(values, 1, &one);
  if (outcome == kDone) *created = one.front();
  return outcome;
}

// All of them or none, as one change.
Outcome ReferenceWorld::CreateMany(std::span<const NamedValue> values, std::uint32_t count,
                                   std::vector<Entity>* created) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  Components row;
  const Reason why = Write(values, Need::kAbsent, &row);
  if (why != Reason::kNone) return Refused(why);
  if (ids_.left() < count) return Refused(Reason::kIdsExhausted);
  for (std::uint32_t i = 0; i < count; ++i) {
    created->push_back(ids_.Issue());
    entities_[created->back()] = row;
    hooks_.Note(created->back(), {}, row, {});
  }
  ++version_;
  return kDone;
}

// The highest index first, so that the lowest is issued next.
Outcome ReferenceWorld::DestroyAll() {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  std::map<std::uint32_t, Entity> by_index;
  for (const auto& [entity, row] : entities_) by_index[entity.index()] = entity;
  for (auto next = by_index.rbegin(); next != by_index.rend(); ++next) {
    ids_.Free(next->second);
    hooks_.Note(next->second, entities_[next->second], {}, {});
  }
  version_ += entities_.empty() ? 0 : 1;
  entities_.clear();
  disabled_.clear();
  return kDone;
}

Outcome ReferenceWorld::Destroy(Entity entity) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  hooks_.Note(entity, entities_[entity], {}, {});
  entities_.erase(entity);
  disabled_.erase(entity);
  ids_.Free(entity);
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
  Store(entity, std::move(row), NamesOf(added));
  return kDone;
}

// Structural only where a component is absent, so that is when an open scope refuses it.
Outcome ReferenceWorld::Put(Entity entity, std::span<const NamedValue> values) {
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  Components row = entities_[entity];
  const ComponentNumbers names = NamesOf(values);
  Reason why = CheckNames(row, names, Need::kEither);
  if (why != Reason::kNone) return Refused(why);
  const bool is_structural = CheckNames(row, names, Need::kPresent) != Reason::kNone;
  if (is_structural && scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  why = Write(values, Need::kEither, &row);
  if (why != Reason::kNone) return Refused(why);
  Store(entity, std::move(row), names);
  return kDone;
}

Outcome ReferenceWorld::PlaceGeneration(Entity entity, std::uint32_t generation, Entity* placed) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  if (!IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
  if (generation == 0) return Refused(Reason::kOptionInvalid);
  *placed = Entity(entity.index(), generation);
  auto row = entities_.extract(entity);
  row.key() = *placed;
  entities_.insert(std::move(row));
  if (auto disabled = disabled_.extract(entity)) {
    disabled.key() = *placed;
    disabled_.insert(std::move(disabled));
  }
  return kDone;
}

Outcome ReferenceWorld::PlaceIndex(std::uint64_t index) {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  return ids_.Place(index) ? kDone : Refused(Reason::kOptionInvalid);
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
  Store(entity, std::move(row), NamesOf(values));
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
  hooks_.Note(entity, entities_[entity], entities_[entity], std::span(&component, 1));
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

Outcome ReferenceWorld::CheckQuery(std::span<const QueryTerm> terms) const {
  if (scope_depth_ > 0) return Refused(Reason::kScopeOpen);
  const Reason why = CheckTerms(schema_, terms);
  return why == Reason::kNone ? kDone : Refused(why);
}

std::vector<Entity> ReferenceWorld::Match(std::span<const QueryTerm> terms) const {
  std::vector<Entity> matches;
  Match(terms, &matches);
  return matches;
}

void ReferenceWorld::Match(std::span<const QueryTerm> terms, std::vector<Entity>* appended) const {
  for (const auto& [entity, row] : entities_) {
    if (Matches(row, DisabledOf(entity), terms)) appended->push_back(entity);
  }
}

void ReferenceWorld::WriteEach(std::span<const QueryTerm> terms,
                               const std::function<void(Components*)>& write) {
  for (Entity entity : Match(terms)) write(&entities_[entity]);
  ++version_;
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
    size_bytes += schema_.RowLineBytes(component);
  }
  return size_bytes <= chunk_size_bytes_ ? Reason::kNone : Reason::kRowTooLarge;
}

// What neither changes the set of components nor writes a value is no change; a tag has no value. A
// component that the entity has before and after stays as it was, on or off; others come switched
// on.
void ReferenceWorld::Store(Entity entity, Components row, std::span<const std::uint16_t> written) {
  const auto is_there = [&](const auto& part) { return entities_[entity].contains(part.first); };
  const auto has_value = [&](std::uint16_t part) { return schema_.StoredSizeBytes(part) != 0; };
  const bool has_same_set =
      entities_[entity].size() == row.size() && std::ranges::all_of(row, is_there);
  version_ += !has_same_set || std::ranges::any_of(written, has_value) ? 1 : 0;
  hooks_.Note(entity, entities_[entity], row, written);
  Components& stored = entities_[entity] = std::move(row);
  if (!disabled_.contains(entity)) return;
  std::erase_if(disabled_[entity], [&](std::uint16_t off) { return !stored.contains(off); });
}

}  // namespace ashlar::model
