// Sorting in lockstep. The model has no rows: so the world says how they lie before, and must have
// them afterwards as a stable sort by the model's values puts them, or as they were.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/world/sort_rows.h"
#include "model/lockstep_answers.h"
#include "model/lockstep_runner.h"
#include "model/reference_order.h"

namespace ashlar::model {
namespace {

RowOrders OrdersOf(const World& world) {
  RowOrders orders;
  for (const Archetype* archetype : world.archetypes().numbered()) {
    std::vector<Entity>& rows = orders.emplace_back();
    for (std::uint32_t i = 0; i < archetype->chunk_count(); ++i) {
      const ChunkIndex chunk(i);
      for (std::uint32_t row = 0; row < archetype->RowsInChunk(chunk); ++row) {
        rows.push_back(archetype->EntityAt(chunk, RowIndex(row)));
      }
    }
  }
  return orders;
}

// By what `comes_before` says, and the place before where it says nothing.
template <typename Before>
void SortStably(std::vector<Entity>* rows, const Before& comes_before) {
  std::vector<std::pair<std::size_t, Entity>> places;
  for (std::size_t i = 0; i < rows->size(); ++i) places.emplace_back(i, (*rows)[i]);
  std::ranges::sort(places, [&](const auto& a, const auto& b) {
    if (comes_before(a.second, b.second)) return true;
    return !comes_before(b.second, a.second) && a.first < b.first;
  });
  for (std::size_t i = 0; i < rows->size(); ++i) (*rows)[i] = places[i].second;
}

}  // namespace

// REQUIRES: CheckSort has said yes.
RowOrders Runner::SortedOrders(RowOrders orders, std::span<const oplang::QueryTerm> terms,
                               std::optional<oplang::ComponentRef> component) const {
  const auto& entities = model_.entities();
  for (std::vector<Entity>& rows : orders) {
    const bool is_known = std::ranges::all_of(
        rows, [&](Entity entity) { return entities.contains(entity); });  // Else found elsewhere.
    if (rows.empty() || !is_known) continue;
    if (!MatchesSet(model_.schema(), entities.at(rows.front()), terms)) continue;
    SortStably(&rows, [&](Entity a, Entity b) {
      if (!component.has_value()) return a.index() < b.index();
      return ComesBefore(entities.at(a).at(*component), entities.at(b).at(*component));
    });
  }
  return orders;
}

void Runner::Sort(oplang::QueryLabel label, std::optional<oplang::ComponentRef> component) {
  const BoundQuery* query = bindings_.Find(label);
  const QueryId id = query != nullptr ? query->read : QueryId::None();
  std::optional<ReferenceTerms> terms;
  if (query != nullptr) terms = query->terms;
  const oplang::Outcome outcome = model_.CheckSort(terms, component);
  const RowOrders before = OrdersOf(*world_);
  RowOrders expected = before;
  if (IsOk(outcome)) expected = SortedOrders(before, *terms, component);
  if (expected != before) model_.set_version(model_.version() + 1);
  Both(outcome, [&](World& world) {
    if (!component.has_value()) return SortRowsByEntity(world, id);
    std::vector<Scalar> first;
    std::vector<Scalar> second;
    return SortRows(world, id, ComponentId(*component), [&](const void* a, const void* b) {
      const ComponentDescriptor& descriptor = (*schema_)[*component];
      first.clear();
      second.clear();
      descriptor.Unpack(static_cast<const std::byte*>(a), &first);
      descriptor.Unpack(static_cast<const std::byte*>(b), &second);
      return ComesBefore(first, second);
    });
  });
  CompareOrders(IsOk(result_.model) ? expected : before);
}

void Runner::CompareOrders(const RowOrders& expected) {
  const RowOrders orders = OrdersOf(*world_);
  if (result_.world != result_.model || orders == expected) return;
  for (std::size_t i = 0; i < std::min(orders.size(), expected.size()); ++i) {
    const auto [is, wanted] = std::ranges::mismatch(orders[i], expected[i]);
    if (is == orders[i].end() || wanted == expected[i].end()) continue;
    result_.difference =
        absl::StrCat("row ", is - orders[i].begin(), " of archetype ", i, " has ",
                     bindings_.TextOf(*is), ", and should have ", bindings_.TextOf(*wanted));
    return;
  }
  result_.difference = "an archetype has not as many rows as before";
}

}  // namespace ashlar::model
