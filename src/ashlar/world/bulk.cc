#include "ashlar/world/bulk.h"

#include <algorithm>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/world/batch_commit.h"
#include "ashlar/world/batch_plan.h"
#include "ashlar/world/hook_runner.h"
#include "ashlar/world/object_store.h"
#include "ashlar/world/query_change.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/value_arena.h"
#include "ashlar/world/value_store.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {

// One call of these. `call` is its name; `wanted`: what is asked of components that get values.
class BulkChange {
 public:
  using Wanted = QueryChange::Wanted;

  BulkChange(World* world, std::string_view call, Wanted wanted, std::size_t estimate_bytes)
      : world_(*world),
        call_(call),
        wanted_(wanted),
        memory_(4096 + estimate_bytes, world->memory_.scratch()),
        removed_(&memory_),
        values_(&memory_),
        prototypes_(&memory_),
        arena_(&memory_) {}

  ~BulkChange() {
    const UserCodeGuard guard(&world_.scope_depth_);
    for (const BatchValue& object : prototypes_) {
      const Lifecycle& lifecycle = *world_.registry_[object.component].lifecycle();
      lifecycle.destroy(object.value, lifecycle);
    }
  }
  BulkChange(const BulkChange&) = delete;
  BulkChange& operator=(const BulkChange&) = delete;

  // Bytes that lists over so many entities take, so that they come from one allocation.
  static std::size_t EstimateBytes(std::size_t entities, std::size_t components) {
    return entities * (128 + components * (sizeof(BatchValue) + sizeof(BatchPlan::Write)));
  }

  absl::Status ByIds(std::span<const Entity> entities, std::span<const ComponentId> removed,
                     std::span<const ComponentSpan> components) {
    ASHLAR_RETURN_IF_ERROR(CheckScope());
    Signature seen;
    bool is_checked = false;
    ASHLAR_RETURN_IF_ERROR(TakeRemoved(removed));
    ASHLAR_RETURN_IF_ERROR(
        world_.CheckSpans(call_, components, entities.size(), &seen, &is_checked));
    ASHLAR_RETURN_IF_ERROR(TakeShared(components));
    values_.resize(entities.size() * components.size());
    HookRunner hooks(&world_);
    std::optional<UserCodeGuard> guard(&world_.scope_depth_);
    BatchPlan plan(Parts(), {entities.size(), values_.size(), 0}, &memory_);
    for (std::size_t i = 0; i < entities.size(); ++i) {
      const std::size_t known = plan.entries().size();
      const EntryIndex entry = plan.FindAlive(entities[i]);
      if (entry.is_none()) return world_errors::NotAlive(call_, entities[i]);
      if (plan.entries().size() == known) {
        return world_errors::EntityRepeated(call_, entities[i]);
      }
      const std::span<BatchValue> values =
          std::span(values_).subspan(i * components.size(), components.size());
      for (std::size_t c = 0; c < components.size(); ++c) {
        values[c] = ValueAt(components[c], i, shared_[c]);
      }
      ASHLAR_RETURN_IF_ERROR(Change(plan, entry, values, hooks));
    }
    plan.Release();
    if (is_checked) {
      ASHLAR_RETURN_IF_ERROR(world_.CheckSpanValues(call_, components, entities.size()));
    }
    ASHLAR_RETURN_IF_ERROR(Commit(plan));
    guard.reset();
    hooks.RunAll(notes_);
    return absl::OkStatus();
  }

  absl::StatusOr<std::size_t> ByQuery(QueryId query, std::span<const ComponentId> removed,
                                      std::span<const ComponentValue> values) {
    ASHLAR_RETURN_IF_ERROR(CheckScope());
    if (!world_.queries_.Contains(query)) return world_errors::UnknownQuery(call_, query);
    ASHLAR_RETURN_IF_ERROR(TakeRemoved(removed));
    Signature seen;
    for (const ComponentValue& value : values) {
      ASHLAR_RETURN_IF_ERROR(world_.CheckKnown(call_, value, &seen));
    }
    bool has_objects = false;
    for (const ComponentValue& value : values) {
      ASHLAR_RETURN_IF_ERROR(world_.CheckOne(call_, value.Untaken()));
      const auto shared = MakeShared(value.Untaken());
      if (!shared.ok()) return shared.status();
      values_.push_back(*shared);
      has_objects |= world_.registry_.brief(value.component()).is_object;
    }
    HookRunner hooks(&world_);
    std::optional<UserCodeGuard> guard(&world_.scope_depth_);
    if (!has_objects && !hooks.has_hooks()) {
      QueryChange change(Parts(), query, removed_, values_, &memory_);
      if (change.Prepare(wanted_)) {
        if (change.has_changes()) change.Commit(NextVersion());
        return change.row_count();
      }
    }
    BatchPlan plan(Parts(), {}, &memory_);
    const std::size_t count = plan.Match(query).size();
    ASHLAR_RETURN_IF_ERROR(
        plan.ForEachMatched([&](EntryIndex entry) { return Change(plan, entry, values_, hooks); }));
    HookRunner::SortByEntity(notes_);
    plan.Release();
    ASHLAR_RETURN_IF_ERROR(Commit(plan));
    guard.reset();
    hooks.RunAll(notes_);
    return count;
  }

  absl::StatusOr<std::size_t> DestroyByQuery(QueryId query) {
    ASHLAR_RETURN_IF_ERROR(CheckScope());
    if (!world_.queries_.Contains(query)) return world_errors::UnknownQuery(call_, query);
    std::pmr::vector<Entity> entities(&memory_);
    try {
      ForEachMatched(query, [&](std::span<const Entity> ids) {
        entities.insert(entities.end(), ids.begin(), ids.end());
      });
    } catch (const std::bad_alloc&) {
      // The notes for hooks need memory; ending entities does not.
      if (world_.IsHooked({HookEvent::kRemoved})) throw;
      return DestroyWithoutList(query);
    }
    std::sort(entities.begin(), entities.end(),
              [](Entity a, Entity b) { return a.index() > b.index(); });
    ASHLAR_RETURN_IF_ERROR(world_.DestroyMany(entities));
    return entities.size();
  }

 private:
  // Where there is no memory for a list, each entity is marked in its record, and all records are
  // looked through.
  std::size_t DestroyWithoutList(QueryId query) noexcept {
    std::size_t count = 0;
    ForEachMatched(query, [&](std::span<const Entity> ids) {
      for (const Entity entity : ids) world_.directory_.Mark(entity);
      count += ids.size();
    });
    if (count != 0) world_.DestroyMarked();
    return count;
  }

  template <typename Visit>
  void ForEachMatched(QueryId query, Visit visit) const {
    const RowFilter filter = world_.queries_.row_filter(query);
    for (const Archetype* archetype : world_.queries_.matches(query)) {
      filter.ForEachRun(*archetype, [&](ChunkIndex chunk, const RowRun& run) {
        const Entity* const ids = archetype->EntitiesIn(archetype->ChunkBase(chunk));
        visit(std::span(ids + run.begin, ids + run.end));
      });
    }
  }

  bool is_set() const { return wanted_ == Wanted::kPresent; }

  BatchWorld Parts() const {
    return {&world_.registry_, &world_.archetypes_, &world_.directory_, &world_.queries_};
  }
  std::uint64_t NextVersion() {
    return is_set() ? world_.WritingVersion() : world_.AdvanceVersion();
  }

  absl::Status CheckScope() const {
    if (is_set() || world_.scope_depth() == 0) return absl::OkStatus();
    return world_errors::ScopeOpen(call_);
  }

  absl::Status TakeRemoved(std::span<const ComponentId> removed) {
    Signature seen;
    for (const ComponentId component : removed) {
      ASHLAR_RETURN_IF_ERROR(world_.CheckNamed(call_, component, &seen));
      removed_.push_back({component, nullptr});
    }
    return absl::OkStatus();
  }

  // The value of a span that is the same for all; nothing for those that have one for each.
  absl::Status TakeShared(std::span<const ComponentSpan> components) {
    for (const ComponentSpan& span : components) {
      BatchValue value{span.component(), nullptr};
      if (!span.has_values()) {
        ASHLAR_RETURN_IF_ERROR(world_.CheckOne(call_, span.same()));
        const auto shared = MakeShared(span.same());
        if (!shared.ok()) return shared.status();
        value = *shared;
      }
      shared_.push_back(value);
    }
    return absl::OkStatus();
  }

  // A value that several entities get. What lies in the world itself may move, so bytes are copied.
  absl::StatusOr<BatchValue> MakeShared(const ComponentValue& value) {
    using Form = ComponentValue::Form;
    const ComponentDescriptor& descriptor = world_.registry_[value.component()];
    BatchValue shared{value.component(), nullptr};
    if (descriptor.is_tag() || value.form() == Form::kZero) return shared;
    if (descriptor.lifecycle() == nullptr) {
      shared.value = arena_.Allocate(descriptor.size_bytes(), descriptor.alignment_bytes());
      WriteValue(descriptor, value, shared.value);
      return shared;
    }
    if (value.form() == Form::kBytes) {
      // SAFETY: objects that are shared are copied from, never moved from.
      shared.value = static_cast<std::byte*>(const_cast<void*>(value.bytes()));
      return shared;
    }
    if (descriptor.lifecycle()->copy == nullptr) return world_errors::MoveOnly(call_, descriptor);
    shared.value = arena_.Allocate(descriptor.size_bytes(), descriptor.alignment_bytes());
    prototypes_.reserve(prototypes_.size() + 1);
    const UserCodeGuard guard(&world_.scope_depth_);
    MakeObject(descriptor, value, shared.value, &memory_);
    prototypes_.push_back(shared);
    return shared;
  }

  BatchValue ValueAt(const ComponentSpan& span, std::size_t entity, const BatchValue& shared) {
    if (!span.has_values()) return shared;
    const ComponentDescriptor& descriptor = world_.registry_[span.component()];
    if (descriptor.is_tag()) return {span.component(), nullptr};
    if (!span.is_plain()) return {span.component(), nullptr};  // Refused before it is used.
    const std::byte* const value = span.At(entity, descriptor.size_bytes());
    if (descriptor.lifecycle() == nullptr) {
      // It may lie in the world itself, where rows move and values are overwritten.
      std::byte* const copy =
          arena_.Allocate(descriptor.size_bytes(), descriptor.alignment_bytes());
      std::copy_n(value, descriptor.size_bytes(), copy);
      return {span.component(), copy};
    }
    // SAFETY: objects of spans are copied from before anything changes, and never moved from.
    return {span.component(), const_cast<std::byte*>(value)};
  }

  absl::Status Change(BatchPlan& plan, EntryIndex entry, std::span<BatchValue> values,
                      const HookRunner& hooks) {
    if (!hooks.has_hooks()) [[likely]] {
      return ChangePlain(plan, entry, values);
    }
    const Signature before = plan.SignatureOf(entry);
    ASHLAR_RETURN_IF_ERROR(ChangePlain(plan, entry, values));
    Signature named;
    for (const BatchValue& value : values) named.Insert(value.component);
    hooks.Note(plan.entry(entry).entity, before, plan.SignatureOf(entry), named, &notes_);
    return absl::OkStatus();
  }

  absl::Status ChangePlain(BatchPlan& plan, EntryIndex entry, std::span<BatchValue> values) {
    if (is_set()) return plan.Set(call_, entry, values, true);
    return plan.Change(call_, entry, removed_, values, wanted_ == Wanted::kEither, true);
  }

  absl::Status Commit(const BatchPlan& plan) {
    BatchCommit commit(&plan, &memory_);
    commit.Prepare();
    if (commit.has_changes()) commit.Commit(NextVersion());
    return absl::OkStatus();
  }

  World& world_;
  std::string_view call_;
  Wanted wanted_;
  std::pmr::monotonic_buffer_resource memory_;
  std::pmr::vector<HookNote> notes_{&memory_};
  std::pmr::vector<BatchValue> removed_;
  std::pmr::vector<BatchValue> values_;            // Entity by entity; of a query, once.
  std::pmr::vector<BatchValue> shared_{&memory_};  // By component.
  std::pmr::vector<BatchValue> prototypes_;        // Objects of our own, to be copied.
  ValueArena arena_;
};

namespace {

absl::Status ByIds(World& world, std::string_view call, BulkChange::Wanted wanted,
                   std::span<const Entity> entities, std::span<const ComponentId> removed,
                   std::span<const ComponentSpan> components) try {
  const std::size_t bytes = BulkChange::EstimateBytes(entities.size(), components.size());
  return BulkChange(&world, call, wanted, bytes).ByIds(entities, removed, components);
} catch (...) {
  return world_errors::Caught(call);
}

absl::StatusOr<std::size_t> ByQuery(World& world, std::string_view call, BulkChange::Wanted wanted,
                                    QueryId query, std::span<const ComponentId> removed,
                                    std::span<const ComponentValue> values) try {
  return BulkChange(&world, call, wanted, 0).ByQuery(query, removed, values);
} catch (...) {
  return world_errors::Caught(call);
}

}  // namespace

absl::Status AddMany(World& world, std::span<const Entity> entities,
                     std::span<const ComponentSpan> components) {
  return ByIds(world, "AddMany", BulkChange::Wanted::kAbsent, entities, {}, components);
}

absl::Status PutMany(World& world, std::span<const Entity> entities,
                     std::span<const ComponentSpan> components) {
  return ByIds(world, "PutMany", BulkChange::Wanted::kEither, entities, {}, components);
}

absl::Status SetMany(World& world, std::span<const Entity> entities,
                     std::span<const ComponentSpan> components) {
  return ByIds(world, "SetMany", BulkChange::Wanted::kPresent, entities, {}, components);
}

absl::Status RemoveMany(World& world, std::span<const Entity> entities,
                        std::span<const ComponentId> components) {
  return ByIds(world, "RemoveMany", BulkChange::Wanted::kAbsent, entities, components, {});
}

absl::StatusOr<std::size_t> AddByQuery(World& world, QueryId query,
                                       std::span<const ComponentValue> values) {
  return ByQuery(world, "AddByQuery", BulkChange::Wanted::kAbsent, query, {}, values);
}

absl::StatusOr<std::size_t> PutByQuery(World& world, QueryId query,
                                       std::span<const ComponentValue> values) {
  return ByQuery(world, "PutByQuery", BulkChange::Wanted::kEither, query, {}, values);
}

absl::StatusOr<std::size_t> SetByQuery(World& world, QueryId query,
                                       std::span<const ComponentValue> values) {
  return ByQuery(world, "SetByQuery", BulkChange::Wanted::kPresent, query, {}, values);
}

absl::StatusOr<std::size_t> RemoveByQuery(World& world, QueryId query,
                                          std::span<const ComponentId> components) {
  return ByQuery(world, "RemoveByQuery", BulkChange::Wanted::kAbsent, query, components, {});
}

absl::StatusOr<std::size_t> DestroyByQuery(World& world, QueryId query) try {
  return BulkChange(&world, "DestroyByQuery", BulkChange::Wanted::kAbsent, 0).DestroyByQuery(query);
} catch (...) {
  return world_errors::Caught("DestroyByQuery");
}

}  // namespace ashlar::inline v0
