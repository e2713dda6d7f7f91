// IterationScope: while one is open, rows stay where they are.
//
//   auto scope = world.OpenScope(query);
//   if (!scope.ok()) return scope.status();
//   for (const ChunkView& view : *scope) {
//     for (Position& position : view.Write(positions)) { ... }
//   }
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "ashlar/query/chunk_run.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/query/query_table.h"
#include "ashlar/query/row_mask.h"
#include "ashlar/storage/archetype.h"
#include "ashlar/world/chunk_range.h"

namespace ashlar::inline v0 {

// Visits the chunks that a query matches: in the order of archetype numbers, then of chunks, then
// of rows; none is empty. Where the query looks at enable bits, a view is a run of rows; the bits
// that count are those at the moment when the iterator comes there. Movable; a moved-from scope is
// closed. Ends when it is closed or destroyed, however the block is left. REQUIRES: the world
// outlives it.
class IterationScope {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = ChunkView;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = ChunkView;

    ChunkView operator*() const {
      if (!filter_.empty()) [[unlikely]] {
        return ChunkView(*terms_, **archetype_, ChunkIndex(chunk_), version_, run_);
      }
      return ChunkView(*terms_, **archetype_, ChunkIndex(chunk_), version_);
    }
    Iterator& operator++() {
      if (!filter_.empty()) [[unlikely]] {
        FindRun(run_.end);
        return *this;
      }
      if (++chunk_ == (*archetype_)->chunk_count()) {
        ++archetype_;
        chunk_ = 0;
        SkipEmpty();
      }
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& a, const Iterator& b) {
      return a.archetype_ == b.archetype_ && a.chunk_ == b.chunk_ && a.run_.begin == b.run_.begin;
    }

   private:
    friend class IterationScope;
    using Position = std::span<Archetype* const>::iterator;

    Iterator(const QueryTerms* terms, const RowFilter& filter, Position archetype, Position end,
             std::uint64_t version)
        : terms_(terms), filter_(filter), archetype_(archetype), end_(end), version_(version) {
      if (filter_.empty()) [[likely]] {
        SkipEmpty();
      } else {
        FindRun(0);
      }
    }
    void SkipEmpty() {
      while (archetype_ != end_ && (*archetype_)->chunk_count() == 0) ++archetype_;
    }

    // The next run, from that row of the chunk on.
    void FindRun(std::uint32_t from) {
      for (; archetype_ != end_; ++archetype_, chunk_ = 0) {
        for (; chunk_ < (*archetype_)->chunk_count(); ++chunk_, from = 0) {
          run_ = filter_.NextRun(**archetype_, ChunkIndex(chunk_), from);
          if (!run_.empty()) return;
        }
      }
      run_ = {};
    }

    const QueryTerms* terms_;
    RowFilter filter_;
    Position archetype_;
    Position end_;
    std::uint64_t version_;
    std::uint32_t chunk_ = 0;
    RowRun run_;  // Where the filter is not empty.
  };

  IterationScope(IterationScope&& other) noexcept
      : depth_(std::exchange(other.depth_, nullptr)),
        writing_depth_(std::exchange(other.writing_depth_, nullptr)),
        terms_(other.terms_),
        filter_(other.filter_),
        matches_(std::exchange(other.matches_, {})),
        version_(other.version_) {}
  IterationScope& operator=(IterationScope&& other) noexcept {
    if (this != &other) {
      Close();
      depth_ = std::exchange(other.depth_, nullptr);
      writing_depth_ = std::exchange(other.writing_depth_, nullptr);
      terms_ = other.terms_;
      filter_ = other.filter_;
      matches_ = std::exchange(other.matches_, {});
      version_ = other.version_;
    }
    return *this;
  }
  ~IterationScope() { Close(); }

  // Ends the scope; its views and spans are dead. Closing twice is fine.
  void Close() noexcept {
    if (depth_ == nullptr) return;
    if (writing_depth_ != nullptr) writing_depth_->fetch_sub(1, std::memory_order_release);
    writing_depth_ = nullptr;
    depth_->fetch_sub(1, std::memory_order_release);
    depth_ = nullptr;
    matches_ = {};
  }
  bool is_open() const { return depth_ != nullptr; }

  // Calls visit(view, mask) for each chunk that has a wanted row: the view is all rows of the
  // chunk, the RowMask says which of them are wanted. For loops that compute whole blocks and keep
  // a part; what is not wanted may be read and must stay as it is.
  template <typename Visit>
  void VisitMasked(Visit visit) const {
    for (Archetype* archetype : matches_) {
      for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
        const RowMask mask(filter_, *archetype, ChunkIndex(chunk));
        if (mask.wanted_count() == 0) continue;
        visit(ChunkView(*terms_, *archetype, ChunkIndex(chunk), version_), mask);
      }
    }
  }

  // Calls visit(run) for the chunks of each matched archetype, in the scope's order or from the
  // last archetype to the first: whole chunks, whatever the enable bits say.
  template <typename Visit>
  void VisitRuns(Visit visit, RunOrder order = RunOrder::kForwards) const {
    for (std::size_t i = 0; i < matches_.size(); ++i) {
      Archetype* const archetype = matches_[InOrder(order, i, matches_.size())];
      const std::size_t chunk_count = archetype->chunk_count();
      if (chunk_count == 0) continue;
      visit(ChunkRun(*terms_, *archetype, ChunkIndex(0), chunk_count, version_));
    }
  }

  Iterator begin() const { return IteratorAt(matches_.begin()); }
  Iterator end() const { return IteratorAt(matches_.end()); }

  // The scope's chunks in at most so many ranges, and at most ScopePartition::kRangeCountMax: each
  // chunk in exactly one, in the scope's order, the same number in each but for one more or less
  // (enable bits are not looked at). Equal worlds are cut alike. Ranges may be visited at the same
  // time; each may write the columns that the query writes. 0 is taken for 1. Cost: O(archetypes +
  // ranges); it allocates nothing.
  ScopePartition Partition(std::size_t range_count_max) const {
    return ScopePartition(terms_, filter_, version_, matches_, range_count_max);
  }

 private:
  friend class World;
  IterationScope(std::atomic<std::uint32_t>* depth, const QueryTerms* terms,
                 const RowFilter& filter, std::span<Archetype* const> matches)
      : depth_(depth), terms_(terms), filter_(filter), matches_(matches) {}

  Iterator IteratorAt(std::span<Archetype* const>::iterator archetype) const {
    return Iterator(terms_, filter_, archetype, matches_.end(), version_);
  }

  // Columns that are written get this version.
  void BeginWriting(std::atomic<std::uint32_t>* writing_depth, std::uint64_t version) {
    writing_depth_ = writing_depth;
    version_ = version;
  }

  std::atomic<std::uint32_t>* depth_;                    // Null: closed.
  std::atomic<std::uint32_t>* writing_depth_ = nullptr;  // Null: nothing is written.
  const QueryTerms* terms_;
  RowFilter filter_;
  std::span<Archetype* const> matches_;
  std::uint64_t version_ = 0;
};

}  // namespace ashlar::inline v0
