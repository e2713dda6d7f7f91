// What systems ask of the components that they are made for.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "ashlar/core/ids.h"
#include "ashlar/schema/component_registry.h"

namespace ashlar::inline v0 {

// The component must be registered, and hold `count` f32 one behind the other and nothing else,
// split or not: then n rows of a packed one are a span of count * n floats. `who` begins the
// message of an error, `role` is what the component is for. Errors, in this order:
// kComponentUnknown, kComponentTypeMismatch.
absl::Status CheckFloats(std::string_view who, std::string_view role,
                         const ComponentRegistry& registry, ComponentId component,
                         std::size_t count);

// The same for a tag.
absl::Status CheckTag(std::string_view who, std::string_view role,
                      const ComponentRegistry& registry, ComponentId component);

}  // namespace ashlar::inline v0
