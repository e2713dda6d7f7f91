// Archetype::CloseHoles: many rows are taken out of an archetype in one pass.
//
//   before   | a | - | c | - | e |   | - | g | h |     3 holes, 5 rows left
//   after    | a | g | c | h | e |                     the first hole took the first row behind
//
// Holes are found without a list of them, which would need memory: a hole has the null entity for
// its id, and its chunk has the version in which the rows go.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

// The row behind that one, with so many rows a chunk.
inline Location RowBehind(const Location& place, std::uint32_t capacity) {
  if (place.row.value() + 1 != capacity) {
    return {place.archetype, place.chunk, RowIndex(place.row.value() + 1)};
  }
  return {place.archetype, ChunkIndex(place.chunk.value() + 1), RowIndex(0)};
}

inline bool Archetype::MakeHole(ChunkIndex chunk, RowIndex row, std::uint64_t version) noexcept {
  versions_.RowLeft(chunk, version);
  EntitiesIn(ChunkBase(chunk))[row.value()] = Entity();
  return ++hole_count_ == 1;
}

// With n rows left: of the first n those that are holes take, in rising order, the rows behind them
// that are none, in rising order; the other rows stay. For each that moves, moved(entity,
// location). Empty chunks go back to the pool. Cost: O(holes * columns + chunks + rows of the
// chunks that were changed in that version).
template <typename Moved>
void Archetype::CloseHoles(std::uint64_t version, Moved moved) noexcept {
  const std::size_t rows_left = row_count() - hole_count_;
  Location hole{id_, ChunkIndex(0), RowIndex(0)};
  Location from{id_, ChunkIndex(static_cast<std::uint32_t>(rows_left / capacity_)),
                RowIndex(static_cast<std::uint32_t>(rows_left % capacity_))};
  for (std::size_t i = 0; i < hole_count_; ++i, from = RowBehind(from, capacity_)) {
    const Entity entity = EntityAt(from.chunk, from.row);
    if (entity.is_null()) continue;
    FindHole(&hole, version);
    versions_.RowArrived(hole.chunk, version);
    FillRow(ChunkBase(hole.chunk), hole.row.value(), ChunkBase(from.chunk), from.row.value());
    if (!enable_bits_.empty()) enable_bits_.CopyRow(from.chunk, from.row, hole.chunk, hole.row);
    moved(entity, hole);
  }
  DropRows(rows_left, version);
}

// The archetypes in which holes were made, linked through the archetypes, which needs no memory.
class HoleList {
 public:
  // As MakeHole.
  void Make(Archetype& archetype, ChunkIndex chunk, RowIndex row, std::uint64_t version) noexcept {
    if (!archetype.MakeHole(chunk, row, version)) return;
    archetype.set_next_with_holes(first_);
    first_ = &archetype;
  }

  // Calls close(archetype) for each; it closes the archetype's holes.
  template <typename Close>
  void ForEach(Close close) noexcept {
    while (first_ != nullptr) {
      Archetype& archetype = *first_;
      first_ = archetype.next_with_holes();
      close(archetype);
    }
  }

 private:
  Archetype* first_ = nullptr;
};

}  // namespace ashlar::inline v0
