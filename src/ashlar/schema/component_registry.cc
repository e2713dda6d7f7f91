#include "ashlar/schema/component_registry.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0 {

ComponentRegistry::ComponentRegistry(std::pmr::memory_resource* memory)
    : memory_(memory), slots_(memory) {}

void ComponentRegistry::Deleter::operator()(Entry* entry) const {
  std::pmr::polymorphic_allocator<>(memory).delete_object(entry);
}

absl::StatusOr<ComponentId> ComponentRegistry::Register(const ComponentDescriptor& descriptor) {
  const absl::string_view name(descriptor.name().data(), descriptor.name().size());
  const std::size_t place = PlaceOf(descriptor.name());
  if (IsNamed(place, descriptor.name())) {
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
  std::unique_ptr<Entry, Deleter> copy(allocator.new_object<Entry>(descriptor, memory_),
                                       Deleter{memory_});
  // Most worlds have some tens of component types: one allocation, not five. The last that may
  // throw.
  if (slots_.size() == slots_.capacity()) {
    slots_.reserve(std::max<std::size_t>(32, 2 * slots_.size()));
  }
  const bool is_object = descriptor.lifecycle() != nullptr;
  const Brief brief{descriptor.type_key(), static_cast<std::uint32_t>(descriptor.size_bytes()),
                    is_object, is_object || descriptor.has_validation()};
  slots_.push_back({brief, std::move(copy), ComponentId()});
  for (std::size_t i = slots_.size() - 1; i > place; --i) {
    slots_[i].nth_by_name = slots_[i - 1].nth_by_name;
  }
  slots_[place].nth_by_name = id;
  return id;
}

ComponentId ComponentRegistry::Find(std::string_view name) const {
  const std::size_t place = PlaceOf(name);
  return IsNamed(place, name) ? slots_[place].nth_by_name : ComponentId::None();
}

bool ComponentRegistry::IsNamed(std::size_t place, std::string_view name) const {
  return place < slots_.size() && (*this)[slots_[place].nth_by_name].name() == name;
}

std::size_t ComponentRegistry::PlaceOf(std::string_view name) const {
  const auto place = std::ranges::lower_bound(
      slots_, name, {}, [this](const Slot& slot) { return (*this)[slot.nth_by_name].name(); });
  return static_cast<std::size_t>(place - slots_.begin());
}

}  // namespace ashlar::inline v0
