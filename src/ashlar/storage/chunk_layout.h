// Chunk layout: where each column of a chunk begins and ends. Pure arithmetic, no memory of a
// chunk.
//
// position f32[3], velocity f32[3], health i32 in 4096 bytes: 112 rows, full to the last byte.
//
//   0        64            960              2304             3648      4096
//   | header | entity ids  | position       | velocity       | health  |
//   |  64    | 112 * 8     | 112 * 12       | 112 * 12       | 112 * 4 |
//
// Each column begins at a multiple of 64 and is tight inside. The capacity is the largest number of
// rows with which the last column still ends inside the chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/core/limits.h"

namespace ashlar::inline v0 {

// A column: bytes [begin_bytes, end_bytes) of the chunk, one value every stride_bytes.
struct ColumnExtent {
  std::uint32_t begin_bytes = 0;
  std::uint32_t end_bytes = 0;
  std::uint32_t stride_bytes = 0;

  friend bool operator==(const ColumnExtent&, const ColumnExtent&) = default;
};

// Whether `bytes` may be the size of a chunk: a power of two, 4096 to 65536.
constexpr bool IsChunkSize(std::size_t bytes) {
  return bytes >= kChunkSizeBytesMin && bytes <= kChunkSizeBytesMax && (bytes & (bytes - 1)) == 0;
}

// Whether `bytes` may be the size of one value in a column.
constexpr bool IsElementSize(std::size_t bytes) {
  return bytes >= 1 && bytes <= kComponentSizeBytesMax;
}

class ChunkLayout {
 public:
  // Lays out the entity column and one column for each of `element_sizes` (bytes of one value; tags
  // have no column and are left out), in that order. `rows_max` caps the capacity, and the offsets
  // are those of the capped number of rows; 0 for no cap. Errors: kOptionInvalid for a chunk size
  // or an element size out of its range, kRowTooLarge when not even one row fits. Throws
  // std::bad_alloc. Cost: O(columns * log(chunk size)).
  static absl::StatusOr<ChunkLayout> Compute(
      std::span<const std::uint32_t> element_sizes, std::size_t chunk_size_bytes,
      std::uint32_t rows_max = 0,
      std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  std::size_t chunk_size_bytes() const { return chunk_size_bytes_; }
  std::uint32_t capacity() const { return capacity_; }
  const ColumnExtent& entities() const { return entities_; }
  std::span<const ColumnExtent> columns() const { return columns_; }

  // Calls visit(begin_bytes, end_bytes) for every stretch of the chunk that no column covers: the
  // header, the gap behind each column, the rest of the chunk. Empty stretches are left out.
  template <typename Visit>
  void ForEachGap(Visit visit) const {
    visit(0u, entities_.begin_bytes);
    std::uint32_t end = entities_.end_bytes;
    for (const ColumnExtent& column : columns_) {
      if (end != column.begin_bytes) visit(end, column.begin_bytes);
      end = column.end_bytes;
    }
    const auto size = static_cast<std::uint32_t>(chunk_size_bytes_);
    if (end != size) visit(end, size);
  }

 private:
  friend struct StorageTestPeer;

  explicit ChunkLayout(std::pmr::memory_resource* memory) : columns_(memory) {}

  std::size_t chunk_size_bytes_ = 0;
  std::uint32_t capacity_ = 0;
  ColumnExtent entities_;
  std::pmr::vector<ColumnExtent> columns_;
};

}  // namespace ashlar::inline v0
