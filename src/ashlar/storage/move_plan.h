// MovePlan: what a move of a row from one archetype to another copies, relocates and ends.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ashlar/storage/column.h"

namespace ashlar::inline v0 {

class Archetype;

// One column that a move copies: from a row of the source chunk to a row of the target chunk.
struct ColumnCopy {
  std::uint32_t source_begin_bytes;
  std::uint32_t target_begin_bytes;
  std::uint32_t size_bytes;
};

// How rows move between two archetypes. The entity column is not among these: it is written at the
// commit.
struct MovePlan {
  explicit MovePlan(std::pmr::memory_resource* memory)
      : copies(memory), relocations(memory), ends(memory), bits(memory) {}

  // A column of objects that both have.
  struct Relocation {
    ObjectColumn source;
    std::uint32_t target_begin_bytes;
  };

  // An enableable component that both have: its places among the enable bits.
  struct BitCopy {
    std::uint32_t source_place;
    std::uint32_t target_place;
  };

  Archetype* target = nullptr;
  bool is_plain = false;     // Nothing but bytes is moved: no objects, no bits.
  Column added;              // Of the one component that the target has more; nothing for others.
  bool has_objects = false;  // One of the last two is not empty.
  std::pmr::vector<ColumnCopy> copies;       // Columns of bytes that both have.
  std::pmr::vector<Relocation> relocations;  // Columns of objects that both have.
  std::pmr::vector<ObjectColumn> ends;       // Columns of objects that the target lacks.
  std::pmr::vector<BitCopy> bits;            // Enableable components that both have.
};

}  // namespace ashlar::inline v0
