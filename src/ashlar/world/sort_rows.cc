#include "ashlar/world/sort_rows.h"

#include <algorithm>
#include <exception>
#include <memory_resource>
#include <new>
#include <numeric>
#include <utility>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/storage/archetype_order.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/value_arena.h"
#include "ashlar/world/value_store.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

// Merges neighbouring runs until one is left. Of the standard's sorts none is safe with a
// comparison that contradicts itself, and the stable one takes memory from elsewhere.
template <typename Less>
void MergeSort(std::pmr::vector<std::uint32_t>& rows, std::pmr::vector<std::uint32_t>& spare,
               const Less& less) {
  for (std::size_t width = 1; width < rows.size(); width *= 2) {
    for (std::size_t begin = 0; begin < rows.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, rows.size());
      const std::size_t end = std::min(begin + 2 * width, rows.size());
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t i = begin; i < end; ++i) {
        const bool takes_right = right < end && (left == middle || less(rows[right], rows[left]));
        spare[i] = takes_right ? rows[right++] : rows[left++];
      }
    }
    rows.swap(spare);
  }
}

}  // namespace

// One call of SortRows.
class RowSorter {
 public:
  explicit RowSorter(World* world)
      : world_(*world), arena_(world->memory_.scratch()), memory_(&arena_), orders_(&memory_) {}

  absl::Status Sort(QueryId query, ComponentId component, RowLess less) {
    ASHLAR_RETURN_IF_ERROR(CheckCall(query));
    if (!world_.registry_.Contains(component)) {
      return world_errors::Unknown("SortRows", component);
    }
    const std::span<Archetype* const> matches = world_.queries_.matches(query);
    // An archetype that was emptied has nothing that anybody could see, and so refuses nothing.
    for (const Archetype* archetype : matches) {
      if (archetype->row_count() != 0 && !archetype->signature().Contains(component)) {
        return world_errors::AbsentFromQuery("SortRows", world_.registry_[component]);
      }
    }
    if (world_.registry_[component].is_tag()) return absl::OkStatus();
    const UserCodeGuard guard(&world_.scope_depth_);
    for (Archetype* archetype : matches) {
      if (archetype->row_count() == 0) continue;
      const std::pmr::vector<const std::byte*> values = ValuesOf(*archetype, component);
      AddOrder(*archetype,
               [&](std::uint32_t a, std::uint32_t b) { return less(values[a], values[b]); });
    }
    Commit();
    return absl::OkStatus();
  }

  absl::Status SortByEntity(QueryId query) {
    ASHLAR_RETURN_IF_ERROR(CheckCall(query));
    const UserCodeGuard guard(&world_.scope_depth_);
    for (Archetype* archetype : world_.queries_.matches(query)) {
      std::pmr::vector<std::uint32_t> indices(&memory_);
      indices.reserve(archetype->row_count());
      ForEachRow(*archetype, [&](ChunkIndex chunk, std::uint32_t row) {
        indices.push_back(archetype->EntityAt(chunk, RowIndex(row)).index());
      });
      AddOrder(*archetype,
               [&](std::uint32_t a, std::uint32_t b) { return indices[a] < indices[b]; });
    }
    Commit();
    return absl::OkStatus();
  }

 private:
  struct Order {
    Archetype* archetype;
    std::pmr::vector<std::uint32_t> rows;
  };

  absl::Status CheckCall(QueryId query) const {
    if (world_.scope_depth() != 0) return world_errors::ScopeOpen("SortRows");
    if (!world_.queries_.Contains(query)) return world_errors::UnknownQuery("SortRows", query);
    return absl::OkStatus();
  }

  template <typename Visit>
  static void ForEachRow(const Archetype& archetype, Visit visit) {
    for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i) {
      const ChunkIndex chunk(i);
      for (std::uint32_t row = 0; row < archetype.RowsInChunk(chunk); ++row) visit(chunk, row);
    }
  }

  // Where each row's value is; those of a split component are put together first.
  std::pmr::vector<const std::byte*> ValuesOf(const Archetype& archetype, ComponentId component) {
    const ComponentDescriptor& descriptor = world_.registry_[component];
    const Column column = archetype.ColumnOf(component);
    std::pmr::vector<const std::byte*> values(&memory_);
    values.reserve(archetype.row_count());
    ForEachRow(archetype, [&](ChunkIndex chunk, std::uint32_t row) {
      const std::byte* const base = archetype.ChunkBase(chunk);
      if (!column.is_split()) {
        values.push_back(column.At(base, row));
        return;
      }
      std::byte* const whole =
          arena_.Allocate(descriptor.size_bytes(), descriptor.alignment_bytes());
      std::fill_n(whole, descriptor.size_bytes(), std::byte{0});
      archetype.LoadValue(column, base, row, whole);
      values.push_back(whole);
    });
    return values;
  }

  // Finds the archetype's order; keeps it where it is another one.
  template <typename Less>
  void AddOrder(Archetype& archetype, const Less& less) {
    Order order{&archetype, std::pmr::vector<std::uint32_t>(archetype.row_count(), &memory_)};
    std::iota(order.rows.begin(), order.rows.end(), 0u);
    std::pmr::vector<std::uint32_t> spare(order.rows.size(), &memory_);
    try {
      MergeSort(order.rows, spare, less);
    } catch (const std::bad_alloc&) {
      throw world_errors::UserBadAlloc{
          std::current_exception()};  // Sorting itself allocates nothing.
    }
    for (const Column& column : archetype.columns()) {
      value_size_max_ = std::max<std::size_t>(value_size_max_, column.size_bytes);
    }
    if (!std::ranges::is_sorted(order.rows)) orders_.push_back(std::move(order));
  }

  void Commit() {
    if (orders_.empty()) return;
    ScratchValue spare(value_size_max_, &memory_);

    // Commit.
    const std::uint64_t version = world_.AdvanceVersion();
    for (Order& order : orders_) {
      order.archetype->Reorder(order.rows, spare.data(), version,
                               [&](Entity entity, const Location& location) {
                                 world_.directory_.Relocate(entity, location);
                               });
    }
  }

  World& world_;
  ValueArena arena_;
  ArenaResource memory_;
  std::pmr::vector<Order> orders_;
  std::size_t value_size_max_ = 1;
};

absl::Status SortRows(World& world, QueryId query, ComponentId component, RowLess less) try {
  return RowSorter(&world).Sort(query, component, less);
} catch (...) {
  return world_errors::Caught("SortRows");
}

absl::Status SortRowsByEntity(World& world, QueryId query) try {
  return RowSorter(&world).SortByEntity(query);
} catch (...) {
  return world_errors::Caught("SortRows");
}

absl::Status internal::CheckSortType(const World& world, ComponentId component,
                                     TypeKey type_key) try {
  if (world.scope_depth() != 0) return world_errors::ScopeOpen("SortRows");
  const ComponentRegistry& registry = world.registry();
  if (!registry.Contains(component) || registry[component].type_key() == type_key) {
    return absl::OkStatus();
  }
  return world_errors::TypeMismatch("SortRows", registry[component]);
} catch (...) {
  return world_errors::Caught("SortRows");
}

}  // namespace ashlar::inline v0
