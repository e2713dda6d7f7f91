#include "ashlar/schema/component_registry.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0 {

ComponentRegistry::ComponentRegistry(std::pmr::memory_resource* memory)
    : memory_(memory), slots_(memory), ids_by_name_(memory) {}

void ComponentRegistry::Deleter::operator()(Entry* entry) const {
  std::pmr::polymorphic_allocator<>(memory).delete_object(entry);
}

absl::StatusOr<ComponentId> ComponentRegistry::Register(const ComponentDescriptor& descriptor) {
  const absl::string_view name(descriptor.name().data(), descriptor.name().size());
  if (!Find(descriptor.name()).is_none()) {
    return MakeError(absl::StatusCode::kAlreadyExists, Reason::kComponentNameTaken,
                     absl::StrCat("there is a component ", name, " already"));
  }
  if (slots_.size() >= kComponentCountMax) {
    return MakeError(absl::StatusCode::kResourceExhausted, Reason::kComponentLimit,
                     absl::StrCat("no room for component ", name, ": a world has at most ",
                                  kComponentCountMax, " component types"));
  }
  if (descriptor.is_split() && (descriptor.is_tag() || descriptor.lifecycle() != nullptr)) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentMalformed,
                     absl::StrCat("component ", name,
                                  " cannot be split: only what is bytes, and has some, can be"));
  }
  const ComponentId id(static_cast<ComponentId::Rep>(slots_.size()));
  std::pmr::polymorphic_allocator<> allocator(memory_);
  // Each step gives back what it took where it throws; the name, which is not owned by a local, is
  // taken back by hand.
  std::unique_ptr<Entry, Deleter> copy(allocator.new_object<Entry>(descriptor, memory_),
                                       Deleter{memory_});
  const auto entry = ids_by_name_.emplace(descriptor.name(), id).first;
  try {
    // Most worlds have some tens of component types: one allocation, not five.
    if (slots_.size() == slots_.capacity()) {
      slots_.reserve(std::max<std::size_t>(32, 2 * slots_.size()));
    }
  } catch (...) {
    ids_by_name_.erase(entry);
    throw;
  }
  const bool is_object = descriptor.lifecycle() != nullptr;
  const Brief brief{descriptor.type_key(), static_cast<std::uint32_t>(descriptor.size_bytes()),
                    is_object, is_object || descriptor.has_validation()};
  slots_.push_back({brief, std::move(copy)});
  return id;
}

ComponentId ComponentRegistry::Find(std::string_view name) const {
  const auto entry = ids_by_name_.find(name);
  return entry == ids_by_name_.end() ? ComponentId::None() : entry->second;
}

}  // namespace ashlar::inline v0
