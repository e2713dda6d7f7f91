// The runner's commands, and changes of many entities at once. The world has command buffers and
// the model a list of commands; after each operation there are as many of each buffer.
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/world/apply_commands.h"
#include "ashlar/world/bulk.h"
#include "model/lockstep_answers.h"
#include "model/lockstep_runner.h"

namespace ashlar::model {
namespace {

using oplang::CommandVerb;

std::string PlaceText(const std::optional<std::size_t>& command) {
  return command.has_value() ? absl::StrCat("command ", *command) : "no command";
}

std::optional<ReferenceTerms> TermsOf(const BoundQuery* query) {
  if (query == nullptr) return std::nullopt;
  return query->terms;
}

ReferenceChange ChangeOf(CommandVerb verb, const std::vector<oplang::ComponentRef>& removed,
                         std::span<const NamedValue> values) {
  return {verb, removed, {values.begin(), values.end()}};
}

// What decides the form of the values that a command gets.
std::uint32_t RecordSalt(const oplang::RecordOp& op) {
  if (op.verb == CommandVerb::kCreate) return op.label;
  return op.by_query ? op.query : SaltOf(op.entity);
}

}  // namespace

// --- Commands ---

absl::Status Runner::RecordForQuery(const oplang::RecordOp& op, QueryId query) {
  const std::span<const ComponentId> removed = operands_.ResolveComponents(op.removed);
  const std::span<const ComponentValue> values = operands_.SharedValues();
  CommandBuffer& buffer = buffers_[op.buffer];
  switch (op.verb) {
    case CommandVerb::kCreate:
      break;
    case CommandVerb::kDestroy:
      return buffer.DestroyByQuery(query);
    case CommandVerb::kAdd:
      return buffer.AddByQuery(query, values);
    case CommandVerb::kRemove:
      return buffer.RemoveByQuery(query, removed);
    case CommandVerb::kExchange:
      return buffer.ExchangeByQuery(query, removed, values);
    case CommandVerb::kSet:
      return buffer.SetByQuery(query, values);
    case CommandVerb::kPut:
      return buffer.PutByQuery(query, values);
  }
  return absl::InternalError("no entity is made by query");
}

// `placeholder`: of what a create makes; else of the target, where `is_pending`.
absl::Status Runner::RecordInWorld(const oplang::RecordOp& op, bool is_pending,
                                   Placeholder* placeholder) {
  const std::span<const ComponentId> removed = operands_.ResolveComponents(op.removed);
  const std::span<const ComponentValue> values = operands_.values();
  const CommandTarget target =
      is_pending ? CommandTarget(*placeholder) : CommandTarget(bindings_.Resolve(op.entity));
  CommandBuffer& buffer = buffers_[op.buffer];
  switch (op.verb) {
    case CommandVerb::kCreate:
      break;
    case CommandVerb::kDestroy:
      return buffer.Destroy(target);
    case CommandVerb::kAdd:
      return buffer.Add(target, values);
    case CommandVerb::kRemove:
      return buffer.Remove(target, removed);
    case CommandVerb::kExchange:
      return buffer.Exchange(target, removed, values);
    case CommandVerb::kSet:
      return buffer.Set(target, values);
    case CommandVerb::kPut:
      return buffer.Put(target, values);
  }
  const absl::StatusOr<Placeholder> made = buffer.Create(values);
  *placeholder = made.value_or(Placeholder());
  return made.status();
}

void Runner::Record(const oplang::RecordOp& op) {
  operands_.ResolveValues(op.values, RecordSalt(op));
  ReferenceCommand command{ChangeOf(op.verb, op.removed, operands_.named()),
                           op.by_query,
                           {},
                           {},
                           {},
                           op.buffer,
                           op.is_late};
  const bool has_entity = op.verb != CommandVerb::kCreate && !op.by_query;
  const PendingEntity* pending = has_entity ? bindings_.FindPending(op.entity) : nullptr;
  const BoundQuery* query = op.by_query ? bindings_.Find(op.query) : nullptr;
  Placeholder placeholder;
  if (pending != nullptr) {
    command.made = pending->number;
    placeholder = pending->placeholder;
  }
  command.terms = TermsOf(query);
  command.entity = bindings_.Resolve(op.entity);
  const std::size_t number = commands_.made_count();
  Both(commands_.Record(model_.schema(), command), [&](World&) {
    buffers_[op.buffer].set_sort_key(op.is_late ? 1 : 0);
    const absl::Status status =
        op.by_query ? RecordForQuery(op, query != nullptr ? query->read : QueryId::None())
                    : RecordInWorld(op, pending != nullptr, &placeholder);
    buffers_[op.buffer].set_sort_key(0);  // Hooks record into it too.
    return status;
  });
  if (op.verb == CommandVerb::kCreate) {
    if (IsOk(result_.model)) {
      bindings_.Bind(op.label, PendingEntity{placeholder, number, op.buffer});
    } else {
      bindings_.Bind(op.label, Entity());
    }
  }
}

void Runner::ApplyCommands(const oplang::ApplyOp& op) {
  const std::size_t command_count = commands_.size();
  std::array<CommandBuffer*, oplang::kCommandBufferCount> in_order;
  std::ranges::transform(buffers_, in_order.begin(), [](CommandBuffer& buffer) { return &buffer; });
  ReferenceReport expected;
  ApplyReport report;
  Both(commands_.Apply(&model_, op.skip_dead, &expected), [&](World& world) {
    const absl::StatusOr<ApplyReport> applied =
        Apply(world, in_order, op.skip_dead ? DeadTargets::kSkip : DeadTargets::kRefuse);
    report = applied.value_or(ApplyReport());
    return applied.status();
  });
  if (result_.is_forgotten) expected.refused.reset();
  if (result_.world == result_.model) CompareReports(command_count, expected, report);
  if (both_ok()) {
    for (const auto& [label, pending] : bindings_.TakePending()) {
      const Entity made = expected.made[pending.number];
      bindings_.Bind(label, made);
      // A hook that records empties a buffer that was applied.
      const CommandBuffer& buffer = buffers_[pending.buffer];
      if (!buffer.is_applied()) continue;
      if (buffer.Resolve(pending.placeholder).value_or(Entity()) == made) continue;
      result_.difference = absl::StrCat("e", label, " is another entity than the model's ",
                                        ScalarText(Scalar::EntityValue(made)));
    }
    for (CommandBuffer& buffer : buffers_) {
      if (buffer.is_applied()) buffer.Clear();
    }
  }
}

void Runner::CompareReports(std::size_t command_count, const ReferenceReport& expected,
                            const ApplyReport& report) {
  const std::optional<CommandPlace> place = RefusedCommand(result_.world_status);
  std::optional<std::size_t> refused;
  if (place.has_value()) refused = commands_.NumberOf(place->buffer, place->command);
  if (refused != expected.refused) {
    result_.difference = absl::StrCat("the world refuses ", PlaceText(refused), ", the model ",
                                      PlaceText(expected.refused));
  } else if (both_ok() && report.skipped != expected.skipped) {
    result_.difference = absl::StrCat("the world has skipped ", report.skipped,
                                      " commands, the model ", expected.skipped);
  } else if (both_ok() && report.commands + report.skipped != command_count) {
    result_.difference = absl::StrCat("of ", command_count, " commands the world has applied ",
                                      report.commands, " and skipped ", report.skipped);
  }
}

void Runner::Discard() {
  commands_.Clear();
  for (const auto& [label, pending] : bindings_.TakePending()) bindings_.Bind(label, Entity());
  Both({}, [this](World&) {
    for (CommandBuffer& buffer : buffers_) buffer.Clear();
    return absl::OkStatus();
  });
}

// A record that fails has recorded nothing, an apply that fails has left everything there, and
// hooks have recorded what the model says.
void Runner::CompareBuffers() {
  if (!result_.difference.empty() || result_.world != result_.model) return;
  for (std::uint8_t i = 0; i < oplang::kCommandBufferCount; ++i) {
    if (buffers_[i].size() == commands_.SizeOf(i) && !buffers_[i].is_applied()) continue;
    result_.difference = absl::StrCat("the world's buffer ", i, " has ", buffers_[i].size(),
                                      " commands, the model's ", commands_.SizeOf(i));
  }
}

// --- Many entities at once ---

void Runner::ChangeByQuery(const oplang::ByQueryOp& op) {
  operands_.ResolveValues(op.values, op.query);
  const std::span<const ComponentId> removed = operands_.ResolveComponents(op.removed);
  const std::span<const ComponentValue> values = operands_.SharedValues();
  const BoundQuery* query = bindings_.Find(op.query);
  const QueryId id = query != nullptr ? query->read : QueryId::None();
  std::size_t expected = 0;
  std::size_t count = 0;
  Both(model::ChangeByQuery(&model_, TermsOf(query),
                            ChangeOf(op.verb, op.removed, operands_.named()), &expected),
       [&](World& world) {
         const auto changed = [&] {
           switch (op.verb) {
             case CommandVerb::kAdd:
               return AddByQuery(world, id, values);
             case CommandVerb::kRemove:
               return RemoveByQuery(world, id, removed);
             case CommandVerb::kSet:
               return SetByQuery(world, id, values);
             case CommandVerb::kPut:
               return PutByQuery(world, id, values);
             default:
               return DestroyByQuery(world, id);
           }
         }();
         count = changed.value_or(0);
         return changed.status();
       });
  if (!both_ok() || count == expected) return;
  result_.difference =
      absl::StrCat("the world has changed ", count, " entities, the model ", expected);
}

void Runner::ChangeMany(const oplang::ManyOp& op) {
  std::vector<Entity> entities;
  for (const oplang::EntityRef& ref : op.entities) entities.push_back(bindings_.Resolve(ref));
  operands_.ResolveValues(op.values, op.entities.empty() ? 0 : SaltOf(op.entities.front()));
  const std::span<const ComponentId> removed = operands_.ResolveComponents(op.removed);
  const std::span<const ComponentSpan> spans = operands_.SpansOfValues();
  Both(model::ChangeMany(&model_, entities, ChangeOf(op.verb, op.removed, operands_.named())),
       [&](World& world) {
         switch (op.verb) {
           case CommandVerb::kAdd:
             return AddMany(world, entities, spans);
           case CommandVerb::kRemove:
             return RemoveMany(world, entities, removed);
           case CommandVerb::kSet:
             return SetMany(world, entities, spans);
           case CommandVerb::kPut:
             return PutMany(world, entities, spans);
           default:
             return world.DestroyMany(entities);
         }
       });
}

}  // namespace ashlar::model
