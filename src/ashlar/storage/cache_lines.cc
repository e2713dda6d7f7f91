#include "ashlar/storage/cache_lines.h"

#include <algorithm>
#include <numeric>

#include "ashlar/core/limits.h"

namespace ashlar::inline v0 {

namespace {

// Record by record; the first one begins at a multiple of 64.
std::uint64_t CountLines(std::uint64_t count, std::uint64_t record_bytes,
                         std::span<const RecordBytes> hot) {
  std::uint64_t lines = 0;
  std::uint64_t next_line = 0;  // The first line that is not counted yet.
  for (std::uint64_t begin = 0; begin < count * record_bytes; begin += record_bytes) {
    for (const RecordBytes& bytes : hot) {
      if (bytes.begin == bytes.end) continue;
      const std::uint64_t first = std::max((begin + bytes.begin) / kCacheLineBytes, next_line);
      const std::uint64_t last = (begin + bytes.end - 1) / kCacheLineBytes;
      if (last < first) continue;
      lines += last - first + 1;
      next_line = last + 1;
    }
  }
  return lines;
}

}  // namespace

CacheLineUse RecordLineUse(std::uint64_t count, std::uint64_t record_bytes,
                           std::uint64_t hot_bytes) {
  const RecordBytes hot{0, hot_bytes};
  return RecordLineUse(count, record_bytes, std::span(&hot, 1));
}

// After so many records that they end with a line, all comes again.
CacheLineUse RecordLineUse(std::uint64_t count, std::uint64_t record_bytes,
                           std::span<const RecordBytes> hot) {
  CacheLineUse use;
  for (const RecordBytes& bytes : hot) use.bytes_useful += count * (bytes.end - bytes.begin);
  const std::uint64_t period =
      kCacheLineBytes / std::gcd<std::uint64_t>(record_bytes, kCacheLineBytes);
  use.lines = count / period * CountLines(period, record_bytes, hot) +
              CountLines(count % period, record_bytes, hot);
  use.bytes_touched = use.lines * kCacheLineBytes;
  return use;
}

CacheLineUse ColumnLineUse(std::uint64_t count, std::span<const std::uint32_t> element_sizes) {
  CacheLineUse use;
  for (std::uint32_t size : element_sizes) {
    const std::uint64_t bytes = count * size;
    use.bytes_useful += bytes;
    use.lines += (bytes + kCacheLineBytes - 1) / kCacheLineBytes;
  }
  use.bytes_touched = use.lines * kCacheLineBytes;
  return use;
}

}  // namespace ashlar::inline v0
