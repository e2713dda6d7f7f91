// The storage report: how many rows each archetype has, in how many chunks, and how full they are.
//
//   archetype 0 [position velocity]: 123 of 244 rows, 50.4 % full, 2 chunks of 122, 8320 bytes
//   archetype 1 [position velocity health]: 112 of 112 rows, 100.0 % full, 1 chunk of 112, 4160
//   bytes total: 235 of 356 rows, 66.0 % full, 3 chunks, 12480 bytes pool: 4 chunks in 1 slab, 1
//   free, 16640 bytes; Trim would give back 0
//
// An archetype wastes at most the rest of its last chunk, so a world fragments by having many small
// archetypes, and its pool by slabs that one chunk keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ashlar/core/ids.h"

namespace ashlar::inline v0 {

struct ArchetypeFigures {
  ArchetypeNumber number;  // Its place in the order of iteration.
  ArchetypeId id;
  std::vector<std::string> components;  // Names, in order of registration.
  std::size_t rows = 0;
  std::uint32_t rows_per_chunk = 0;
  std::size_t chunks = 0;
  std::size_t capacity = 0;  // Rows that the chunks have room for.
  std::size_t bytes = 0;     // Of the chunks, with the gap behind each.

  // Rows / capacity; 0 where there is no chunk.
  double occupancy() const;
};

struct StorageFigures {
  std::vector<ArchetypeFigures> archetypes;  // The numbered ones, in order; empty ones too.

  // Sums over the archetypes.
  std::size_t rows = 0;
  std::size_t chunks = 0;
  std::size_t capacity = 0;
  std::size_t bytes = 0;

  // The chunk pool. pool_bytes = bytes + chunks_free * (chunk size + gap).
  std::size_t slabs = 0;
  std::size_t chunks_free = 0;
  std::size_t pool_bytes = 0;
  std::size_t slabs_unused = 0;  // Slabs that Trim would give back,
  std::size_t bytes_unused = 0;  // and their bytes.

  double occupancy() const;
};

// The report for people, as above: one line an archetype, then the sums and the pool. Uses the
// global heap; throws std::bad_alloc.
std::string StorageReportText(const StorageFigures& figures);

}  // namespace ashlar::inline v0
