// ValueReader: values of rows in one piece, wherever they lie.
#pragma once

#include <cstddef>
#include <vector>

#include "ashlar/core/limits.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

// For what goes over values one by one and is in no hurry. Uses the global heap.
class ValueReader {
 public:
  // The value of the row, or the object; null for a tag. `first` is the look-up of the component.
  // It lives until the next Read, and until the row is written.
  const std::byte* Read(const Archetype& archetype, const Column& first, std::size_t size_bytes,
                        const std::byte* chunk, std::size_t row) {
    if (first.begin_bytes == 0) return nullptr;
    if (!first.is_split()) return first.At(chunk, row);
    lines_.assign(size_bytes / sizeof(Line) + 1, Line{});
    archetype.LoadValue(first, chunk, row, lines_.front().bytes);
    return lines_.front().bytes;
  }

 private:
  struct alignas(kComponentAlignmentMax) Line {
    std::byte bytes[kComponentAlignmentMax];
  };
  std::vector<Line> lines_;
};

}  // namespace ashlar::inline v0
