// Archetype: all rows of one signature, packed into chunks.
//
//   chunks_ -> chunk 0 (full) | chunk 1 (full) | chunk 2: rows_in_tail_ rows
//
//   I3  every chunk but the last is full, none is empty, none is over capacity.
//
// An archetype stores and moves values: bytes are copied, objects (schema/lifecycle.h) relocated.
// It knows nothing of the directory: SwapRemove says which entity filled the hole, and the caller
// mends that entity's location.
//
//   I13 bytes beyond a chunk's rows are never read or written: poisoned under AddressSanitizer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/poison.h"
#include "ashlar/schema/component_registry.h"
#include "ashlar/storage/chunk_layout.h"
#include "ashlar/storage/chunk_pool.h"
#include "ashlar/storage/chunk_versions.h"
#include "ashlar/storage/enable_bits.h"
#include "ashlar/storage/signature.h"

namespace ashlar::inline v0 {

class Archetype;

// One column that a move copies: from a row of the source chunk to a row of the target chunk.
struct ColumnCopy {
  std::uint32_t source_begin_bytes;
  std::uint32_t target_begin_bytes;
  std::uint32_t size_bytes;
};

// A column that stores a component's values.
struct Column {
  ComponentId component;
  std::uint32_t begin_bytes = 0;
  std::uint32_t size_bytes = 0;
  std::uint32_t place = 0;  // Among the columns of its archetype.

  // The value of that row. REQUIRES: there is such a column in the chunk.
  std::byte* At(std::byte* chunk, std::size_t row) const {
    return chunk + begin_bytes + row * size_bytes;
  }
  const std::byte* At(const std::byte* chunk, std::size_t row) const {
    return chunk + begin_bytes + row * size_bytes;
  }
};

// A column of objects.
struct ObjectColumn : Column {
  const Lifecycle* lifecycle = nullptr;
  std::size_t* object_count = nullptr;  // See ComponentRegistry::ObjectCounter.

  void Destroy(std::byte* chunk, std::size_t row) const noexcept {
    lifecycle->destroy(At(chunk, row), *lifecycle);
    --*object_count;
  }
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
  bool has_objects = false;                  // One of the last two is not empty.
  std::pmr::vector<ColumnCopy> copies;       // Columns of bytes that both have.
  std::pmr::vector<Relocation> relocations;  // Columns of objects that both have.
  std::pmr::vector<ObjectColumn> ends;       // Columns of objects that the target lacks.
  std::pmr::vector<BitCopy> bits;            // Enableable components that both have.
};

class Archetype {
 public:
  // `columns` and `layout` describe the same non-tag components, in rising order of ComponentId.
  Archetype(ArchetypeId id, const Signature& signature, ChunkLayout layout,
            std::span<const ComponentId> columns, const ComponentRegistry& registry,
            ChunkPool* pool, std::pmr::memory_resource* memory);

  // Ends every object and gives the chunks back.
  ~Archetype();
  Archetype(const Archetype&) = delete;
  Archetype& operator=(const Archetype&) = delete;

  ArchetypeId id() const { return id_; }
  const Signature& signature() const { return signature_; }
  const ChunkLayout& layout() const { return layout_; }
  std::span<const Column> columns() const { return columns_; }
  std::span<const Column> byte_columns() const { return byte_columns_; }
  std::span<const ObjectColumn> object_columns() const { return object_columns_; }
  std::uint32_t capacity() const { return capacity_; }

  // None() until the first commit of a row.
  ArchetypeNumber number() const { return number_; }
  void set_number(ArchetypeNumber number) { number_ = number; }

  std::size_t chunk_count() const { return chunks_.size(); }
  std::size_t row_count() const {
    return chunks_.empty() ? 0 : (chunks_.size() - 1) * std::size_t{capacity_} + rows_in_tail_;
  }
  std::uint32_t RowsInChunk(ChunkIndex chunk) const {
    return chunk.value() + 1 == chunks_.size() ? rows_in_tail_ : capacity_;
  }

  // --- Addresses ---

  // REQUIRES: chunk is below chunk_count().
  std::byte* ChunkBase(ChunkIndex chunk) const { return chunks_[chunk.value()]; }

  // The component's column; a column of zeros for a tag and for a component that is not in the
  // signature (the header lies at byte 0, so no column begins there).
  Column ColumnOf(ComponentId component) const {
    return component.value() < column_by_component_.size()
               ? column_by_component_[component.value()].Expand(component)
               : Column{};
  }

  // The component's place among the enable bits; kNotEnableable for one that is not enableable or
  // not in the signature.
  static constexpr std::uint32_t kNotEnableable = 0xFFFFFFFF;
  std::uint32_t EnablePlace(ComponentId component) const {
    return component.value() < column_by_component_.size()
               ? column_by_component_[component.value()].enable_place_and_one - 1u
               : kNotEnableable;
  }

  Entity* EntitiesIn(std::byte* chunk) const {
    // SAFETY: the entity column begins at byte 64 of a 64-aligned chunk and holds Entity values
    // only; rows below the chunk's count have been written.
    return reinterpret_cast<Entity*>(chunk + kChunkHeaderBytes);
  }
  Entity EntityAt(ChunkIndex chunk, RowIndex row) const {
    return EntitiesIn(ChunkBase(chunk))[row.value()];
  }

  // --- Rows ---

  // A row that nobody can see yet: the one behind the last.
  struct Slot {
    std::byte* chunk = nullptr;
    ChunkIndex chunk_index;
    RowIndex row;
    bool is_new_chunk = false;

    Location LocationIn(ArchetypeId archetype) const { return {archetype, chunk_index, row}; }
  };

  // Finds room for one row, with a chunk of the pool where the last one is full. Follow it with
  // Commit or Cancel before the next Reserve. Throws std::bad_alloc; then nothing has changed.
  Slot Reserve() {
    if (!chunks_.empty() && rows_in_tail_ < capacity_) [[likely]] {
      const auto tail = static_cast<std::uint32_t>(chunks_.size() - 1);
      LiftRow(chunks_[tail], rows_in_tail_);
      return {chunks_[tail], ChunkIndex(tail), RowIndex(rows_in_tail_), false};
    }
    return ReserveInNewChunk();
  }

  // Gives the room back. REQUIRES: no object is left in the row.
  void Cancel(const Slot& slot) noexcept;

  // The row becomes the archetype's last, in that version of the world. Its columns must have been
  // written.
  void Commit(const Slot& slot, Entity entity, std::uint64_t version) noexcept {
    if (slot.is_new_chunk) [[unlikely]] {
      PushChunk(slot.chunk);
    }
    versions_.RowArrived(slot.chunk_index, version);
    if (!enable_bits_.empty()) [[unlikely]]
      enable_bits_.EnableRow(slot.chunk_index, slot.row);
    EntitiesIn(slot.chunk)[rows_in_tail_++] = entity;
  }

  // Copies the columns of bytes of a plan from a row of `source` into a reserved row of this
  // archetype. The source row stays whole.
  void CopyRow(const MovePlan& plan, const std::byte* source_chunk, RowIndex source_row,
               const Slot& slot) noexcept;

  // Moves the objects of a plan, and ends those that have no column here, so that the source row
  // holds none. Objects of the components in `replaced` are ended as well: the reserved row has its
  // own already.
  void RelocateRow(const MovePlan& plan, std::byte* source_chunk, RowIndex source_row,
                   const Slot& slot, const Signature& replaced) noexcept;

  // Gives a row of this archetype, which has just been committed, the enable bits of a row of
  // `source`; components that only this one has stay enabled.
  void CopyEnableBits(const MovePlan& plan, const Archetype& source, ChunkIndex source_chunk,
                      RowIndex source_row, const Slot& slot) noexcept {
    for (const MovePlan::BitCopy& bit : plan.bits) {
      enable_bits_.Set(bit.target_place, slot.chunk_index, slot.row,
                       source.enable_bits_.Get(bit.source_place, source_chunk, source_row));
    }
  }

  // Ends the objects of a row.
  void EndObjects(ChunkIndex chunk, RowIndex row) noexcept;

  // Takes a row out; the last row fills the hole, all columns of it. Returns the entity that moved
  // there, or the null entity when the row was the last. An empty chunk goes back to the pool.
  // REQUIRES: the row's objects are gone (RelocateRow or EndObjects).
  Entity SwapRemove(ChunkIndex chunk, RowIndex row, std::uint64_t version) noexcept;

  // Gives back the list of chunks where there is no row; it allocates nothing.
  void Trim() noexcept;

  // When its chunks were last changed.
  ChunkVersions& versions() { return versions_; }
  const ChunkVersions& versions() const { return versions_; }

  // When the component's values or its enable bits in that chunk were last written, or a row came.
  std::uint64_t WrittenVersion(ChunkIndex chunk, ComponentId component) const {
    const Column column = ColumnOf(component);
    std::uint64_t version = column.begin_bytes == 0 ? versions_.arrival(chunk)
                                                    : versions_.written(chunk, column.place);
    if (const std::uint32_t place = EnablePlace(component); place != kNotEnableable) {
      version = std::max(version, versions_.written(chunk, columns_.size() + place));
    }
    return version;
  }

  // Which rows have which of the enableable components enabled.
  const EnableBits& enable_bits() const { return enable_bits_; }

  // Enables or disables a component of a row. `version` is asked for the version of the world in
  // which that is, and only where it is a change: what was so before is no write.
  template <typename Version>
  void SetEnabled(std::uint32_t enable_place, ChunkIndex chunk, RowIndex row, bool enabled,
                  Version version) noexcept {
    if (!enable_bits_.Set(enable_place, chunk, row, enabled)) return;
    versions_.ColumnWritten(chunk, columns_.size() + enable_place, version());
  }

  // Replaces the id that a row holds; for the directory's test hook.
  void RenameRow(ChunkIndex chunk, RowIndex row, Entity entity) noexcept {
    EntitiesIn(ChunkBase(chunk))[row.value()] = entity;
  }

  // --- Edges (archetype_table.h fills them) ---

  // The plan for a move that adds this component when it is absent, removes it when it is there;
  // null where none was made yet.
  const MovePlan* Edge(ComponentId component) const {
    return component.value() < edges_.size() ? edges_[component.value()] : nullptr;
  }

 private:
  friend class ArchetypeTable;
  friend struct StorageTestPeer;

  // Eight bytes, one load, so that the tables of a thousand archetypes stay small. A column that
  // begins below 2^16 and holds at least one value has values of less than 2^16 bytes.
  struct alignas(8) PackedColumn {
    std::uint16_t begin_bytes = 0;
    std::uint16_t size_bytes = 0;
    std::uint16_t place = 0;                 // In columns_.
    std::uint16_t enable_place_and_one = 0;  // 0: not enableable.

    Column Expand(ComponentId component) const {
      return {component, begin_bytes, size_bytes, place};
    }
  };

  Slot ReserveInNewChunk();
  void PushChunk(std::byte* chunk) noexcept;
  void ArmGaps(std::byte* chunk) const noexcept;

  // Poison the places of rows [begin, end) in every column, or lift the poison of one row's;
  // nothing without AddressSanitizer. The rows below are in use, those above are not.
  void PoisonRows(std::byte* chunk, std::uint32_t begin, std::uint32_t end) const noexcept;
  void LiftRow([[maybe_unused]] std::byte* chunk,
               [[maybe_unused]] std::uint32_t row) const noexcept {
    if constexpr (ASHLAR_ASAN) {
      RedzoneLift(chunk + kChunkHeaderBytes + row * sizeof(Entity), sizeof(Entity));
      for (const Column& column : columns_) RedzoneLift(column.At(chunk, row), column.size_bytes);
    }
  }

  const ArchetypeId id_;
  ArchetypeNumber number_;
  std::uint32_t capacity_;
  std::uint32_t rows_in_tail_ = 0;  // 0 exactly when there is no chunk.
  ChunkPool* pool_;
  std::pmr::vector<std::byte*> chunks_;
  std::pmr::vector<PackedColumn> column_by_component_;  // Up to the largest id that has a column.
  std::pmr::vector<const MovePlan*> edges_;             // By component; owned by the table.
  std::pmr::vector<Column> columns_;  // All of them, then again by what they store:
  std::pmr::vector<Column> byte_columns_;
  std::pmr::vector<ObjectColumn> object_columns_;
  ChunkVersions versions_;
  EnableBits enable_bits_;
  Signature signature_;
  ChunkLayout layout_;
};

// Copies one value, also onto itself. The common sizes are copied by moves of fixed size: all of
// the value is read before any of it is written.
template <std::size_t kSize>
void CopyFixed(std::byte* target, const std::byte* source) noexcept {
  std::array<std::byte, kSize> value;
  std::memcpy(value.data(), source, kSize);
  std::memcpy(target, value.data(), kSize);
}
inline void CopyValue(std::byte* target, const std::byte* source,
                      std::uint32_t size_bytes) noexcept {
  switch (size_bytes) {
    case 1:
      return CopyFixed<1>(target, source);
    case 4:
      return CopyFixed<4>(target, source);
    case 8:
      return CopyFixed<8>(target, source);
    case 12:
      return CopyFixed<12>(target, source);
    case 16:
      return CopyFixed<16>(target, source);
    default:
      std::memmove(target, source, size_bytes);
  }
}

}  // namespace ashlar::inline v0
