// The descriptors of a program's components, kept from run to run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "model/reference_world.h"
#include "model/tracked_components.h"

namespace ashlar::model {

// Never changes once it is made. What a world registers and what the model knows are the same
// descriptor for a plain component; for one that owns, the world's has the lifecycle of a
// TrackedType, and the model's is of the neutral form alone.
class Schema {
 public:
  std::size_t size() const { return stored_.size(); }

  // As worlds register them.
  const ComponentDescriptor& operator[](std::size_t component) const { return stored_[component]; }
  std::span<const ComponentDescriptor> stored() const { return stored_; }

  // As the model knows them, what a value of each takes in a row of a chunk, and which ones cannot
  // be copied.
  ModelSchema ForModel() const { return {neutral_, stored_size_bytes_, move_only_}; }

  // Null for a plain component.
  const TrackedType* Tracked(std::size_t component) const { return tracked_[component].get(); }

  // The components that are not plain, in rising order.
  std::span<const std::uint16_t> tracked_components() const { return tracked_components_; }

  absl::Status Add(const oplang::ComponentDeclaration& declaration);

 private:
  std::vector<ComponentDescriptor> stored_;
  std::vector<ComponentDescriptor> neutral_;
  std::vector<std::size_t> stored_size_bytes_;
  std::vector<std::uint8_t> move_only_;
  std::vector<std::unique_ptr<const TrackedType>> tracked_;
  std::vector<std::uint16_t> tracked_components_;
};

// The component's name, for messages.
inline std::string NameOf(const ComponentDescriptor& descriptor) {
  return std::string(descriptor.name());
}

// One descriptor for each declaration, in order. Fuzzers and audits run thousands of programs a
// second over the same components, so each thread keeps the four schemas that it made last; equal
// declarations get them again. Errors: those of ComponentDescriptor::FromSpec.
absl::StatusOr<std::shared_ptr<const Schema>> SchemaOf(
    std::span<const oplang::ComponentDeclaration> declarations);

}  // namespace ashlar::model
