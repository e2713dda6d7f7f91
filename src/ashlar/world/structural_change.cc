// World's structural changes: validate, reserve, construct, commit.
//
// Whatever can fail happens before the commit, and nothing before the commit can be seen: a spare
// archetype, a spare chunk and an edge are capacity. From the first line behind a "commit" comment
// on, nothing throws.
#include <optional>

#include "ashlar/core/probe.h"
#include "ashlar/world/hook_runner.h"
#include "ashlar/world/numbering.h"
#include "ashlar/world/object_store.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/value_store.h"
#include "ashlar/world/world.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {

using world_errors::Absent;
using world_errors::NotAlive;
using world_errors::Present;
using world_errors::Repeated;
using world_errors::ScopeOpen;
using world_errors::TypeMismatch;
using world_errors::Unknown;

namespace {

// The commit of a move, once the reserved row has its values: it becomes the target's last, takes
// the enable bits along, the source's hole is filled, and both locations are mended. `kIsPlain`:
// that of the plan, where it is known.
template <bool kIsPlain>
inline void CommitMove(Entity entity, const Location& from, const MovePlan& plan,
                       const Archetype::Slot& slot, std::uint64_t version, Archetype& source,
                       EntityDirectory& directory) noexcept {
  Archetype& target = *plan.target;
  target.Commit(slot, entity, version);
  if constexpr (!kIsPlain) target.CopyEnableBits(plan, source, from.chunk, from.row, slot);
  const Entity moved = source.SwapRemove(from.chunk, from.row, version);
  directory.Relocate(entity, slot.LocationIn(target.id()));
  if (!moved.is_null()) directory.Relocate(moved, from);
}

}  // namespace

absl::Status World::CheckNamed(std::string_view call, ComponentId component,
                               Signature* seen) const {
  if (!registry_.Contains(component)) return Unknown(call, component);
  if (seen->Contains(component)) return Repeated(call, registry_[component]);
  seen->Insert(component);
  return absl::OkStatus();
}

absl::Status World::CheckKnown(std::string_view call, const ComponentValue& value,
                               Signature* seen) const {
  ASHLAR_RETURN_IF_ERROR(CheckNamed(call, value.component(), seen));
  const ComponentDescriptor& descriptor = registry_[value.component()];
  if (value.type_key() != nullptr && value.type_key() != descriptor.type_key()) {
    return TypeMismatch(call, descriptor);
  }
  return absl::OkStatus();
}

absl::Status World::CheckValues(std::string_view call, std::span<const ComponentValue> values) {
  for (const ComponentValue& value : values) ASHLAR_RETURN_IF_ERROR(CheckOne(call, value));
  return absl::OkStatus();
}

absl::Status World::CheckOne(std::string_view call, const ComponentValue& value) {
  const ComponentDescriptor& descriptor = registry_[value.component()];
  std::optional<UserCodeGuard> guard;
  if (descriptor.lifecycle() != nullptr || descriptor.has_validation()) [[unlikely]] {
    guard.emplace(&scope_depth_);
  }
  return CheckValue(call, descriptor, value, memory_.scratch());
}

bool World::WriteRow(const Archetype& archetype, std::byte* chunk, RowIndex row,
                     std::span<const ComponentValue> values) const noexcept {
  bool has_objects = false;
  for (const ComponentValue& value : values) {
    const ComponentRegistry::Brief& brief = registry_.brief(value.component());
    if (brief.is_object) [[unlikely]] {
      has_objects = true;
      continue;
    }
    const Column column = archetype.ColumnOf(value.component());
    if (value.form() == ComponentValue::Form::kBytes && column.size_bytes != 0) [[likely]] {
      CopyValue(column.At(chunk, row.value()), static_cast<const std::byte*>(value.bytes()),
                column.size_bytes);
    } else if (column.begin_bytes != 0) {
      WriteValueTo(registry_[value.component()], value, archetype, column, chunk, row.value());
    }
  }
  return has_objects;
}

absl::StatusOr<Entity> World::Create(std::span<const ComponentValue> values) try {
  if (IsHooked({HookEvent::kAdded})) [[unlikely]] {
    return HookRunner(this).Create(values);
  }
  if (scope_depth() != 0) return ScopeOpen("Create");
  if (Archetype* known = recipe_.Find(values)) [[likely]] {
    if (!directory_.ReserveOne()) {
      return world_errors::IdsExhausted(directory_.index_limit(), directory_.retired_count());
    }
    const Archetype::Slot slot = known->Reserve();
    recipe_.Write(values, slot.chunk, slot.row);

    // Commit.
    const Entity entity = directory_.Issue(slot.LocationIn(known->id()));
    known->Commit(slot, entity, AdvanceVersion());
    return entity;
  }
  Signature signature;
  bool is_checked = false;
  for (const ComponentValue& value : values) {
    if (!TakeName(value, &signature, &is_checked)) return CheckKnown("Create", value, &signature);
  }
  if (is_checked) ASHLAR_RETURN_IF_ERROR(CheckValues("Create", values));

  if (last_created_ == nullptr || last_created_->signature() != signature) {
    const auto found = archetypes_.FindOrMake(signature);
    if (!found.ok()) return world_errors::Within("Create", found.status());
    last_created_ = *found;
  }
  Archetype& archetype = *last_created_;
  if (!directory_.ReserveOne()) {
    return world_errors::IdsExhausted(directory_.index_limit(), directory_.retired_count());
  }
  ReserveNumbering(archetypes_, queries_, archetype);
  const Archetype::Slot slot = archetype.Reserve();
  if (WriteRow(archetype, slot.chunk, slot.row, values)) [[unlikely]] {
    const UserCodeGuard guard(&scope_depth_);
    MakeObjects(registry_, archetype, slot, values, memory_.scratch());
    // The commit begins: nothing fails from here on.
    TakeObjects(registry_, archetype, slot, values);
  }

  // Commit.
  const Entity entity = directory_.Issue(slot.LocationIn(archetype.id()));
  archetype.Commit(slot, entity, AdvanceVersion());
  FinishNumbering(archetypes_, queries_, archetype);
  recipe_.Keep(registry_, &archetype, values);
  return entity;
} catch (...) {
  return world_errors::Caught("Create");
}

absl::Status World::Destroy(Entity entity) try {
  if (IsHooked({HookEvent::kRemoved})) [[unlikely]] {
    return HookRunner(this).Destroy(entity);
  }
  if (scope_depth() != 0) return ScopeOpen("Destroy");
  const Location* found = directory_.Find(entity);
  if (found == nullptr) return NotAlive("Destroy", entity);

  // Commit. The location is taken by value: Free writes the record that it lies in.
  const Location location = *found;
  Archetype& archetype = archetypes_[location.archetype];
  std::optional<UserCodeGuard> guard;
  if (!archetype.object_columns().empty()) [[unlikely]]
    guard.emplace(&scope_depth_);
  directory_.Free(entity);
  if (guard.has_value()) archetype.EndObjects(location.chunk, location.row);
  const Entity moved = archetype.SwapRemove(location.chunk, location.row, AdvanceVersion());
  if (!moved.is_null()) directory_.Relocate(moved, location);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("Destroy");
}

absl::Status World::Add(Entity entity, std::span<const ComponentValue> values) try {
  if (IsHooked({HookEvent::kAdded})) [[unlikely]] {
    return HookRunner(this).Change(entity, {}, [&] { return Add(entity, values); });
  }
  if (scope_depth() != 0) return ScopeOpen("Add");
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return NotAlive("Add", entity);
  Archetype& source = archetypes_[location->archetype];
  if (values.size() == 1) {
    // The common case: one component, of bytes without rules, along an edge that is known. An edge
    // says that the component is registered; whatever is not so goes the way below.
    const ComponentValue& value = values[0];
    const MovePlan* plan = source.Edge(value.component());
    if (CanMoveBytes(plan) && !source.signature().Contains(value.component())) [[likely]] {
      const ComponentRegistry::Brief& brief = registry_.brief(value.component());
      const bool is_typed_right = value.type_key() == nullptr || value.type_key() == brief.type_key;
      const bool is_bytes = value.form() == ComponentValue::Form::kBytes &&
                            value.bytes() != nullptr && plan->added.size_bytes != 0;
      const bool is_tag = value.form() == ComponentValue::Form::kZero && brief.size_bytes == 0;
      if (is_typed_right && (is_bytes || is_tag) && !brief.is_checked) [[likely]] {
        MoveBytes(entity, *location, *plan, value.bytes());
        return absl::OkStatus();
      }
    }
  }
  Signature added;
  bool is_checked = false;
  for (const ComponentValue& value : values) {
    if (!TakeName(value, &added, &is_checked)) return CheckKnown("Add", value, &added);
    if (source.signature().Contains(value.component())) {
      return Present("Add", entity, registry_[value.component()]);
    }
  }
  if (is_checked) ASHLAR_RETURN_IF_ERROR(CheckValues("Add", values));
  if (values.size() == 1) return Toggle(entity, source, values[0].component(), values);
  Signature target = source.signature();
  added.ForEach([&](ComponentId component) { target.Insert(component); });
  return MoveTo(entity, source, target, values);
} catch (...) {
  return world_errors::Caught("Add");
}

absl::Status World::Remove(Entity entity, std::span<const ComponentId> components) try {
  if (IsHooked({HookEvent::kRemoved})) [[unlikely]] {
    return HookRunner(this).Change(entity, {}, [&] { return Remove(entity, components); });
  }
  if (scope_depth() != 0) return ScopeOpen("Remove");
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return NotAlive("Remove", entity);
  Archetype& source = archetypes_[location->archetype];
  if (components.size() == 1) {
    const MovePlan* plan = source.Edge(components[0]);
    if (CanMoveBytes(plan) && source.signature().Contains(components[0])) [[likely]] {
      MoveBytes(entity, *location, *plan, nullptr);
      return absl::OkStatus();
    }
  }
  Signature removed;
  for (ComponentId component : components) {
    if (!TakeName(component, &removed)) return CheckNamed("Remove", component, &removed);
    if (!source.signature().Contains(component)) {
      return Absent("Remove", entity, registry_[component]);
    }
  }
  if (components.size() == 1) return Toggle(entity, source, components[0], {});
  Signature target = source.signature();
  removed.ForEach([&](ComponentId component) { target.Erase(component); });
  return MoveTo(entity, source, target, {});
} catch (...) {
  return world_errors::Caught("Remove");
}

absl::Status World::Exchange(Entity entity, std::span<const ComponentId> removed,
                             std::span<const ComponentValue> added) try {
  if (IsHooked({HookEvent::kRemoved, HookEvent::kAdded, HookEvent::kSet})) [[unlikely]] {
    return HookRunner(this).Change(entity, HookRunner::Named(added),
                                   [&] { return Exchange(entity, removed, added); });
  }
  if (scope_depth() != 0) return ScopeOpen("Exchange");
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return NotAlive("Exchange", entity);
  Archetype& source = archetypes_[location->archetype];
  Signature removed_set;
  Signature target = source.signature();
  for (ComponentId component : removed) {
    if (!TakeName(component, &removed_set)) return CheckNamed("Exchange", component, &removed_set);
    if (!source.signature().Contains(component)) {
      return Absent("Exchange", entity, registry_[component]);
    }
    target.Erase(component);
  }
  Signature added_set;
  bool is_checked = false;
  for (const ComponentValue& value : added) {
    if (!TakeName(value, &added_set, &is_checked)) return CheckKnown("Exchange", value, &added_set);
    if (target.Contains(value.component())) {
      return Present("Exchange", entity, registry_[value.component()]);
    }
  }
  added_set.ForEach([&](ComponentId component) { target.Insert(component); });
  if (is_checked) ASHLAR_RETURN_IF_ERROR(CheckValues("Exchange", added));
  return MoveTo(entity, source, target, added);
} catch (...) {
  return world_errors::Caught("Exchange");
}

absl::Status World::Put(Entity entity, std::span<const ComponentValue> values) try {
  if (IsHooked({HookEvent::kAdded, HookEvent::kSet})) [[unlikely]] {
    return HookRunner(this).Change(entity, HookRunner::Named(values),
                                   [&] { return Put(entity, values); });
  }
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return NotAlive("Put", entity);
  Archetype& source = archetypes_[location->archetype];
  Signature named;
  bool is_checked = false;
  for (const ComponentValue& value : values) {
    if (!TakeName(value, &named, &is_checked)) return CheckKnown("Put", value, &named);
  }
  const bool is_structural = !source.signature().Includes(named);
  if (is_structural && scope_depth() != 0) return ScopeOpen("Put");
  if (is_checked) ASHLAR_RETURN_IF_ERROR(CheckValues("Put", values));
  Signature target = source.signature();
  named.ForEach([&](ComponentId component) { target.Insert(component); });
  return MoveTo(entity, source, target, values);
} catch (...) {
  return world_errors::Caught("Put");
}

absl::Status World::Toggle(Entity entity, Archetype& source, ComponentId component,
                           std::span<const ComponentValue> values) {
  const MovePlan* plan = source.Edge(component);
  if (plan == nullptr) [[unlikely]] {
    const auto made = archetypes_.PlanToggle(source, component);
    if (!made.ok()) return made.status();
    plan = *made;
  }
  MoveRow(entity, *plan, values);
  return absl::OkStatus();
}

absl::Status World::MoveTo(Entity entity, Archetype& source, const Signature& target,
                           std::span<const ComponentValue> values) {
  if (target == source.signature()) {
    ASHLAR_EVER(!values.empty(), "world: change that keeps the signature writes in place");
    WriteInPlace(*directory_.Find(entity), values);
    return absl::OkStatus();
  }
  const auto plan = archetypes_.PlanTo(source, target);
  if (!plan.ok()) return plan.status();
  MoveRow(entity, **plan, values);
  return absl::OkStatus();
}

void World::MoveBytes(Entity entity, const Location& at, const MovePlan& plan,
                      const void* value) noexcept {
  const Location from = at;  // By value: `at` is in the record that is written below.
  Archetype& source = archetypes_[from.archetype];
  Archetype& target = *plan.target;
  const Archetype::Slot slot = target.Reserve();
  target.CopyRow(plan, source.ChunkBase(from.chunk), from.row, slot);
  if (value != nullptr) {
    CopyValue(plan.added.At(slot.chunk, slot.row.value()), static_cast<const std::byte*>(value),
              plan.added.size_bytes);
  }
  CommitMove<true>(entity, from, plan, slot, AdvanceVersion(), source, directory_);
}

void World::MoveRow(Entity entity, const MovePlan& plan, std::span<const ComponentValue> values) {
  const Location from = *directory_.Find(entity);
  Archetype& source = archetypes_[from.archetype];
  Archetype& target = *plan.target;
  ReserveNumbering(archetypes_, queries_, target);
  const Archetype::Slot slot = target.Reserve();

  // The row cannot be seen yet. Values come after the copies: some replace what was copied.
  target.CopyRow(plan, source.ChunkBase(from.chunk), from.row, slot);
  const bool has_new_objects = WriteRow(target, slot.chunk, slot.row, values);
  std::optional<UserCodeGuard> guard;
  if (has_new_objects || plan.has_objects) [[unlikely]]
    guard.emplace(&scope_depth_);
  if (has_new_objects) [[unlikely]]
    MakeObjects(registry_, target, slot, values, memory_.scratch());

  // Commit.
  if (has_new_objects) [[unlikely]]
    TakeObjects(registry_, target, slot, values);
  if (plan.has_objects) [[unlikely]] {
    Signature replaced;
    for (const ComponentValue& value : values) replaced.Insert(value.component());
    target.RelocateRow(plan, source.ChunkBase(from.chunk), from.row, slot, replaced);
  }
  CommitMove<false>(entity, from, plan, slot, AdvanceVersion(), source, directory_);
  FinishNumbering(archetypes_, queries_, target);
}

}  // namespace ashlar::inline v0
