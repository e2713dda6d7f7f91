// Singletons: values of which a world has one, described as components are. The time of day, a
// random generator, the settings of a level: what systems share and no entity has.
//
//   PutSingleton(world, {gravity, Gravity{-9.81f}});
//   const Gravity* now = *GetSingleton(world, gravity);
//
// A component may be both, of entities and of the world; the two have nothing to do with each
// other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/ids.h"
#include "ashlar/schema/component_registry.h"
#include "ashlar/schema/typed_component.h"
#include "ashlar/world/component_value.h"

namespace ashlar::inline v0 {

class World;

// Gives the world the value, in the place of the one that it has. Not structural, and so legal in a
// scope; but it needs the world for itself. Advances the version as World::Set does. Errors:
// kComponentUnknown, kComponentTypeMismatch, kValueRefused, kValueDoesNotFit, memory; what a
// constructor throws passes through, and the value stays what it was. Cost: O(1).
absl::Status PutSingleton(World& world, const ComponentValue& value);

// Ends it. Errors: kComponentUnknown, kComponentAbsent.
absl::Status RemoveSingleton(World& world, ComponentId component);

// The value: size_bytes bytes, in one piece whether the component is split or not, or null for a
// tag. Lives until it is put again or removed. Errors: kComponentUnknown,
// kComponentAbsent. Threads: many may read.
absl::StatusOr<const std::byte*> GetSingleton(const World& world, ComponentId component);

// Error: kComponentUnknown.
absl::StatusOr<bool> HasSingleton(const World& world, ComponentId component);

// The world's version when it was put; 0 where there is none. Compares with a `since` as the
// versions of chunks do. Error: kComponentUnknown.
absl::StatusOr<std::uint64_t> SingletonVersion(const World& world, ComponentId component);

namespace internal {

absl::Status CheckSingletonType(const World& world, ComponentId component, TypeKey type_key);

}  // namespace internal

// The same with its type. Further error: kComponentTypeMismatch.
template <typename T>
absl::StatusOr<const T*> GetSingleton(const World& world, Component<T> component) {
  absl::Status known = internal::CheckSingletonType(world, component.id(), TypeKeyOf<T>());
  if (!known.ok()) return known;
  const absl::StatusOr<const std::byte*> value = GetSingleton(world, component.id());
  if (!value.ok()) return value.status();
  // SAFETY: the component's type is T, and the place was made with its size and alignment.
  return reinterpret_cast<const T*>(*value);
}

// The singletons of a world. Ends all of them at its end.
class SingletonTable {
 public:
  // Both outlive the table.
  SingletonTable(const ComponentRegistry* registry, std::pmr::memory_resource* memory)
      : registry_(registry), memory_(memory), slots_(memory) {}
  ~SingletonTable();
  SingletonTable(const SingletonTable&) = delete;
  SingletonTable& operator=(const SingletonTable&) = delete;

  bool Has(ComponentId component) const {
    return component.value() < slots_.size() && slots_[component.value()].is_there;
  }
  // Null for a tag, and for one that is not there.
  const std::byte* Value(ComponentId component) const {
    return Has(component) ? slots_[component.value()].value : nullptr;
  }
  std::uint64_t Version(ComponentId component) const {
    return Has(component) ? slots_[component.value()].version : 0;
  }

  // A place for a value of it, that is not the one which it has now; null for a tag. Throws
  // std::bad_alloc; then nothing has changed. Follow it with Adopt or GiveBack.
  std::byte* Reserve(ComponentId component);
  void GiveBack(ComponentId component, std::byte* place) noexcept;

  // The value at that place is the singleton from now on; the one before ends.
  void Adopt(ComponentId component, std::byte* place, std::uint64_t version) noexcept;

  // REQUIRES: Has(component).
  void Remove(ComponentId component) noexcept;

  std::size_t size() const { return slots_.size(); }  // Components looked at: 0 .. n-1.

 private:
  struct Slot {
    std::byte* value = nullptr;
    std::uint64_t version = 0;
    bool is_there = false;
  };

  // Ends what a slot held.
  void End(ComponentId component, const Slot& slot) noexcept;

  const ComponentRegistry* registry_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Slot> slots_;  // By component.
};

}  // namespace ashlar::inline v0
