#include "model/lockstep_dangling.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace ashlar::model {

std::vector<DanglingReference> DanglingInModel(const ReferenceWorld& model,
                                               const ModelSchema& schema) {
  std::vector<DanglingReference> found;
  const auto look = [&](Entity holder, std::uint16_t component, const Value& value) {
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      if (schema.descriptors[component].scalars()[i].type != ScalarType::kEntity) continue;
      const Entity target = Entity::FromBits(value[i].bits);
      if (target.is_null() || model.IsAlive(target)) continue;
      found.push_back({holder, ComponentId(component), i, target});
    }
  };
  // Singletons first: their holder is the null entity, which sorts before all others.
  for (const auto& [component, single] : model.singletons()) {
    look(Entity(), component, single.value);
  }
  for (const auto& [holder, row] : model.entities()) {
    for (const auto& [component, value] : row) look(holder, component, value);
  }
  return found;
}

std::string DanglingDifference(std::vector<DanglingReference> in_world,
                               std::span<const DanglingReference> in_model) {
  std::ranges::sort(in_world, {}, [](const DanglingReference& reference) {
    return std::tuple(reference.holder, reference.component.value(), reference.scalar);
  });
  if (std::ranges::equal(in_world, in_model)) return "";
  return absl::StrCat("the world finds ", in_world.size(), " dangling references, the model ",
                      in_model.size(), in_world.size() == in_model.size() ? ", others" : "");
}

}  // namespace ashlar::model
