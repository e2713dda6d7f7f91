// RowFilter: which rows of a chunk a query wants, by their enable bits.
//
// Rows are given as runs, so that loops over them stay dense. Where every bit agrees, as it does in
// most chunks, the counts say so and no bit is looked at.
#pragma once

#include <cstdint>
#include <span>

#include "ashlar/core/ids.h"
#include "ashlar/query/query_terms.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

// A term of a query that looks at the bits of one component.
struct RowTerm {
  enum class Kind : std::uint8_t { kAll, kAny, kNone };
  Kind kind = Kind::kAll;
  ComponentId component;
};

// Rows [begin, end) of a chunk.
struct RowRun {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool empty() const { return begin == end; }
};

// Refers to a query's terms. Plain data.
class RowFilter {
 public:
  RowFilter() = default;  // Takes every row.
  RowFilter(const QueryTerms* terms, std::span<const RowTerm> row_terms)
      : terms_(terms), row_terms_(row_terms) {}

  // Whether it takes every row of every archetype.
  bool empty() const { return row_terms_.empty(); }

  // The first run of wanted rows that begins at or behind `from`, as long as it goes; an empty one
  // at the chunk's end where there is none. Bits are read when it is called. REQUIRES for both: the
  // archetype matches the terms. Cost: O(rows / 64 * row terms).
  RowRun NextRun(const Archetype& archetype, ChunkIndex chunk, std::uint32_t from) const;

  // Calls visit(chunk, run) for every run of wanted rows of the archetype, in order.
  template <typename Visit>
  void ForEachRun(const Archetype& archetype, Visit visit) const {
    for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i) {
      const ChunkIndex chunk(i);
      for (RowRun run = NextRun(archetype, chunk, 0); !run.empty();
           run = NextRun(archetype, chunk, run.end)) {
        visit(chunk, run);
      }
    }
  }

  // Writes a bit for each row of the chunk, 64 rows a word; returns how many are wanted. REQUIRES:
  // `words` has room for them.
  std::uint32_t WantedWords(const Archetype& archetype, ChunkIndex chunk,
                            std::span<std::uint64_t> words) const;

  // Wanted rows of the chunk.
  std::uint32_t CountRows(const Archetype& archetype, ChunkIndex chunk) const;

 private:
  // What the counts alone say. (Of any-terms: every row where all of them are enabled everywhere.)
  enum class Verdict : std::uint8_t { kEveryRow, kNoRow, kByBits };
  Verdict Judge(const Archetype& archetype, ChunkIndex chunk) const;

  // Bits of 64 rows; those beyond the chunk's rows are 0.
  std::uint64_t Word(const Archetype& archetype, ChunkIndex chunk, std::uint32_t word,
                     std::uint32_t row_count) const;

  const QueryTerms* terms_ = nullptr;
  std::span<const RowTerm> row_terms_;
};

}  // namespace ashlar::inline v0
