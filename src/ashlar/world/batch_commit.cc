#include "ashlar/world/batch_commit.h"

#include <cstddef>

#include "ashlar/core/check.h"
#include "ashlar/storage/archetype_block.h"
#include "ashlar/storage/archetype_holes.h"
#include "ashlar/world/numbering.h"
#include "ashlar/world/object_store.h"

namespace ashlar::inline v0 {
namespace {

// So many rows before its turn a row is asked for: about as long as memory takes.
constexpr std::ptrdiff_t kRowsAhead = 8;

}  // namespace

BatchCommit::BatchCommit(const BatchPlan* plan, std::pmr::memory_resource* memory)
    : plan_(plan),
      world_(plan->world()),
      memory_(memory),
      destinations_(memory),
      arrivals_(memory),
      staying_(memory),
      staging_(memory),
      staged_(memory) {}

BatchCommit::~BatchCommit() {
  for (Destination& destination : destinations_) {
    if (destination.is_reserved) destination.archetype->CancelBlock(&destination.block);
  }
  for (const BatchValue& copy : staged_) {
    if (copy.value == nullptr) continue;
    const Lifecycle& lifecycle = *(*world_.registry)[copy.component].lifecycle();
    lifecycle.destroy(copy.value, lifecycle);
  }
}

bool BatchCommit::has_changes() const {
  return !arrivals_.empty() || !staying_.empty() || hole_count_ != 0 || !plan_->events().empty();
}

template <typename Visit>
void BatchCommit::ForEachLastWrite(const BatchPlan::Entry& entry, Visit visit) const {
  if (entry.last_write == BatchPlan::kNone) return;
  if (const BatchPlan::Write& only = plan_->write(entry.last_write);
      only.before == BatchPlan::kNone) [[likely]] {
    if (plan_->shapes().signature(entry.shape).Contains(only.value->component)) visit(only);
    return;
  }
  Signature seen;
  for (std::uint32_t i = entry.last_write; i != BatchPlan::kNone; i = plan_->write(i).before) {
    const BatchPlan::Write& write = plan_->write(i);
    const ComponentId component = write.value->component;
    if (seen.Contains(component)) continue;
    seen.Insert(component);
    if (plan_->shapes().signature(entry.shape).Contains(component)) visit(write);
  }
}

// A value that was given and removed again is not one.
bool BatchCommit::WillWrite(const BatchPlan::Entry& entry) const {
  bool has_value = false;
  ForEachLastWrite(entry, [&](const BatchPlan::Write&) { has_value = true; });
  return has_value;
}

// Whether a component that was removed and came again is off in its row.
bool BatchCommit::WillEnable(const BatchPlan::Entry& entry) const {
  if (entry.removed == BatchPlan::kNone) return false;
  const Archetype& archetype = (*world_.archetypes)[entry.from.archetype];
  bool is_off = false;
  plan_->removed(entry).ForEach([&](ComponentId component) {
    is_off |= !archetype.IsEnabled(component, entry.from.chunk, entry.from.row);
  });
  return is_off;
}

// --- Reserve ---

void BatchCommit::GroupByDestination() {
  // By shape: the place of its destination; then where its next arrival comes.
  std::pmr::vector<std::size_t> place(plan_->shapes().size(), SIZE_MAX, memory_);
  const std::span<const BatchPlan::Entry> entries = plan_->entries();
  std::size_t arrival_count = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const BatchPlan::Entry& entry = entries[i];
    const bool moves = entry.is_alive && entry.shape != entry.base;
    if (!entry.is_made() && (moves || !entry.is_alive)) ++hole_count_;
    if (entry.is_alive && !moves && (WillWrite(entry) || WillEnable(entry))) {
      staying_.push_back(EntryIndex(static_cast<std::uint32_t>(i)));
    }
    if (!moves) continue;
    ++arrival_count;
    std::size_t& destination = place[entry.shape.value()];
    if (destination == SIZE_MAX) {
      destination = destinations_.size();
      destinations_.emplace_back(memory_);
      destinations_.back().shape = entry.shape;
    }
    ++destinations_[destination].count;
  }
  std::size_t first = 0;
  for (Destination& destination : destinations_) {
    destination.first = first;
    place[destination.shape.value()] = first;
    first += destination.count;
  }
  arrivals_.resize(arrival_count);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_alive || entries[i].shape == entries[i].base) continue;
    arrivals_[place[entries[i].shape.value()]++].entry = EntryIndex(static_cast<std::uint32_t>(i));
  }
}

void BatchCommit::ReserveRows() {
  std::size_t new_count = 0;
  for (Destination& destination : destinations_) {
    const Signature& signature = plan_->shapes().signature(destination.shape);
    const auto found = world_.archetypes->FindOrMake(signature);
    ASHLAR_CHECK(found.ok());  // The plan has seen that a row fits.
    destination.archetype = *found;
    new_count += ReserveNumbering(*world_.archetypes, *world_.queries, **found, new_count);
    ShapeIndex last_base;
    const MovePlan* last_plan = nullptr;
    for (std::size_t i = 0; i < destination.count; ++i) {
      Arrival& arrival = arrivals_[destination.first + i];
      const BatchPlan::Entry& entry = plan_->entry(arrival.entry);
      if (entry.is_made()) continue;
      if (entry.base != last_base) {
        Archetype& source = (*world_.archetypes)[entry.from.archetype];
        last_plan = *world_.archetypes->PlanTo(source, signature);
        last_base = entry.base;
      }
      arrival.plan = last_plan;
    }
  }
  for (Destination& destination : destinations_) {
    destination.block = destination.archetype->ReserveBlock(destination.count, memory_);
    destination.is_reserved = true;
  }
  if (const std::size_t needed = plan_->ids().needed_count(); needed != 0) {
    ASHLAR_CHECK(world_.directory->ReserveMany(needed));  // The plan has seen that there are some.
  }
}

// --- Construct ---

void BatchCommit::StageObjectsOf(const BatchPlan::Entry& entry) {
  ForEachLastWrite(entry, [&](const BatchPlan::Write& write) {
    const ComponentDescriptor& descriptor = (*world_.registry)[write.value->component];
    if (!write.is_shared || descriptor.lifecycle() == nullptr) return;
    std::byte* const place =
        staging_.Allocate(descriptor.size_bytes(), descriptor.alignment_bytes());
    staged_.push_back({write.value->component, nullptr});
    const ComponentValue value = write.value->value == nullptr
                                     ? ComponentValue(write.value->component)
                                     : ComponentValue(write.value->component, write.value->value);
    MakeObject(descriptor, value, place, memory_);
    staged_.back().value = place;
  });
}

void BatchCommit::StageObjects() {
  for (const Arrival& arrival : arrivals_) StageObjectsOf(plan_->entry(arrival.entry));
  for (const EntryIndex entry : staying_) StageObjectsOf(plan_->entry(entry));
}

void BatchCommit::Prepare() {
  GroupByDestination();
  ReserveRows();
  if (plan_->has_shared_objects()) StageObjects();
}

// --- Commit ---

void BatchCommit::Store(const Archetype& archetype, const BatchPlan::Write& write, std::byte* chunk,
                        std::size_t row) noexcept {
  BatchValue& value = *write.value;
  const Column column = archetype.ColumnOf(value.component);
  const ComponentDescriptor& descriptor = (*world_.registry)[value.component];
  const Lifecycle* lifecycle = descriptor.lifecycle();
  if (lifecycle == nullptr) {
    if (value.value != nullptr) {
      archetype.StoreValue(column, chunk, row, value.value);
    } else {
      WriteValueTo(descriptor, ComponentValue(value.component), archetype, column, chunk, row);
    }
    return;
  }
  std::byte*& from = write.is_shared ? staged_[next_staged_++].value : value.value;
  lifecycle->relocate(column.At(chunk, row), from, *lifecycle);
  from = nullptr;
  ++*world_.registry->ObjectCounter(value.component);
}

// Rows that arrive one after the other come from anywhere.
void BatchCommit::PrefetchSource(const Arrival& arrival) const noexcept {
  if (arrival.plan == nullptr) return;
  const Location& from = plan_->entry(arrival.entry).from;
  const std::byte* const chunk = (*world_.archetypes)[from.archetype].ChunkBase(from.chunk);
  for (const ColumnCopy& copy : arrival.plan->copies) {
    __builtin_prefetch(chunk + copy.source_begin_bytes +
                       std::size_t{from.row.value()} * copy.size_bytes);
  }
}

void BatchCommit::Arrive(Archetype& target, const Arrival& arrival, const Archetype::Slot& slot,
                         std::uint64_t version) noexcept {
  const BatchPlan::Entry& entry = plan_->entry(arrival.entry);
  if (const MovePlan* move = arrival.plan) {
    const Archetype& source = (*world_.archetypes)[entry.from.archetype];
    std::byte* const chunk = source.ChunkBase(entry.from.chunk);
    target.CopyRow(*move, chunk, entry.from.row, slot);
    if (move->has_objects) {
      Signature replaced;
      ForEachLastWrite(
          entry, [&](const BatchPlan::Write& write) { replaced.Insert(write.value->component); });
      target.RelocateRow(*move, chunk, entry.from.row, slot, replaced);
    }
    if (!move->bits.empty()) {
      // The bits come along, but for components that were removed in between.
      target.CopyEnableBits(*move, source, entry.from.chunk, entry.from.row, slot);
      EnableRemoved(entry, target, {target.id(), slot.chunk_index, slot.row}, version);
    }
  }
  ForEachLastWrite(entry, [&](const BatchPlan::Write& write) {
    Store(target, write, slot.chunk, slot.row.value());
  });
}

void BatchCommit::EnableRemoved(const BatchPlan::Entry& entry, Archetype& archetype,
                                const Location& at, std::uint64_t version) noexcept {
  if (entry.removed == BatchPlan::kNone) return;
  plan_->removed(entry).ForEach([&](ComponentId component) {
    const std::uint32_t place = archetype.EnablePlace(component);
    if (place == Archetype::kNotEnableable) return;
    archetype.SetEnabled(place, at.chunk, at.row, true, [&] { return version; });
  });
}

// The rows are there, with their ids, before the first value comes. Then one entity after the
// other: while its objects move, and code of the user's runs, every other one is where the
// directory says.
void BatchCommit::CommitArrivals(Destination& destination, std::uint64_t version) noexcept {
  Archetype& target = *destination.archetype;
  const Arrival* next = &arrivals_[destination.first];
  const Arrival* const end = next + destination.count;
  Location at;
  target.CommitBlock(destination.block, version, [&](const Location& location) {
    if (next == &arrivals_[destination.first]) at = location;
    return plan_->entry((next++)->entry).entity;
  });
  destination.is_reserved = false;
  for (next = &arrivals_[destination.first]; next != end; ++next) {
    if (end - next > kRowsAhead) {
      PrefetchSource(next[kRowsAhead]);
      world_.directory->Prefetch(plan_->entry(next[kRowsAhead].entry).entity.index());
    }
    const Archetype::Slot slot{target.ChunkBase(at.chunk), at.chunk, at.row, false};
    Arrive(target, *next, slot, version);
    world_.directory->Relocate(plan_->entry(next->entry).entity, at);
    at = RowBehind(at, target.capacity());
  }
}

void BatchCommit::WriteStaying(const BatchPlan::Entry& entry, std::uint64_t version) noexcept {
  Archetype& archetype = (*world_.archetypes)[entry.from.archetype];
  std::byte* const chunk = archetype.ChunkBase(entry.from.chunk);
  const std::size_t row = entry.from.row.value();
  ForEachLastWrite(entry, [&](const BatchPlan::Write& write) {
    const ComponentId component = write.value->component;
    const Column column = archetype.ColumnOf(component);
    if (const Lifecycle* lifecycle = (*world_.registry)[component].lifecycle()) {
      ObjectColumn{column, lifecycle, world_.registry->ObjectCounter(component)}.Destroy(chunk,
                                                                                         row);
    }
    Store(archetype, write, chunk, row);
    archetype.versions().ColumnWritten(entry.from.chunk, column.place, version);
  });
  EnableRemoved(entry, archetype, entry.from, version);
}

void BatchCommit::CloseHoles(std::uint64_t version, Counts* counts) noexcept {
  HoleList holes;
  for (const BatchPlan::Entry& entry : plan_->entries()) {
    if (entry.is_made() || (entry.is_alive && entry.shape == entry.base)) continue;
    Archetype& archetype = (*world_.archetypes)[entry.from.archetype];
    if (!entry.is_alive) archetype.EndObjects(entry.from.chunk, entry.from.row);
    ++(entry.is_alive ? counts->moved : counts->destroyed);
    holes.Make(archetype, entry.from.chunk, entry.from.row, version);
  }
  holes.ForEach([&](Archetype& archetype) {
    archetype.CloseHoles(version, [&](Entity entity, const Location& location) {
      world_.directory->Relocate(entity, location);
    });
  });
}

BatchCommit::Counts BatchCommit::Commit(std::uint64_t version) noexcept {
  for (const BatchPlan::Event& event : plan_->events()) {
    if (event.issued_to.is_none()) {
      world_.directory->Free(event.entity);
    } else {
      // It is alive when its row has come.
      const Entity issued = world_.directory->Issue(EntityDirectory::kNowhere);
      ASHLAR_CHECK(issued == event.entity);
    }
  }
  Counts counts;
  for (Destination& destination : destinations_) CommitArrivals(destination, version);
  for (const EntryIndex entry : staying_) WriteStaying(plan_->entry(entry), version);
  CloseHoles(version, &counts);
  for (const Destination& destination : destinations_) {
    FinishNumbering(*world_.archetypes, *world_.queries, *destination.archetype);
  }
  counts.created = arrivals_.size() - counts.moved;
  counts.written = staying_.size();
  return counts;
}

}  // namespace ashlar::inline v0
