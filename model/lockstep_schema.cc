#include "model/lockstep_schema.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace ashlar::model {
namespace {

struct Kept {
  std::vector<oplang::ComponentDeclaration> declarations;
  std::shared_ptr<const Schema> schema;
};

// Values that are not plain are those of TrackedType (tracked_components.h) over the descriptor of
// the plain ones: it has size, alignment and every function that a descriptor of such a component
// needs. This is the place where it becomes one.
absl::StatusOr<ComponentDescriptor> DescriptorOf(const oplang::ComponentDeclaration& declaration) {
  auto plain = ComponentDescriptor::FromSpec(declaration.name, declaration.type);
  if (declaration.ownership == oplang::Ownership::kPlain) return plain;
  return absl::UnimplementedError(absl::StrCat(
      "component ", declaration.name, " as ", std::string(OwnershipName(declaration.ownership)),
      ": components with constructors of their own are not registered yet"));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Schema>> SchemaOf(
    std::span<const oplang::ComponentDeclaration> declarations) {
  thread_local Kept kept;
  if (kept.schema != nullptr && std::ranges::equal(kept.declarations, declarations)) {
    return kept.schema;
  }
  Schema schema;
  schema.reserve(declarations.size());
  for (const oplang::ComponentDeclaration& declaration : declarations) {
    auto descriptor = DescriptorOf(declaration);
    if (!descriptor.ok()) return descriptor.status();
    schema.push_back(*std::move(descriptor));
  }
  kept.declarations.assign(declarations.begin(), declarations.end());
  kept.schema = std::make_shared<const Schema>(std::move(schema));
  return kept.schema;
}

}  // namespace ashlar::model
