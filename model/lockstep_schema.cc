#include "model/lockstep_schema.h"

#include <algorithm>
#include <utility>

namespace ashlar::model {
namespace {

struct Kept {
  std::vector<oplang::ComponentDeclaration> declarations;
  std::shared_ptr<const Schema> schema;
};

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
    auto descriptor = ComponentDescriptor::FromSpec(declaration.name, declaration.type);
    if (!descriptor.ok()) return descriptor.status();
    schema.push_back(*std::move(descriptor));
  }
  kept.declarations.assign(declarations.begin(), declarations.end());
  kept.schema = std::make_shared<const Schema>(std::move(schema));
  return kept.schema;
}

}  // namespace ashlar::model
