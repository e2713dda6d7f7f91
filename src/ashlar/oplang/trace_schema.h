// The components that a trace has declared so far: names, types and descriptors.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::inline v0::oplang {

class TraceSchema {
 public:
  // Adds a component under the next number. Returns what is wrong with it, or nothing; a component
  // that is refused is not added. Cost and memory: linear in its scalars, which are bounded by
  // kTraceScalarsMax for all components together.
  std::optional<std::string> Declare(ComponentDeclaration declaration);

  std::optional<ComponentRef> Find(std::string_view name) const;

  // Null where no component has that number.
  const ComponentDescriptor* Descriptor(ComponentRef component) const;

  const std::vector<ComponentDeclaration>& declarations() const { return declarations_; }

  // "declared are position, velocity": for messages; cut after a few.
  std::string NamesText() const;

 private:
  std::vector<ComponentDeclaration> declarations_;
  std::vector<ComponentDescriptor> descriptors_;
  std::map<std::string, ComponentRef, std::less<>> numbers_;
  std::size_t scalar_count_ = 0;
};

}  // namespace ashlar::inline v0::oplang
