// SortRows: rows in an order that is asked for, for who iterates in that order.
//
// An archetype keeps the order for as long as nothing comes or goes: rows that arrive come behind
// the last, and holes are filled from the end. Sort again when it matters.
#pragma once

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/status.h"
#include "ashlar/schema/typed_component.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

namespace internal {

// Whether the component has that type; one that is unknown is left to SortRows. Errors: kScopeOpen,
// kComponentTypeMismatch.
absl::Status CheckSortType(const World& world, ComponentId component, TypeKey type_key);

}  // namespace internal

// Whether the row with value `a` comes before the one with value `b`. May throw; from inside of it
// only const calls of the world may be made.
using RowLess = absl::FunctionRef<bool(const void* a, const void* b)>;

// Puts the rows of each archetype that the query matches into rising order of a component's values,
// all of its rows, enabled or not; archetypes keep their order. Rows of which neither comes before
// the other stay as they lie, so the outcome is one and the same everywhere. A structural change of
// one version; of none where all rows lie so already. A comparison that contradicts itself gives
// some order and breaks nothing. What it throws passes through, and nothing has changed. While the
// rows move no code of theirs may ask the world. Errors: kScopeOpen, kQueryUnknown,
// kComponentUnknown, kComponentAbsent (an archetype that matches and has rows does not have it),
// memory. Cost: O(rows * (log(rows) + components)).
absl::Status SortRows(World& world, QueryId query, ComponentId component, RowLess less);

// The same by the entities' index.
absl::Status SortRowsByEntity(World& world, QueryId query);

// The same with the component's type. Further error, behind kScopeOpen: kComponentTypeMismatch.
template <typename T, typename Less>
absl::Status SortRows(World& world, QueryId query, Component<T> component, const Less& less) {
  ASHLAR_RETURN_IF_ERROR(internal::CheckSortType(world, component.id(), TypeKeyOf<T>()));
  return SortRows(world, query, component.id(), [&](const void* a, const void* b) {
    return less(*static_cast<const T*>(a), *static_cast<const T*>(b));
  });
}

}  // namespace ashlar::inline v0
