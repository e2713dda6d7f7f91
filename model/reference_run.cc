// One overload for each operation: operands in, one call on the world, names bound.

#include "model/reference_run.h"

#include <bit>
#include <utility>
#include <variant>
#include <vector>

#include "model/reference_ids.h"
#include "model/reference_systems.h"

namespace ashlar::model {

using oplang::Outcome;

struct ReferenceRun::Visitor {
  ReferenceRun& run;

  Outcome operator()(const oplang::NopOp&) const { return kDone; }
  Outcome operator()(const oplang::ExpectOp&) const { return kDone; }
  Outcome operator()(const oplang::FailAllocationOp&) const { return kDone; }
  Outcome operator()(const oplang::FailConstructionOp&) const { return kDone; }

  Outcome operator()(const oplang::DanglingOp&) const { return kDone; }
  Outcome operator()(const oplang::MarkOp&) const { return run.world_.Mark(); }
  Outcome operator()(const oplang::ChangedOp& op) const {
    return run.queries_[op.query].has_value() ? run.world_.CheckComponent(op.component)
                                              : Refused(Reason::kQueryUnknown);
  }
  Outcome operator()(const oplang::AddedOp& op) const {
    return (*this)(oplang::ChangedOp{op.query, op.component});
  }
  Outcome operator()(const oplang::TrimOp&) const { return run.world_.Trim(); }
  Outcome operator()(const oplang::PlaceIndexOp& op) const {
    return run.world_.PlaceIndex(op.index);
  }
  Outcome operator()(const oplang::PlaceVersionOp& op) const {
    return run.world_.PlaceVersion(op.version);
  }

  // A create that is refused leaves its label null.
  Outcome operator()(const oplang::CreateOp& op) const {
    Entity created;
    const Outcome outcome = run.world_.Create(run.Resolve(op.values), &created);
    run.Bind(op.label, created);
    return outcome;
  }
  Outcome operator()(const oplang::CreateManyOp& op) const {
    std::vector<Entity> created;
    const Outcome outcome = run.world_.CreateMany(run.Resolve(op.values), op.count, &created);
    created.resize(op.count);
    for (std::uint32_t i = 0; i < op.count; ++i) {
      run.Bind(static_cast<oplang::Label>(op.label + i), created[i]);
    }
    return outcome;
  }
  Outcome operator()(const oplang::DestroyAllOp&) const { return run.world_.DestroyAll(); }
  Outcome operator()(const oplang::DestroyOp& op) const {
    return run.world_.Destroy(run.EntityOf(op.entity));
  }
  Outcome operator()(const oplang::AddOp& op) const {
    return run.world_.Add(run.EntityOf(op.entity), run.Resolve(op.values));
  }
  Outcome operator()(const oplang::RemoveOp& op) const {
    return run.world_.Remove(run.EntityOf(op.entity), op.components);
  }
  Outcome operator()(const oplang::ExchangeOp& op) const {
    return run.world_.Exchange(run.EntityOf(op.entity), op.removed, run.Resolve(op.added));
  }
  Outcome operator()(const oplang::SetOp& op) const {
    return run.world_.Set(run.EntityOf(op.entity), run.Resolve(op.values));
  }
  Outcome operator()(const oplang::PutOp& op) const {
    return run.world_.Put(run.EntityOf(op.entity), run.Resolve(op.values));
  }
  Outcome operator()(const oplang::GetOp& op) const {
    const Value* value = nullptr;
    return run.world_.Get(run.EntityOf(op.entity), op.component, &value);
  }
  Outcome operator()(const oplang::HasOp& op) const {
    bool has = false;
    return run.world_.Has(run.EntityOf(op.entity), op.component, &has);
  }
  Outcome operator()(const oplang::SetFieldOp& op) const {
    const NamedValue resolved = run.Resolve({op.component, {op.value}});
    return run.world_.SetScalar(run.EntityOf(op.entity), op.component, op.scalar,
                                resolved.value.front());
  }

  // A query that is refused leaves its label without a query.
  Outcome operator()(const oplang::QueryOp& op) const {
    const Outcome outcome = run.world_.CheckQuery(op.terms);
    run.queries_[op.query].reset();
    if (outcome == kDone) run.queries_[op.query] = op.terms;
    return outcome;
  }
  Outcome operator()(const oplang::IterateOp& op) const {
    return run.queries_[op.query].has_value() ? kDone : Refused(Reason::kQueryUnknown);
  }
  Outcome operator()(const oplang::FillOp& op) const {
    if (!run.queries_[op.query].has_value()) return Refused(Reason::kQueryUnknown);
    return Fill(&run.world_, *run.queries_[op.query], run.Resolve(op.value));
  }
  Outcome operator()(const oplang::EnableOp& op) const {
    return run.world_.SetEnabled(run.EntityOf(op.entity), op.component, true);
  }
  Outcome operator()(const oplang::DisableOp& op) const {
    return run.world_.SetEnabled(run.EntityOf(op.entity), op.component, false);
  }
  Outcome operator()(const oplang::IsEnabledOp& op) const {
    bool enabled = false;
    return run.world_.IsEnabled(run.EntityOf(op.entity), op.component, &enabled);
  }
  Outcome operator()(const oplang::FlipOp& op) const {
    if (!run.queries_[op.query].has_value()) return Refused(Reason::kQueryUnknown);
    return run.world_.Flip(*run.queries_[op.query], op.component);
  }
  Outcome operator()(const oplang::RecordOp& op) const { return run.Record(op); }
  Outcome operator()(const oplang::ApplyOp& op) const { return run.ApplyCommands(op.skip_dead); }
  Outcome operator()(const oplang::DiscardOp&) const {
    run.commands_.Clear();
    run.pending_.clear();
    return kDone;
  }
  Outcome operator()(const oplang::ByQueryOp& op) const {
    std::size_t count = 0;
    return ChangeByQuery(&run.world_, run.queries_[op.query],
                         {op.verb, op.removed, run.Resolve(op.values)}, &count);
  }
  Outcome operator()(const oplang::ManyOp& op) const {
    std::vector<Entity> entities;
    for (const oplang::EntityRef& entity : op.entities) entities.push_back(run.EntityOf(entity));
    return ChangeMany(&run.world_, entities, {op.verb, op.removed, run.Resolve(op.values)});
  }
  // The model has no rows; so the version stays, though a world's may not.
  Outcome operator()(const oplang::SortOp& op) const {
    return run.world_.CheckSort(run.queries_[op.query], op.component);
  }
  Outcome operator()(const oplang::SortByEntityOp& op) const {
    return run.world_.CheckSort(run.queries_[op.query], std::nullopt);
  }
  Outcome operator()(const oplang::PutSingleOp& op) const {
    return run.world_.PutSingle(run.Resolve(op.value));
  }
  Outcome operator()(const oplang::RemoveSingleOp& op) const {
    return run.world_.RemoveSingle(op.component);
  }
  Outcome operator()(const oplang::HookOp& op) const {
    return run.world_.SetHook(op.component, op.moment, op.reaction);
  }
  Outcome operator()(const oplang::UnhookOp& op) const {
    return run.world_.SetHook(op.component, op.moment, std::nullopt);
  }
  Outcome operator()(const oplang::GetSingleOp& op) const {
    const Value* value = nullptr;
    return run.world_.GetSingle(op.component, &value);
  }
  Outcome operator()(const oplang::OpenScopeOp& op) const {
    if (!run.queries_[op.query].has_value()) return Refused(Reason::kQueryUnknown);
    run.world_.OpenScope();
    return kDone;
  }
  Outcome operator()(const oplang::CloseScopeOp&) const {
    run.world_.CloseScope();
    return kDone;
  }
  Outcome operator()(const oplang::MoveOp& op) const {
    return Move(&run.world_, std::bit_cast<float>(op.dt_bits));
  }

  // Every label with the old bits follows the entity.
  Outcome operator()(const oplang::PlaceGenerationOp& op) const {
    const Entity entity = run.EntityOf(op.entity);
    Entity placed;
    const Outcome outcome = run.world_.PlaceGeneration(entity, op.generation, &placed);
    if (outcome != kDone) return outcome;
    for (Entity& bound : run.labels_) {
      if (bound == entity) bound = placed;
    }
    return kDone;
  }
};

Outcome ReferenceRun::Apply(const oplang::Action& action) {
  const Outcome outcome = std::visit(Visitor{*this}, action);
  for (const HeardEvent& event : world_.TakeHeard()) {
    const auto reaction = world_.hooks().ReactionTo(event.component, event.moment);
    if (reaction == oplang::HookReaction::kNone) continue;
    commands_.Record(world_.schema(), ReactionCommand(event, reaction));
  }
  return outcome;
}

// A label of what will be made is null until it is; but a command means what will be made.
Outcome ReferenceRun::Record(const oplang::RecordOp& op) {
  ReferenceCommand command{
      {op.verb, op.removed, Resolve(op.values)}, op.by_query, {}, {}, {}, op.buffer, op.is_late};
  if (op.by_query) {
    command.terms = queries_[op.query];
  } else if (op.verb != oplang::CommandVerb::kCreate) {
    command.made = PendingOf(op.entity);
    command.entity = EntityOf(op.entity);
  }
  const std::size_t number = commands_.made_count();
  const Outcome outcome = commands_.Record(world_.schema(), command);
  if (op.verb == oplang::CommandVerb::kCreate) {
    Bind(op.label, Entity());
    if (outcome == kDone) pending_[op.label] = number;
  }
  return outcome;
}

Outcome ReferenceRun::ApplyCommands(bool skip_dead) {
  ReferenceReport report;
  const Outcome outcome = commands_.Apply(&world_, skip_dead, &report);
  if (outcome != kDone) return outcome;
  const auto pending = std::exchange(pending_, {});
  for (const auto& [label, number] : pending) Bind(label, report.made[number]);
  return kDone;
}

std::optional<std::size_t> ReferenceRun::PendingOf(const oplang::EntityRef& ref) const {
  const auto found = ref.is_label ? pending_.find(ref.label) : pending_.end();
  return found == pending_.end() ? std::nullopt : std::optional(found->second);
}

Entity ReferenceRun::EntityOf(oplang::Label label) const {
  return label < labels_.size() ? labels_[label] : Entity();
}

Entity ReferenceRun::EntityOf(const oplang::EntityRef& ref) const {
  return ref.is_label ? EntityOf(ref.label) : ref.literal;
}

void ReferenceRun::Bind(oplang::Label label, Entity entity) {
  pending_.erase(label);
  if (label >= labels_.size()) labels_.resize(label + std::size_t{1});
  labels_[label] = entity;
}

NamedValue ReferenceRun::Resolve(const oplang::ComponentArg& arg) const {
  NamedValue named{arg.component, Value(arg.value.begin(), arg.value.end())};
  for (Scalar& scalar : named.value) {
    if (scalar.kind != Scalar::Kind::kLabel) continue;
    scalar = Scalar::EntityValue(EntityOf(static_cast<oplang::Label>(scalar.bits)));
  }
  return named;
}

std::vector<NamedValue> ReferenceRun::Resolve(std::span<const oplang::ComponentArg> args) const {
  std::vector<NamedValue> values;
  for (const oplang::ComponentArg& arg : args) values.push_back(Resolve(arg));
  return values;
}

}  // namespace ashlar::model
