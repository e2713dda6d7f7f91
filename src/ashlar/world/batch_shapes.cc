#include "ashlar/world/batch_shapes.h"

#include "ashlar/core/status.h"

namespace ashlar::inline v0 {

ShapeIndex BatchShapes::Find(const Signature& signature) {
  const ShapeIndex next(static_cast<std::uint32_t>(shapes_.size()));
  const auto [found, is_new] = by_signature_.try_emplace(signature, next);
  if (is_new) shapes_.emplace_back(signature, memory_);
  return found->second;
}

ShapeIndex BatchShapes::Of(const Archetype& archetype) {
  const std::size_t id = archetype.id().value();
  if (id >= by_archetype_.size()) by_archetype_.resize(archetypes_->size());
  if (!by_archetype_[id].is_none()) [[likely]] {
    return by_archetype_[id];
  }
  const ShapeIndex shape = Find(archetype.signature());
  shapes_[shape.value()].is_checked = true;
  return by_archetype_[id] = shape;
}

ShapeIndex BatchShapes::Toggle(ShapeIndex shape, ComponentId component) {
  std::pmr::vector<ShapeIndex>& edges = shapes_[shape.value()].edges;
  if (edges.empty()) edges.resize(component_count_);
  if (!edges[component.value()].is_none()) [[likely]] {
    return edges[component.value()];
  }
  Signature signature = shapes_[shape.value()].signature;
  if (signature.Contains(component)) {
    signature.Erase(component);
  } else {
    signature.Insert(component);
  }
  const ShapeIndex target = Find(signature);  // `edges` may have moved.
  return shapes_[shape.value()].edges[component.value()] = target;
}

absl::Status BatchShapes::CheckRow(ShapeIndex shape) {
  Shape& checked = shapes_[shape.value()];
  if (checked.is_checked) [[likely]] {
    return absl::OkStatus();
  }
  if (archetypes_->Find(checked.signature) == nullptr) {
    ASHLAR_RETURN_IF_ERROR(archetypes_->CheckRow(checked.signature, memory_));
  }
  checked.is_checked = true;
  return absl::OkStatus();
}

}  // namespace ashlar::inline v0
