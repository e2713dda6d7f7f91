#include "ashlar/storage/archetype_holes.h"

namespace ashlar::inline v0 {

void Archetype::FindHole(Location* place, std::uint64_t version) const noexcept {
  for (;; *place = {id_, ChunkIndex(place->chunk.value() + 1), RowIndex(0)}) {
    if (versions_.order(place->chunk) != version) continue;
    const Entity* entities = EntitiesIn(ChunkBase(place->chunk));
    const std::uint32_t rows = RowsInChunk(place->chunk);
    for (std::uint32_t row = place->row.value(); row < rows; ++row) {
      if (!entities[row].is_null()) continue;
      place->row = RowIndex(row);
      return;
    }
  }
}

void Archetype::EndHoles(std::uint64_t version) noexcept {
  if (object_columns_.empty()) return;
  Location place{id_, ChunkIndex(0), RowIndex(0)};
  for (std::size_t i = 0; i < hole_count_; ++i, place = RowBehind(place, capacity_)) {
    FindHole(&place, version);
    EndObjects(place.chunk, place.row);
  }
}

void Archetype::DropRows(std::size_t row_count, std::uint64_t version) noexcept {
  hole_count_ = 0;
  next_with_holes_ = nullptr;
  while ((chunks_.size() - 1) * std::size_t{capacity_} >= row_count) {
    pool_->Release(chunks_.back());
    chunks_.pop_back();
    versions_.PopChunk();
    if (!enable_bits_.empty()) enable_bits_.PopChunk();
    rows_in_tail_ = chunks_.empty() ? 0 : capacity_;
    if (chunks_.empty()) return;
  }
  const ChunkIndex tail(static_cast<std::uint32_t>(chunks_.size() - 1));
  const auto rows = static_cast<std::uint32_t>(row_count - tail.value() * std::size_t{capacity_});
  if (rows == rows_in_tail_) return;
  versions_.RowLeft(tail, version);
  for (std::uint32_t row = rows; row < rows_in_tail_ && !enable_bits_.empty(); ++row) {
    enable_bits_.ClearRow(tail, RowIndex(row));
  }
  PoisonRows(chunks_.back(), rows, rows_in_tail_);
  rows_in_tail_ = rows;
}

}  // namespace ashlar::inline v0
