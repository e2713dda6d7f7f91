#include "model/reference_hooks.h"

#include <algorithm>

namespace ashlar::model {

using oplang::HookMoment;
using oplang::HookReaction;

void ReferenceHooks::Set(std::uint16_t component, HookMoment moment,
                         std::optional<HookReaction> reaction) {
  hooks_.erase({moment, component});
  if (reaction.has_value()) hooks_[{moment, component}] = *reaction;
}

HookReaction ReferenceHooks::ReactionTo(std::uint16_t component, HookMoment moment) const {
  const auto found = hooks_.find({moment, component});
  return found == hooks_.end() ? HookReaction::kNone : found->second;
}

// Hooks are kept in the order in which they are to hear.
void ReferenceHooks::Note(Entity entity, const Components& before, const Components& after,
                          std::span<const std::uint16_t> written) {
  for (const auto& [key, reaction] : hooks_) {
    const auto [moment, component] = key;
    const bool was = before.contains(component);
    const bool is = after.contains(component);
    const bool got_value = std::ranges::find(written, component) != written.end();
    const bool is_heard = (moment == HookMoment::kRemoved && was && !is) ||
                          (moment == HookMoment::kAdded && !was && is) ||
                          (moment == HookMoment::kSet && was && is && got_value);
    if (is_heard) heard_.push_back({moment, entity, component});
  }
}

}  // namespace ashlar::model
