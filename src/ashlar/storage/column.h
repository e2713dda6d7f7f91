// Columns: where a component's values lie in the chunks of an archetype.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ashlar/core/ids.h"
#include "ashlar/schema/lifecycle.h"

namespace ashlar::inline v0 {

// A column that stores a component's values, or one scalar of each.
struct Column {
  ComponentId component;
  std::uint32_t begin_bytes = 0;
  std::uint32_t size_bytes = 0;    // Of what it stores for a row.
  std::uint32_t place = 0;         // Among the columns of its archetype.
  std::uint32_t offset_bytes = 0;  // Where that lies in the value.

  // Of what a look-up by component gives: whether the component is split. Then this is the first of
  // its columns, without a size, and the others follow (Archetype::SplitColumns).
  bool is_split() const { return begin_bytes != 0 && size_bytes == 0; }

  // The value of that row. REQUIRES: there is such a column in the chunk.
  std::byte* At(std::byte* chunk, std::size_t row) const {
    return chunk + begin_bytes + row * size_bytes;
  }
  const std::byte* At(const std::byte* chunk, std::size_t row) const {
    return chunk + begin_bytes + row * size_bytes;
  }
};

// A column of objects.
struct ObjectColumn : Column {
  const Lifecycle* lifecycle = nullptr;
  std::size_t* object_count = nullptr;  // See ComponentRegistry::ObjectCounter.

  void Destroy(std::byte* chunk, std::size_t row) const noexcept {
    lifecycle->destroy(At(chunk, row), *lifecycle);
    --*object_count;
  }
};

// Copies one value, also onto itself. The common sizes are copied by moves of fixed size: all of
// the value is read before any of it is written.
template <std::size_t kSize>
void CopyFixed(std::byte* target, const std::byte* source) noexcept {
  std::array<std::byte, kSize> value;
  std::memcpy(value.data(), source, kSize);
  std::memcpy(target, value.data(), kSize);
}
inline void CopyValue(std::byte* target, const std::byte* source,
                      std::uint32_t size_bytes) noexcept {
  switch (size_bytes) {
    case 1:
      return CopyFixed<1>(target, source);
    case 4:
      return CopyFixed<4>(target, source);
    case 8:
      return CopyFixed<8>(target, source);
    case 12:
      return CopyFixed<12>(target, source);
    case 16:
      return CopyFixed<16>(target, source);
    default:
      std::memmove(target, source, size_bytes);
  }
}

}  // namespace ashlar::inline v0
