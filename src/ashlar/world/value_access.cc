// World's calls that read and write values in place; none of them is structural.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/world/hook_runner.h"
#include "ashlar/world/object_store.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/value_store.h"
#include "ashlar/world/world.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

absl::Status NoSuchScalar(std::string_view call, const ComponentDescriptor& descriptor,
                          std::size_t scalar) {
  return MakeError(
      absl::StatusCode::kInvalidArgument, Reason::kFieldUnknown,
      absl::StrCat(absl::string_view(call.data(), call.size()), ": component ",
                   absl::string_view(descriptor.name().data(), descriptor.name().size()), " has ",
                   descriptor.scalars().size(), " scalars; there is no number ", scalar));
}

absl::Status DoesNotFit(std::string_view call, const ComponentDescriptor& descriptor,
                        std::size_t scalar, const Scalar& value) {
  const std::string_view type = ScalarTypeName(descriptor.scalars()[scalar].type);
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueDoesNotFit,
                   absl::StrCat(absl::string_view(call.data(), call.size()), ": ",
                                descriptor.ScalarPath(scalar), ": ", ScalarText(value),
                                " does not fit ", absl::string_view(type.data(), type.size()), " ",
                                ScalarRangeText(descriptor.scalars()[scalar].type)));
}

// The value of a row in one piece, whether the component is split or not; padding is zero.
void LoadWhole(const Archetype& archetype, const Location& location, ComponentId component,
               std::size_t size_bytes, std::byte* value) {
  std::memset(value, 0, size_bytes);
  archetype.LoadValue(archetype.ColumnOf(component), archetype.ChunkBase(location.chunk),
                      location.row.value(), value);
}

}  // namespace

void World::WriteInPlace(const Location& location, std::span<const ComponentValue> values) {
  const auto has_bytes = [&](const ComponentValue& value) {
    return registry_.brief(value.component()).size_bytes != 0;
  };
  if (std::ranges::none_of(values, has_bytes)) return;  // Tags that are there: nothing is written.
  Archetype& archetype = archetypes_[location.archetype];
  const auto is_object = [&](const ComponentValue& value) {
    return registry_.brief(value.component()).is_object;
  };
  std::optional<UserCodeGuard> guard;
  std::optional<StagedObjects> objects;
  if (std::ranges::any_of(values, is_object)) {
    guard.emplace(&scope_depth_);
    objects.emplace(registry_, values, memory_.scratch());
  }

  // Commit.
  const std::uint64_t version = WritingVersion();
  WriteRow(archetype, archetype.ChunkBase(location.chunk), location.row, values);
  if (objects.has_value()) objects->Commit(archetype, location);
  for (const ComponentValue& value : values) {
    const Column column = archetype.ColumnOf(value.component());
    if (column.begin_bytes == 0) continue;
    archetype.versions().ColumnWritten(location.chunk, column.place, version);
  }
}

absl::Status World::Set(Entity entity, std::span<const ComponentValue> values) try {
  if (IsHooked({HookEvent::kSet})) [[unlikely]] {
    return HookRunner(this).Change(entity, HookRunner::Named(values),
                                   [&] { return Set(entity, values); });
  }
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return world_errors::NotAlive("Set", entity);
  const Signature& signature = archetypes_[location->archetype].signature();
  Signature named;
  bool is_checked = false;
  for (const ComponentValue& value : values) {
    if (!TakeName(value, &named, &is_checked)) return CheckKnown("Set", value, &named);
    if (!signature.Contains(value.component())) {
      return world_errors::Absent("Set", entity, registry_[value.component()]);
    }
  }
  if (is_checked) ASHLAR_RETURN_IF_ERROR(CheckValues("Set", values));
  WriteInPlace(*location, values);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("Set");
}

absl::Status World::EnableError(std::string_view call, Entity entity, ComponentId component) const
    try {
  if (!IsAlive(entity)) return world_errors::NotAlive(call, entity);
  if (!registry_.Contains(component)) return world_errors::Unknown(call, component);
  if (!registry_[component].is_enableable()) {
    return world_errors::NotEnableable(call, registry_[component]);
  }
  return world_errors::Absent(call, entity, registry_[component]);
} catch (...) {
  return world_errors::Caught(call);
}

absl::Status World::SetEnabled(Entity entity, ComponentId component, bool enabled) {
  if (const Location* at = directory_.Find(entity)) [[likely]] {
    Archetype& archetype = archetypes_[at->archetype];
    const std::uint32_t place = archetype.EnablePlace(component);
    if (place != Archetype::kNotEnableable) [[likely]] {
      archetype.SetEnabled(place, at->chunk, at->row, enabled, [this] { return WritingVersion(); });
      return absl::OkStatus();
    }
  }
  return EnableError("SetEnabled", entity, component);
}

absl::StatusOr<bool> World::IsEnabled(Entity entity, ComponentId component) const {
  if (const Location* at = directory_.Find(entity)) [[likely]] {
    const Archetype& archetype = archetypes_[at->archetype];
    const std::uint32_t place = archetype.EnablePlace(component);
    if (place != Archetype::kNotEnableable) [[likely]] {
      return archetype.enable_bits().Get(place, at->chunk, at->row);
    }
  }
  return EnableError("IsEnabled", entity, component);
}

absl::StatusOr<std::size_t> World::FindScalar(std::string_view call, Entity entity,
                                              ComponentId component, std::string_view path) const
    try {
  ASHLAR_RETURN_IF_ERROR(LookUpError(call, entity, component, nullptr));
  const auto scalar = registry_[component].FindScalar(path);
  if (!scalar.ok()) return world_errors::Within(call, scalar.status());
  return *scalar;
} catch (...) {
  return world_errors::Caught(call);
}

// Nothing is caught here: what a constructor of the user's throws has passed SetScalar already.
absl::Status World::SetField(Entity entity, ComponentId component, std::string_view path,
                             const Scalar& value) {
  const auto scalar = FindScalar("SetField", entity, component, path);
  if (!scalar.ok()) return scalar.status();
  return SetScalar(entity, component, *scalar, value);
}

absl::Status World::SetScalar(Entity entity, ComponentId component, std::size_t scalar,
                              const Scalar& value) try {
  if (IsHooked({HookEvent::kSet})) [[unlikely]] {
    return HookRunner(this).Change(entity, HookRunner::Named(component),
                                   [&] { return SetScalar(entity, component, scalar, value); });
  }
  ASHLAR_RETURN_IF_ERROR(LookUpError("SetField", entity, component, nullptr));
  const ComponentDescriptor& descriptor = registry_[component];
  if (scalar >= descriptor.scalars().size()) return NoSuchScalar("SetField", descriptor, scalar);
  const ScalarSlot& slot = descriptor.scalars()[scalar];
  const auto fitted = FitScalar(slot.type, value);
  if (!fitted.has_value()) return DoesNotFit("SetField", descriptor, scalar, value);

  // The whole value with this scalar in it is checked, as if it had been set whole.
  if (descriptor.lifecycle() != nullptr) {
    std::pmr::vector<Scalar> scalars(descriptor.scalars().size(), memory_.scratch());
    descriptor.UnpackTo(ColumnValue(entity, component), scalars);
    scalars[scalar] = *fitted;
    const ComponentValue object(component, scalars);
    ASHLAR_RETURN_IF_ERROR(CheckOne("SetField", object));
    WriteInPlace(*directory_.Find(entity), std::span(&object, 1));
    return absl::OkStatus();
  }
  ScratchValue changed(descriptor.size_bytes(), memory_.scratch());
  const Location location = *directory_.Find(entity);
  LoadWhole(archetypes_[location.archetype], location, component, descriptor.size_bytes(),
            changed.data());
  StoreScalar(slot.type, *fitted, changed.data() + slot.offset_bytes);
  const ComponentValue whole(component, changed.data());
  ASHLAR_RETURN_IF_ERROR(CheckOne("SetField", whole));
  WriteInPlace(*directory_.Find(entity), std::span(&whole, 1));
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("SetField");
}

absl::StatusOr<Scalar> World::GetField(Entity entity, ComponentId component,
                                       std::string_view path) const try {
  const auto scalar = FindScalar("GetField", entity, component, path);
  if (!scalar.ok()) return scalar.status();
  const ComponentDescriptor& descriptor = registry_[component];
  const ScalarSlot& slot = descriptor.scalars()[*scalar];
  if (descriptor.is_split()) {
    const Location& location = *directory_.Find(entity);
    const Archetype& archetype = archetypes_[location.archetype];
    const Column& column = archetype.columns()[archetype.ColumnOf(component).place + *scalar];
    return LoadScalar(slot.type,
                      column.At(archetype.ChunkBase(location.chunk), location.row.value()));
  }
  const std::byte* value = ColumnValue(entity, component);
  if (descriptor.lifecycle() != nullptr) {
    std::vector<Scalar> scalars;
    descriptor.Unpack(value, &scalars);
    return scalars[*scalar];
  }
  return LoadScalar(slot.type, value + slot.offset_bytes);
} catch (...) {
  return world_errors::Caught("GetField");
}

absl::StatusOr<const std::byte*> World::Get(Entity entity, ComponentId component) const try {
  if (const std::byte* value = ColumnValue(entity, component)) [[likely]] {
    return value;
  }
  ASHLAR_RETURN_IF_ERROR(GetError(entity, component, nullptr));
  return nullptr;
} catch (...) {
  return world_errors::Caught("Get");
}

absl::Status World::GetError(Entity entity, ComponentId component, TypeKey type_key) const try {
  ASHLAR_RETURN_IF_ERROR(LookUpError("Get", entity, component, type_key));
  if (registry_[component].is_split()) return world_errors::Split("Get", registry_[component]);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("Get");
}

absl::Status World::GetValue(Entity entity, ComponentId component, void* value) const try {
  ASHLAR_RETURN_IF_ERROR(LookUpError("GetValue", entity, component, nullptr));
  const ComponentDescriptor& descriptor = registry_[component];
  if (descriptor.lifecycle() != nullptr) return world_errors::TypeMismatch("GetValue", descriptor);
  if (descriptor.is_tag()) return absl::OkStatus();
  const Location& location = *directory_.Find(entity);
  LoadWhole(archetypes_[location.archetype], location, component, descriptor.size_bytes(),
            static_cast<std::byte*>(value));
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("GetValue");
}

absl::StatusOr<bool> World::Has(Entity entity, ComponentId component) const try {
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return world_errors::NotAlive("Has", entity);
  if (!registry_.Contains(component)) return world_errors::Unknown("Has", component);
  return archetypes_[location->archetype].signature().Contains(component);
} catch (...) {
  return world_errors::Caught("Has");
}

absl::Status World::LookUpError(std::string_view call, Entity entity, ComponentId component,
                                TypeKey type_key) const try {
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return world_errors::NotAlive(call, entity);
  if (!registry_.Contains(component)) return world_errors::Unknown(call, component);
  const ComponentDescriptor& descriptor = registry_[component];
  if (type_key != nullptr && type_key != descriptor.type_key()) {
    return world_errors::TypeMismatch(call, descriptor);
  }
  if (!archetypes_[location->archetype].signature().Contains(component)) {
    return world_errors::Absent(call, entity, descriptor);
  }
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught(call);
}

}  // namespace ashlar::inline v0
