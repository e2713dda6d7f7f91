// Hooks: functions of yours that are called when a component has come to an entity, has gone from
// one, or was set.
//
//   void OnAdded(const HookCall& call, void* context) noexcept { call.commands.Add(...); }
//   ...
//   SetHook(world, health.id(), HookEvent::kAdded, {OnAdded, nullptr, &reactions});
//   ...
//   Apply(world, reactions);
//
// A hook runs when the call that caused it has succeeded, so it sees the world as it is then: never
// a state in between, and never values of which some are not there yet. It cannot change structure
// (kScopeOpen); what it wants to change it records, and whoever set it applies that when he likes,
// as a transaction with a status of its own. A buffer that was applied is cleared when the next
// hook records into it, so the same one may serve for ever; hooks of what it did itself record into
// it too, and then it is not applied any more when Apply returns. So no hook runs inside of
// another, and no reaction goes round in circles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <vector>

#include "absl/status/status.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/storage/signature.h"

namespace ashlar::inline v0 {

class CommandBuffer;
class World;

enum class HookEvent : std::uint8_t {
  kRemoved,  // By Remove, Exchange, or the end of the entity.
  kAdded,    // By Create, Add, Put or Exchange.
  kSet,      // Of one that was there: by Set, SetField, SetScalar, Put or Exchange. Not through
             // the spans of a scope, and not by enabling and disabling.
};
inline constexpr std::size_t kHookEventCount = 3;

// A set of events as bits.
constexpr std::uint8_t HookBits(std::initializer_list<HookEvent> events) {
  unsigned bits = 0;
  for (const HookEvent event : events) bits |= 1u << static_cast<unsigned>(event);
  return static_cast<std::uint8_t>(bits);
}

// What a hook gets to know. Dies when it returns.
struct HookCall {
  const World& world;
  Entity entity;  // Not alive any more where it ended: in the call, of whatever event this tells.
  ComponentId component;
  HookEvent event;
  CommandBuffer& commands;  // For what it wants to change; recording answers as ever.
};

struct Hook {
  void (*function)(const HookCall& call, void* context) noexcept = nullptr;
  void* context = nullptr;
  CommandBuffer* commands = nullptr;
};

// Calls the hook from now on, in the stead of one that was set for the same; one without a function
// takes it away. The buffer outlives the hook. Errors: kScopeOpen, kComponentUnknown,
// kOptionInvalid (no such event), kBufferForeign (made for another world, or null), memory.
//
// Order: events of one entity in one call come by event, as they are listed above, then by rising
// number of the component; those of many entities entity by entity, as the call names them, or for
// a query by rising index, where they end by falling index; those of a transaction command by
// command, whatever became of the component since. A write from inside a hook calls none.
//
// Where a component has a hook for being removed, DestroyMany and DestroyAll need memory for their
// list. Where one has a hook for being set, Set, SetField and SetScalar need the world for
// themselves. Cost: one branch a call in a world without hooks.
absl::Status SetHook(World& world, ComponentId component, HookEvent event, const Hook& hook);

// The hooks of a world.
class HookTable {
 public:
  explicit HookTable(std::pmr::memory_resource* memory) : slots_(memory) {}

  // Throws std::bad_alloc; then nothing has changed.
  void Set(ComponentId component, HookEvent event, const Hook& hook);

  // The components that have a hook for that.
  const Signature& hooked(HookEvent event) const { return hooked_[Place(event)]; }
  bool has_any(HookEvent event) const { return !hooked(event).empty(); }

  // REQUIRES: hooked(event) contains it.
  const Hook& hook(ComponentId component, HookEvent event) const {
    return slots_[component.value()][Place(event)];
  }

 private:
  static std::size_t Place(HookEvent event) { return static_cast<std::size_t>(event); }

  std::array<Signature, kHookEventCount> hooked_;
  std::pmr::vector<std::array<Hook, kHookEventCount>> slots_;  // By component.
};

}  // namespace ashlar::inline v0
