#include "ashlar/world/hook_runner.h"

#include <algorithm>
#include <tuple>

#include "ashlar/core/status.h"
#include "ashlar/storage/reserve.h"
#include "ashlar/world/command_buffer.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {

void HookTable::Set(ComponentId component, HookEvent event, const Hook& hook) {
  if (component.value() >= slots_.size()) slots_.resize(component.value() + std::size_t{1});
  slots_[component.value()][Place(event)] = hook;
  if (hook.function != nullptr) {
    hooked_[Place(event)].Insert(component);
  } else {
    hooked_[Place(event)].Erase(component);
  }
}

absl::Status SetHook(World& world, ComponentId component, HookEvent event, const Hook& hook) try {
  if (world.scope_depth() != 0) return world_errors::ScopeOpen("SetHook");
  if (!world.registry().Contains(component)) return world_errors::Unknown("SetHook", component);
  if (static_cast<std::size_t>(event) >= kHookEventCount) {
    return world_errors::OptionInvalid("SetHook: there is no such event");
  }
  const bool is_ours = hook.commands != nullptr && &hook.commands->world() == &world;
  if (hook.function != nullptr && !is_ours) return world_errors::BufferForeign("SetHook");
  HookRunner::Set(&world, component, event, hook);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("SetHook");
}

void HookRunner::Set(World* world, ComponentId component, HookEvent event, const Hook& hook) {
  world->hooks_.Set(component, event, hook);
  world->hooked_ = 0;
  for (const HookEvent each : {HookEvent::kRemoved, HookEvent::kAdded, HookEvent::kSet}) {
    if (world->hooks_.has_any(each)) world->hooked_ |= HookBits({each});
  }
}

// --- Events ---

Signature HookRunner::SignatureOf(Entity entity) const {
  const Location* location = world_.directory_.Find(entity);
  return location == nullptr ? Signature() : world_.archetypes_[location->archetype].signature();
}

template <typename Visit>
void HookRunner::ForEachEvent(const Signature& before, const Signature& after,
                              const Signature& named, Visit visit) const {
  const HookTable& hooks = world_.hooks_;
  hooks.hooked(HookEvent::kRemoved).ForEach([&](ComponentId component) {
    if (before.Contains(component) && !after.Contains(component)) {
      visit(component, HookEvent::kRemoved);
    }
  });
  hooks.hooked(HookEvent::kAdded).ForEach([&](ComponentId component) {
    if (!before.Contains(component) && after.Contains(component)) {
      visit(component, HookEvent::kAdded);
    }
  });
  hooks.hooked(HookEvent::kSet).ForEach([&](ComponentId component) {
    if (named.Contains(component) && before.Contains(component) && after.Contains(component)) {
      visit(component, HookEvent::kSet);
    }
  });
}

void HookRunner::Call(const HookNote& note) const noexcept {
  const Hook& hook = world_.hooks_.hook(note.component, note.event);
  hook.commands->renews_ = true;
  hook.function({world_, note.entity, note.component, note.event, *hook.commands}, hook.context);
  hook.commands->renews_ = false;
}

void HookRunner::Run(Entity entity, const Signature& before, const Signature& after,
                     const Signature& named) const noexcept {
  const UserCodeGuard guard(&world_.scope_depth_);
  ForEachEvent(before, after, named,
               [&](ComponentId component, HookEvent event) { Call({entity, component, event}); });
}

void HookRunner::Note(Entity entity, const Signature& before, const Signature& after,
                      const Signature& named, std::pmr::vector<HookNote>* notes) const {
  ForEachEvent(before, after, named, [&](ComponentId component, HookEvent event) {
    notes->push_back({entity, component, event});
  });
}

void HookRunner::SortByEntity(std::span<HookNote> notes) noexcept {
  std::sort(notes.begin(), notes.end(), [](const HookNote& a, const HookNote& b) {
    return std::tuple(a.entity.index(), a.event, a.component) <
           std::tuple(b.entity.index(), b.event, b.component);
  });
}

void HookRunner::RunAll(std::span<const HookNote> notes) const noexcept {
  if (notes.empty()) return;
  const UserCodeGuard guard(&world_.scope_depth_);
  for (const HookNote& note : notes) Call(note);
}

// --- Calls ---

absl::StatusOr<Entity> HookRunner::Create(std::span<const ComponentValue> values) {
  absl::StatusOr<Entity> entity = WithUser([&] { return world_.Create(values); });
  if (entity.ok()) Run(*entity, {}, SignatureOf(*entity), {});
  return entity;
}

absl::Status HookRunner::CreateMany(std::span<Entity> ids,
                                    std::span<const ComponentSpan> components) {
  ASHLAR_RETURN_IF_ERROR(WithUser([&] { return world_.CreateMany(ids, components); }));
  for (const Entity entity : ids) Run(entity, {}, SignatureOf(entity), {});
  return absl::OkStatus();
}

absl::Status HookRunner::Destroy(Entity entity) {
  return Change(entity, {}, [&] { return world_.Destroy(entity); });
}

absl::Status HookRunner::DestroyMany(std::span<const Entity> entities) try {
  if (world_.scope_depth() != 0) return world_errors::ScopeOpen("DestroyMany");
  std::pmr::vector<HookNote> notes(world_.memory_.scratch());
  for (const Entity entity : entities) Note(entity, SignatureOf(entity), {}, {}, &notes);
  ASHLAR_RETURN_IF_ERROR(world_.DestroyMany(entities));
  RunAll(notes);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("DestroyMany");
}

absl::Status HookRunner::DestroyAll() try {
  if (world_.scope_depth() != 0) return world_errors::ScopeOpen("DestroyAll");
  std::pmr::vector<HookNote> notes(world_.memory_.scratch());
  const EntityDirectory& directory = world_.directory_;
  for (std::uint64_t i = directory.slot_count(); i > 0; --i) {
    const auto index = static_cast<std::uint32_t>(i - 1);
    const Entity entity(index, directory.GenerationOf(index));
    Note(entity, SignatureOf(entity), {}, {}, &notes);
  }
  ASHLAR_RETURN_IF_ERROR(world_.DestroyAll());
  RunAll(notes);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("DestroyAll");
}

}  // namespace ashlar::inline v0
