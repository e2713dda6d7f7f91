// World: entities, their components, and everything that may be done to them.
//
// Every call answers with a status; a call that fails has changed nothing. What a constructor or
// copy of the user's own throws passes through unchanged, and nothing has changed then either. From
// inside a constructor, destructor, move or validator of a component only const calls may be made,
// about other entities; structural changes are refused there as in a scope. The
// order in which errors are looked for is fixed: scope open, entity alive, components (left to
// right: registered, named once, present or absent as the call needs), values (left to right), then
// memory and ids.
//
// Threads: const calls may run side by side, and so may scopes that write disjoint columns or
// chunks. Every other call needs the world for itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/status.h"
#include "ashlar/query/query_spec.h"
#include "ashlar/query/query_table.h"
#include "ashlar/schema/component_registry.h"
#include "ashlar/schema/typed_component.h"
#include "ashlar/storage/archetype_table.h"
#include "ashlar/storage/chunk_pool.h"
#include "ashlar/storage/entity_directory.h"
#include "ashlar/world/component_span.h"
#include "ashlar/world/component_value.h"
#include "ashlar/world/create_recipe.h"
#include "ashlar/world/hooks.h"
#include "ashlar/world/iteration_scope.h"
#include "ashlar/world/singletons.h"
#include "ashlar/world/storage_report.h"
#include "ashlar/world/world_memory.h"
#include "ashlar/world/world_options.h"

namespace ashlar::inline v0 {

class World {
 public:
  // The World object itself comes from plain new; everything that it holds comes from
  // options.memory, within options.memory_limit_bytes. Errors: kOptionInvalid, naming the option
  // and its range; memory.
  static absl::StatusOr<std::unique_ptr<World>> Make(const WorldOptions& options = {});

  // REQUIRES: no scope of this world is open, and no destructor that runs in it asks the world.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // --- Components ---

  // Numbers a component type. The descriptor is copied. Errors: kScopeOpen, kComponentNameTaken,
  // kComponentLimit, and those of the descriptor's Build.
  absl::StatusOr<ComponentId> Register(const ComponentDescriptor& descriptor);
  template <typename T>
  absl::StatusOr<Component<T>> Register(const TypedDescriptor<T>& descriptor);

  // The component of that name. Error: kComponentUnknown.
  absl::StatusOr<ComponentId> FindComponent(std::string_view name) const;

  // --- Structural changes: refused with kScopeOpen while an iteration scope is open ---

  // Makes an entity with these components. The id is the one destroyed last and not yet reused,
  // with its next generation; else the next index, with generation 1. Errors: kComponentUnknown,
  // kComponentRepeated, kComponentTypeMismatch, kValueRefused, kValueDoesNotFit, kRowTooLarge,
  // kIdsExhausted, memory. Cost: O(components).
  absl::StatusOr<Entity> Create(std::span<const ComponentValue> values);
  absl::StatusOr<Entity> Create() { return Create(std::span<const ComponentValue>()); }
  absl::StatusOr<Entity> Create(std::initializer_list<ComponentValue> values) {
    return Create(std::span(values.begin(), values.size()));
  }

  // Makes ids.size() entities, all with the same components, and writes their ids: entity i has
  // value i of each span. All or none. Ids, rows and order are those of so many calls of Create,
  // one after the other; it is one structural change, of one version. Errors besides those of
  // Create, about the first entity that has one: kValueCountMismatch. Cost: O(entities *
  // components).
  absl::Status CreateMany(std::span<Entity> ids, std::span<const ComponentSpan> components);
  absl::Status CreateMany(std::span<Entity> ids, std::initializer_list<ComponentSpan> components) {
    return CreateMany(ids, std::span(components.begin(), components.size()));
  }

  // Ends every entity, as Destroy would from the highest index to the lowest, in one version. Needs
  // no memory, and keeps the chunks for what comes (see Trim). Cost: O(indices issued so far).
  absl::Status DestroyAll();

  // Ends these entities, all or none, in one version. Ids are freed in the order of the list, so
  // what is alive and which ids come next is as after so many calls of Destroy, one after the
  // other. Rows have a rule of their own. In each archetype that is left with n rows, the rows that
  // go among its first n are filled, from the first to the last, by the rows behind them that stay,
  // from the first to the last; the other rows keep their places. The chunks that rows left, or
  // came to, have the call's version. Needs no memory. Errors, about the first entity of the list
  // that has one: kEntityNotAlive, kEntityRepeated. Cost: O(entities * components + chunks of their
  // archetypes + rows of the chunks that they are in).
  absl::Status DestroyMany(std::span<const Entity> entities);

  // Ends an entity: its row goes, the archetype's last row fills the hole, its id never comes back.
  // Needs no memory. Error: kEntityNotAlive. Cost: O(components).
  absl::Status Destroy(Entity entity);

  // Adds components that the entity does not have, all in one move. Error besides those of Create:
  // kEntityNotAlive, kComponentPresent. An empty list changes nothing and moves nothing.
  absl::Status Add(Entity entity, std::span<const ComponentValue> values);
  absl::Status Add(Entity entity, std::initializer_list<ComponentValue> values) {
    return Add(entity, std::span(values.begin(), values.size()));
  }

  // Removes components that the entity has, all in one move. Errors: kEntityNotAlive,
  // kComponentUnknown, kComponentRepeated, kComponentAbsent, memory.
  absl::Status Remove(Entity entity, std::span<const ComponentId> components);
  absl::Status Remove(Entity entity, std::initializer_list<ComponentId> components) {
    return Remove(entity, std::span(components.begin(), components.size()));
  }

  // Removes and adds in one move. The removed list is checked first, then the added one. A
  // component in both lists must be present; it gets the new value where it is. When the signature
  // stays what it was there is no move, and a new version only where a value is written.
  absl::Status Exchange(Entity entity, std::span<const ComponentId> removed,
                        std::span<const ComponentValue> added);
  absl::Status Exchange(Entity entity, std::initializer_list<ComponentId> removed,
                        std::initializer_list<ComponentValue> added) {
    return Exchange(entity, std::span(removed.begin(), removed.size()),
                    std::span(added.begin(), added.size()));
  }

  // Adds the components that are absent and replaces the values of those that are there. Structural
  // (and refused in a scope) only when one is absent. Of tags that are there nothing is written,
  // which has no version; nor has it in Set and Exchange.
  absl::Status Put(Entity entity, std::span<const ComponentValue> values);
  absl::Status Put(Entity entity, std::initializer_list<ComponentValue> values) {
    return Put(entity, std::span(values.begin(), values.size()));
  }

  // --- Values: legal inside a scope ---

  // Replaces values of components that are there; all or none. Errors: kEntityNotAlive,
  // kComponentUnknown, kComponentRepeated, kComponentAbsent, kComponentTypeMismatch, kValueRefused,
  // kValueDoesNotFit. Threads: a write to these columns of this chunk.
  absl::Status Set(Entity entity, std::span<const ComponentValue> values);
  absl::Status Set(Entity entity, std::initializer_list<ComponentValue> values) {
    return Set(entity, std::span(values.begin(), values.size()));
  }

  // Switches a component of an enableable type off or on; new components are on, and moves between
  // archetypes keep what is. No row moves, values stay, and Get and Has do not ask; queries do (see
  // QuerySpec). What was so before is no change and has no version. Errors: kEntityNotAlive,
  // kComponentUnknown, kComponentNotEnableable, kComponentAbsent. Cost: O(1). Threads: a write to
  // the component in this chunk.
  absl::Status SetEnabled(Entity entity, ComponentId component, bool enabled);
  template <typename T>
  absl::Status SetEnabled(Entity entity, Component<T> component, bool enabled) {
    return SetEnabled(entity, component.id(), enabled);
  }

  // Whether it is on. Errors: as SetEnabled.
  absl::StatusOr<bool> IsEnabled(Entity entity, ComponentId component) const;

  // Replaces one scalar of a component: "mass", "axis[2]", "[1]" (ComponentDescriptor::FindScalar).
  // Errors besides those of Set: kFieldUnknown.
  absl::Status SetField(Entity entity, ComponentId component, std::string_view path,
                        const Scalar& value);
  absl::Status SetScalar(Entity entity, ComponentId component, std::size_t scalar,
                         const Scalar& value);
  absl::StatusOr<Scalar> GetField(Entity entity, ComponentId component,
                                  std::string_view path) const;

  // The stored value: size_bytes bytes, or a pointer to none for a tag. Lives until the next
  // structural change. Errors: kEntityNotAlive, kComponentUnknown, kComponentAbsent,
  // kComponentSplit.
  absl::StatusOr<const std::byte*> Get(Entity entity, ComponentId component) const;

  // The same with its type. Further error: kComponentTypeMismatch.
  template <typename T>
  absl::StatusOr<const T*> Get(Entity entity, Component<T> component) const;

  // Copies the stored value, size_bytes bytes, to `value`, whether the component is split or not;
  // padding is zero. Errors: kEntityNotAlive, kComponentUnknown, kComponentAbsent,
  // kComponentTypeMismatch for a component of objects.
  absl::Status GetValue(Entity entity, ComponentId component, void* value) const;
  template <typename T>
  absl::StatusOr<T> Load(Entity entity, Component<T> component) const;

  // The same without words: null for every error.
  template <typename T>
  const T* TryGet(Entity entity, Component<T> component) const;

  // Errors: kEntityNotAlive, kComponentUnknown.
  absl::StatusOr<bool> Has(Entity entity, ComponentId component) const;

  bool IsAlive(Entity entity) const { return directory_.IsAlive(entity); }
  std::size_t entity_count() const { return directory_.live_count(); }

  // Where the entity's row is now. Error: kEntityNotAlive.
  absl::StatusOr<Location> Locate(Entity entity) const;

  // --- Queries and scopes ---

  // A query that stays up to date by itself. Equal terms give the same query. It lives as long as
  // the world. Errors: kScopeOpen, kComponentUnknown, kComponentRepeated, kQueryConflict,
  // kQueryLimit, memory.
  absl::StatusOr<QueryId> MakeQuery(const QuerySpec& spec);

  // Opens an iteration scope: the only source of chunk views. No structural change is possible
  // until it ends. Errors: kQueryUnknown, kScopeLimit. A scope of a query with a write term
  // advances the world's version, where no other such scope is open.
  absl::StatusOr<IterationScope> OpenScope(QueryId query);

  // Number of rows that the query matches now. Error: kQueryUnknown. Cost: O(archetypes); with
  // enable bits O(rows / 64).
  absl::StatusOr<std::size_t> CountRows(QueryId query) const;

  std::uint32_t scope_depth() const { return scope_depth_.load(std::memory_order_acquire); }

  // Advances at each structural change, at each outermost writing scope, and at each write to
  // values outside of one; starts at 1. What it is while no scope is open is a `since` for
  // ChunkView::Changed and Added: whatever happens later has a higher version.
  std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }

  // --- Memory: "memory" among a call's errors is kMemoryLimit (the call would have gone beyond
  // WorldOptions::memory_limit_bytes) or a failed allocation, which has no reason and no text ---

  // Bytes in use by purpose, the limit and the peak. Cost: O(1).
  MemoryUsage memory_usage() const { return memory_.Usage(); }

  // Gives memory back: every slab of chunks that no row is left in, and the chunk lists of empty
  // archetypes. Returns the bytes given back. Nothing else changes: no id, no row, no order, no
  // version. It needs no memory, and neither do the calls that need none without it. Errors:
  // kScopeOpen. Cost: O(chunks * log(slabs) + archetypes).
  absl::StatusOr<std::size_t> Trim();

  // Where the chunks are and how full: see storage_report.h. The figures come from the global heap.
  // Error: a failed allocation. Cost: O(archetypes * components + free chunks * log(slabs)).
  absl::StatusOr<StorageFigures> StorageReport() const;

  // --- Inside, for reading: the integrity check, the digest, snapshots ---

  const WorldOptions& options() const { return options_; }
  const ComponentRegistry& registry() const { return registry_; }
  const ArchetypeTable& archetypes() const { return archetypes_; }
  const EntityDirectory& directory() const { return directory_; }
  const ChunkPool& chunk_pool() const { return pool_; }
  const QueryTable& queries() const { return queries_; }
  const SingletonTable& singletons() const { return singletons_; }
  const MemoryBudget& memory_budget() const { return memory_.budget(); }

  // --- Test hooks ---

  // Gives the slot of a live entity another generation, so that the end of generations can be
  // reached. Returns the entity's new id. Errors: kScopeOpen, kEntityNotAlive, kOptionInvalid for
  // generation 0.
  absl::StatusOr<Entity> PlaceGeneration(Entity entity, std::uint32_t generation);

  // Makes this the next fresh index, so that the end of indices can be reached: those before it
  // that were never issued are retired. Errors: kScopeOpen; kOptionInvalid where it was used
  // already, is above the limit of indices, or would retire more than kPlacedIndicesMax; memory.
  absl::Status PlaceIndex(std::uint64_t index);

  // Sets the version. Errors: kScopeOpen; kOptionInvalid below version() and above
  // kPlacedVersionMax.
  absl::Status PlaceVersion(std::uint64_t version);

 private:
  friend struct WorldTestPeer;
  friend class CommandBuffer;
  friend class CommandTransaction;
  friend class BulkChange;
  friend class RowSorter;
  friend class HookRunner;
  friend class SingletonCalls;

  explicit World(const WorldOptions& options);

  // Whether a name in a list is in order, and whether its value needs to be looked at. Where the
  // name is not, CheckKnown or CheckNamed says why.
  bool TakeName(ComponentId component, Signature* seen) const {
    if (!registry_.Contains(component) || seen->Contains(component)) [[unlikely]] {
      return false;
    }
    seen->Insert(component);
    return true;
  }
  bool TakeName(const ComponentValue& value, Signature* seen, bool* is_checked) const {
    if (!registry_.Contains(value.component())) [[unlikely]] {
      return false;
    }
    const ComponentRegistry::Brief& brief = registry_.brief(value.component());
    if (value.type_key() != nullptr && value.type_key() != brief.type_key) [[unlikely]] {
      return false;
    }
    *is_checked |= brief.is_checked || !value.is_plain();
    return TakeName(value.component(), seen);
  }

  // Checks of one list, left to right; `seen` collects it. See the error order above.
  absl::Status CheckKnown(std::string_view call, const ComponentValue& value,
                          Signature* seen) const;
  absl::Status CheckNamed(std::string_view call, ComponentId component, Signature* seen) const;
  absl::Status CheckValues(std::string_view call, std::span<const ComponentValue> values);
  absl::Status CheckOne(std::string_view call, const ComponentValue& value);

  absl::Status CheckSpans(std::string_view call, std::span<const ComponentSpan> components,
                          std::size_t count, Signature* seen, bool* is_checked) const;
  absl::Status CheckSpanValues(std::string_view call, std::span<const ComponentSpan> components,
                               std::size_t count);

  // Writes the values that are bytes to a row. Whether there are others, that are objects.
  bool WriteRow(const Archetype& archetype, std::byte* chunk, RowIndex row,
                std::span<const ComponentValue> values) const noexcept;

  // Moves a row along a plan and writes `values`: reserve, construct, commit.
  void MoveRow(Entity entity, const MovePlan& plan, std::span<const ComponentValue> values);
  absl::Status Toggle(Entity entity, Archetype& source, ComponentId component,
                      std::span<const ComponentValue> values);

  // The same for a row of bytes, where the target is known to queries and has room: nothing can
  // fail. `value` is that of the component that is added; null where none is, or a tag.
  void MoveBytes(Entity entity, const Location& at, const MovePlan& plan,
                 const void* value) noexcept;
  static bool CanMoveBytes(const MovePlan* plan) {
    return plan != nullptr && plan->is_plain && !plan->target->number().is_none() &&
           plan->target->HasRoom();
  }
  absl::Status MoveTo(Entity entity, Archetype& source, const Signature& target,
                      std::span<const ComponentValue> values);

  // Ends the entities that are marked in the directory, from the highest index down: one change.
  void DestroyMarked() noexcept;

  // Writes values in place, all or none; may throw where one is an object. REQUIRES: each component
  // is there, each value was checked.
  void WriteInPlace(const Location& location, std::span<const ComponentValue> values);

  // The stored value, or null when the entity is dead or has no such column.
  const std::byte* ColumnValue(Entity entity, ComponentId component) const;

  // Why SetEnabled and IsEnabled find no bit. Does not throw.
  absl::Status EnableError(std::string_view call, Entity entity, ComponentId component) const;

  // The scalar at that path of a component that the entity has; else why not.
  absl::StatusOr<std::size_t> FindScalar(std::string_view call, Entity entity,
                                         ComponentId component, std::string_view path) const;

  // Why Get has no pointer; OK when it is a tag that is there. Does not throw.
  absl::Status GetError(Entity entity, ComponentId component, TypeKey type_key) const;

  // Why a look-up of that component failed; OK when it is a tag that is there. Does not throw.
  absl::Status LookUpError(std::string_view call, Entity entity, ComponentId component,
                           TypeKey type_key) const;

  // Whether one of these events has a hook: then a HookRunner does the call.
  bool IsHooked(std::initializer_list<HookEvent> events) const {
    return (hooked_ & HookBits(events)) != 0;
  }

  // The version of a structural change, which has the world for itself: no locked operation.
  std::uint64_t AdvanceVersion() noexcept {
    const std::uint64_t version = version_.load(std::memory_order_relaxed) + 1;
    version_.store(version, std::memory_order_relaxed);
    return version;
  }

  // The version of a write to values. Inside a scope that writes it is the scope's; else the write
  // advances it, as a scope of its own would.
  std::uint64_t WritingVersion() noexcept {
    if (writing_depth_.load(std::memory_order_acquire) != 0) return version();
    return version_.fetch_add(1, std::memory_order_relaxed) + 1;
  }

  WorldOptions options_;
  WorldMemory memory_;  // Before all that allocates from it.
  ComponentRegistry registry_;
  ChunkPool pool_;
  ArchetypeTable archetypes_;
  EntityDirectory directory_;
  QueryTable queries_;
  Archetype* last_created_ = nullptr;  // Where the last Create went: the next often goes there too.
  CreateRecipe recipe_;
  SingletonTable singletons_;
  HookTable hooks_;
  std::uint8_t hooked_ = 0;  // HookBits of the events that have hooks; 0 while they run.
  std::atomic<std::uint64_t> version_{1};
  std::atomic<std::uint32_t> scope_depth_{0};    // Scopes open.
  std::atomic<std::uint32_t> writing_depth_{0};  // Those among them whose query writes.
};

}  // namespace ashlar::inline v0

#include "ashlar/world/world_typed.h"
