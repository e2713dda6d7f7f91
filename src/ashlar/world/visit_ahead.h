// VisitAhead: a loop over views that asks for later ones before it comes to them.
//
//   VisitAhead(scope, 4, [&](const ChunkView& later) { later.Prefetch(position); },
//              [&](const ChunkView& view) { ... });
//
// Hardware follows a stream of memory only within a page, and each chunk of 4096 bytes is one. For
// columns that do not fit the caches such hints halve the time of a loop (bench/ladder_bench); for
// those that do they only cost.
#pragma once

#include <cstddef>

namespace ashlar::inline v0 {

// Calls visit(view) for each view of a scope or range of chunks, in order, and before each
// ask(later) for the one `views_ahead` behind it, where there is one; 0: never. Cost: `ask`, and
// finding each view twice.
template <typename Chunks, typename Ask, typename Visit>
void VisitAhead(const Chunks& chunks, std::size_t views_ahead, const Ask& ask, const Visit& visit) {
  if (views_ahead == 0) {
    for (const auto view : chunks) visit(view);
    return;
  }
  auto later = chunks.begin();
  const auto end = chunks.end();
  for (std::size_t i = 0; i < views_ahead && later != end; ++i) ++later;
  for (const auto view : chunks) {
    if (later != end) {
      ask(*later);
      ++later;
    }
    visit(view);
  }
}

}  // namespace ashlar::inline v0
