// WorldMemory: the one memory source of a world, with an account for each purpose.
//
//   WorldOptions::memory <- MemoryBudget <- chunks | directory | archetypes
//                                           | queries | components | commands | scratch
#pragma once

#include <cstddef>
#include <memory_resource>

#include "ashlar/core/accounted_memory.h"

namespace ashlar::inline v0 {

// Bytes in use, by purpose. They are those that were asked for: what the memory resource spends on
// top is not seen.
//
// Some of it is spare capacity that stays when entities go: `archetypes`, `queries` and
// `components` never shrink (an archetype that no row is left in keeps its place and its number;
// World::Trim takes only its list of chunks), `directory` keeps the generation of every index that
// was ever issued, and `chunks` keeps free chunks until World::Trim. A refused call may leave spare
// capacity too.
struct MemoryUsage {
  std::size_t chunks = 0;      // Slabs of chunks, and the pool's lists of slabs and free chunks.
  std::size_t directory = 0;   // Pages of locations, and their list.
  std::size_t archetypes = 0;  // Signatures, layouts, lists of chunks, edges and move plans.
  std::size_t queries = 0;     // Terms and match lists.
  std::size_t components = 0;  // The registry: descriptors and names.
  std::size_t commands = 0;    // Command buffers: commands and their values.
  std::size_t scratch = 0;     // Values under way in a call; 0 between calls.

  std::size_t limit = 0;  // WorldOptions::memory_limit_bytes; 0 for none.
  std::size_t peak = 0;   // The most that was ever in use, within calls too.

  std::size_t total() const {
    return chunks + directory + archetypes + queries + components + commands + scratch;
  }
};

class WorldMemory {
 public:
  // `upstream` must outlive this. `limit_bytes`: 0 for none.
  WorldMemory(std::pmr::memory_resource* upstream, std::size_t limit_bytes)
      : budget_(limit_bytes),
        chunks_(upstream, &budget_),
        directory_(upstream, &budget_),
        archetypes_(upstream, &budget_),
        queries_(upstream, &budget_),
        components_(upstream, &budget_),
        commands_(upstream, &budget_),
        scratch_(upstream, &budget_) {}

  std::pmr::memory_resource* chunks() { return &chunks_; }
  std::pmr::memory_resource* directory() { return &directory_; }
  std::pmr::memory_resource* archetypes() { return &archetypes_; }
  std::pmr::memory_resource* queries() { return &queries_; }
  std::pmr::memory_resource* components() { return &components_; }
  std::pmr::memory_resource* commands() { return &commands_; }
  std::pmr::memory_resource* scratch() { return &scratch_; }

  // Each figure is read by itself; they belong together where no other thread is inside the world.
  MemoryUsage Usage() const {
    return {.chunks = chunks_.in_use_bytes(),
            .directory = directory_.in_use_bytes(),
            .archetypes = archetypes_.in_use_bytes(),
            .queries = queries_.in_use_bytes(),
            .components = components_.in_use_bytes(),
            .commands = commands_.in_use_bytes(),
            .scratch = scratch_.in_use_bytes(),
            .limit = budget_.limit_bytes(),
            .peak = budget_.peak_bytes()};
  }

  const MemoryBudget& budget() const { return budget_; }

 private:
  friend struct StorageTestPeer;

  MemoryBudget budget_;
  AccountedResource chunks_;
  AccountedResource directory_;
  AccountedResource archetypes_;
  AccountedResource queries_;
  AccountedResource components_;
  AccountedResource commands_;
  AccountedResource scratch_;
};

}  // namespace ashlar::inline v0
