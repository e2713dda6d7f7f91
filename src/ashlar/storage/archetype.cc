#include "ashlar/storage/archetype.h"

#include <utility>

#include "ashlar/core/check.h"
#include "ashlar/core/probe.h"
#include "ashlar/storage/archetype_block.h"
#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

static_assert(kChunkSizeBytesMax - kChunkHeaderBytes <= 0xFFFF, "columns are kept in 16 bits");

namespace {

std::size_t EnableableCount(const Signature& signature, const ComponentRegistry& registry) {
  std::size_t count = 0;
  signature.ForEach(
      [&](ComponentId component) { count += registry[component].is_enableable() ? 1u : 0u; });
  return count;
}

// One more than the largest id that has a column or is enableable.
std::size_t LookedUpCount(const Signature& signature, const ComponentRegistry& registry) {
  std::size_t count = 0;
  signature.ForEach([&](ComponentId component) {
    const ComponentDescriptor& descriptor = registry[component];
    if (!descriptor.is_tag() || descriptor.is_enableable()) count = component.value() + 1u;
  });
  return count;
}

}  // namespace

Archetype::Archetype(ArchetypeId id, const Signature& signature, ChunkLayout layout,
                     std::span<const ComponentId> columns, const ComponentRegistry& registry,
                     ChunkPool* pool, std::pmr::memory_resource* memory)
    : id_(id),
      capacity_(layout.capacity()),
      pool_(pool),
      chunks_(memory),
      column_by_component_(memory),
      edges_(memory),
      columns_(memory),
      byte_columns_(memory),
      object_columns_(memory),
      versions_(columns.size() + EnableableCount(signature, registry), memory),
      enable_bits_(EnableableCount(signature, registry), layout.capacity(), memory),
      signature_(signature),
      layout_(std::move(layout)) {
  ASHLAR_CHECK(columns.size() == layout_.columns().size());
  const std::size_t lookup_count = LookedUpCount(signature, registry);
  if (lookup_count == 0) return;
  column_by_component_.resize(lookup_count);
  columns_.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnExtent& extent = layout_.columns()[i];
    const ComponentDescriptor& descriptor = registry[columns[i]];
    const auto place = static_cast<std::uint16_t>(i);
    Column column{columns[i], extent.begin_bytes, extent.stride_bytes, place, 0};
    PackedColumn& looked_up = column_by_component_[columns[i].value()];
    if (looked_up.begin_bytes == 0) {
      const std::uint32_t size_bytes = descriptor.is_split() ? 0 : extent.stride_bytes;
      looked_up = {static_cast<std::uint16_t>(extent.begin_bytes),
                   static_cast<std::uint16_t>(size_bytes), place, 0};
    }
    if (descriptor.is_split()) {
      column.offset_bytes = descriptor.scalars()[place - looked_up.place].offset_bytes;
    }
    columns_.push_back(column);
    const Lifecycle* lifecycle = descriptor.lifecycle();
    if (lifecycle == nullptr) {
      byte_columns_.push_back(column);
    } else {
      object_columns_.push_back({column, lifecycle, registry.ObjectCounter(columns[i])});
    }
  }
  std::uint16_t enable_place = 0;
  signature.ForEach([&](ComponentId component) {
    if (!registry[component].is_enableable()) return;
    column_by_component_[component.value()].enable_place_and_one = ++enable_place;
  });
}

Archetype::~Archetype() { Clear(); }

void Archetype::ArmGaps(std::byte* chunk) const noexcept {
  layout_.ForEachGap(
      [&](std::uint32_t begin, std::uint32_t end) { RedzoneArm(chunk + begin, end - begin); });
}

void Archetype::PoisonRows([[maybe_unused]] std::byte* chunk, [[maybe_unused]] std::uint32_t begin,
                           [[maybe_unused]] std::uint32_t end) const noexcept {
  if constexpr (ASHLAR_ASAN) {
    const std::size_t rows = end - begin;
    RegionPoison(chunk + kChunkHeaderBytes + begin * sizeof(Entity), rows * sizeof(Entity));
    for (const Column& column : columns_) {
      RegionPoison(column.At(chunk, begin), rows * column.size_bytes);
    }
  }
}

Archetype::Slot Archetype::ReserveInNewChunk() {
  ASHLAR_CHECK(chunks_.size() < 0xFFFFFFFEu);
  ReserveChunks(1);
  std::byte* chunk = pool_->Acquire();
  ArmGaps(chunk);
  PoisonRows(chunk, 1, capacity_);
  ASHLAR_EVER(!chunks_.empty(), "archetype: a further chunk opened");
  return {chunk, ChunkIndex(static_cast<std::uint32_t>(chunks_.size())), RowIndex(0), true};
}

void Archetype::ReserveChunks(std::size_t count) {
  ReserveMore(chunks_, count);
  versions_.ReserveChunks(count);
  if (!enable_bits_.empty()) enable_bits_.ReserveChunks(count);
}

void Archetype::PushChunk(std::byte* chunk) noexcept {
  chunks_.push_back(chunk);
  versions_.PushChunk();
  if (!enable_bits_.empty()) enable_bits_.PushChunk();
  rows_in_tail_ = 0;
}

void Archetype::Cancel(const Slot& slot) noexcept {
  if (slot.is_new_chunk) {
    pool_->Release(slot.chunk);
  } else {
    PoisonRows(slot.chunk, slot.row.value(), slot.row.value() + 1);
  }
}

Archetype::Block Archetype::ReserveBlock(std::size_t count, std::pmr::memory_resource* memory) {
  Block block(memory);
  block.count = count;
  const std::uint32_t rows_in_tail = chunks_.empty() ? capacity_ : rows_in_tail_;
  block.first_row = rows_in_tail;
  block.tail = chunks_.empty() ? nullptr : chunks_.back();
  const std::size_t room = capacity_ - rows_in_tail;
  const std::size_t beyond = count > room ? count - room : 0;
  const std::size_t chunk_count = (beyond + capacity_ - 1) / capacity_;
  ASHLAR_CHECK(chunks_.size() + chunk_count < 0xFFFFFFFFu);
  ReserveChunks(chunk_count);
  block.fresh.reserve(chunk_count);
  try {
    while (block.fresh.size() < chunk_count) block.fresh.push_back(pool_->Acquire());
  } catch (...) {
    ReleaseFresh(&block);
    throw;
  }
  for (std::byte* chunk : block.fresh) ArmGaps(chunk);
  ForEachRun(block, [this](const Run& run) {
    if (run.is_fresh) {
      PoisonRows(run.chunk, run.row_count, capacity_);
    } else {
      for (std::uint32_t i = 0; i < run.row_count; ++i) LiftRow(run.chunk, run.first_row + i);
    }
  });
  return block;
}

void Archetype::ReleaseFresh(Block* block) noexcept {
  for (; !block->fresh.empty(); block->fresh.pop_back()) pool_->Release(block->fresh.back());
}

void Archetype::CancelBlock(Block* block) noexcept {
  ForEachRun(*block, [this](const Run& run) {
    if (!run.is_fresh) PoisonRows(run.chunk, run.first_row, run.first_row + run.row_count);
  });
  ReleaseFresh(block);
}

void Archetype::Clear() noexcept {
  for (std::size_t chunk = chunks_.size(); chunk-- > 0;) {
    const ChunkIndex index(static_cast<std::uint32_t>(chunk));
    const std::uint32_t rows = object_columns_.empty() ? 0 : RowsInChunk(index);
    for (std::uint32_t row = 0; row < rows; ++row) EndObjects(index, RowIndex(row));
    pool_->Release(chunks_[chunk]);
  }
  chunks_.clear();
  versions_.Clear();
  enable_bits_.Clear();
  rows_in_tail_ = 0;
}

void Archetype::RelocateRow(const MovePlan& plan, std::byte* source_chunk, RowIndex source_row,
                            const Slot& slot, const Signature& replaced) noexcept {
  for (const MovePlan::Relocation& move : plan.relocations) {
    if (replaced.Contains(move.source.component)) {
      move.source.Destroy(source_chunk, source_row.value());
      continue;
    }
    const Lifecycle& lifecycle = *move.source.lifecycle;
    lifecycle.relocate(slot.chunk + move.target_begin_bytes +
                           std::size_t{slot.row.value()} * move.source.size_bytes,
                       move.source.At(source_chunk, source_row.value()), lifecycle);
  }
  for (const ObjectColumn& column : plan.ends) column.Destroy(source_chunk, source_row.value());
}

void Archetype::EndObjects(ChunkIndex chunk, RowIndex row) noexcept {
  for (const ObjectColumn& column : object_columns_) {
    column.Destroy(chunks_[chunk.value()], row.value());
  }
}

void Archetype::Trim() noexcept {
  if (chunks_.empty()) decltype(chunks_)(chunks_.get_allocator()).swap(chunks_);
  versions_.Trim();
  enable_bits_.Trim();
}

Entity Archetype::SwapRemove(ChunkIndex chunk, RowIndex row, std::uint64_t version) noexcept {
  std::byte* tail = chunks_.back();
  std::byte* hole = chunks_[chunk.value()];
  const std::uint32_t last = rows_in_tail_ - 1;
  const ChunkIndex tail_index(static_cast<std::uint32_t>(chunks_.size() - 1));
  versions_.RowLeft(tail_index, version);
  const bool is_last = hole == tail && row.value() == last;
  Entity moved;
  if (!is_last) {
    ASHLAR_EVER(hole != tail, "archetype: hole filled across chunks");
    versions_.RowArrived(chunk, version);
    moved = EntitiesIn(tail)[last];
    FillRow(hole, row.value(), tail, last);
  } else {
    ASHLAR_EVER(true, "archetype: last row removed");
  }
  if (!enable_bits_.empty()) [[unlikely]] {
    if (!is_last) enable_bits_.CopyRow(tail_index, RowIndex(last), chunk, row);
    enable_bits_.ClearRow(tail_index, RowIndex(last));
  }
  rows_in_tail_ = last;
  if (last == 0) {
    chunks_.pop_back();
    versions_.PopChunk();
    if (!enable_bits_.empty()) enable_bits_.PopChunk();
    pool_->Release(tail);
    rows_in_tail_ = chunks_.empty() ? 0 : capacity_;
    ASHLAR_EVER(chunks_.empty(), "archetype: emptied");
  } else {
    PoisonRows(tail, last, last + 1);
  }
  return moved;
}

}  // namespace ashlar::inline v0
