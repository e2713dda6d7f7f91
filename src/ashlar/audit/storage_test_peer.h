// Breaks a world on purpose: how the tests of the integrity check reach behind the public API.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

struct WorldTestPeer {
  static EntityDirectory& Directory(World& world) { return world.directory_; }
  static ArchetypeTable& Archetypes(World& world) { return world.archetypes_; }
  static ChunkPool& Pool(World& world) { return world.pool_; }
  static QueryTable& Queries(World& world) { return world.queries_; }
  static WorldMemory& Memory(World& world) { return world.memory_; }
  static std::atomic<std::uint32_t>& ScopeDepth(World& world) { return world.scope_depth_; }
};

struct StorageTestPeer {
  static void SetRowsInTail(Archetype& archetype, std::uint32_t rows) {
    archetype.rows_in_tail_ = rows;
  }
  static void SetSignature(Archetype& archetype, const Signature& signature) {
    archetype.signature_ = signature;
  }
  static void SetCapacity(Archetype& archetype, std::uint32_t capacity) {
    archetype.capacity_ = capacity;
  }
  static std::uint32_t& LayoutCapacity(Archetype& archetype) { return archetype.layout_.capacity_; }
  static ColumnExtent& EntityExtent(Archetype& archetype) { return archetype.layout_.entities_; }
  static ColumnExtent& Extent(Archetype& archetype, std::size_t i) {
    return archetype.layout_.columns_[i];
  }
  static std::pmr::vector<ColumnExtent>& Extents(Archetype& archetype) {
    return archetype.layout_.columns_;
  }
  static std::uint16_t& LookedUpBegin(Archetype& archetype, ComponentId component) {
    return archetype.column_by_component_[component.value()].begin_bytes;
  }
  static std::uint16_t& LookedUpSize(Archetype& archetype, ComponentId component) {
    return archetype.column_by_component_[component.value()].size_bytes;
  }
  static Column& ColumnAt(Archetype& archetype, std::size_t i) { return archetype.columns_[i]; }

  static std::pmr::vector<Archetype*>& Numbered(ArchetypeTable& archetypes) {
    return archetypes.numbered_;
  }

  static std::pmr::vector<std::uint64_t>& EnableWords(Archetype& archetype) {
    return archetype.enable_bits_.words_;
  }

  static std::size_t& LiveCount(EntityDirectory& directory) { return directory.live_count_; }
  static std::size_t& FreeCount(EntityDirectory& directory) { return directory.free_count_; }
  static std::size_t& RetiredCount(EntityDirectory& directory) { return directory.retired_count_; }
  static std::uint32_t& FreeHead(EntityDirectory& directory) { return directory.free_head_; }
  static Location& LocationOf(EntityDirectory& directory, std::uint32_t index) {
    return directory.RecordAt(index).location;
  }

  static std::pmr::vector<Archetype*>& Matches(QueryTable& queries, QueryId query) {
    return queries.queries_[query.value()].matches;
  }
  static std::pmr::vector<std::byte*>& FreeChunks(ChunkPool& pool) { return pool.free_; }
  static std::size_t& HandedOut(ChunkPool& pool) { return pool.handed_out_count_; }
  static std::size_t& BytesHeld(ChunkPool& pool) { return pool.bytes_held_; }
  static std::size_t& SlabChunks(ChunkPool& pool, std::size_t i) {
    return pool.slabs_[i].chunk_count;
  }

  static MemoryBudget& Budget(WorldMemory& memory) { return memory.budget_; }
  static std::atomic<std::size_t>& InUse(MemoryBudget& budget) { return budget.in_use_bytes_; }
  static std::atomic<std::size_t>& Peak(MemoryBudget& budget) { return budget.peak_bytes_; }
};

}  // namespace ashlar::inline v0
