#include "ashlar/world/singletons.h"

#include <string_view>
#include <utility>

#include "ashlar/core/status.h"
#include "ashlar/world/object_store.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/value_store.h"
#include "ashlar/world/world.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {

SingletonTable::~SingletonTable() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].is_there) Remove(ComponentId(static_cast<ComponentId::Rep>(i)));
  }
}

std::byte* SingletonTable::Reserve(ComponentId component) {
  if (component.value() >= slots_.size()) slots_.resize(component.value() + std::size_t{1});
  const ComponentDescriptor& descriptor = (*registry_)[component];
  if (descriptor.is_tag()) return nullptr;
  return static_cast<std::byte*>(
      memory_->allocate(descriptor.size_bytes(), descriptor.alignment_bytes()));
}

void SingletonTable::GiveBack(ComponentId component, std::byte* place) noexcept {
  if (place == nullptr) return;
  const ComponentDescriptor& descriptor = (*registry_)[component];
  memory_->deallocate(place, descriptor.size_bytes(), descriptor.alignment_bytes());
}

void SingletonTable::Adopt(ComponentId component, std::byte* place,
                           std::uint64_t version) noexcept {
  // The new one is there before the old one's destructor runs, which may ask for it.
  End(component, std::exchange(slots_[component.value()], Slot{place, version, true}));
}

void SingletonTable::Remove(ComponentId component) noexcept {
  End(component, std::exchange(slots_[component.value()], Slot{}));
}

void SingletonTable::End(ComponentId component, const Slot& slot) noexcept {
  if (!slot.is_there) return;
  if (const Lifecycle* lifecycle = (*registry_)[component].lifecycle()) {
    lifecycle->destroy(slot.value, *lifecycle);
  }
  GiveBack(component, slot.value);
}

// The calls: what they need of a world.
class SingletonCalls {
 public:
  static absl::Status Put(World& world, const ComponentValue& value) {
    Signature seen;
    ASHLAR_RETURN_IF_ERROR(world.CheckKnown("PutSingleton", value, &seen));
    ASHLAR_RETURN_IF_ERROR(world.CheckOne("PutSingleton", value));
    const ComponentId component = value.component();
    const ComponentDescriptor& descriptor = world.registry_[component];
    SingletonTable& table = world.singletons_;
    std::byte* const place = table.Reserve(component);
    const UserCodeGuard guard(&world.scope_depth_);
    const Lifecycle* lifecycle = descriptor.lifecycle();
    const bool is_taken = value.form() == ComponentValue::Form::kTake;
    if (lifecycle == nullptr) {
      if (place != nullptr) WriteValue(descriptor, value, place);
    } else if (!is_taken) {
      try {
        MakeObject(descriptor, value, place, world.memory_.scratch());
      } catch (...) {
        table.GiveBack(component, place);
        throw;
      }
    }

    // Commit.
    if (lifecycle != nullptr && is_taken) lifecycle->take(place, value.object(), *lifecycle);
    table.Adopt(component, place, world.WritingVersion());
    return absl::OkStatus();
  }

  static absl::Status Remove(World& world, ComponentId component) {
    ASHLAR_RETURN_IF_ERROR(CheckThere("RemoveSingleton", world, component));
    const UserCodeGuard guard(&world.scope_depth_);
    (void)world.WritingVersion();
    world.singletons_.Remove(component);
    return absl::OkStatus();
  }

  static absl::Status CheckKnown(std::string_view call, const World& world, ComponentId component) {
    if (world.registry_.Contains(component)) return absl::OkStatus();
    return world_errors::Unknown(call, component);
  }

  static absl::Status CheckThere(std::string_view call, const World& world, ComponentId component) {
    ASHLAR_RETURN_IF_ERROR(CheckKnown(call, world, component));
    if (world.singletons_.Has(component)) return absl::OkStatus();
    return world_errors::NoSingleton(call, world.registry_[component]);
  }
};

absl::Status PutSingleton(World& world, const ComponentValue& value) try {
  return SingletonCalls::Put(world, value);
} catch (...) {
  return world_errors::Caught("PutSingleton");
}

absl::Status RemoveSingleton(World& world, ComponentId component) try {
  return SingletonCalls::Remove(world, component);
} catch (...) {
  return world_errors::Caught("RemoveSingleton");
}

absl::StatusOr<const std::byte*> GetSingleton(const World& world, ComponentId component) try {
  ASHLAR_RETURN_IF_ERROR(SingletonCalls::CheckThere("GetSingleton", world, component));
  return world.singletons().Value(component);
} catch (...) {
  return world_errors::Caught("GetSingleton");
}

absl::StatusOr<bool> HasSingleton(const World& world, ComponentId component) try {
  ASHLAR_RETURN_IF_ERROR(SingletonCalls::CheckKnown("HasSingleton", world, component));
  return world.singletons().Has(component);
} catch (...) {
  return world_errors::Caught("HasSingleton");
}

absl::StatusOr<std::uint64_t> SingletonVersion(const World& world, ComponentId component) try {
  ASHLAR_RETURN_IF_ERROR(SingletonCalls::CheckKnown("SingletonVersion", world, component));
  return world.singletons().Version(component);
} catch (...) {
  return world_errors::Caught("SingletonVersion");
}

absl::Status internal::CheckSingletonType(const World& world, ComponentId component,
                                          TypeKey type_key) try {
  ASHLAR_RETURN_IF_ERROR(SingletonCalls::CheckKnown("GetSingleton", world, component));
  if (world.registry()[component].type_key() == type_key) return absl::OkStatus();
  return world_errors::TypeMismatch("GetSingleton", world.registry()[component]);
} catch (...) {
  return world_errors::Caught("GetSingleton");
}

}  // namespace ashlar::inline v0
