// Bulk changes: one change made to many entities at once, who are named by their ids or by a query.
//
// Each is all or nothing, in one version of the world, and is logically worth the same as World's
// call of that name for one entity after the other. Rows come and go by the rule of batch_commit.h,
// where entities named by a query count as named in the order of iteration. World has the two that
// make and end entities: CreateMany and DestroyMany.
//
// Errors: what does not depend on entities comes first (scope open, components, types, values that
// are the same for all), then entities, then values of each entity, then memory; but memory for the
// call's own lists may be refused before entities are looked at.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/world/component_span.h"
#include "ashlar/world/component_value.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// --- By ids: entity i gets value i of each span. Errors: about the first entity of the list that
// has one, those of World's call and kEntityRepeated; kValueCountMismatch. Objects are copied
// (kValueDoesNotFit where they cannot be). SetMany is legal inside a scope, as World::Set is; but
// it needs the world for itself, as all of these do. Cost: O(entities * components), and about 100
// bytes for each entity meanwhile ---

absl::Status AddMany(World& world, std::span<const Entity> entities,
                     std::span<const ComponentSpan> components);
absl::Status PutMany(World& world, std::span<const Entity> entities,
                     std::span<const ComponentSpan> components);
absl::Status SetMany(World& world, std::span<const Entity> entities,
                     std::span<const ComponentSpan> components);
absl::Status RemoveMany(World& world, std::span<const Entity> entities,
                        std::span<const ComponentId> components);

inline absl::Status AddMany(World& world, std::span<const Entity> entities,
                            std::initializer_list<ComponentSpan> components) {
  return AddMany(world, entities, std::span(components.begin(), components.size()));
}
inline absl::Status PutMany(World& world, std::span<const Entity> entities,
                            std::initializer_list<ComponentSpan> components) {
  return PutMany(world, entities, std::span(components.begin(), components.size()));
}
inline absl::Status SetMany(World& world, std::span<const Entity> entities,
                            std::initializer_list<ComponentSpan> components) {
  return SetMany(world, entities, std::span(components.begin(), components.size()));
}
inline absl::Status RemoveMany(World& world, std::span<const Entity> entities,
                               std::initializer_list<ComponentId> components) {
  return RemoveMany(world, entities, std::span(components.begin(), components.size()));
}

// --- By query: every entity that it matches, enable bits included, gets these values. Returns how
// many they are. Errors: kQueryUnknown; of the entity with the lowest index that has one, that of
// World's call. DestroyByQuery ends them as Destroy would from the highest index to the lowest; it
// takes no memory where there is none, and then looks through the records of all entities.
// SetByQuery is legal inside a scope. Cost: O(rows of the archetypes that match * components); rows
// of bytes are copied column by column, and where the two archetypes differ by tags alone, full
// chunks change hands as they are ---

absl::StatusOr<std::size_t> AddByQuery(World& world, QueryId query,
                                       std::span<const ComponentValue> values);
absl::StatusOr<std::size_t> PutByQuery(World& world, QueryId query,
                                       std::span<const ComponentValue> values);
absl::StatusOr<std::size_t> SetByQuery(World& world, QueryId query,
                                       std::span<const ComponentValue> values);
absl::StatusOr<std::size_t> RemoveByQuery(World& world, QueryId query,
                                          std::span<const ComponentId> components);
absl::StatusOr<std::size_t> DestroyByQuery(World& world, QueryId query);

inline absl::StatusOr<std::size_t> AddByQuery(World& world, QueryId query,
                                              std::initializer_list<ComponentValue> values) {
  return AddByQuery(world, query, std::span(values.begin(), values.size()));
}
inline absl::StatusOr<std::size_t> PutByQuery(World& world, QueryId query,
                                              std::initializer_list<ComponentValue> values) {
  return PutByQuery(world, query, std::span(values.begin(), values.size()));
}
inline absl::StatusOr<std::size_t> SetByQuery(World& world, QueryId query,
                                              std::initializer_list<ComponentValue> values) {
  return SetByQuery(world, query, std::span(values.begin(), values.size()));
}
inline absl::StatusOr<std::size_t> RemoveByQuery(World& world, QueryId query,
                                                 std::initializer_list<ComponentId> components) {
  return RemoveByQuery(world, query, std::span(components.begin(), components.size()));
}

}  // namespace ashlar::inline v0
