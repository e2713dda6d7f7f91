// Draws what is about the order of rows, and singletons.
#include <iterator>
#include <vector>

#include "model/operation_drawer.h"

namespace ashlar::model {
namespace {

using oplang::Action;
using oplang::ComponentRef;
using oplang::OpCode;
using Wish = ComponentDrawer::Wish;

// That rows are sorted by a component which every row has that the query wants, if there is one.
constexpr Odds kSortsByCommon{15, 16};

// Queries drawn until one has such a component.
constexpr int kSortQueriesTried = 4;

// That what is read or removed is there.
constexpr Odds kSingleIsThere{7, 8};

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
    std::erase_if(common, [&row = row](ComponentRef ref) { return !row.contains(ref); });
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
  return oplang::GetSingleOp{DrawSingle()};
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
