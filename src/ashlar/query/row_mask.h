// RowMask: which rows of a chunk a query wants, as bits.
//
// Where enable bits are switched at random, runs of wanted rows are a row or two long, and a loop
// over them is all overhead. With the mask a loop may do whole blocks of 64 rows and keep what it
// computed for those that are wanted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ashlar/core/limits.h"
#include "ashlar/query/row_filter.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

class RowMask {
 public:
  static constexpr std::size_t kWordRows = 64;

  // The bits as they are now. REQUIRES: the archetype matches the filter's terms.
  RowMask(const RowFilter& filter, const Archetype& archetype, ChunkIndex chunk)
      : row_count_(archetype.RowsInChunk(chunk)),
        wanted_count_(filter.WantedWords(archetype, chunk, words_)) {}

  std::size_t row_count() const { return row_count_; }        // Of the chunk.
  std::size_t wanted_count() const { return wanted_count_; }  // Of those.
  std::size_t word_count() const { return (row_count_ + kWordRows - 1) / kWordRows; }

  // Rows 64 * i to 64 * i + 63, the first in the lowest bit; rows that are not there are 0.
  // REQUIRES: i < word_count().
  std::uint64_t word(std::size_t i) const { return words_[i]; }

 private:
  // A chunk has at least an id for each row.
  static constexpr std::size_t kWordsMax =
      (kChunkSizeBytesMax - kChunkHeaderBytes) / sizeof(Entity) / kWordRows + 1;

  std::array<std::uint64_t, kWordsMax> words_;  // Those below word_count() are set.
  std::size_t row_count_;
  std::size_t wanted_count_;
};

}  // namespace ashlar::inline v0
