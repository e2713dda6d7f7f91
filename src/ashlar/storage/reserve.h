// Room for one more, so that the push that follows cannot throw.
#pragma once

#include <algorithm>
#include <cstddef>

namespace ashlar::inline v0 {

// Makes sure that `vector` takes one more element without allocating; grows by doubling. Throws
// std::bad_alloc, and then has changed nothing.
template <typename Vector>
void ReserveOneMore(Vector& vector) {
  if (vector.size() < vector.capacity()) return;
  vector.reserve(std::max<std::size_t>(4, vector.capacity() * 2));
}

// The same for `count` elements.
template <typename Vector>
void ReserveMore(Vector& vector, std::size_t count) {
  const std::size_t needed = vector.size() + count;
  if (needed <= vector.capacity()) return;
  vector.reserve(std::max(needed, vector.capacity() * 2));
}

}  // namespace ashlar::inline v0
