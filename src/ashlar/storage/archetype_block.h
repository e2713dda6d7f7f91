// Archetype's blocks: rows that come many at once, reserved together and committed together.
//
//   last chunk   | a | b | 0 | 1 |      rows of the block are numbered from 0, in order; the first
//   fresh chunk  | 2 | 3 | 4 | 5 |      ones come behind the last row that is there
//   fresh chunk  | 6 | 7 |
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ashlar/core/probe.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

template <typename Visit>
void Archetype::ForEachRun(const Block& block, Visit visit) const {
  std::size_t done = 0;
  auto chunk_index = static_cast<std::uint32_t>(chunks_.size());
  if (block.tail != nullptr && block.first_row < capacity_ && block.count != 0) {
    done = std::min<std::size_t>(block.count, capacity_ - block.first_row);
    visit(Run{block.tail, ChunkIndex(chunk_index - 1), block.first_row,
              static_cast<std::uint32_t>(done), 0, false});
  }
  for (std::byte* chunk : block.fresh) {
    const std::size_t rows = std::min<std::size_t>(block.count - done, capacity_);
    visit(Run{chunk, ChunkIndex(chunk_index), 0, static_cast<std::uint32_t>(rows), done, true});
    done += rows;
    ++chunk_index;
  }
}

template <typename Issue>
void Archetype::CommitBlock(const Block& block, std::uint64_t version, Issue issue) noexcept {
  ForEachRun(block, [&](const Run& run) {
    if (run.is_fresh) PushChunk(run.chunk);
    versions_.RowArrived(run.chunk_index, version);
    Entity* entities = EntitiesIn(run.chunk);
    for (std::uint32_t i = 0; i < run.row_count; ++i) {
      const RowIndex row(run.first_row + i);
      entities[row.value()] = issue(Location{id_, run.chunk_index, row});
      if (!enable_bits_.empty()) enable_bits_.EnableRow(run.chunk_index, row);
    }
    rows_in_tail_ += run.row_count;
  });
}

// Chunks fit where they hold the same columns in the same places, and where every chunk before them
// is full.
inline bool Archetype::CanAdopt(const Archetype& source) const {
  if (&source == this || capacity_ != source.capacity_) return false;
  if (!chunks_.empty() && rows_in_tail_ != capacity_) return false;
  if (columns_.size() != source.columns_.size()) return false;
  return std::equal(columns_.begin(), columns_.end(), source.columns_.begin(),
                    [](const Column& a, const Column& b) {
                      return a.component == b.component && a.begin_bytes == b.begin_bytes &&
                             a.size_bytes == b.size_bytes;
                    });
}

template <typename Moved>
void Archetype::AdoptChunks(Archetype& source, std::uint64_t version, Moved moved) noexcept {
  ASHLAR_EVER(!chunks_.empty(), "archetype: chunks adopted behind others");
  for (std::uint32_t i = 0; i < source.chunks_.size(); ++i) {
    const ChunkIndex from(i);
    const ChunkIndex chunk(static_cast<std::uint32_t>(chunks_.size()));
    const std::uint32_t rows = source.RowsInChunk(from);
    PushChunk(source.chunks_[i]);
    rows_in_tail_ = rows;
    versions_.RowArrived(chunk, version);
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (!enable_bits_.empty()) {
        enable_bits_.EnableRow(chunk, RowIndex(row));
        signature_.ForEach([&](ComponentId component) {
          const std::uint32_t to = EnablePlace(component);
          const std::uint32_t at = source.EnablePlace(component);
          if (to == kNotEnableable || at == kNotEnableable) return;
          enable_bits_.Set(to, chunk, RowIndex(row),
                           source.enable_bits_.Get(at, from, RowIndex(row)));
        });
      }
      moved(EntityAt(chunk, RowIndex(row)), Location{id_, chunk, RowIndex(row)});
    }
  }
  source.chunks_.clear();
  source.versions_.Clear();
  source.enable_bits_.Clear();
  source.rows_in_tail_ = 0;
}

}  // namespace ashlar::inline v0
