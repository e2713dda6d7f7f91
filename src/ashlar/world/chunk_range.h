// ChunkRange and ScopePartition: a scope's chunks, cut into ranges that threads may visit at the
// same time.
//
//   archetype 2 | 0 | 1 | 2 |     archetype 5 | 0 |     archetype 7 | 0 | 1 |
//   range         0 | 1   1                     2                     3   3
//
// No two ranges have a chunk in common, so none of the values, versions and enable bits that one
// range's views write is another's: chunks begin at multiples of 64, and versions and bits are
// words that belong to one chunk. The words of the chunks at a border may lie in one cache line;
// that costs a little time where both are written, once a range and column.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "ashlar/core/check.h"
#include "ashlar/core/ids.h"
#include "ashlar/query/chunk_run.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/query/query_terms.h"
#include "ashlar/query/row_filter.h"
#include "ashlar/query/row_mask.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

// Some of a scope's chunks, one after the other in the scope's order. Visiting them gives the views
// that the scope would give there. Dies with the scope. Plain data.
class ChunkRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = ChunkView;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = ChunkView;

    ChunkView operator*() const {
      return ChunkView(*terms_, **archetype_, ChunkIndex(chunk_), version_, run_);
    }
    Iterator& operator++() {
      FindRun(run_.end);
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) {
      return at.chunks_left_ == 0;
    }

   private:
    friend class ChunkRange;
    explicit Iterator(const ChunkRange& range)
        : terms_(range.terms_),
          filter_(range.filter_),
          version_(range.version_),
          archetype_(range.archetype_),
          chunk_(range.chunk_),
          chunks_left_(range.chunk_count_) {
      FindRun(0);
    }

    // The next run, from that row of the chunk on. Looks at no bit of a chunk behind the range,
    // which another thread may be writing.
    void FindRun(std::uint32_t from) {
      for (; chunks_left_ != 0; NextChunk(), from = 0) {
        run_ = RunFrom(from);
        if (!run_.empty()) return;
      }
    }
    RowRun RunFrom(std::uint32_t from) const {
      const ChunkIndex chunk(chunk_);
      if (!filter_.empty()) [[unlikely]] {
        return filter_.NextRun(**archetype_, chunk, from);
      }
      return {from, (*archetype_)->RowsInChunk(chunk)};
    }
    void NextChunk() {
      if (--chunks_left_ == 0) return;
      if (++chunk_ < (*archetype_)->chunk_count()) return;
      chunk_ = 0;
      do {
        ++archetype_;
      } while ((*archetype_)->chunk_count() == 0);
    }

    const QueryTerms* terms_;
    RowFilter filter_;
    std::uint64_t version_;
    Archetype* const* archetype_;
    std::uint32_t chunk_;
    std::size_t chunks_left_;
    RowRun run_;
  };

  std::size_t chunk_count() const { return chunk_count_; }

  // As IterationScope::VisitMasked.
  template <typename Visit>
  void VisitMasked(Visit visit) const {
    Archetype* const* archetype = archetype_;
    std::uint32_t chunk = chunk_;
    for (std::size_t left = chunk_count_; left != 0; --left, ++chunk) {
      while (chunk == (*archetype)->chunk_count()) {
        ++archetype;
        chunk = 0;
      }
      const RowMask mask(filter_, **archetype, ChunkIndex(chunk));
      if (mask.wanted_count() == 0) continue;
      visit(ChunkView(*terms_, **archetype, ChunkIndex(chunk), version_), mask);
    }
  }

  // As IterationScope::VisitRuns; an archetype whose chunks lie in several ranges gives each a run.
  template <typename Visit>
  void VisitRuns(Visit visit, RunOrder order = RunOrder::kForwards) const {
    if (order == RunOrder::kBackwards) return VisitRunsBackwards(visit);
    Archetype* const* archetype = archetype_;
    std::uint32_t chunk = chunk_;
    for (std::size_t left = chunk_count_; left != 0; ++archetype, chunk = 0) {
      const std::size_t size = std::min(left, (*archetype)->chunk_count() - chunk);
      if (size == 0) continue;
      visit(ChunkRun(*terms_, **archetype, ChunkIndex(chunk), size, version_));
      left -= size;
    }
  }

  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return std::default_sentinel; }

 private:
  friend class ScopePartition;

  // A range has a chunk (ScopePartition::size).
  template <typename Visit>
  void VisitRunsBackwards(Visit& visit) const {
    Archetype* const* archetype = archetype_;
    std::uint32_t chunk = chunk_;
    // Chunks of the range that are left from that one on: at last, those of the last archetype.
    std::size_t size = chunk_count_;
    for (; size > (*archetype)->chunk_count() - chunk; ++archetype, chunk = 0) {
      size -= (*archetype)->chunk_count() - chunk;
    }
    for (;;) {
      if (size != 0) visit(ChunkRun(*terms_, **archetype, ChunkIndex(chunk), size, version_));
      if (archetype == archetype_) return;
      --archetype;
      chunk = archetype == archetype_ ? chunk_ : 0;
      size = (*archetype)->chunk_count() - chunk;
    }
  }

  ChunkRange(const QueryTerms* terms, const RowFilter& filter, std::uint64_t version,
             Archetype* const* archetype, std::uint32_t chunk, std::size_t chunk_count)
      : terms_(terms),
        filter_(filter),
        version_(version),
        archetype_(archetype),
        chunk_(chunk),
        chunk_count_(chunk_count) {}

  const QueryTerms* terms_;
  RowFilter filter_;
  std::uint64_t version_;
  Archetype* const* archetype_;  // The first chunk's.
  std::uint32_t chunk_;
  std::size_t chunk_count_;
};

// All of a scope's chunks as ranges. Comes from IterationScope::Partition and dies with the scope.
// Plain data, some kilobytes.
class ScopePartition {
 public:
  static constexpr std::size_t kRangeCountMax = 256;

  // Ranges; none is empty. 0 where the scope has no chunk.
  std::size_t size() const { return range_count_; }

  // Chunks of all ranges.
  std::size_t chunk_count() const { return chunk_count_; }

  // REQUIRES: range < size().
  ChunkRange operator[](std::size_t range) const {
    ASHLAR_CHECK(range < range_count_);
    const Start& start = starts_[range];
    return ChunkRange(terms_, filter_, version_, start.archetype, start.chunk,
                      FirstOf(range + 1) - FirstOf(range));
  }

 private:
  friend class IterationScope;

  struct Start {
    Archetype* const* archetype = nullptr;
    std::uint32_t chunk = 0;
  };

  ScopePartition(const QueryTerms* terms, const RowFilter& filter, std::uint64_t version,
                 std::span<Archetype* const> matches, std::size_t range_count_max);

  // How many chunks lie before that range.
  std::size_t FirstOf(std::size_t range) const { return chunk_count_ * range / range_count_; }

  const QueryTerms* terms_;
  RowFilter filter_;
  std::uint64_t version_;
  std::size_t chunk_count_ = 0;
  std::size_t range_count_ = 0;
  std::array<Start, kRangeCountMax> starts_{};  // Those below range_count_ are set.
};

}  // namespace ashlar::inline v0
