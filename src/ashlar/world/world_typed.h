// The typed skin of World: a few lines each over the calls that know no C++ type. Included by
// world.h, after the class.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <new>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/status.h"
#include "ashlar/schema/typed_component.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

template <typename T>
absl::StatusOr<Component<T>> World::Register(const TypedDescriptor<T>& descriptor) try {
  auto built = descriptor.Build();
  if (!built.ok()) return built.status();
  auto id = Register(*built);
  if (!id.ok()) return id.status();
  return Component<T>(*id);
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

template <typename T>
const T* World::TryGet(Entity entity, Component<T> component) const {
  const std::byte* value = ColumnValue(entity, component.id());
  if (value == nullptr || registry_[component.id()].type_key() != TypeKeyOf<T>()) return nullptr;
  // SAFETY: the component's C++ type is T, its column is aligned for it, and the row was written
  // when it was committed.
  return reinterpret_cast<const T*>(value);
}

template <typename T>
absl::StatusOr<const T*> World::Get(Entity entity, Component<T> component) const {
  if (const T* value = TryGet(entity, component)) [[likely]] {
    return value;
  }
  absl::Status status = GetError(entity, component.id(), TypeKeyOf<T>());
  if (!status.ok()) return status;
  static constexpr char kTag = 0;  // A tag has no bytes; its type is empty, so none are read.
  return reinterpret_cast<const T*>(&kTag);
}

template <typename T>
absl::StatusOr<T> World::Load(Entity entity, Component<T> component) const {
  static_assert(internal::kIsBytes<T>, "ashlar: objects are read through Get");
  absl::Status status = LookUpError("Load", entity, component.id(), TypeKeyOf<T>());
  if (!status.ok()) return status;
  std::array<std::byte, sizeof(T)> bytes{};
  if constexpr (!std::is_empty_v<T>) {
    status = GetValue(entity, component.id(), bytes.data());
    if (!status.ok()) return status;
  }
  return std::bit_cast<T>(bytes);
}

inline const std::byte* World::ColumnValue(Entity entity, ComponentId component) const {
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return nullptr;
  const Archetype& archetype = archetypes_[location->archetype];
  const Column column = archetype.ColumnOf(component);
  if (column.size_bytes == 0) return nullptr;  // A tag, absent, or split.
  return column.At(archetype.ChunkBase(location->chunk), location->row.value());
}

}  // namespace ashlar::inline v0
