// Odds first, each with what it is for; then the operations; then their operands.

#include "model/operation_drawer.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <optional>

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

struct Odds {
  std::uint32_t numerator;
  std::uint32_t denominator;
};

constexpr Odds kLiveEntity{7, 8};
constexpr Odds kWishTurned{1, 12};
constexpr Odds kUnregistered{1, 64};
constexpr Odds kRepeated{1, 32};
constexpr Odds kFavourite{15, 16};
constexpr Odds kTemplate{3, 4};
constexpr Odds kWideFavourite{1, 8};
constexpr Odds kBoundQuery{15, 16};

// Query labels in use: few, so that they are bound again while scopes of them are open.
constexpr std::uint32_t kQueryLabelCount = 4;

// A component from this size on is wide: two of them may not fit one chunk.
constexpr std::size_t kWideBytes = 1024;

// Programs with more live rows than this are large: see SwarmProfile.
constexpr std::uint32_t kSmallRowsMax = 64;

constexpr int kTriesMax = 8;
constexpr int kQueriesTried = 4;

bool Contains(const std::vector<ComponentRef>& list, ComponentRef component) {
  return std::ranges::find(list, component) != list.end();
}

bool Has(const Components* row, ComponentRef component) {
  return row != nullptr && row->contains(component);
}

}  // namespace

OperationDrawer::OperationDrawer(std::span<const oplang::ComponentDeclaration> components,
                                 std::span<const ComponentDescriptor> descriptors,
                                 const Profile& profile, const Weights& weights, Random* random)
    : components_(components),
      profile_(profile),
      random_(*random),
      run_(profile.options, descriptors) {
  DrawFavourites(weights[static_cast<std::size_t>(OpCode::kMove)] > 0);
  DrawTemplates();
}

Action OperationDrawer::Draw(OpCode code) {
  Action action = DrawAction(code);
  run_.Apply(action);
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
    case OpCode::kDestroy:
      return oplang::DestroyOp{entity};
    case OpCode::kAdd:
      return oplang::AddOp{entity, DrawArgs(DrawComponents(row, Wish::kAbsent))};
    case OpCode::kRemove:
      return oplang::RemoveOp{entity, DrawComponents(row, Wish::kPresent)};
    case OpCode::kExchange:
      return DrawExchange(entity);
    case OpCode::kSet:
      return oplang::SetOp{entity, DrawArgs(DrawComponents(row, Wish::kPresent))};
    case OpCode::kPut:
      return DrawPut(entity);
    case OpCode::kGet:
      return oplang::GetOp{entity, DrawComponent(row, Wish::kPresent)};
    case OpCode::kHas:
      return oplang::HasOp{entity, DrawComponent(row, Wish::kPresent)};
    case OpCode::kSetField:
      return DrawSetField(entity);
    case OpCode::kQuery:
      return oplang::QueryOp{static_cast<oplang::QueryLabel>(random_.Below(kQueryLabelCount)),
                             DrawTerms()};
    case OpCode::kIterate:
      return oplang::IterateOp{DrawQueryLabel()};
    case OpCode::kFill:
      return DrawFill();
    case OpCode::kOpenScope:
      return oplang::OpenScopeOp{DrawQueryLabel()};
    case OpCode::kCloseScope:
      return oplang::CloseScopeOp{};
    case OpCode::kMove:
      return DrawMove();
    case OpCode::kPlaceGeneration:
      return DrawPlaceGeneration(entity);
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
  op.values = DrawArgs(random_.Chance(kTemplate.numerator, kTemplate.denominator)
                           ? templates_[random_.Below(templates_.size())]
                           : DrawComponents(nullptr, Wish::kAbsent));
  return op;
}

// Every eighth adds what it removes, which keeps its place.
Action OperationDrawer::DrawExchange(const EntityRef& entity) {
  const Components* row = RowOf(entity);
  oplang::ExchangeOp op;
  op.entity = entity;
  op.removed = DrawComponents(row, Wish::kPresent);
  op.added = DrawArgs(DrawComponents(row, Wish::kAbsent));
  if (!op.removed.empty() && random_.Chance(1, 8)) {
    op.added.push_back(DrawArg(op.removed[random_.Below(op.removed.size())]));
  }
  return op;
}

Action OperationDrawer::DrawPut(const EntityRef& entity) {
  const Wish wish = random_.Chance(1, 2) ? Wish::kPresent : Wish::kAbsent;
  oplang::PutOp op{entity, DrawArgs(DrawComponents(RowOf(entity), wish))};
  // Half of what is put is there and half is not; some of one kind beside some of the other.
  if (random_.Chance(1, 2)) {
    const ComponentRef other = DrawComponent(RowOf(entity), Wish::kPresent);
    const bool is_new = std::ranges::none_of(
        op.values, [&](const ComponentArg& arg) { return arg.component == other; });
    if (is_new) op.values.push_back(DrawArg(other));
  }
  return op;
}

Action OperationDrawer::DrawSetField(const EntityRef& entity) {
  oplang::SetFieldOp op;
  op.entity = entity;
  op.component = DrawComponent(RowOf(entity), Wish::kPresent);
  op.value = Scalar::Int(static_cast<std::int64_t>(random_.Below(100)));
  if (op.component >= components_.size()) return op;
  const TypeSpec& type = components_[op.component].type;
  const std::size_t count = ScalarCount(type);
  if (count == 0 || random_.Chance(1, 24)) {
    op.scalar = static_cast<std::uint32_t>(count + random_.Below(3));
    return op;
  }
  op.scalar = static_cast<std::uint32_t>(random_.Below(count));
  op.value = DrawScalar(FieldOf(type, op.scalar), DrawAim(type), profile_.label_count, &random_);
  return op;
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
  op.value = DrawArg(fits ? required[random_.Below(required.size())]
                          : DrawComponent(nullptr, Wish::kAbsent));
  return op;
}

Action OperationDrawer::DrawMove() {
  return oplang::MoveOp{random_.Chance(1, 2) ? std::bit_cast<std::uint32_t>(0.5f)
                                             : DrawF32Bits(&random_)};
}

// Near the end of generations, where a destroy retires the slot; or 0, which is refused.
Action OperationDrawer::DrawPlaceGeneration(const EntityRef& entity) {
  static constexpr std::uint32_t kGenerations[] = {
      kGenerationLast, kGenerationLast, kGenerationLast - 1, kGenerationLast - 2, 1000, 0};
  return oplang::PlaceGenerationOp{entity, kGenerations[random_.Below(std::size(kGenerations))]};
}

// Half of the terms require: a query that requires nothing has nothing to fill.
std::vector<QueryTerm> OperationDrawer::DrawTerms() {
  static constexpr TermKind kKinds[] = {TermKind::kAll, TermKind::kAll,     TermKind::kAll,
                                        TermKind::kAll, TermKind::kNone,    TermKind::kAny,
                                        TermKind::kAny, TermKind::kOptional};
  std::vector<QueryTerm> terms;
  for (ComponentRef component : DrawComponents(nullptr, Wish::kAbsent)) {
    terms.push_back({kKinds[random_.Below(std::size(kKinds))], component});
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
    if (world().IsAlive(run_.EntityOf(label)) == lives) return label;
  }
  return static_cast<Label>(first);
}

EntityRef OperationDrawer::DrawEntity() {
  if (random_.Chance(kLiveEntity.numerator, kLiveEntity.denominator)) {
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
  const bool bound = random_.Chance(kBoundQuery.numerator, kBoundQuery.denominator);
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

// Any that is registered.
ComponentRef OperationDrawer::DrawComponent() {
  if (random_.Chance(kFavourite.numerator, kFavourite.denominator)) {
    return favourites_[random_.Below(favourites_.size())];
  }
  return static_cast<ComponentRef>(random_.Below(components_.size()));
}

// One that the row has or has not, as wished; now and then the other way round, or not registered.
ComponentRef OperationDrawer::DrawComponent(const Components* row, Wish wish) {
  if (random_.Chance(kUnregistered.numerator, kUnregistered.denominator)) {
    return static_cast<ComponentRef>(components_.size() + random_.Below(3));
  }
  const bool turned = random_.Chance(kWishTurned.numerator, kWishTurned.denominator);
  const bool wanted = (wish == Wish::kPresent) != turned;
  if (wanted && row != nullptr && !row->empty()) {
    return std::next(row->begin(), static_cast<std::ptrdiff_t>(random_.Below(row->size())))->first;
  }
  ComponentRef component = DrawComponent();
  for (int i = 0; i < kTriesMax && Has(row, component) != wanted; ++i) {
    component = i < kTriesMax / 2 ? DrawComponent()
                                  : static_cast<ComponentRef>(random_.Below(components_.size()));
  }
  return component;
}

// None to four; mostly one or two, mostly different ones. One that comes again by chance ends the
// list.
std::vector<ComponentRef> OperationDrawer::DrawComponents(const Components* row, Wish wish) {
  static constexpr std::size_t kCounts[] = {0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4};
  const std::size_t count = kCounts[random_.Below(std::size(kCounts))];
  std::vector<ComponentRef> list;
  for (std::size_t i = 0; i < count; ++i) {
    if (!list.empty() && random_.Chance(kRepeated.numerator, kRepeated.denominator)) {
      list.push_back(list[random_.Below(list.size())]);
      continue;
    }
    const ComponentRef component = DrawComponent(row, wish);
    if (Contains(list, component)) break;
    list.push_back(component);
  }
  return list;
}

// Rules are few, so where there is one it is broken more often than values are made not to fit.
ValueAim OperationDrawer::DrawAim(const TypeSpec& type) {
  const bool has_rule =
      std::ranges::any_of(type.fields, [](const FieldSpec& field) { return !field.rule.empty(); });
  if (has_rule && random_.Chance(1, 10)) return ValueAim::kBreaksRule;
  return random_.Chance(1, 40) ? ValueAim::kDoesNotFit : ValueAim::kFits;
}

// A component that is not registered has no value that could be written.
ComponentArg OperationDrawer::DrawArg(ComponentRef component) {
  ComponentArg arg{component, {}};
  if (component < components_.size()) {
    const TypeSpec& type = components_[component].type;
    arg.value = DrawValue(type, DrawAim(type), profile_.label_count, &random_);
  }
  return arg;
}

std::vector<ComponentArg> OperationDrawer::DrawArgs(std::span<const ComponentRef> components) {
  std::vector<ComponentArg> args;
  for (ComponentRef component : components) args.push_back(DrawArg(component));
  return args;
}

// Two to six components; position and velocity among them where movement is on. Wide components
// are slow, so few programs have them, and then both.
void OperationDrawer::DrawFavourites(bool moves) {
  const bool wide = random_.Chance(kWideFavourite.numerator, kWideFavourite.denominator);
  const std::size_t count = 2 + random_.Below(5);
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const auto component = static_cast<ComponentRef>(i);
    const bool is_wide = run_.components()[i].size_bytes() >= kWideBytes;
    const bool is_moved = components_[i].name == "position" || components_[i].name == "velocity";
    if ((moves && is_moved) || (wide && is_wide)) favourites_.push_back(component);
  }
  for (int i = 0; i < 64 && favourites_.size() < count; ++i) {
    const auto component = static_cast<ComponentRef>(random_.Below(components_.size()));
    const bool is_wide = run_.components()[component].size_bytes() >= kWideBytes;
    if (!is_wide && !Contains(favourites_, component)) favourites_.push_back(component);
  }
}

void OperationDrawer::DrawTemplates() {
  const std::size_t count = profile_.live_rows_max > kSmallRowsMax ? 1 : 1 + random_.Below(3);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<ComponentRef> list;
    for (ComponentRef component : favourites_) {
      if (random_.Chance(1, 2)) list.push_back(component);
    }
    if (list.empty() && random_.Chance(7, 8)) list.push_back(favourites_.front());
    templates_.push_back(list);
  }
}

}  // namespace ashlar::model
