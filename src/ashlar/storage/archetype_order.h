// Archetype::Reorder: puts all rows into another order, in place.
//
//   order    | 2 | 0 | 1 |        row 0 becomes what row 2 was, ...
//   rows     | a | b | c |   ->   | c | a | b |      along the cycle 0 <- 2 <- 1 <- 0
//
// One value at a time lies outside of its column, so that no memory is needed but for that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

// Walks the cycles of a permutation: save(row) puts a row aside, move(to, from) fills a row from
// another one, restore(row) puts back what was set aside. The highest bit of each number is used as
// a mark on the way, and is as it was at the end. REQUIRES: fewer than 2^31 rows.
template <typename Save, typename Move, typename Restore>
void ForEachCycle(std::span<std::uint32_t> order, Save save, Move move, Restore restore) noexcept {
  constexpr std::uint32_t kDone = 0x80000000u;
  for (std::uint32_t start = 0; start < order.size(); ++start) {
    if ((order[start] & kDone) != 0) continue;
    if (order[start] == start) {
      order[start] |= kDone;
      continue;
    }
    save(start);
    std::uint32_t row = start;
    while (true) {
      const std::uint32_t from = order[row];
      order[row] |= kDone;
      if (from == start) break;
      move(row, from);
      row = from;
    }
    restore(row);
  }
  for (std::uint32_t& from : order) from &= ~kDone;
}

// Row i becomes what row order[i] was. `spare` has room for the largest value, aligned for every
// one. moved(entity, location) for each row that changes its place. REQUIRES: `order` is a
// permutation of the archetype's rows. Cost: O(rows * columns).
template <typename Moved>
void Archetype::Reorder(std::span<std::uint32_t> order, std::byte* spare, std::uint64_t version,
                        Moved moved) noexcept {
  const auto place_of = [this](std::uint32_t row) {
    return Location{id_, ChunkIndex(row / capacity_), RowIndex(row % capacity_)};
  };
  const auto reorder = [&](const auto& column, const auto& transfer) {
    const auto at = [&](std::uint32_t row) {
      const Location place = place_of(row);
      return column.At(ChunkBase(place.chunk), place.row.value());
    };
    ForEachCycle(
        order, [&](std::uint32_t row) { transfer(spare, at(row)); },
        [&](std::uint32_t to, std::uint32_t from) { transfer(at(to), at(from)); },
        [&](std::uint32_t row) { transfer(at(row), spare); });
  };
  for (const Column& column : byte_columns_) {
    reorder(column,
            [&](std::byte* to, const std::byte* from) { CopyValue(to, from, column.size_bytes); });
  }
  for (const ObjectColumn& column : object_columns_) {
    reorder(column, [&](std::byte* to, std::byte* from) {
      column.lifecycle->relocate(to, from, *column.lifecycle);
    });
  }
  for (std::uint32_t bit = 0; bit < enable_bits_.component_count(); ++bit) {
    bool spare_bit = false;
    const auto get = [&](std::uint32_t row) {
      return enable_bits_.Get(bit, place_of(row).chunk, place_of(row).row);
    };
    const auto set = [&](std::uint32_t row, bool enabled) {
      enable_bits_.Set(bit, place_of(row).chunk, place_of(row).row, enabled);
    };
    ForEachCycle(
        order, [&](std::uint32_t row) { spare_bit = get(row); },
        [&](std::uint32_t to, std::uint32_t from) { set(to, get(from)); },
        [&](std::uint32_t row) { set(row, spare_bit); });
  }
  Entity spare_entity;
  const auto arrive = [&](std::uint32_t row, Entity entity) {
    const Location place = place_of(row);
    EntitiesIn(ChunkBase(place.chunk))[place.row.value()] = entity;
    versions_.RowArrived(place.chunk, version);
    moved(entity, place);
  };
  const auto entity_at = [&](std::uint32_t row) {
    return EntityAt(place_of(row).chunk, place_of(row).row);
  };
  ForEachCycle(
      order, [&](std::uint32_t row) { spare_entity = entity_at(row); },
      [&](std::uint32_t to, std::uint32_t from) { arrive(to, entity_at(from)); },
      [&](std::uint32_t row) { arrive(row, spare_entity); });
}

}  // namespace ashlar::inline v0
