// Hooks for the reference world: what is heard of a change, in which order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/oplang/operation.h"
#include "model/reference_queries.h"

namespace ashlar::model {

// Something that one hook hears of, once.
struct HeardEvent {
  oplang::HookMoment moment = oplang::HookMoment::kRemoved;
  Entity entity;
  std::uint16_t component = 0;
  friend bool operator==(const HeardEvent&, const HeardEvent&) = default;
};

class ReferenceHooks {
 public:
  // Nothing takes the hook away.
  void Set(std::uint16_t component, oplang::HookMoment moment,
           std::optional<oplang::HookReaction> reaction);

  // What the hook of that records; kNone where there is none.
  oplang::HookReaction ReactionTo(std::uint16_t component, oplang::HookMoment moment) const;

  // One call has changed one entity: what it had, what it has, and which components got values.
  // First what has gone is heard of, then what has come, then what was there and got a value; each
  // by rising number of the component.
  void Note(Entity entity, const Components& before, const Components& after,
            std::span<const std::uint16_t> written);

  // What was heard since the last time.
  std::vector<HeardEvent> TakeHeard() { return std::exchange(heard_, {}); }

 private:
  std::map<std::pair<oplang::HookMoment, std::uint16_t>, oplang::HookReaction> hooks_;
  std::vector<HeardEvent> heard_;
};

}  // namespace ashlar::model
