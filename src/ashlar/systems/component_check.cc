#include "ashlar/systems/component_check.h"

#include <span>
#include <string>

#include "ashlar/core/status.h"

namespace ashlar::inline v0 {
namespace {

// So many f32 in a row and no padding.
bool HoldsFloats(const ComponentDescriptor& descriptor, std::size_t count) {
  if (descriptor.lifecycle() != nullptr) return false;
  if (descriptor.size_bytes() != count * sizeof(float)) return false;
  const std::span<const ScalarSlot> scalars = descriptor.scalars();
  if (scalars.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (scalars[i].type != ScalarType::kF32 || scalars[i].offset_bytes != i * sizeof(float)) {
      return false;
    }
  }
  return true;
}

absl::Status Unknown(std::string_view who, std::string_view role, ComponentId component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown,
                   std::string(who) + ": the component for " + std::string(role) + " (" +
                       std::to_string(component.value()) + ") is not registered in this world");
}

absl::Status Mismatch(std::string_view who, std::string_view role,
                      const ComponentDescriptor& descriptor, const std::string& needed) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentTypeMismatch,
                   std::string(who) + ": '" + std::string(descriptor.name()) + "' cannot be the " +
                       std::string(role) + ": it is " + descriptor.TypeText() + ", not " + needed);
}

}  // namespace

absl::Status CheckFloats(std::string_view who, std::string_view role,
                         const ComponentRegistry& registry, ComponentId component,
                         std::size_t count) {
  if (!registry.Contains(component)) return Unknown(who, role, component);
  if (HoldsFloats(registry[component], count)) return absl::OkStatus();
  return Mismatch(who, role, registry[component],
                  count == 1 ? "f32" : "f32[" + std::to_string(count) + "]");
}

absl::Status CheckTag(std::string_view who, std::string_view role,
                      const ComponentRegistry& registry, ComponentId component) {
  if (!registry.Contains(component)) return Unknown(who, role, component);
  if (!registry[component].is_tag()) return Mismatch(who, role, registry[component], "a tag");
  return absl::OkStatus();
}

}  // namespace ashlar::inline v0
