#include "ashlar/world/chunk_range.h"

#include <algorithm>
#include <cstdint>

#include "ashlar/core/limits.h"

namespace ashlar::inline v0 {

ScopePartition::ScopePartition(const QueryTerms* terms, const RowFilter& filter,
                               std::uint64_t version, std::span<Archetype* const> matches,
                               std::size_t range_count_max)
    : terms_(terms), filter_(filter), version_(version) {
  for (const Archetype* archetype : matches) chunk_count_ += archetype->chunk_count();
  range_count_ =
      std::min({std::max(range_count_max, std::size_t{1}), kRangeCountMax, chunk_count_});

  std::size_t range = 0;
  std::size_t before = 0;  // Chunks of the archetypes before this one.
  for (auto archetype = matches.begin(); range < range_count_; ++archetype) {
    const std::size_t behind = before + (*archetype)->chunk_count();
    for (; range < range_count_ && FirstOf(range) < behind; ++range) {
      const auto chunk = static_cast<std::uint32_t>(FirstOf(range) - before);
      starts_[range] = {&*archetype, chunk};
      // Then no cache line of values belongs to two ranges.
      const auto base =
          reinterpret_cast<std::uintptr_t>((*archetype)->ChunkBase(ChunkIndex(chunk)));
      ASHLAR_CHECK(base % kCacheLineBytes == 0);
    }
    before = behind;
  }
}

}  // namespace ashlar::inline v0
