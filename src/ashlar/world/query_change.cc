#include "ashlar/world/query_change.h"

#include <algorithm>
#include <cstring>

#include "ashlar/core/check.h"
#include "ashlar/storage/archetype_block.h"
#include "ashlar/storage/archetype_holes.h"
#include "ashlar/world/numbering.h"

namespace ashlar::inline v0 {
namespace {

// The same value for each of `count` rows. Null: zeros.
void FillRows(std::byte* first, std::size_t size_bytes, std::size_t count,
              const std::byte* value) noexcept {
  if (value == nullptr) {
    std::memset(first, 0, size_bytes * count);
    return;
  }
  std::memcpy(first, value, size_bytes);
  for (std::size_t done = 1; done < count;) {
    const std::size_t more = std::min(done, count - done);
    std::memcpy(first + done * size_bytes, first, more * size_bytes);
    done += more;
  }
}

}  // namespace

QueryChange::QueryChange(const BatchWorld& world, QueryId query,
                         std::span<const BatchValue> removed, std::span<const BatchValue> values,
                         std::pmr::memory_resource* memory)
    : world_(world),
      query_(query),
      filter_(world.queries->row_filter(query)),
      removed_(removed),
      values_(values),
      memory_(memory),
      destinations_(memory),
      sources_(memory) {}

QueryChange::~QueryChange() {
  for (Destination& destination : destinations_) {
    if (destination.is_reserved) destination.archetype->CancelBlock(&destination.block);
  }
}

// --- Prepare ---

bool QueryChange::TargetOf(const Archetype& source, Wanted wanted, Signature* target) const {
  *target = source.signature();
  for (const BatchValue& item : removed_) {
    if (!target->Contains(item.component)) return false;
    target->Erase(item.component);
  }
  for (const BatchValue& value : values_) {
    const bool is_present = target->Contains(value.component);
    if (is_present ? wanted == Wanted::kAbsent : wanted == Wanted::kPresent) return false;
    target->Insert(value.component);
  }
  return true;
}

bool QueryChange::FindSources(Wanted wanted) {
  // Making archetypes may extend nothing that this iterates: only numbering does.
  for (Archetype* source : world_.queries->matches(query_)) {
    std::size_t rows = 0;
    for (std::uint32_t i = 0; i < source->chunk_count(); ++i) {
      rows += filter_.CountRows(*source, ChunkIndex(i));
    }
    if (rows == 0) continue;
    Signature signature;
    if (!source->object_columns().empty() || !TargetOf(*source, wanted, &signature)) return false;
    row_count_ += rows;
    const bool is_whole = rows == source->row_count();
    if (signature == source->signature()) {
      sources_.push_back({source, nullptr, 0, is_whole});
      continue;
    }
    const auto plan = world_.archetypes->PlanTo(*source, signature);
    if (!plan.ok()) return false;
    Archetype* const target = (*plan)->target;
    auto destination = std::ranges::find(destinations_, target, &Destination::archetype);
    if (destination == destinations_.end()) {
      destinations_.emplace_back(target, memory_);
      destination = destinations_.end() - 1;
    }
    destination->count += rows;
    ++destination->source_count;
    destination->adopts = destination->source_count == 1 && is_whole && target->CanAdopt(*source);
    sources_.push_back(
        {source, *plan, static_cast<std::size_t>(destination - destinations_.begin()), is_whole});
  }
  return true;
}

void QueryChange::ReserveRows() {
  std::size_t new_count = 0;
  for (const Destination& destination : destinations_) {
    new_count +=
        ReserveNumbering(*world_.archetypes, *world_.queries, *destination.archetype, new_count);
  }
  for (const Source& source : sources_) {
    if (source.plan == nullptr || !destinations_[source.destination].adopts) continue;
    source.plan->target->ReserveAdoption(*source.archetype);
  }
  for (Destination& destination : destinations_) {
    if (destination.adopts) continue;
    destination.block = destination.archetype->ReserveBlock(destination.count, memory_);
    destination.is_reserved = true;
    destination.runs.reserve(1 + destination.block.fresh.size());
    destination.archetype->ForEachRun(
        destination.block, [&](const Archetype::Run& run) { destination.runs.push_back(run); });
  }
}

bool QueryChange::Prepare(Wanted wanted) {
  if (!FindSources(wanted)) return false;
  ReserveRows();
  return true;
}

bool QueryChange::has_changes() const {
  const bool writes = std::ranges::any_of(values_, [this](const BatchValue& value) {
    return world_.registry->brief(value.component).size_bytes != 0;
  });
  return !destinations_.empty() || (writes && !sources_.empty());
}

// --- Commit ---

void QueryChange::WriteValues(const Archetype& archetype, std::byte* chunk,
                              const RowRun& rows) noexcept {
  for (const BatchValue& value : values_) {
    const Column first = archetype.ColumnOf(value.component);
    if (first.begin_bytes == 0) continue;
    const std::size_t count = rows.end - rows.begin;
    if (!first.is_split()) {
      FillRows(first.At(chunk, rows.begin), first.size_bytes, count, value.value);
      continue;
    }
    for (const Column& column : archetype.SplitColumns(first)) {
      FillRows(column.At(chunk, rows.begin), column.size_bytes, count,
               value.value == nullptr ? nullptr : value.value + column.offset_bytes);
    }
  }
}

void QueryChange::WriteStaying(const Source& source, std::uint64_t version) noexcept {
  Archetype& archetype = *source.archetype;
  filter_.ForEachRun(archetype, [&](ChunkIndex chunk, const RowRun& run) {
    WriteValues(archetype, archetype.ChunkBase(chunk), run);
    for (const BatchValue& value : values_) {
      const Column column = archetype.ColumnOf(value.component);
      if (column.begin_bytes == 0) continue;
      archetype.versions().ColumnWritten(chunk, column.place, version);
    }
  });
}

void QueryChange::CopyRows(const Source& source, const Archetype::Run& to, std::uint32_t done,
                           ChunkIndex chunk, const RowRun& from) noexcept {
  const std::size_t count = from.end - from.begin;
  const std::size_t first = to.first_row + done;
  const Archetype& target = *source.plan->target;
  std::byte* const base = source.archetype->ChunkBase(chunk);
  for (const ColumnCopy& copy : source.plan->copies) {
    std::memcpy(to.chunk + copy.target_begin_bytes + first * copy.size_bytes,
                base + copy.source_begin_bytes + std::size_t{from.begin} * copy.size_bytes,
                count * copy.size_bytes);
  }
  std::copy_n(source.archetype->EntitiesIn(base) + from.begin, count,
              target.EntitiesIn(to.chunk) + first);
  WriteValues(target, to.chunk,
              {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first + count)});
}

// The rows that came have all bits on; those that moved take theirs along.
void QueryChange::CopyEnableBits(std::size_t number, Location to) noexcept {
  for (const Source& source : sources_) {
    if (source.plan == nullptr || source.destination != number) continue;
    Archetype& target = *source.plan->target;
    filter_.ForEachRun(*source.archetype, [&](ChunkIndex chunk, const RowRun& run) {
      for (std::uint32_t row = run.begin; row < run.end; ++row) {
        target.CopyEnableBits(*source.plan, *source.archetype, chunk, RowIndex(row),
                              {target.ChunkBase(to.chunk), to.chunk, to.row, false});
        to = RowBehind(to, target.capacity());
      }
    });
  }
}

void QueryChange::LeaveRows(const Source& source, std::uint64_t version) noexcept {
  Archetype& archetype = *source.archetype;
  if (source.is_whole) {
    archetype.Clear();
    return;
  }
  // The bits that say which rows go are those of rows: no hole has lost them yet.
  filter_.ForEachRun(archetype, [&](ChunkIndex chunk, const RowRun& run) {
    for (std::uint32_t row = run.begin; row < run.end; ++row) {
      archetype.MakeHole(chunk, RowIndex(row), version);
    }
  });
  archetype.CloseHoles(version, [&](Entity entity, const Location& location) {
    world_.directory->Relocate(entity, location);
  });
}

void QueryChange::CommitDestination(std::size_t number, std::uint64_t version) noexcept {
  Destination& destination = destinations_[number];
  Archetype& target = *destination.archetype;
  const auto relocate = [&](Entity entity, const Location& location) {
    world_.directory->Relocate(entity, location);
  };
  const auto is_here = [&](const Source& source) {
    return source.plan != nullptr && source.destination == number;
  };
  if (destination.adopts) {
    Archetype& source = *std::ranges::find_if(sources_, is_here)->archetype;
    filter_.ForEachRun(source, [&](ChunkIndex chunk, const RowRun& run) {
      WriteValues(source, source.ChunkBase(chunk), run);  // Of those that it has already.
    });
    target.AdoptChunks(source, version, relocate);
    return;
  }
  std::size_t next = 0;
  std::uint32_t done = 0;
  for (const Source& source : sources_) {
    if (!is_here(source)) continue;
    filter_.ForEachRun(*source.archetype, [&](ChunkIndex chunk, RowRun run) {
      while (!run.empty()) {
        const Archetype::Run& to = destination.runs[next];
        const std::uint32_t count = std::min(run.end - run.begin, to.row_count - done);
        CopyRows(source, to, done, chunk, {run.begin, run.begin + count});
        run.begin += count;
        done += count;
        if (done != to.row_count) continue;
        ++next;
        done = 0;
      }
    });
  }
  target.CommitBlock(destination.block, version, [&](const Location& location) {
    const Entity entity = target.EntityAt(location.chunk, location.row);
    relocate(entity, location);
    return entity;
  });
  destination.is_reserved = false;
  if (!target.enable_bits().empty()) {
    const Archetype::Run& first = destination.runs.front();
    CopyEnableBits(number, {target.id(), first.chunk_index, RowIndex(first.first_row)});
  }
  for (const Source& source : sources_) {
    if (is_here(source)) LeaveRows(source, version);
  }
}

void QueryChange::Commit(std::uint64_t version) noexcept {
  for (const Source& source : sources_) {
    if (source.plan == nullptr) WriteStaying(source, version);
  }
  for (std::size_t i = 0; i < destinations_.size(); ++i) CommitDestination(i, version);
  for (const Destination& destination : destinations_) {
    FinishNumbering(*world_.archetypes, *world_.queries, *destination.archetype);
  }
}

}  // namespace ashlar::inline v0
