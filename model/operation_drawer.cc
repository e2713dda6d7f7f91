// Odds first; then the operations; then their operands. Each lean says what 20,000 programs from
// GenerateFromSeed (2.9 million operations) reach with it and without it.

#include "model/operation_drawer.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <optional>
#include <variant>

#include "ashlar/core/limits.h"

namespace ashlar::model {
namespace {

using oplang::Action;
using oplang::ComponentArg;
using oplang::ComponentRef;
using oplang::EntityRef;
using oplang::Label;
using oplang::OpCode;
using oplang::QueryTerm;
using oplang::TermKind;
using Wish = ComponentDrawer::Wish;

// That an operation names an entity that lives, by its label. 60 % of adds and 65 % of sets
// succeed; with labels as they fall 25 % and 27 %. The rest are dead, forged and null.
constexpr Odds kLiveEntity{7, 8};

// That iterate, fill and open name a query that is bound. At even odds 53 % of iterates have none,
// and scopes are open half as often.
constexpr Odds kBoundQuery{15, 16};

// Query labels in use: few, so that they are bound again while scopes of them are open.
constexpr std::uint32_t kQueryLabelCount = 4;

// Bound queries drawn until one has a component to fill.
constexpr int kQueriesTried = 4;

}  // namespace

OperationDrawer::OperationDrawer(std::span<const oplang::ComponentDeclaration> components,
                                 const ModelSchema& schema, const Profile& profile,
                                 const Weights& weights, Random* random)
    : components_(components),
      profile_(profile),
      random_(*random),
      run_(profile.options, schema),
      drawer_(components, schema.descriptors, profile, weights, random) {}

Action OperationDrawer::Draw(OpCode code) {
  Action action = DrawAction(code);
  const oplang::Outcome outcome = run_.Apply(action);
  const bool is_apply = std::holds_alternative<oplang::ApplyOp>(action);
  if (is_apply || std::holds_alternative<oplang::DiscardOp>(action)) {
    is_stuck_ = outcome.code != absl::StatusCode::kOk && outcome.reason != Reason::kScopeOpen;
  }
  return action;
}

bool OperationDrawer::has_query() const {
  for (std::uint32_t i = 0; i < kQueryLabelCount; ++i) {
    if (run_.QueryOf(static_cast<oplang::QueryLabel>(i)).has_value()) return true;
  }
  return false;
}

Action OperationDrawer::DrawAction(OpCode code) {
  const EntityRef entity = DrawEntity();
  const Components* row = RowOf(entity);
  switch (code) {
    case OpCode::kCreate:
      return DrawCreate();
    case OpCode::kCreateMany:
      return DrawCreateMany();
    case OpCode::kDestroyAll:
      return oplang::DestroyAllOp{};
    case OpCode::kDestroy:
      return oplang::DestroyOp{entity};
    case OpCode::kAdd:
      return oplang::AddOp{entity, drawer_.DrawArgs(drawer_.DrawList(row, Wish::kAbsent))};
    case OpCode::kRemove:
      return oplang::RemoveOp{entity, drawer_.DrawList(row, Wish::kPresent)};
    case OpCode::kExchange:
      return DrawExchange(entity);
    case OpCode::kSet:
      return oplang::SetOp{entity, drawer_.DrawArgs(drawer_.DrawList(row, Wish::kPresent))};
    case OpCode::kPut:
      return DrawPut(entity);
    case OpCode::kGet:
      return oplang::GetOp{entity, drawer_.DrawOne(row, Wish::kPresent)};
    case OpCode::kHas:
      return oplang::HasOp{entity, drawer_.DrawOne(row, Wish::kPresent)};
    case OpCode::kSetField:
      return DrawSetField(entity);
    case OpCode::kQuery:
    case OpCode::kIterate:
    case OpCode::kFill:
    case OpCode::kOpenScope:
    case OpCode::kCloseScope:
    case OpCode::kChanged:
    case OpCode::kAdded:
      return DrawOfQueries(code, row);
    case OpCode::kMove:
      return DrawMove();
    case OpCode::kTrim:
      return oplang::TrimOp{};
    case OpCode::kDangling:
      return oplang::DanglingOp{};
    case OpCode::kMark:
      return oplang::MarkOp{};
    case OpCode::kEnable:
    case OpCode::kDisable:
    case OpCode::kIsEnabled:
    case OpCode::kFlip:
      return DrawOfBits(code, entity, row);
    case OpCode::kPlaceGeneration:
    case OpCode::kPlaceIndex:
    case OpCode::kPlaceVersion:
    case OpCode::kFailAllocation:
    case OpCode::kFailConstruction:
      return DrawOfFailures(code, entity);
    case OpCode::kRecord:
    case OpCode::kApply:
    case OpCode::kDiscard:
    case OpCode::kByQuery:
    case OpCode::kMany:
      return DrawOfCommands(code);
    case OpCode::kSort:
    case OpCode::kSortByEntity:
    case OpCode::kPutSingle:
    case OpCode::kRemoveSingle:
    case OpCode::kGetSingle:
    case OpCode::kHook:
    case OpCode::kUnhook:
      return DrawOfTheWorld(code);
    case OpCode::kNop:
    case OpCode::kExpect:
      break;
  }
  return oplang::NopOp{};
}

// --- Operations ---

// A label that names something lives on without it: then only its bits can reach it.
Action OperationDrawer::DrawCreate() {
  oplang::CreateOp op;
  op.label = random_.Chance(15, 16) ? DrawLabel(false) : DrawLabel(true);
  op.values = drawer_.DrawArgs(drawer_.DrawNewRow());
  return op;
}

// A few; now and then as many as there may be. Labels that name something are bound again.
Action OperationDrawer::DrawCreateMany() {
  oplang::CreateManyOp op;
  const std::size_t live = live_rows();
  const std::size_t room = std::max<std::size_t>(profile_.live_rows_max, live + 1) - live;
  const std::size_t most = random_.Chance(1, 8) ? room : std::min<std::size_t>(room, 6);
  op.count = 1 + static_cast<std::uint32_t>(random_.Below(most));
  op.label = DrawLabel(false);
  op.values = drawer_.DrawArgs(drawer_.DrawNewRow());
  return op;
}

// Every eighth adds what it removes, which keeps its place.
Action OperationDrawer::DrawExchange(const EntityRef& entity) {
  const Components* row = RowOf(entity);
  oplang::ExchangeOp op;
  op.entity = entity;
  op.removed = drawer_.DrawList(row, Wish::kPresent);
  op.added = drawer_.DrawArgs(drawer_.DrawList(row, Wish::kAbsent));
  if (!op.removed.empty() && random_.Chance(1, 8)) {
    op.added.push_back(drawer_.DrawArg(op.removed[random_.Below(op.removed.size())]));
  }
  return op;
}

Action OperationDrawer::DrawPut(const EntityRef& entity) {
  const Wish wish = random_.Chance(1, 2) ? Wish::kPresent : Wish::kAbsent;
  oplang::PutOp op{entity, drawer_.DrawArgs(drawer_.DrawList(RowOf(entity), wish))};
  // Half of what is put is there and half is not; some of one kind beside some of the other.
  if (random_.Chance(1, 2)) {
    const ComponentRef other = drawer_.DrawOne(RowOf(entity), Wish::kPresent);
    const bool is_new = std::ranges::none_of(
        op.values, [&](const ComponentArg& arg) { return arg.component == other; });
    if (is_new) op.values.push_back(drawer_.DrawArg(other));
  }
  return op;
}

Action OperationDrawer::DrawSetField(const EntityRef& entity) {
  oplang::SetFieldOp op;
  op.entity = entity;
  op.component = drawer_.DrawOne(RowOf(entity), Wish::kPresent);
  op.value = Scalar::Int(static_cast<std::int64_t>(random_.Below(100)));
  if (op.component >= components_.size()) return op;
  const TypeSpec& type = components_[op.component].type;
  const std::size_t count = ScalarCount(type);
  if (count == 0 || random_.Chance(1, 24)) {
    op.scalar = static_cast<std::uint32_t>(count + random_.Below(3));
    return op;
  }
  op.scalar = static_cast<std::uint32_t>(random_.Below(count));
  op.value =
      DrawScalar(FieldOf(type, op.scalar), drawer_.DrawAim(type), profile_.label_count, &random_);
  return op;
}

// REQUIRES: it is a code of those.
Action OperationDrawer::DrawOfQueries(OpCode code, const Components* row) {
  if (code == OpCode::kQuery) {
    return oplang::QueryOp{static_cast<oplang::QueryLabel>(random_.Below(kQueryLabelCount)),
                           DrawTerms()};
  }
  if (code == OpCode::kFill) return DrawFill();
  if (code == OpCode::kCloseScope) return oplang::CloseScopeOp{};
  const oplang::QueryLabel query = DrawQueryLabel();
  if (code == OpCode::kIterate) return oplang::IterateOp{query};
  if (code == OpCode::kOpenScope) return oplang::OpenScopeOp{query};
  const ComponentRef seen = DrawSeen(row);
  if (code == OpCode::kChanged) return oplang::ChangedOp{query, seen};
  return oplang::AddedOp{query, seen};
}

Action OperationDrawer::DrawFill() {
  oplang::FillOp op;
  std::vector<ComponentRef> required;
  for (int i = 0; i < kQueriesTried && required.empty(); ++i) {
    op.query = DrawQueryLabel();
    const auto& terms = run_.QueryOf(op.query);
    if (!terms.has_value()) break;
    for (const QueryTerm& term : *terms) {
      if (term.kind == TermKind::kAll) required.push_back(term.component);
    }
  }
  const bool fits = !required.empty() && random_.Chance(7, 8);
  op.value = drawer_.DrawArg(fits ? required[random_.Below(required.size())]
                                  : drawer_.DrawOne(nullptr, Wish::kAbsent));
  return op;
}

// Every sixteenth is none that is registered.
ComponentRef OperationDrawer::DrawSeen(const Components* row) {
  if (random_.Chance(1, 16)) return static_cast<ComponentRef>(components_.size());
  return drawer_.DrawOne(row, Wish::kPresent);
}

// Mostly one that the entity has, then any that is enableable; every eighth whatever comes.
ComponentRef OperationDrawer::DrawEnableable(const Components* row) {
  const bool any_will_do = random_.Chance(1, 8);
  const ComponentRef drawn = drawer_.DrawOne(row, Wish::kPresent);
  if (any_will_do || drawn >= components_.size() || components_[drawn].is_enableable) return drawn;
  std::vector<ComponentRef> present;
  std::vector<ComponentRef> all;
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const auto component = static_cast<ComponentRef>(i);
    if (!components_[i].is_enableable) continue;
    all.push_back(component);
    if (row != nullptr && row->contains(component)) present.push_back(component);
  }
  const std::vector<ComponentRef>& from = present.empty() ? all : present;
  return from.empty() ? drawn : from[random_.Below(from.size())];
}

// REQUIRES: it is a code of those.
Action OperationDrawer::DrawOfBits(OpCode code, const EntityRef& entity, const Components* row) {
  if (code == OpCode::kFlip) return DrawFlip(row);
  const ComponentRef component = DrawEnableable(row);
  if (code == OpCode::kEnable) return oplang::EnableOp{entity, component};
  if (code == OpCode::kDisable) return oplang::DisableOp{entity, component};
  return oplang::IsEnabledOp{entity, component};
}

// Mostly one that a bound query requires.
Action OperationDrawer::DrawFlip(const Components* row) {
  oplang::FlipOp op;
  std::vector<ComponentRef> fitting;
  for (int i = 0; i < kQueriesTried && fitting.empty(); ++i) {
    op.query = DrawQueryLabel();
    const auto& terms = run_.QueryOf(op.query);
    if (!terms.has_value()) break;
    for (const QueryTerm& term : *terms) {
      const bool fits = term.kind == TermKind::kAll && term.component < components_.size() &&
                        components_[term.component].is_enableable;
      if (fits) fitting.push_back(term.component);
    }
  }
  const bool fits = !fitting.empty() && random_.Chance(15, 16);
  op.component = fits ? fitting[random_.Below(fitting.size())] : DrawEnableable(row);
  return op;
}

Action OperationDrawer::DrawMove() {
  return oplang::MoveOp{random_.Chance(1, 2) ? std::bit_cast<std::uint32_t>(0.5f)
                                             : DrawF32Bits(&random_)};
}

// Half of the terms require: a query that requires nothing has nothing to fill.
std::vector<QueryTerm> OperationDrawer::DrawTerms() {
  static constexpr TermKind kKinds[] = {TermKind::kAll, TermKind::kAll,     TermKind::kAll,
                                        TermKind::kAll, TermKind::kNone,    TermKind::kAny,
                                        TermKind::kAny, TermKind::kOptional};
  std::vector<QueryTerm> terms;
  for (ComponentRef component : drawer_.DrawList(nullptr, Wish::kAbsent)) {
    terms.push_back({kKinds[random_.Below(std::size(kKinds))], component, random_.Chance(1, 4)});
  }
  if (!terms.empty() && random_.Chance(1, 32)) {
    terms.push_back({kKinds[random_.Below(std::size(kKinds))], terms.front().component});
  }
  return terms;
}

// --- Operands ---

Label OperationDrawer::DrawLabel(bool lives) {
  const std::uint64_t first = random_.Below(profile_.label_count);
  for (std::uint32_t i = 0; i < profile_.label_count; ++i) {
    const auto label = static_cast<Label>((first + i) % profile_.label_count);
    const bool is_taken = !lives && run_.pending().contains(label);
    if (world().IsAlive(run_.EntityOf(label)) == lives && !is_taken) return label;
  }
  return static_cast<Label>(first);
}

EntityRef OperationDrawer::DrawEntity() {
  if (Chance(kLiveEntity)) {
    return EntityRef::Of(DrawLabel(true));
  }
  const Entity live = run_.EntityOf(DrawLabel(true));
  switch (random_.Below(6)) {
    case 0:
      return EntityRef::Literal(Entity());
    case 1:
      return EntityRef::Literal(live);
    case 2:  // The same slot, another time.
      return EntityRef::Literal(
          Entity(live.index(), live.generation() + (random_.Chance(1, 2) ? 1 : -1)));
    case 3:  // A slot that was never issued, or far outside of the directory.
      return EntityRef::Literal(Entity(
          random_.Chance(1, 2) ? std::numeric_limits<std::uint32_t>::max() : profile_.label_count,
          kGenerationFirst));
    default:
      return EntityRef::Of(DrawLabel(false));
  }
}

oplang::QueryLabel OperationDrawer::DrawQueryLabel() {
  const bool bound = Chance(kBoundQuery);
  const std::uint64_t first = random_.Below(kQueryLabelCount);
  for (std::uint32_t i = 0; i < kQueryLabelCount; ++i) {
    const auto label = static_cast<oplang::QueryLabel>((first + i) % kQueryLabelCount);
    if (run_.QueryOf(label).has_value() == bound) return label;
  }
  // No label is as wanted: one more, which nothing ever binds, or any.
  return static_cast<oplang::QueryLabel>(bound ? first : kQueryLabelCount);
}

const Components* OperationDrawer::RowOf(const EntityRef& entity) const {
  const auto found = world().entities().find(run_.EntityOf(entity));
  return found == world().entities().end() ? nullptr : &found->second;
}

}  // namespace ashlar::model
