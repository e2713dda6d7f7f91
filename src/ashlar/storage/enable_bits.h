// EnableBits: which rows of one archetype have which of its enableable components enabled.
//
//   chunk 0: | count | bits of component 0 | count | bits of component 1 | ...   beside the chunks
//   chunk 1: | ...
//
//   count  rows whose bit is 1
//   bits   64 rows a word, row 0 in the lowest bit; words for a whole chunk
//
//   I9  each count is the number of its bits, and rows that are not there have no bit.
//
// Threads: writes to different chunks, or to different components, may run at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "ashlar/core/ids.h"
#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

class EnableBits {
 public:
  // `capacity`: rows of a chunk.
  EnableBits(std::size_t component_count, std::uint32_t capacity, std::pmr::memory_resource* memory)
      : component_count_(component_count),
        word_count_((capacity + 63u) / 64u),
        stride_(component_count * (1 + word_count_)),
        words_(memory) {}

  // Whether the archetype has no enableable component; then nothing below is called.
  bool empty() const { return component_count_ == 0; }
  std::size_t component_count() const { return component_count_; }
  std::size_t chunk_count() const { return empty() ? 0 : words_.size() / stride_; }

  // Room for more chunks. Throws std::bad_alloc; then nothing has changed.
  void ReserveChunks(std::size_t count) { ReserveMore(words_, stride_ * count); }

  // REQUIRES for Push: there is room. For Pop: no row is left in the last chunk.
  void PushChunk() noexcept { words_.resize(words_.size() + stride_); }
  void PopChunk() noexcept { words_.resize(words_.size() - stride_); }

  void Clear() noexcept { words_.clear(); }

  // Gives the memory back where there is no chunk.
  void Trim() noexcept {
    if (words_.empty()) decltype(words_)(words_.get_allocator()).swap(words_);
  }

  // A row has come: all of its components are enabled.
  void EnableRow(ChunkIndex chunk, RowIndex row) noexcept {
    for (std::size_t place = 0; place < component_count_; ++place) Set(place, chunk, row, true);
  }

  // A row has gone.
  void ClearRow(ChunkIndex chunk, RowIndex row) noexcept {
    for (std::size_t place = 0; place < component_count_; ++place) Set(place, chunk, row, false);
  }

  // The row takes the bits of another.
  void CopyRow(ChunkIndex from_chunk, RowIndex from, ChunkIndex chunk, RowIndex row) noexcept {
    for (std::size_t place = 0; place < component_count_; ++place) {
      Set(place, chunk, row, Get(place, from_chunk, from));
    }
  }

  bool Get(std::size_t place, ChunkIndex chunk, RowIndex row) const {
    return (words(place, chunk)[row.value() / 64u] >> (row.value() % 64u)) & 1u;
  }

  // Whether that changed the bit.
  bool Set(std::size_t place, ChunkIndex chunk, RowIndex row, bool enabled) noexcept {
    std::uint64_t* count = &words_[Begin(place, chunk)];
    std::uint64_t& word = count[1 + row.value() / 64u];
    const std::uint64_t mask = std::uint64_t{1} << (row.value() % 64u);
    if (((word & mask) != 0) == enabled) return false;
    word ^= mask;
    *count += enabled ? 1 : std::uint64_t{0} - 1;
    return true;
  }

  // Rows of the chunk whose component at that place is enabled.
  std::uint64_t enabled_count(std::size_t place, ChunkIndex chunk) const {
    return words_[Begin(place, chunk)];
  }
  std::span<const std::uint64_t> words(std::size_t place, ChunkIndex chunk) const {
    return {&words_[Begin(place, chunk) + 1], word_count_};
  }

 private:
  friend struct StorageTestPeer;

  std::size_t Begin(std::size_t place, ChunkIndex chunk) const {
    return chunk.value() * stride_ + place * (1 + word_count_);
  }

  std::size_t component_count_;
  std::size_t word_count_;  // Of one component in one chunk.
  std::size_t stride_;      // Of one chunk.
  std::pmr::vector<std::uint64_t> words_;
};

}  // namespace ashlar::inline v0
