// Index types. Each is its own type, so that a row cannot be passed where a chunk is meant.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ashlar::inline v0 {

// A number that only compares with its own kind. The largest value of `Rep` means "none".
template <typename Tag, typename RepT>
class StrongIndex {
 public:
  using Rep = RepT;

  constexpr StrongIndex() = default;  // None.
  constexpr explicit StrongIndex(Rep value) : value_(value) {}
  static constexpr StrongIndex None() { return StrongIndex(); }

  constexpr Rep value() const { return value_; }
  constexpr bool is_none() const { return value_ == std::numeric_limits<Rep>::max(); }

  friend constexpr bool operator==(StrongIndex, StrongIndex) = default;
  friend constexpr auto operator<=>(StrongIndex, StrongIndex) = default;

 private:
  Rep value_ = std::numeric_limits<Rep>::max();
};

// A component type of one world: its number in order of registration.
using ComponentId = StrongIndex<struct ComponentIdTag, std::uint16_t>;

// An archetype in its world's table, in order of construction. Not visible to users: an archetype
// that no row was ever committed to has an id but no number.
using ArchetypeId = StrongIndex<struct ArchetypeIdTag, std::uint32_t>;

// The place of an archetype in the order of first commits; queries and iteration follow it.
using ArchetypeNumber = StrongIndex<struct ArchetypeNumberTag, std::uint32_t>;

// A chunk of one archetype.
using ChunkIndex = StrongIndex<struct ChunkIndexTag, std::uint32_t>;

// A row of one chunk.
using RowIndex = StrongIndex<struct RowIndexTag, std::uint32_t>;

// A query of one world.
using QueryId = StrongIndex<struct QueryIdTag, std::uint32_t>;

// Where an entity's row is. It changes with every structural change of that entity, and of the
// one that fills its hole.
struct Location {
  ArchetypeId archetype;
  ChunkIndex chunk;
  RowIndex row;

  friend constexpr bool operator==(const Location&, const Location&) = default;
};

}  // namespace ashlar::inline v0
