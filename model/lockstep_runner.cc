#include "model/lockstep_runner.h"

#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/world/iteration_scope.h"
#include "model/lockstep_answers.h"
#include "model/lockstep_dangling.h"
#include "model/reference_systems.h"

namespace ashlar::model {

using oplang::Outcome;

struct Runner::Visitor {
  Runner& run;

  Entity Resolve(const oplang::EntityRef& ref) const { return run.bindings_.Resolve(ref); }

  void operator()(const oplang::NopOp&) const {
    run.Both({}, [](World&) { return absl::OkStatus(); });
  }

  void operator()(const oplang::CreateOp& op) const {
    run.operands_.ResolveValues(op.values, op.label);
    Entity expected;
    Entity made;
    run.Both(run.model_.Create(run.operands_.named(), &expected), [&](World& world) {
      const absl::StatusOr<Entity> created = world.Create(run.operands_.values());
      made = created.value_or(Entity());
      return created.status();
    });
    run.bindings_.Bind(op.label, IsOk(run.result_.model) ? expected : Entity());
    NoteOtherEntity(expected, made);
  }

  void operator()(const oplang::CreateManyOp& op) const {
    run.operands_.ResolveValues(op.values, op.label);
    const std::span<const ComponentSpan> spans = run.operands_.SpansOfValues();
    std::vector<Entity> expected;
    std::vector<Entity> made(op.count);
    run.Both(run.model_.CreateMany(run.operands_.named(), op.count, &expected),
             [&](World& world) { return world.CreateMany(made, spans); });
    const bool is_made = IsOk(run.result_.model);
    for (std::uint32_t i = 0; i < op.count; ++i) {
      run.bindings_.Bind(static_cast<oplang::Label>(op.label + i),
                         is_made ? expected[i] : Entity());
      if (is_made) NoteOtherEntity(expected[i], made[i]);
    }
  }

  void operator()(const oplang::DestroyAllOp&) const {
    run.Both(run.model_.DestroyAll(), [](World& world) { return world.DestroyAll(); });
  }

  void operator()(const oplang::DestroyOp& op) const {
    const Entity entity = Resolve(op.entity);
    run.Both(run.model_.Destroy(entity), [&](World& world) { return world.Destroy(entity); });
  }

  void operator()(const oplang::AddOp& op) const {
    const Entity entity = Resolve(op.entity);
    run.operands_.ResolveValues(op.values, SaltOf(op.entity));
    run.Both(run.model_.Add(entity, run.operands_.named()),
             [&](World& world) { return world.Add(entity, run.operands_.values()); });
  }

  void operator()(const oplang::RemoveOp& op) const {
    const Entity entity = Resolve(op.entity);
    const std::span<const ComponentId> components = run.operands_.ResolveComponents(op.components);
    run.Both(run.model_.Remove(entity, op.components),
             [&](World& world) { return world.Remove(entity, components); });
  }

  void operator()(const oplang::ExchangeOp& op) const {
    const Entity entity = Resolve(op.entity);
    run.operands_.ResolveValues(op.added, SaltOf(op.entity));
    const std::span<const ComponentId> removed = run.operands_.ResolveComponents(op.removed);
    run.Both(run.model_.Exchange(entity, op.removed, run.operands_.named()),
             [&](World& world) { return world.Exchange(entity, removed, run.operands_.values()); });
  }

  void operator()(const oplang::SetOp& op) const {
    const Entity entity = Resolve(op.entity);
    run.operands_.ResolveValues(op.values, SaltOf(op.entity));
    run.Both(run.model_.Set(entity, run.operands_.named()),
             [&](World& world) { return world.Set(entity, run.operands_.values()); });
  }

  void operator()(const oplang::PutOp& op) const {
    const Entity entity = Resolve(op.entity);
    run.operands_.ResolveValues(op.values, SaltOf(op.entity));
    run.Both(run.model_.Put(entity, run.operands_.named()),
             [&](World& world) { return world.Put(entity, run.operands_.values()); });
  }

  void operator()(const oplang::GetOp& op) const {
    const Entity entity = Resolve(op.entity);
    const Value* expected = nullptr;
    const std::byte* stored = nullptr;
    run.Both(run.model_.Get(entity, op.component, &expected), [&](World& world) {
      const auto got = run.Get(world, entity, op.component);
      stored = got.value_or(nullptr);
      return got.status();
    });
    if (!run.both_ok()) return;
    if (run.comparer_.SameValue(entity, op.component, stored, *expected)) return;
    run.result_.difference = run.comparer_.difference();
  }

  void operator()(const oplang::HasOp& op) const {
    const Entity entity = Resolve(op.entity);
    bool expected = false;
    bool has = false;
    run.Both(run.model_.Has(entity, op.component, &expected), [&](World& world) {
      const auto got = world.Has(entity, ComponentId(op.component));
      has = got.value_or(false);
      return got.status();
    });
    NoteOtherAnswer(expected, has);
  }

  void NoteOtherAnswer(bool expected, bool answer) const {
    if (!run.both_ok() || answer == expected) return;
    run.result_.difference = absl::StrCat("the world says ", answer ? "true" : "false",
                                          ", the model ", expected ? "true" : "false");
  }

  void operator()(const oplang::SetFieldOp& op) const {
    const Entity entity = Resolve(op.entity);
    const Scalar value = run.operands_.Resolve(op.value);
    run.Both(run.model_.SetScalar(entity, op.component, op.scalar, value), [&](World& world) {
      return world.SetScalar(entity, ComponentId(op.component), op.scalar, value);
    });
  }

  void operator()(const oplang::QueryOp& op) const {
    BoundQuery query{op.query, op.terms, QueryId::None(), QueryId::None()};
    run.Both(run.model_.CheckQuery(op.terms),
             [&](World&) { return run.MakeQueries(op.terms, &query); });
    if (run.both_ok()) {
      run.bindings_.Bind(std::move(query));
    } else {
      run.bindings_.Unbind(op.query);
    }
  }

  void operator()(const oplang::IterateOp& op) const {
    const BoundQuery* query = run.bindings_.Find(op.query);
    run.Both(query != nullptr ? Outcome() : kQueryUnknown, [&](World& world) {
      const auto scope = world.OpenScope(query != nullptr ? query->read : QueryId::None());
      if (scope.ok() && query != nullptr && !run.comparer_.SameVisit(*query, *scope)) {
        run.result_.difference = run.comparer_.difference();
      }
      return scope.status();
    });
  }

  void operator()(const oplang::FillOp& op) const {
    const BoundQuery* query = run.bindings_.Find(op.query);
    const NamedValue value = run.operands_.Resolve(op.value);
    // A fill of objects is as many calls as rows; where any may fail it is left out.
    const bool is_object =
        value.component < run.schema_->size() && run.schema_->Tracked(value.component) != nullptr;
    if (is_object && run.options_.memory_may_fail) return (*this)(oplang::NopOp{});
    run.Both(query != nullptr ? Fill(&run.model_, query->terms, value) : kQueryUnknown,
             [&](World&) { return run.FillRows(query, value); });
  }

  void operator()(const oplang::EnableOp& op) const { SetEnabled(op.entity, op.component, true); }
  void operator()(const oplang::DisableOp& op) const { SetEnabled(op.entity, op.component, false); }
  void SetEnabled(const oplang::EntityRef& ref, oplang::ComponentRef component, bool on) const {
    const Entity entity = Resolve(ref);
    run.Both(run.model_.SetEnabled(entity, component, on),
             [&](World& world) { return world.SetEnabled(entity, ComponentId(component), on); });
  }

  void operator()(const oplang::IsEnabledOp& op) const {
    const Entity entity = Resolve(op.entity);
    bool expected = false;
    bool enabled = false;
    run.Both(run.model_.IsEnabled(entity, op.component, &expected), [&](World& world) {
      const auto got = world.IsEnabled(entity, ComponentId(op.component));
      enabled = got.value_or(false);
      return got.status();
    });
    NoteOtherAnswer(expected, enabled);
  }

  void operator()(const oplang::FlipOp& op) const {
    const BoundQuery* query = run.bindings_.Find(op.query);
    run.Both(query != nullptr ? run.model_.Flip(query->terms, op.component) : kQueryUnknown,
             [&](World&) { return run.FlipRows(query, op.component); });
  }

  void operator()(const oplang::OpenScopeOp& op) const {
    const BoundQuery* query = run.bindings_.Find(op.query);
    run.Both(query != nullptr ? Outcome() : kQueryUnknown, [&](World& world) {
      auto scope = world.OpenScope(query != nullptr ? query->read : QueryId::None());
      if (!scope.ok()) return scope.status();
      run.scopes_.push_back(*std::move(scope));
      return absl::OkStatus();
    });
    if (run.both_ok()) run.model_.OpenScope();
  }

  void operator()(const oplang::CloseScopeOp&) const {
    run.model_.CloseScope();
    run.Both({}, [&](World&) {
      if (!run.scopes_.empty()) run.scopes_.pop_back();
      return absl::OkStatus();
    });
  }

  void operator()(const oplang::MoveOp& op) const {
    const auto dt = std::bit_cast<float>(op.dt_bits);
    run.Both(Move(&run.model_, dt), [&](World& world) {
      return run.movement_.ok() ? run.movement_->Step(world, dt) : run.movement_.status();
    });
  }

  void operator()(const oplang::PlaceGenerationOp& op) const {
    const Entity entity = Resolve(op.entity);
    Entity expected;
    Entity placed;
    run.Both(run.model_.PlaceGeneration(entity, op.generation, &expected), [&](World& world) {
      const absl::StatusOr<Entity> got = world.PlaceGeneration(entity, op.generation);
      placed = got.value_or(Entity());
      return got.status();
    });
    if (IsOk(run.result_.model)) {
      run.bindings_.Rename(entity, expected);
      run.mark_.Rename(entity, expected);
    }
    NoteOtherEntity(expected, placed);
  }

  void operator()(const oplang::PlaceIndexOp& op) const {
    run.Both(run.model_.PlaceIndex(op.index),
             [&](World& world) { return world.PlaceIndex(op.index); });
  }

  void operator()(const oplang::PlaceVersionOp& op) const {
    run.Both(run.model_.PlaceVersion(op.version),
             [&](World& world) { return world.PlaceVersion(op.version); });
  }

  void operator()(const oplang::TrimOp&) const {
    run.Both(run.model_.Trim(), [&](World& world) { return world.Trim().status(); });
  }

  void operator()(const oplang::MarkOp&) const {
    run.Both(run.model_.Mark(), [&](World& world) {
      if (world.scope_depth() != 0) return world.Trim().status();  // Refused alike.
      run.mark_.Place(run.model_, world.version());
      return absl::OkStatus();
    });
  }

  void operator()(const oplang::ChangedOp& op) const {
    VisitSince(op.query, op.component, ChangeMark::Kind::kChanged);
  }
  void operator()(const oplang::AddedOp& op) const {
    VisitSince(op.query, op.component, ChangeMark::Kind::kAdded);
  }
  void VisitSince(oplang::QueryLabel label, oplang::ComponentRef component,
                  ChangeMark::Kind kind) const {
    const BoundQuery* query = run.bindings_.Find(label);
    run.Both(query != nullptr ? run.model_.CheckComponent(component) : kQueryUnknown,
             [&](World&) { return run.VisitSince(query, component, kind); });
  }

  void operator()(const oplang::DanglingOp&) const {
    run.Both({}, [&](World& world) {
      auto found = FindDanglingReferences(world);
      if (!found.ok()) return found.status();
      run.result_.difference = DanglingDifference(
          *std::move(found), DanglingInModel(run.model_, run.schema_->ForModel()));
      return absl::OkStatus();
    });
  }

  void operator()(const oplang::RecordOp& op) const { run.Record(op); }
  void operator()(const oplang::ApplyOp& op) const { run.ApplyCommands(op); }
  void operator()(const oplang::DiscardOp&) const { run.Discard(); }
  void operator()(const oplang::ByQueryOp& op) const { run.ChangeByQuery(op); }
  void operator()(const oplang::ManyOp& op) const { run.ChangeMany(op); }

  void operator()(const oplang::SortOp& op) const { run.Sort(op.query, op.component); }
  void operator()(const oplang::SortByEntityOp& op) const { run.Sort(op.query, std::nullopt); }
  void operator()(const oplang::PutSingleOp& op) const { run.PutSingle(op.value); }
  void operator()(const oplang::RemoveSingleOp& op) const { run.RemoveSingle(op.component); }
  void operator()(const oplang::GetSingleOp& op) const { run.GetSingle(op.component); }
  void operator()(const oplang::HookOp& op) const {
    run.SetHook(op.component, op.moment, op.reaction);
  }
  void operator()(const oplang::UnhookOp& op) const {
    run.SetHook(op.component, op.moment, std::nullopt);
  }

  void operator()(const oplang::ExpectOp& op) const {
    run.Both({}, [](World&) { return absl::OkStatus(); });
    if (run.options_.check_expectations) run.result_.unmet = run.expect_checker_.Check(op);
  }

  void operator()(const oplang::FailAllocationOp& op) const { run.injection_.Arm(op); }
  void operator()(const oplang::FailConstructionOp& op) const { run.injection_.Arm(op); }

  // World and model must name the same entity.
  void NoteOtherEntity(Entity expected, Entity made) const {
    if (!run.both_ok() || made == expected) return;
    run.result_.difference =
        absl::StrCat("the world's entity is ", ScalarText(Scalar::EntityValue(made)),
                     ", the model's ", ScalarText(Scalar::EntityValue(expected)));
  }
};

const StepResult& Runner::Run(const oplang::Action& action) {
  result_ = StepResult();
  const bool is_armed = injection_.is_armed() && !oplang::IsArming(CodeOf(action));
  if (options_.memory_may_fail || is_armed) {
    model_before_.emplace(model_);
    commands_before_ = commands_;
  }
  std::visit(Visitor{*this}, action);
  CompareHeard();
  CompareBuffers();
  return result_;
}

}  // namespace ashlar::model
