// Entity references inside values, and whether what they name is alive.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// A value that names an entity which is not alive: destroyed since, or never issued.
struct DanglingReference {
  Entity holder;  // The entity whose value it is; null for a singleton.
  ComponentId component;
  std::uint32_t scalar = 0;  // Which scalar of the component (ComponentDescriptor::ScalarPath).
  Entity target;             // What it names.
  friend bool operator==(const DanglingReference&, const DanglingReference&) = default;
};

// Every one of the world, in the order of its archetypes, rows, components and scalars, and then
// those of its singletons, by component. The null entity is no reference. Objects are asked by
// their neutral form; where they have none, they hold no reference that can be seen. The list comes
// from the global heap. Legal inside a scope. Error: a failed allocation. Cost: O(rows * entity
// scalars + components).
absl::StatusOr<std::vector<DanglingReference>> FindDanglingReferences(const World& world);

// "entity 0v1 body.target -> entity 3v2"; "singleton body.target -> entity 3v2".
std::string DanglingReferenceText(const World& world, const DanglingReference& reference);

}  // namespace ashlar::inline v0
