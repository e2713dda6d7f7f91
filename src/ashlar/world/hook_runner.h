// HookRunner: one call of World's in a world with hooks. It does the call as if there were none,
// and then runs the hooks of what has changed.
#pragma once

#include <cstdint>
#include <exception>
#include <memory_resource>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/entity.h"
#include "ashlar/storage/signature.h"
#include "ashlar/world/component_value.h"
#include "ashlar/world/hooks.h"
#include "ashlar/world/world.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {

// Something that hooks will hear of.
struct HookNote {
  Entity entity;
  ComponentId component;
  HookEvent event;
};

class HookRunner {
 public:
  // No call inside of this one has hooks.
  explicit HookRunner(World* world) : world_(*world), hooked_(std::exchange(world->hooked_, 0)) {}
  ~HookRunner() { world_.hooked_ = hooked_; }
  HookRunner(const HookRunner&) = delete;
  HookRunner& operator=(const HookRunner&) = delete;

  bool has_hooks() const { return hooked_ != 0; }

  absl::StatusOr<Entity> Create(std::span<const ComponentValue> values);
  absl::Status CreateMany(std::span<Entity> ids, std::span<const ComponentSpan> components);
  absl::Status Destroy(Entity entity);
  absl::Status DestroyMany(std::span<const Entity> entities);
  absl::Status DestroyAll();

  // A call that changes one entity; the components of `named` are those that get values.
  template <typename Call>
  absl::Status Change(Entity entity, const Signature& named, Call call) {
    const Signature before = SignatureOf(entity);
    absl::Status done = WithUser(call);
    if (done.ok()) Run(entity, before, SignatureOf(entity), named);
    return done;
  }
  static Signature Named(ComponentId component) {
    Signature named;
    Name(component, &named);
    return named;
  }
  static Signature Named(std::span<const ComponentValue> values) {
    Signature named;
    for (const ComponentValue& value : values) Name(value.component(), &named);
    return named;
  }

  // For a batch: notes what hooks will hear of one of its changes. Throws std::bad_alloc.
  void Note(Entity entity, const Signature& before, const Signature& after, const Signature& named,
            std::pmr::vector<HookNote>* notes) const;

  // Puts the notes of a change by query into its order: by rising index of their entities.
  static void SortByEntity(std::span<HookNote> notes) noexcept;

  // Runs the hooks of all notes, in order.
  void RunAll(std::span<const HookNote> notes) const noexcept;

  // Sets a hook: SetHook, once it has checked what it was given.
  static void Set(World* world, ComponentId component, HookEvent event, const Hook& hook);

 private:
  // A number that no component has is for the call to refuse.
  static void Name(ComponentId component, Signature* named) {
    if (component.value() < kComponentCountMax) named->Insert(component);
  }

  // What a public call lets out, the user threw: the call around it must not take it for its own.
  template <typename Inner>
  static auto WithUser(Inner call) {
    try {
      return call();
    } catch (const std::bad_alloc&) {
      throw world_errors::UserBadAlloc{std::current_exception()};
    }
  }

  Signature SignatureOf(Entity entity) const;

  // Calls visit(component, event) for what the change means to hooks, in their order.
  template <typename Visit>
  void ForEachEvent(const Signature& before, const Signature& after, const Signature& named,
                    Visit visit) const;
  void Run(Entity entity, const Signature& before, const Signature& after,
           const Signature& named) const noexcept;
  void Call(const HookNote& note) const noexcept;

  World& world_;
  std::uint8_t hooked_;
};

}  // namespace ashlar::inline v0
