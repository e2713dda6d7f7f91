#include "model/lockstep_marks.h"

#include <algorithm>
#include <utility>

namespace ashlar::model {

void ChangeMark::Place(const ReferenceWorld& model, std::uint64_t version) {
  entities_.clear();
  for (const auto& [entity, components] : model.entities()) {
    entities_[entity] = {components, model.DisabledOf(entity)};
  }
  version_ = version;
}

void ChangeMark::Rename(Entity from, Entity to) {
  const auto found = entities_.find(from);
  if (found == entities_.end()) return;
  Row row = std::move(found->second);
  entities_.erase(found);
  entities_[to] = std::move(row);
}

std::vector<Entity> ChangeMark::Visit(const IterationScope& scope, std::uint16_t component,
                                      Kind kind) const {
  std::vector<Entity> visited;
  for (const ChunkView& view : scope) {
    const bool is_wanted = kind == Kind::kAdded ? view.Added(ComponentId(component), version_)
                                                : view.Changed(ComponentId(component), version_);
    if (!is_wanted) continue;
    visited.insert(visited.end(), view.entities().begin(), view.entities().end());
  }
  return visited;
}

Entity ChangeMark::FindLeftOut(const ReferenceWorld& model,
                               std::span<const oplang::QueryTerm> terms, std::uint16_t component,
                               Kind kind, std::vector<Entity> visited) const {
  std::ranges::sort(visited);
  for (const Entity entity : model.Match(terms)) {
    const Components& now = model.entities().at(entity);
    const auto value = now.find(component);
    if (value == now.end() || std::ranges::binary_search(visited, entity)) continue;
    const auto then = entities_.find(entity);
    if (then == entities_.end() || !then->second.components.contains(component)) return entity;
    if (kind == Kind::kAdded) continue;
    const bool was_off = then->second.disabled.contains(component);
    const bool is_off = model.DisabledOf(entity).contains(component);
    if (was_off != is_off || then->second.components.at(component) != value->second) return entity;
  }
  return Entity();
}

}  // namespace ashlar::model
