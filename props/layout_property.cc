// The chunk layout against counting by hand, over random component sets.
#include <cstdint>
#include <set>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/storage/chunk_layout.h"
#include "props/property.h"

namespace ashlar::props {
namespace {

// Sizes as they occur: mostly a few bytes, some odd ones, now and then one that fills a chunk.
rc::Gen<std::uint32_t> AnyElementSize() {
  return rc::gen::weightedOneOf<std::uint32_t>(
      {{6, rc::gen::element<std::uint32_t>(1, 2, 4, 8, 12, 16, 24, 32, 64)},
       {3, rc::gen::inRange<std::uint32_t>(1, 200)},
       {1, rc::gen::inRange<std::uint32_t>(1, 5000)}});
}

// Marks every byte that a layout of `rows` rows needs. False when one does not fit, when a column
// would not begin at a multiple of 64, or when a byte is needed twice.
bool Paint(const std::vector<std::uint32_t>& sizes, std::size_t chunk_bytes, std::uint32_t rows,
           std::vector<ColumnExtent>* columns) {
  std::vector<bool> used(chunk_bytes, false);
  for (std::size_t i = 0; i < 64; ++i) used[i] = true;
  std::size_t next = 64;
  columns->clear();
  const auto paint = [&](std::uint32_t size) {
    while (next % 64 != 0) ++next;
    const std::size_t begin = next;
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t byte = 0; byte < size; ++byte, ++next) {
        if (next >= chunk_bytes || used[next]) return false;
        used[next] = true;
      }
    }
    columns->push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(next), size});
    return true;
  };
  if (!paint(8)) return false;
  for (std::uint32_t size : sizes) {
    if (!paint(size)) return false;
  }
  return true;
}

TEST(LayoutProperty, EqualsBruteForce) {
  Holds("capacity is the largest that fits; columns are disjoint and aligned", [] {
    const auto sizes = *rc::gen::container<std::vector<std::uint32_t>>(
        *rc::gen::inRange<std::size_t>(0, 12), AnyElementSize());
    const std::size_t chunk_bytes = std::size_t{4096} << *rc::gen::inRange(0, 5);
    std::vector<ColumnExtent> columns;
    std::vector<ColumnExtent> best;
    std::uint32_t rows = 0;
    while (Paint(sizes, chunk_bytes, rows + 1, &columns)) {
      best = columns;
      ++rows;
    }
    const auto layout = ChunkLayout::Compute(sizes, chunk_bytes);
    if (rows == 0) {
      RC_ASSERT(ReasonOf(layout.status()) == Reason::kRowTooLarge);
      return;
    }
    RC_ASSERT(layout.ok());
    RC_ASSERT(layout->capacity() == rows);
    RC_ASSERT(layout->entities() == best[0]);
    RC_ASSERT(layout->columns().size() == sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) RC_ASSERT(layout->columns()[i] == best[i + 1]);
  });
}

TEST(LayoutProperty, ACapGivesTheOffsetsOfItsRows) {
  Holds("capacity = min(natural, cap), offsets are those of the capacity", [] {
    const auto sizes = *rc::gen::container<std::vector<std::uint32_t>>(
        *rc::gen::inRange<std::size_t>(0, 8), rc::gen::inRange<std::uint32_t>(1, 100));
    const auto cap = *rc::gen::weightedElement<std::uint32_t>({{3, 1}, {3, 2}, {3, 4}, {1, 9999}});
    const auto natural = ChunkLayout::Compute(sizes, 4096);
    const auto capped = ChunkLayout::Compute(sizes, 4096, cap);
    RC_ASSERT(natural.ok());
    RC_ASSERT(capped.ok());
    RC_ASSERT(capped->capacity() == std::min(natural->capacity(), cap));
    std::vector<ColumnExtent> columns;
    RC_ASSERT(Paint(sizes, 4096, capped->capacity(), &columns));
    RC_ASSERT(capped->entities() == columns[0]);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      RC_ASSERT(capped->columns()[i] == columns[i + 1]);
    }
  });
}

TEST(LayoutProperty, ColumnsAndGapsCoverTheChunkOnce) {
  Holds("columns and gaps together are the chunk", [] {
    const auto sizes = *rc::gen::container<std::vector<std::uint32_t>>(
        *rc::gen::inRange<std::size_t>(0, 8), rc::gen::inRange<std::uint32_t>(1, 100));
    const auto cap = *rc::gen::element<std::uint32_t>(0, 1, 2, 4);
    const auto layout = ChunkLayout::Compute(sizes, 4096, cap);
    RC_ASSERT(layout.ok());
    std::vector<int> covered(4096, 0);
    const auto cover = [&](std::uint32_t begin, std::uint32_t end) {
      RC_ASSERT(begin < end);
      for (std::uint32_t i = begin; i < end; ++i) ++covered[i];
    };
    layout->ForEachGap(cover);
    cover(layout->entities().begin_bytes, layout->entities().end_bytes);
    for (const ColumnExtent& column : layout->columns()) {
      cover(column.begin_bytes, column.end_bytes);
    }
    RC_ASSERT(std::set<int>(covered.begin(), covered.end()) == std::set<int>{1});
  });
}

}  // namespace
}  // namespace ashlar::props
