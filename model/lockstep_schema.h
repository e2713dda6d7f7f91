// The descriptors of a program's components, kept from run to run.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::model {

// Never changes once it is made.
using Schema = std::vector<ComponentDescriptor>;

// The component's name, for messages.
inline std::string NameOf(const ComponentDescriptor& descriptor) {
  return std::string(descriptor.name());
}

// One descriptor for each declaration, in order. Fuzzers and audits run thousands of programs a
// second over the same components, so each thread keeps the schema that it made last; equal
// declarations get it again. Errors: those of ComponentDescriptor::FromSpec; UNIMPLEMENTED for a
// component whose values are not plain.
absl::StatusOr<std::shared_ptr<const Schema>> SchemaOf(
    std::span<const oplang::ComponentDeclaration> declarations);

}  // namespace ashlar::model
