// Hooks in lockstep. One function of the runner's is every hook: it notes what it hears, looks at
// the entity, and records what the program says. Afterwards the model's list must be the same one.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/world/hooks.h"
#include "model/lockstep_answers.h"
#include "model/lockstep_runner.h"

namespace ashlar::model {
namespace {

using oplang::HookMoment;
using oplang::HookReaction;

HookEvent EventOf(HookMoment moment) {
  switch (moment) {
    case HookMoment::kRemoved:
      return HookEvent::kRemoved;
    case HookMoment::kAdded:
      return HookEvent::kAdded;
    case HookMoment::kSet:
      break;
  }
  return HookEvent::kSet;
}

HookMoment MomentOf(HookEvent event) {
  switch (event) {
    case HookEvent::kRemoved:
      return HookMoment::kRemoved;
    case HookEvent::kAdded:
      return HookMoment::kAdded;
    case HookEvent::kSet:
      break;
  }
  return HookMoment::kSet;
}

}  // namespace

void Runner::SetHook(oplang::ComponentRef component, HookMoment moment,
                     std::optional<HookReaction> reaction) {
  Hook hook;
  if (reaction.has_value()) {
    hook.function = [](const HookCall& call, void* runner) noexcept {
      static_cast<Runner*>(runner)->Hear(call);
    };
    hook.context = this;
    hook.commands = &buffers_.front();
  }
  Both(model_.SetHook(component, moment, reaction), [&](World& world) {
    return ashlar::SetHook(world, ComponentId(component), EventOf(moment), hook);
  });
}

// The model has done the operation by now, and a hook sees the world as it is when all is done.
void Runner::Hear(const HookCall& call) {
  if (is_filling_) return;
  Heard heard{{MomentOf(call.event), call.entity, call.component.value()}, absl::OkStatus()};
  const HookReaction reaction =
      model_.hooks().ReactionTo(heard.event.component, heard.event.moment);
  if (reaction == HookReaction::kRemove) {
    heard.recorded = call.commands.Remove(call.entity, {call.component});
  } else if (reaction == HookReaction::kDestroy) {
    heard.recorded = call.commands.Destroy(call.entity);
  }
  const bool is_ours = &call.world == world_ && &call.commands == &buffers_.front();
  if (!is_ours || call.world.scope_depth() == 0) {
    misheard_ = "a hook is called with another world or buffer, or where structure may change";
  } else if (!comparer_.SameEntity(call.entity)) {
    misheard_ = absl::StrCat("inside a hook: ", comparer_.difference());
  }
  heard_.push_back(std::move(heard));
}

std::string Runner::EventText(const HeardEvent& event) const {
  return absl::StrCat(NameOf((*schema_)[event.component]), " ",
                      std::string(HookMomentName(event.moment)), " of ",
                      bindings_.TextOf(event.entity));
}

// What the world's hooks have heard is what the model's have, and the model's commands get what
// they have recorded: all of it, but where memory ran out.
void Runner::CompareHeard() {
  const std::vector<HeardEvent> expected = model_.TakeHeard();
  const std::vector<Heard> heard = std::exchange(heard_, {});
  const std::string misheard = std::exchange(misheard_, {});
  if (!result_.difference.empty() || result_.world != result_.model) return;
  result_.difference = misheard;
  for (std::size_t i = 0; i < std::max(expected.size(), heard.size()); ++i) {
    if (i < expected.size() && i < heard.size() && expected[i] == heard[i].event) continue;
    result_.difference =
        absl::StrCat("hook call ", i, " is ", i < heard.size() ? EventText(heard[i].event) : "none",
                     ", and should be ", i < expected.size() ? EventText(expected[i]) : "none");
    return;
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const HeardEvent& event = expected[i];
    const HookReaction reaction = model_.hooks().ReactionTo(event.component, event.moment);
    if (reaction == HookReaction::kNone) continue;
    if (heard[i].recorded.ok()) {
      commands_.Record(model_.schema(), ReactionCommand(event, reaction));
      continue;
    }
    const bool may_fail = options_.memory_may_fail || result_.fired.allocation;
    if (may_fail && IsFailedAllocation(OutcomeOf(heard[i].recorded))) {
      result_.recording_failed = true;
      continue;
    }
    result_.difference = absl::StrCat("a hook could not record: ", heard[i].recorded.ToString());
  }
}

}  // namespace ashlar::model
