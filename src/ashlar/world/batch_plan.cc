#include "ashlar/world/batch_plan.h"

#include "ashlar/core/check.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {

BatchPlan::BatchPlan(const BatchWorld& world, const Expected& expected,
                     std::pmr::memory_resource* memory)
    : world_(world),
      shapes_(world.archetypes, world.registry->size(), memory),
      ids_(world.directory, memory),
      entries_(memory),
      made_(memory),
      writes_(memory),
      events_(memory),
      removed_(memory),
      matched_(memory) {
  entries_.reserve(expected.entities);
  writes_.reserve(expected.writes);
  events_.reserve(expected.events);
}

// --- Entries ---

EntryIndex BatchPlan::Append(const Entry& entry) {
  const EntryIndex index(static_cast<std::uint32_t>(entries_.size()));
  ASHLAR_CHECK(!index.is_none());
  entries_.push_back(entry);
  return index;
}

EntryIndex BatchPlan::AppendNamed(const Archetype& archetype, Entity entity, const Location& from) {
  const ShapeIndex shape = shapes_.Of(archetype);
  const EntryIndex index = Append({.entity = entity, .from = from, .base = shape, .shape = shape});
  world_.directory->Number(entity, index.value());
  return index;
}

// Entities that the batch makes are named by their placeholders. Their ids can be guessed, and then
// they are what those ids name.
EntryIndex BatchPlan::FindMade(Entity entity) {
  for (; made_known_ < events_.size(); ++made_known_) {
    const Event& event = events_[made_known_];
    if (!event.issued_to.is_none()) made_.emplace(event.entity, event.issued_to);
  }
  const auto found = made_.find(entity);
  return found == made_.end() ? EntryIndex() : found->second;
}

EntryIndex BatchPlan::FindAlive(Entity entity) {
  EntryIndex known;
  if (const Location* found = world_.directory->Find(entity)) [[likely]] {
    if (!EntityDirectory::IsNumbered(*found)) {
      const Location from = *found;
      return AppendNamed((*world_.archetypes)[from.archetype], entity, from);
    }
    known = EntryIndex(EntityDirectory::NumberIn(*found));
  } else if (!events_.empty()) {
    known = FindMade(entity);
  }
  return !known.is_none() && entries_[known.value()].is_alive ? known : EntryIndex();
}

void BatchPlan::Release() noexcept {
  if (is_released_) return;
  is_released_ = true;
  constexpr std::size_t kAhead = 12;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i + kAhead < entries_.size()) {
      world_.directory->Prefetch(entries_[i + kAhead].entity.index());
    }
    const Entry& entry = entries_[i];
    if (!entry.is_made()) world_.directory->Unnumber(entry.entity, entry.from);
  }
}

// --- Steps ---

void BatchPlan::AppendWrites(Entry& entry, std::span<BatchValue> values, bool is_shared) {
  for (BatchValue& value : values) {
    if (world_.registry->brief(value.component).size_bytes == 0) continue;
    const auto index = static_cast<std::uint32_t>(writes_.size());
    ASHLAR_CHECK(index != kNone);
    has_shared_objects_ |= is_shared && world_.registry->brief(value.component).is_object;
    writes_.push_back({&value, entry.last_write, is_shared});
    entry.last_write = index;
  }
}

void BatchPlan::NoteRemoved(Entry& entry, ComponentId component) {
  if (entry.is_made() || !(*world_.registry)[component].is_enableable()) return;
  if (entry.removed == kNone) {
    entry.removed = static_cast<std::uint32_t>(removed_.size());
    removed_.emplace_back();
  }
  removed_[entry.removed].Insert(component);
}

absl::StatusOr<EntryIndex> BatchPlan::Create(std::string_view call, std::span<BatchValue> values) {
  Signature signature;
  for (const BatchValue& value : values) signature.Insert(value.component);
  if (last_created_.is_none() || shapes_.signature(last_created_) != signature) {
    last_created_ = shapes_.Find(signature);
    if (absl::Status fits = shapes_.CheckRow(last_created_); !fits.ok()) {
      return world_errors::Within(call, fits);
    }
  }
  const Entity entity = ids_.Issue();
  if (entity.is_null()) {
    return world_errors::IdsExhausted(world_.directory->index_limit(), ids_.retired_count());
  }
  const EntryIndex index = Append({.entity = entity, .shape = last_created_});
  events_.push_back({entity, index});
  AppendWrites(entries_[index.value()], values, false);
  return index;
}

void BatchPlan::Destroy(EntryIndex index) {
  Entry& entry = entries_[index.value()];
  entry.is_alive = false;
  events_.push_back({entry.entity, EntryIndex()});
  ids_.Free(entry.entity);
}

absl::Status BatchPlan::Change(std::string_view call, EntryIndex index,
                               std::span<BatchValue> removed, std::span<BatchValue> values,
                               bool replaces, bool is_shared) {
  Entry& entry = entries_[index.value()];
  ShapeIndex shape = entry.shape;
  for (const BatchValue& item : removed) {
    if (!shapes_.signature(shape).Contains(item.component)) {
      return world_errors::Absent(call, entry.entity, (*world_.registry)[item.component]);
    }
    shape = shapes_.Toggle(shape, item.component);
  }
  for (const BatchValue& value : values) {
    if (!shapes_.signature(shape).Contains(value.component)) {
      shape = shapes_.Toggle(shape, value.component);
    } else if (!replaces) {
      return world_errors::Present(call, entry.entity, (*world_.registry)[value.component]);
    }
  }
  if (shape != entry.shape) {
    if (absl::Status fits = shapes_.CheckRow(shape); !fits.ok()) {
      return world_errors::Within(call, fits);
    }
    // What is removed and given at once stays where it is, and as enabled as it is.
    for (const BatchValue& item : removed) {
      if (!shapes_.signature(shape).Contains(item.component)) NoteRemoved(entry, item.component);
    }
    entry.shape = shape;
  }
  AppendWrites(entry, values, is_shared);
  return absl::OkStatus();
}

absl::Status BatchPlan::Set(std::string_view call, EntryIndex index, std::span<BatchValue> values,
                            bool is_shared) {
  Entry& entry = entries_[index.value()];
  for (const BatchValue& value : values) {
    if (!shapes_.signature(entry.shape).Contains(value.component)) {
      return world_errors::Absent(call, entry.entity, (*world_.registry)[value.component]);
    }
  }
  AppendWrites(entry, values, is_shared);
  return absl::OkStatus();
}

// --- Queries ---

bool BatchPlan::IsEnabled(const Entry& entry, ComponentId component) const {
  if (entry.is_made()) return true;
  if (entry.removed != kNone && removed(entry).Contains(component)) return true;
  return (*world_.archetypes)[entry.from.archetype].IsEnabled(component, entry.from.chunk,
                                                              entry.from.row);
}

bool BatchPlan::Wants(const QueryTerms& terms, const Entry& entry) const {
  const Signature& signature = shapes_.signature(entry.shape);
  if (!terms.Matches(signature)) return false;
  const auto count_enabled = [&](const Signature& components) {
    std::size_t count = 0;
    components.ForEach([&](ComponentId component) {
      count += signature.Contains(component) && IsEnabled(entry, component) ? 1 : 0;
    });
    return count;
  };
  if (count_enabled(terms.row_all) != terms.row_all.size()) return false;
  if (count_enabled(terms.row_none) != 0) return false;
  // Of the any-terms one is enough: one that cannot be disabled, or one that is enabled.
  return terms.row_any.empty() || terms.HasPlainAny(signature) || count_enabled(terms.row_any) != 0;
}

std::span<const EntryIndex> BatchPlan::Match(QueryId query) {
  matched_.clear();
  const std::size_t named = entries_.size();
  const RowFilter filter = world_.queries->row_filter(query);
  for (const Archetype* archetype : world_.queries->matches(query)) {
    filter.ForEachRun(*archetype, [&](ChunkIndex chunk, const RowRun& run) {
      for (std::uint32_t row = run.begin; row < run.end; ++row) {
        const Entity entity = archetype->EntityAt(chunk, RowIndex(row));
        if (EntityDirectory::IsNumbered(*world_.directory->Find(entity))) continue;
        matched_.push_back(
            AppendNamed(*archetype, entity, {archetype->id(), chunk, RowIndex(row)}));
      }
    });
  }
  for (std::size_t i = 0; i < named; ++i) {
    const EntryIndex index(static_cast<std::uint32_t>(i));
    if (entries_[i].is_alive && Wants(world_.queries->terms(query), entries_[i])) {
      matched_.push_back(index);
    }
  }
  return matched_;
}

}  // namespace ashlar::inline v0
