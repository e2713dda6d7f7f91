#include "ashlar/storage/chunk_layout.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0 {
namespace {

constexpr std::uint64_t AlignUp(std::uint64_t bytes) {
  return (bytes + (kCacheLineBytes - 1)) & ~std::uint64_t{kCacheLineBytes - 1};
}

// Where the last column ends with so many rows.
std::uint64_t EndWithRows(std::span<const std::uint32_t> element_sizes, std::uint64_t rows) {
  std::uint64_t end = kChunkHeaderBytes + rows * sizeof(Entity);
  for (std::uint32_t size : element_sizes) end = AlignUp(end) + rows * size;
  return end;
}

// The largest number of rows that fits; the end grows with the rows, so bisection finds it.
std::uint32_t NaturalCapacity(std::span<const std::uint32_t> element_sizes,
                              std::size_t chunk_size_bytes) {
  std::uint64_t row_bytes = sizeof(Entity);
  for (std::uint32_t size : element_sizes) row_bytes += size;
  std::uint64_t fits = 0;
  std::uint64_t fits_not = (chunk_size_bytes - kChunkHeaderBytes) / row_bytes + 1;
  while (fits + 1 < fits_not) {
    const std::uint64_t middle = fits + (fits_not - fits) / 2;
    (EndWithRows(element_sizes, middle) <= chunk_size_bytes ? fits : fits_not) = middle;
  }
  return static_cast<std::uint32_t>(fits);
}

}  // namespace

absl::StatusOr<ChunkLayout> ChunkLayout::Compute(std::span<const std::uint32_t> element_sizes,
                                                 std::size_t chunk_size_bytes,
                                                 std::uint32_t rows_max,
                                                 std::pmr::memory_resource* memory) {
  if (!IsChunkSize(chunk_size_bytes)) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid,
                     absl::StrCat("a chunk of ", chunk_size_bytes,
                                  " bytes: a power of two from 4096 to 65536 is needed"));
  }
  for (std::uint32_t size : element_sizes) {
    if (IsElementSize(size)) continue;
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid,
                     absl::StrCat("a column of ", size, "-byte values: 1 to ",
                                  kComponentSizeBytesMax, " bytes are possible"));
  }
  std::uint32_t rows = NaturalCapacity(element_sizes, chunk_size_bytes);
  if (rows == 0) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kRowTooLarge,
                     absl::StrCat("one row ends at byte ", EndWithRows(element_sizes, 1),
                                  " and does not fit a chunk of ", chunk_size_bytes,
                                  " bytes; use larger chunks or smaller components"));
  }
  if (rows_max != 0) rows = std::min(rows, rows_max);

  ChunkLayout layout(memory);
  layout.chunk_size_bytes_ = chunk_size_bytes;
  layout.capacity_ = rows;
  layout.columns_.reserve(element_sizes.size());
  std::uint64_t begin = kChunkHeaderBytes;
  std::uint64_t end = begin + std::uint64_t{rows} * sizeof(Entity);
  layout.entities_ = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                      sizeof(Entity)};
  for (std::uint32_t size : element_sizes) {
    begin = AlignUp(end);
    end = begin + std::uint64_t{rows} * size;
    layout.columns_.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), size});
  }
  return layout;
}

}  // namespace ashlar::inline v0
