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
#include <cstddef>
#include <cstdint>
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
#include "ashlar/storage/move_plan.h"
#include "ashlar/storage/signature.h"

namespace ashlar::inline v0 {

class Archetype {
 public:
  // `columns` and `layout` describe the same non-tag components, in rising order of ComponentId; a
  // split one stands in `columns` once for each of its scalars, in their order.
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

  // One address a chunk; good until a chunk comes or goes.
  std::span<std::byte* const> chunks() const { return chunks_; }

  // REQUIRES: chunk is below chunk_count().
  std::byte* ChunkBase(ChunkIndex chunk) const { return chunks_[chunk.value()]; }

  // The component's column; a column of zeros for a tag and for a component that is not in the
  // signature (the header lies at byte 0, so no column begins there).
  Column ColumnOf(ComponentId component) const {
    return component.value() < column_by_component_.size()
               ? column_by_component_[component.value()].Expand(component)
               : Column{};
  }

  // The columns of a split component, one for each scalar. REQUIRES: `first` is the look-up of it.
  std::span<const Column> SplitColumns(const Column& first) const {
    std::size_t end = first.place;
    while (end < columns_.size() && columns_[end].component == first.component) ++end;
    return std::span(columns_).subspan(first.place, end - first.place);
  }

  // Copies the value of a row out of its columns, or into them; padding is left as it is. `first`
  // is the look-up of the component, which may be split or not, and is its bytes. REQUIRES: `value`
  // has the component's size.
  void LoadValue(const Column& first, const std::byte* chunk, std::size_t row,
                 std::byte* value) const {
    if (!first.is_split()) return CopyValue(value, first.At(chunk, row), first.size_bytes);
    for (const Column& column : SplitColumns(first)) {
      CopyValue(value + column.offset_bytes, column.At(chunk, row), column.size_bytes);
    }
  }
  void StoreValue(const Column& first, std::byte* chunk, std::size_t row,
                  const std::byte* value) const {
    if (!first.is_split()) return CopyValue(first.At(chunk, row), value, first.size_bytes);
    for (const Column& column : SplitColumns(first)) {
      CopyValue(column.At(chunk, row), value + column.offset_bytes, column.size_bytes);
    }
  }

  // The component's place among the enable bits; kNotEnableable for one that is not enableable or
  // not in the signature.
  static constexpr std::uint32_t kNotEnableable = 0xFFFFFFFF;
  std::uint32_t EnablePlace(ComponentId component) const {
    return component.value() < column_by_component_.size()
               ? column_by_component_[component.value()].enable_place_and_one - 1u
               : kNotEnableable;
  }

  // Whether the component of that row is enabled; true for one that is not enableable, or not
  // there.
  bool IsEnabled(ComponentId component, ChunkIndex chunk, RowIndex row) const {
    const std::uint32_t place = EnablePlace(component);
    return place == kNotEnableable || enable_bits_.Get(place, chunk, row);
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
  bool HasRoom() const { return !chunks_.empty() && rows_in_tail_ < capacity_; }
  Slot Reserve() {
    if (HasRoom()) [[likely]] {
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
  [[gnu::always_inline]] void Commit(const Slot& slot, Entity entity,
                                     std::uint64_t version) noexcept {
    if (slot.is_new_chunk) [[unlikely]] {
      PushChunk(slot.chunk);
    }
    versions_.RowArrived(slot.chunk_index, version);
    if (!enable_bits_.empty()) [[unlikely]]
      enable_bits_.EnableRow(slot.chunk_index, slot.row);
    EntitiesIn(slot.chunk)[rows_in_tail_++] = entity;
  }

  // --- Many rows at once (archetype_block.h) ---

  // Rows that nobody can see yet: those behind the last, then those of fresh chunks.
  struct Block {
    explicit Block(std::pmr::memory_resource* memory) : fresh(memory) {}

    std::byte* tail = nullptr;  // The chunk that the first rows come to; null where there is none.
    std::uint32_t first_row = 0;
    std::size_t count = 0;
    std::pmr::vector<std::byte*> fresh;
  };

  // The rows of a block that lie in one chunk.
  struct Run {
    std::byte* chunk;
    ChunkIndex chunk_index;
    std::uint32_t first_row;
    std::uint32_t row_count;
    std::size_t first;  // Which of the block's rows is the first.
    bool is_fresh;
  };

  // Finds room for `count` rows, in the chunks that one Reserve after the other would take. Follow
  // it with CommitBlock or CancelBlock before the next one. Throws std::bad_alloc; then nothing has
  // changed. `memory` is for the list of chunks.
  Block ReserveBlock(std::size_t count, std::pmr::memory_resource* memory);

  // Gives the room back. REQUIRES: no object is left in the rows.
  void CancelBlock(Block* block) noexcept;

  // The rows become the archetype's last, in that version of the world. `issue(location)` says the
  // id of each, in order. Their columns must have been written.
  template <typename Issue>
  void CommitBlock(const Block& block, std::uint64_t version, Issue issue) noexcept;

  // Calls visit(Run) for the rows of a block, chunk by chunk, in order. Before the commit.
  template <typename Visit>
  void ForEachRun(const Block& block, Visit visit) const;

  // Takes over all chunks of `source`, as they are, behind its own: the rows become its last, in
  // their order, in that version. moved(entity, location) for each. ReserveAdoption comes first; it
  // throws std::bad_alloc, and then nothing has changed. REQUIRES: CanAdopt(source).
  bool CanAdopt(const Archetype& source) const;
  void ReserveAdoption(const Archetype& source) { ReserveChunks(source.chunk_count()); }
  template <typename Moved>
  void AdoptChunks(Archetype& source, std::uint64_t version, Moved moved) noexcept;

  // Ends every row: objects end, chunks go back to the pool, the last one first.
  void Clear() noexcept;

  // Many rows taken out in one pass: archetype_holes.h. A row that is to go becomes a hole; says
  // whether it is the first. Then CloseHoles, in the same version. The objects of the holes must
  // have ended before: one by one, or all of them by EndHoles.
  bool MakeHole(ChunkIndex chunk, RowIndex row, std::uint64_t version) noexcept;
  void EndHoles(std::uint64_t version) noexcept;
  template <typename Moved>
  void CloseHoles(std::uint64_t version, Moved moved) noexcept;
  Archetype* next_with_holes() const { return next_with_holes_; }  // For a list of the caller's.
  void set_next_with_holes(Archetype* next) { next_with_holes_ = next; }

  // All rows in another order: archetype_order.h.
  template <typename Moved>
  void Reorder(std::span<std::uint32_t> order, std::byte* spare, std::uint64_t version,
               Moved moved) noexcept;

  // Copies the columns of bytes of a plan from a row of `source` into a reserved row of this
  // archetype. The source row stays whole.
  void CopyRow(const MovePlan& plan, const std::byte* source_chunk, RowIndex source_row,
               const Slot& slot) noexcept {
    const std::size_t from = source_row.value();
    const std::size_t to = slot.row.value();
    for (const ColumnCopy& copy : plan.copies) {
      CopyValue(slot.chunk + copy.target_begin_bytes + to * copy.size_bytes,
                source_chunk + copy.source_begin_bytes + from * copy.size_bytes, copy.size_bytes);
    }
  }

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
    std::uint64_t version =
        column.begin_bytes == 0 ? versions_.arrival(chunk) : versions_.written(chunk, column.place);
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
    std::uint16_t size_bytes = 0;            // 0 beside a begin: split.
    std::uint16_t place = 0;                 // In columns_.
    std::uint16_t enable_place_and_one = 0;  // 0: not enableable.

    Column Expand(ComponentId component) const {
      return {component, begin_bytes, size_bytes, place};
    }
  };

  Slot ReserveInNewChunk();
  void ReserveChunks(std::size_t count);
  void ReleaseFresh(Block* block) noexcept;
  void PushChunk(std::byte* chunk) noexcept;
  void ArmGaps(std::byte* chunk) const noexcept;

  // Steps of CloseHoles: the first hole from there on (REQUIRES: there is one); the rows behind the
  // first `row_count` go.
  void FindHole(Location* place, std::uint64_t version) const noexcept;
  void DropRows(std::size_t row_count, std::uint64_t version) noexcept;

  // Moves the id and all columns of a row to a row without objects. Enable bits stay.
  [[gnu::always_inline]] void FillRow(std::byte* chunk, std::size_t row, std::byte* from_chunk,
                                      std::size_t from) noexcept {
    EntitiesIn(chunk)[row] = EntitiesIn(from_chunk)[from];
    for (const Column& column : byte_columns_) {
      CopyValue(column.At(chunk, row), column.At(from_chunk, from), column.size_bytes);
    }
    for (const ObjectColumn& column : object_columns_) {
      column.lifecycle->relocate(column.At(chunk, row), column.At(from_chunk, from),
                                 *column.lifecycle);
    }
  }

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
  std::size_t hole_count_ = 0;      // 0 but inside a call that closes them; the next one too.
  Archetype* next_with_holes_ = nullptr;
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

}  // namespace ashlar::inline v0
