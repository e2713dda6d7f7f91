// Draws what is about the order of rows, singletons and hooks.
#include <iterator>
#include <vector>

#include "model/operation_drawer.h"

namespace ashlar::model {
namespace {

using oplang::Action;
using oplang::ComponentRef;
using oplang::HookMoment;
using oplang::HookReaction;
using oplang::OpCode;
using Wish = ComponentDrawer::Wish;

// That rows are sorted by a component which every row has that the query wants, if there is one.
constexpr Odds kSortsByCommon{15, 16};

// Queries drawn until one has such a component.
constexpr int kSortQueriesTried = 4;

// That what is read or removed is there.
constexpr Odds kSingleIsThere{7, 8};

// Most hooks only listen: what they record makes more applies that are refused.
constexpr HookReaction kReactions[] = {HookReaction::kNone,   HookReaction::kNone,
                                       HookReaction::kNone,   HookReaction::kNone,
                                       HookReaction::kRemove, HookReaction::kDestroy};

// The components that every entity has whose set of components the terms want.
std::vector<ComponentRef> CommonOf(const ReferenceWorld& world,
                                   const std::vector<oplang::QueryTerm>& terms) {
  std::vector<ComponentRef> common;
  bool is_first = true;
  for (const auto& [entity, row] : world.entities()) {
    if (!MatchesSet(world.schema(), row, terms)) continue;
    if (is_first) {
      for (const auto& [component, value] : row) common.push_back(component);
    }
    is_first = false;
    std::erase_if(common, [&has = row](ComponentRef ref) { return !has.contains(ref); });
  }
  return common;
}

}  // namespace

// REQUIRES: it is a code of those.
Action OperationDrawer::DrawOfTheWorld(OpCode code) {
  if (code == OpCode::kSort) return DrawSort();
  if (code == OpCode::kSortByEntity) return oplang::SortByEntityOp{DrawQueryLabel()};
  if (code == OpCode::kPutSingle) {
    return oplang::PutSingleOp{drawer_.DrawArg(drawer_.DrawOne(nullptr, Wish::kAbsent))};
  }
  if (code == OpCode::kRemoveSingle) return oplang::RemoveSingleOp{DrawSingle()};
  if (code == OpCode::kGetSingle) return oplang::GetSingleOp{DrawSingle()};
  const auto moment = static_cast<HookMoment>(random_.Below(oplang::kHookMomentCount));
  const ComponentRef component = DrawSeen(nullptr);
  if (code == OpCode::kUnhook) return oplang::UnhookOp{component, moment};
  return oplang::HookOp{component, moment, kReactions[random_.Below(std::size(kReactions))]};
}

Action OperationDrawer::DrawSort() {
  oplang::SortOp op;
  std::vector<ComponentRef> common;
  for (int i = 0; i < kSortQueriesTried && common.empty(); ++i) {
    op.query = DrawQueryLabel();
    const auto& terms = run_.QueryOf(op.query);
    if (!terms.has_value()) break;
    common = CommonOf(world(), *terms);
  }
  const bool fits = !common.empty() && Chance(kSortsByCommon);
  op.component = fits ? common[random_.Below(common.size())] : DrawSeen(nullptr);
  return op;
}

ComponentRef OperationDrawer::DrawSingle() {
  const auto& singletons = world().singletons();
  if (singletons.empty() || !Chance(kSingleIsThere)) return DrawSeen(nullptr);
  const auto nth = static_cast<std::ptrdiff_t>(random_.Below(singletons.size()));
  return std::next(singletons.begin(), nth)->first;
}

}  // namespace ashlar::model
