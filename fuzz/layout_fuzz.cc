// layout_fuzz: bytes -> a chunk size, a cap and columns -> the layout, held against brute force.
//
//   header (8 bytes)                                   column (3 bytes)
//   +0  low 7 bits mod 5 -> 4K..64K; bit 7: the chunk  +0  how the number is meant (mod 4):
//       size is the number in +4..+7 instead               0: 1..64  1: 1..4096  2: as it is
//   +1  bit 0: there is a cap, in +2..+3                    3: 65535, 65536 or 65537
//                                                      +1  the number, little-endian
//
// The brute force shares nothing with the layout function: it tries one row more until the last
// column leaves the chunk, and rounds by division.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ashlar/core/check.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"
#include "ashlar/storage/chunk_layout.h"

namespace ashlar::fuzz {
namespace {

constexpr std::size_t kHeaderBytes = 8;
constexpr std::size_t kColumnBytes = 3;
constexpr std::size_t kColumnCountMax = 512;

struct Case {
  std::size_t chunk_size_bytes = 4096;
  std::uint32_t rows_max = 0;
  std::vector<std::uint32_t> element_sizes;
};

std::uint32_t ElementSize(const std::uint8_t* column) {
  const std::uint32_t number = column[1] | (std::uint32_t{column[2]} << 8);
  switch (column[0] % 4) {
    case 0:
      return 1 + number % 64;
    case 1:
      return 1 + number % 4096;
    case 2:
      return number;
    default:
      return 65535 + number % 3;
  }
}

Case Decode(std::span<const std::uint8_t> bytes) {
  Case decoded;
  std::uint8_t header[kHeaderBytes] = {};
  std::copy_n(bytes.begin(), std::min(bytes.size(), kHeaderBytes), header);
  decoded.chunk_size_bytes = std::size_t{4096} << ((header[0] & 0x7F) % 5);
  if ((header[0] & 0x80) != 0) {
    decoded.chunk_size_bytes = header[4] | (std::size_t{header[5]} << 8) |
                               (std::size_t{header[6]} << 16) | (std::size_t{header[7]} << 24);
  }
  if ((header[1] & 1) != 0) decoded.rows_max = header[2] | (std::uint32_t{header[3]} << 8);
  for (std::size_t at = kHeaderBytes; at + kColumnBytes <= bytes.size(); at += kColumnBytes) {
    if (decoded.element_sizes.size() == kColumnCountMax) break;
    decoded.element_sizes.push_back(ElementSize(&bytes[at]));
  }
  return decoded;
}

std::uint64_t RoundUp(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

std::uint64_t End(const Case& c, std::uint64_t rows) {
  std::uint64_t end = 64 + 8 * rows;
  for (std::uint32_t size : c.element_sizes) end = RoundUp(end) + rows * size;
  return end;
}

std::uint32_t BruteForceCapacity(const Case& c) {
  std::uint32_t rows = 0;
  while (End(c, rows + 1) <= c.chunk_size_bytes) ++rows;
  return c.rows_max != 0 && c.rows_max < rows ? c.rows_max : rows;
}

Reason ReasonExpected(const Case& c) {
  bool is_size = false;
  for (std::size_t size = 4096; size <= 65536; size *= 2) is_size |= c.chunk_size_bytes == size;
  if (!is_size) return Reason::kOptionInvalid;
  for (std::uint32_t size : c.element_sizes) {
    if (size < 1 || size > 65536) return Reason::kOptionInvalid;
  }
  return End(c, 1) > c.chunk_size_bytes ? Reason::kRowTooLarge : Reason::kNone;
}

void CheckColumn(const ColumnExtent& column, std::uint32_t previous_end, std::uint32_t rows,
                 std::uint32_t stride) {
  ASHLAR_CHECK(column.stride_bytes == stride);
  ASHLAR_CHECK(column.begin_bytes == RoundUp(previous_end));
  ASHLAR_CHECK(column.end_bytes - column.begin_bytes == std::uint64_t{rows} * stride);
}

// Columns and gaps together cover every byte of the chunk once.
void CheckTiling(const ChunkLayout& layout) {
  struct Stretch {
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::vector<Stretch> stretches;
  stretches.push_back({layout.entities().begin_bytes, layout.entities().end_bytes});
  for (const ColumnExtent& column : layout.columns()) {
    stretches.push_back({column.begin_bytes, column.end_bytes});
  }
  layout.ForEachGap([&](std::uint32_t begin, std::uint32_t end) {
    ASHLAR_CHECK(begin < end);
    stretches.push_back({begin, end});
  });
  std::ranges::sort(stretches, {}, &Stretch::begin);
  std::uint64_t at = 0;
  for (const Stretch& stretch : stretches) {
    ASHLAR_CHECK(stretch.begin == at);
    at = stretch.end;
  }
  ASHLAR_CHECK(at == layout.chunk_size_bytes());
}

void CheckCase(const Case& c) {
  const auto layout = ChunkLayout::Compute(c.element_sizes, c.chunk_size_bytes, c.rows_max);
  const Reason expected = ReasonExpected(c);
  ASHLAR_CHECK(ReasonOf(layout.status()) == expected);
  ASHLAR_CHECK(layout.ok() == (expected == Reason::kNone));
  if (!layout.ok()) return;

  ASHLAR_CHECK(layout->chunk_size_bytes() == c.chunk_size_bytes);
  const std::uint32_t rows = BruteForceCapacity(c);
  ASHLAR_CHECK(layout->capacity() == rows);
  ASHLAR_CHECK(layout->columns().size() == c.element_sizes.size());
  CheckColumn(layout->entities(), 64, rows, 8);
  std::uint32_t end = layout->entities().end_bytes;
  for (std::size_t i = 0; i < c.element_sizes.size(); ++i) {
    CheckColumn(layout->columns()[i], end, rows, c.element_sizes[i]);
    end = layout->columns()[i].end_bytes;
  }
  ASHLAR_CHECK(end <= c.chunk_size_bytes);
  CheckTiling(*layout);
}

}  // namespace
}  // namespace ashlar::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ashlar::fuzz::CheckCase(ashlar::fuzz::Decode({data, size}));
  return 0;
}
