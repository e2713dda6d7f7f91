// StoredReader: the stored value of a component in one piece, by look-up and from a view, whether
// the component is split or not.
#pragma once

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/world/world.h"

namespace ashlar::model {

// What it returns lives until the next call, and until the row is written.
class StoredReader {
 public:
  // As World::Get, also for a split component.
  absl::StatusOr<const std::byte*> Get(const World& world, const ComponentDescriptor& descriptor,
                                       Entity entity, ComponentId component) {
    if (!descriptor.is_split()) return world.Get(entity, component);
    bytes_.resize(descriptor.size_bytes());
    absl::Status status = world.GetValue(entity, component, bytes_.data());
    if (!status.ok()) return status;
    return bytes_.data();
  }

  // The value of a row of the view; null for a tag.
  const std::byte* Read(const ChunkView& view, const ComponentDescriptor& descriptor,
                        ComponentId component, std::size_t row) {
    if (!descriptor.is_split()) {
      const std::byte* column = view.ReadBytes(component);
      return column == nullptr ? nullptr : column + row * descriptor.size_bytes();
    }
    bytes_.assign(descriptor.size_bytes(), std::byte{0});
    view.LoadValue(component, row, bytes_.data());
    return bytes_.data();
  }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace ashlar::model
