#include "model/reference_commands.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "model/reference_ids.h"

namespace ashlar::model {
namespace {

using oplang::CommandVerb;
using oplang::Outcome;

bool Names(std::span<const NamedValue> values, std::uint16_t component) {
  return std::ranges::find(values, component, &NamedValue::component) != values.end();
}

// What does not depend on entities: names of components, left to right, then values. A value that
// several entities get must be one that can be copied.
Reason Check(const ModelSchema& schema, const ReferenceChange& change, bool is_shared) {
  std::vector<std::uint16_t> given;
  for (const NamedValue& value : change.values) given.push_back(value.component);
  for (const auto& names : {change.removed, given}) {
    std::set<std::uint16_t> seen;
    for (const std::uint16_t name : names) {
      if (!schema.Has(name)) return Reason::kComponentUnknown;
      if (!seen.insert(name).second) return Reason::kComponentRepeated;
    }
  }
  for (const NamedValue& value : change.values) {
    Value fitted;
    const Reason why = schema.Fit(value.component, value.value, &fitted);
    if (why != Reason::kNone) return why;
    if (is_shared && schema.IsMoveOnly(value.component)) return Reason::kValueDoesNotFit;
  }
  return Reason::kNone;
}

// Changes, one after the other, that are one change of a world in the end.
class Batch {
 public:
  explicit Batch(const ReferenceWorld& before) : before_(before), world_(before) {}

  bool IsAlive(Entity entity) const { return before_.IsAlive(entity); }

  Outcome Create(const ReferenceChange& change, Entity* made) {
    has_new_ids_ = true;
    return world_.Create(change.values, made);
  }

  Outcome Do(const ReferenceChange& change, Entity entity) {
    const Outcome outcome = Call(change, entity);
    if (outcome != kDone) return outcome;
    has_new_ids_ |= change.verb == CommandVerb::kDestroy;
    for (const NamedValue& value : change.values) {
      if (world_.schema().StoredSizeBytes(value.component) == 0) continue;
      written_.emplace(entity, value.component);
    }
    return kDone;
  }

  // For every entity that matches, in rising order of indices; they end in falling order.
  Outcome DoForEach(const ReferenceChange& change, std::span<const oplang::QueryTerm> terms,
                    std::size_t* count) {
    std::vector<Entity> entities = world_.Match(terms);
    std::ranges::sort(entities, {}, &Entity::index);
    if (change.verb == CommandVerb::kDestroy) std::ranges::reverse(entities);
    for (const Entity entity : entities) {
      if (const Outcome outcome = Do(change, entity); outcome != kDone) return outcome;
    }
    *count = entities.size();
    return kDone;
  }

  // The world afterwards, in the next version if anything has changed: a row that stays has changed
  // if it has a value that was written, even the one it had before.
  ReferenceWorld TakeResult() {
    const auto is_there = [&](const std::pair<Entity, std::uint16_t>& at) {
      const auto row = world_.entities().find(at.first);
      return row != world_.entities().end() && row->second.contains(at.second);
    };
    const bool has_changed =
        has_new_ids_ || !world_.SameRows(before_) || std::ranges::any_of(written_, is_there);
    world_.set_version(before_.version() + (has_changed ? 1 : 0));
    return std::move(world_);
  }

 private:
  Outcome Call(const ReferenceChange& change, Entity entity) {
    switch (change.verb) {
      case CommandVerb::kDestroy:
        return world_.Destroy(entity);
      case CommandVerb::kSet:
        return world_.Set(entity, change.values);
      case CommandVerb::kPut:
        return world_.Put(entity, change.values);
      default:
        return world_.Exchange(entity, change.removed, change.values);
    }
  }

  const ReferenceWorld& before_;
  ReferenceWorld world_;
  bool has_new_ids_ = false;  // An id was issued or freed.
  std::set<std::pair<Entity, std::uint16_t>> written_;
};

// One command; the entities that creates made before it are in the report, and for those that come
// after it the null entity.
Outcome RunCommand(const ReferenceCommand& command, std::size_t made, Batch* batch,
                   ReferenceReport* report) {
  const ReferenceChange& change = command.change;
  if (change.verb == CommandVerb::kCreate) return batch->Create(change, &report->made[made]);
  if (!command.by_query) {
    return batch->Do(change, command.made ? report->made[*command.made] : command.entity);
  }
  std::size_t count = 0;
  return command.terms ? batch->DoForEach(change, *command.terms, &count)
                       : Refused(Reason::kQueryUnknown);
}

}  // namespace

ReferenceCommand ReactionCommand(const HeardEvent& event, oplang::HookReaction reaction) {
  ReferenceCommand command;
  command.entity = event.entity;
  const bool ends = reaction == oplang::HookReaction::kDestroy;
  command.change.verb = ends ? CommandVerb::kDestroy : CommandVerb::kRemove;
  if (!ends) command.change.removed = {event.component};
  return command;
}

Outcome ReferenceCommands::Record(const ModelSchema& schema, const ReferenceCommand& command) {
  if (command.made && BufferOf(*command.made) != command.buffer) {
    return Refused(Reason::kPlaceholderUnknown);
  }
  const Reason why = Check(schema, command.change, command.by_query);
  if (why != Reason::kNone) return Refused(why);
  commands_.push_back({command, made_count()});
  if (command.change.verb == CommandVerb::kCreate) made_in_.push_back(command.buffer);
  return kDone;
}

std::vector<std::size_t> ReferenceCommands::Order() const {
  std::vector<std::size_t> order(commands_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(commands_[i].command.is_late, commands_[i].command.buffer, i);
  });
  return order;
}

Outcome ReferenceCommands::Apply(ReferenceWorld* world, bool skip_dead, ReferenceReport* report) {
  if (world->scope_depth() > 0) return Refused(Reason::kScopeOpen);
  Batch batch(*world);
  report->made.resize(made_count());
  for (const std::size_t i : Order()) {
    const Outcome outcome = RunCommand(commands_[i].command, commands_[i].made, &batch, report);
    if (skip_dead && outcome.reason == Reason::kEntityNotAlive) {
      ++report->skipped;
    } else if (outcome != kDone) {
      if (outcome.code != absl::StatusCode::kResourceExhausted) report->refused = i;
      return outcome;
    }
  }
  *world = batch.TakeResult();
  Clear();
  return kDone;
}

std::size_t ReferenceCommands::CountValues(std::uint16_t component) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      commands_, [&](const Recorded& one) { return Names(one.command.change.values, component); }));
}

std::size_t ReferenceCommands::SizeOf(std::uint8_t buffer) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      commands_, [&](const Recorded& one) { return one.command.buffer == buffer; }));
}

std::optional<std::size_t> ReferenceCommands::NumberOf(std::size_t buffer, std::size_t nth) const {
  std::size_t left = nth;
  for (std::size_t i = 0; i < commands_.size(); ++i) {
    if (commands_[i].command.buffer == buffer && left-- == 0) return i;
  }
  return std::nullopt;
}

Outcome ChangeByQuery(ReferenceWorld* world, const std::optional<ReferenceTerms>& terms,
                      const ReferenceChange& change, std::size_t* count) {
  const bool is_structural = change.verb != CommandVerb::kSet;
  if (is_structural && world->scope_depth() > 0) return Refused(Reason::kScopeOpen);
  if (!terms.has_value()) return Refused(Reason::kQueryUnknown);
  const Reason why = Check(world->schema(), change, true);
  if (why != Reason::kNone) return Refused(why);
  Batch batch(*world);
  const Outcome outcome = batch.DoForEach(change, *terms, count);
  if (outcome == kDone) *world = batch.TakeResult();
  return outcome;
}

Outcome ChangeMany(ReferenceWorld* world, std::span<const Entity> entities,
                   const ReferenceChange& change) {
  const bool is_structural = change.verb != CommandVerb::kSet;
  if (is_structural && world->scope_depth() > 0) return Refused(Reason::kScopeOpen);
  const Reason why = Check(world->schema(), change, true);
  if (why != Reason::kNone) return Refused(why);
  Batch batch(*world);
  std::set<Entity> seen;
  for (const Entity entity : entities) {
    if (!batch.IsAlive(entity)) return Refused(Reason::kEntityNotAlive);
    if (!seen.insert(entity).second) return Refused(Reason::kEntityRepeated);
    if (const Outcome outcome = batch.Do(change, entity); outcome != kDone) return outcome;
  }
  *world = batch.TakeResult();
  return kDone;
}

}  // namespace ashlar::model
