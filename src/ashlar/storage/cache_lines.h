// How many cache lines a loop touches: arrays of structs against columns. Pure arithmetic.
#pragma once

#include <cstdint>
#include <span>

namespace ashlar::inline v0 {

// Lines of 64 bytes that are touched, and how many of their bytes the loop wanted.
struct CacheLineUse {
  std::uint64_t lines = 0;
  std::uint64_t bytes_touched = 0;  // lines * 64
  std::uint64_t bytes_useful = 0;
};

// `count` records of `record_bytes`, one after the other from a multiple of 64; the loop reads the
// first `hot_bytes` of each. REQUIRES: hot_bytes <= record_bytes. Cost: O(1).
CacheLineUse RecordLineUse(std::uint64_t count, std::uint64_t record_bytes,
                           std::uint64_t hot_bytes);

// Bytes [begin, end) of a record.
struct RecordBytes {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The same where the loop reads these bytes of each record. REQUIRES: they are in rising order, do
// not overlap, and end inside the record. Cost: O(ranges).
CacheLineUse RecordLineUse(std::uint64_t count, std::uint64_t record_bytes,
                           std::span<const RecordBytes> hot);

// `count` values in each of these columns, tight, each column from a multiple of 64.
CacheLineUse ColumnLineUse(std::uint64_t count, std::span<const std::uint32_t> element_sizes);

}  // namespace ashlar::inline v0
