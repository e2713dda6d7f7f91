// ChunkRun: chunks of one archetype that follow each other, whole, for loops that look a column up
// once and not in each chunk. Comes from an iteration scope and dies with it.
//
//   scope.VisitRuns([&](const ChunkRun& run) {
//     const ChunkRun::Column<std::byte> column = run.WriteBytes(position);
//     for (std::size_t i = 0; i < run.size(); ++i) Work(column[i], run.row_count(i));
//   });
//
// A view of a chunk asks again and again what is the same for all chunks of an archetype. Where a
// chunk's rows are moved in twenty nanoseconds, that asking is a fifth of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ashlar/core/check.h"
#include "ashlar/core/ids.h"
#include "ashlar/query/column_lookup.h"
#include "ashlar/query/query_terms.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

// Runs come from the first to the last, or from the last to the first. A loop that goes back where
// another, or itself, has gone forth finds in the caches what was touched last. In which order the
// chunks of a run are gone through is the visitor's choice.
enum class RunOrder : std::uint8_t { kForwards, kBackwards };

// Which of `size` things comes as number i in that order. REQUIRES: i < size.
constexpr std::size_t InOrder(RunOrder order, std::size_t i, std::size_t size) {
  return order == RunOrder::kForwards ? i : size - 1 - i;
}

class ChunkRun {
 public:
  // A column in each chunk of the run.
  template <typename Byte>
  class Column {
   public:
    // The column's first value in chunk i, at a 64-byte boundary. REQUIRES: i is below the run's
    // size.
    Byte* operator[](std::size_t i) const { return chunks_[i] + begin_bytes_; }

   private:
    friend class ChunkRun;
    Column(std::byte* const* chunks, std::size_t begin_bytes)
        : chunks_(chunks), begin_bytes_(begin_bytes) {}

    std::byte* const* chunks_;
    std::size_t begin_bytes_;
  };

  // REQUIRES: size > 0; the archetype has the chunks from `first` to first + size - 1, and outlives
  // the run, as `terms` do. Columns that are written get `version`.
  ChunkRun(const QueryTerms& terms, Archetype& archetype, ChunkIndex first, std::size_t size,
           std::uint64_t version)
      : terms_(&terms),
        archetype_(&archetype),
        chunks_(archetype.chunks().subspan(first.value(), size)),
        first_(first),
        version_(version) {}

  // Chunks; at least 1. Below they are numbered from 0.
  std::size_t size() const { return chunks_.size(); }

  // Rows of a chunk; at least 1. REQUIRES: i < size().
  std::size_t row_count(std::size_t i) const { return archetype_->RowsInChunk(ChunkAt(i)); }

  ArchetypeId archetype() const { return archetype_->id(); }
  ChunkIndex first_chunk() const { return first_; }
  bool Has(ComponentId component) const { return internal::HasComponent(*archetype_, component); }

  // REQUIRES: Has(component), it is not split and no tag.
  Column<const std::byte> ReadBytes(ComponentId component) const {
    return {chunks_.data(), StoredColumnOf(component).begin_bytes};
  }

  // The same for writing: from now on the column counts as changed in the scope's version, in every
  // chunk of the run. REQUIRES besides: the query's term for it is one that writes. Cost: O(1)
  // where the run is all chunks of the archetype, else O(size). Threads: as a write to that column
  // of every chunk of the run; ScopePartition gives each thread runs of its own.
  Column<std::byte> WriteBytes(ComponentId component) const {
    const ashlar::Column column = StoredColumnOf(component);
    ASHLAR_CHECK(terms_->writes.Contains(component));
    ChunkVersions& versions = archetype_->versions();
    if (size() == archetype_->chunk_count()) {
      versions.ColumnWrittenInAll(column.place, version_);
    } else {
      for (std::size_t i = 0; i < size(); ++i) {
        versions.ColumnWritten(ChunkAt(i), column.place, version_);
      }
    }
    return {chunks_.data(), column.begin_bytes};
  }

 private:
  ChunkIndex ChunkAt(std::size_t i) const {
    return ChunkIndex(first_.value() + static_cast<std::uint32_t>(i));
  }

  ashlar::Column StoredColumnOf(ComponentId component) const {
    const ashlar::Column column = internal::WholeColumnOf(*archetype_, component);
    ASHLAR_CHECK(column.begin_bytes != 0);
    return column;
  }

  const QueryTerms* terms_;
  Archetype* archetype_;
  std::span<std::byte* const> chunks_;
  ChunkIndex first_;
  std::uint64_t version_;
};

}  // namespace ashlar::inline v0
