// For the tests of batches: where rows lie, and where the rule of batches puts them, done one row
// at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ashlar/world/world.h"

namespace ashlar::commands_testing {

// The rows of each archetype, in order, in the order of archetypes.
struct ArchetypeRows {
  Signature signature;
  std::vector<Entity> rows;
  friend bool operator==(const ArchetypeRows&, const ArchetypeRows&) = default;
};

inline std::vector<ArchetypeRows> RowsOf(const World& world) {
  std::vector<ArchetypeRows> all;
  for (const Archetype* archetype : world.archetypes().numbered()) {
    all.push_back({archetype->signature(), {}});
    for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
      for (std::uint32_t row = 0; row < archetype->RowsInChunk(ChunkIndex(chunk)); ++row) {
        all.back().rows.push_back(archetype->EntityAt(ChunkIndex(chunk), RowIndex(row)));
      }
    }
  }
  return all;
}

inline std::vector<Entity> OrderOf(const std::vector<ArchetypeRows>& all) {
  std::vector<Entity> order;
  for (const ArchetypeRows& one : all) order.insert(order.end(), one.rows.begin(), one.rows.end());
  return order;
}

// The rule of batches, one row at a time: where the rows are after a batch that named these
// entities, in this order, when their components are those of `after`, a world of the same logical
// state.
inline std::vector<ArchetypeRows> PredictRows(std::vector<ArchetypeRows> rows,
                                              const std::vector<Entity>& named,
                                              const World& after) {
  const auto has = [&](Entity entity, const Signature& signature) {
    return after.IsAlive(entity) &&
           after.archetypes()[after.Locate(entity)->archetype].signature() == signature;
  };
  const std::vector<ArchetypeRows> before = rows;
  for (const Entity entity : named) {
    if (!after.IsAlive(entity)) continue;
    const bool stays = std::ranges::any_of(before, [&](const ArchetypeRows& one) {
      return std::ranges::find(one.rows, entity) != one.rows.end() && has(entity, one.signature);
    });
    if (stays) continue;
    const Signature signature = after.archetypes()[after.Locate(entity)->archetype].signature();
    auto target = std::ranges::find(rows, signature, &ArchetypeRows::signature);
    if (target == rows.end()) target = rows.insert(rows.end(), {signature, {}});
    target->rows.push_back(entity);
  }
  for (ArchetypeRows& one : rows) {
    const auto is_hole = [&](Entity entity) { return !has(entity, one.signature); };
    const auto left =
        one.rows.size() - static_cast<std::size_t>(std::ranges::count_if(one.rows, is_hole));
    std::size_t behind = left;
    for (std::size_t i = 0; i < left; ++i) {
      if (!is_hole(one.rows[i])) continue;
      while (is_hole(one.rows[behind])) ++behind;
      one.rows[i] = one.rows[behind++];
    }
    one.rows.resize(left);
  }
  return rows;
}

}  // namespace ashlar::commands_testing
