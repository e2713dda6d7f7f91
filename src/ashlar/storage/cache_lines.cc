#include "ashlar/storage/cache_lines.h"

#include <algorithm>

#include "ashlar/core/limits.h"

namespace ashlar::inline v0 {

CacheLineUse RecordLineUse(std::uint64_t count, std::uint64_t record_bytes,
                           std::uint64_t hot_bytes) {
  CacheLineUse use;
  use.bytes_useful = count * hot_bytes;
  if (hot_bytes == 0) return use;
  std::uint64_t next_line = 0;  // The first line that is not counted yet.
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t first = std::max(i * record_bytes / kCacheLineBytes, next_line);
    const std::uint64_t last = (i * record_bytes + hot_bytes - 1) / kCacheLineBytes;
    if (last < first) continue;
    use.lines += last - first + 1;
    next_line = last + 1;
  }
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
