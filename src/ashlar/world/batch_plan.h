// BatchPlan: what a list of changes to entities comes to, found one after the other, without
// changing anything.
//
//   entries_   one for each entity that is named: where it was, what it has now, whether it lives
//   directory  has the number of an entity's entry in the place of where it is, meanwhile
//   made_      the entities that the batch makes -> their entries; only where somebody asks by id
//   writes_    each entity's values, the latest first: | component, value | -> | ... |
//   events_    ids that are freed and issued, in order
//
// Nobody may ask the directory where a named entity is before Release.
//
// Each step answers as the call of World's would whose name it has, for a world in which the steps
// before it were done. Steps may throw std::bad_alloc. After an error or an exception the plan is
// of no use any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/storage/directory_forecast.h"
#include "ashlar/world/batch_shapes.h"
#include "ashlar/world/batch_value.h"
#include "ashlar/world/batch_world.h"

namespace ashlar::inline v0 {

// An entity of a plan, by the order in which they were first named.
using EntryIndex = StrongIndex<struct EntryIndexTag, std::uint32_t>;

class BatchPlan {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  struct Entry {
    Entity entity;
    Location from{};                   // Its row; nothing where the batch makes it.
    ShapeIndex base{};                 // None where the batch makes it.
    ShapeIndex shape{};                // What it has now.
    std::uint32_t last_write = kNone;  // In writes().
    std::uint32_t removed = kNone;     // In the sets of enableable components that were removed.
    bool is_alive = true;

    bool is_made() const { return base.is_none(); }
  };

  struct Write {
    BatchValue* value;             // The caller's: whoever takes an object from it makes it null.
    std::uint32_t before = kNone;  // The entity's write before it.
    bool is_shared = false;        // The value is that of several entities: an object is copied.
  };

  // An id is issued to an entry, or freed where that is none.
  struct Event {
    Entity entity;
    EntryIndex issued_to;
  };

  // So much is taken before the first step, so that the steps need not grow bit by bit; they may
  // need more.
  struct Expected {
    std::size_t entities = 0;
    std::size_t writes = 0;
    std::size_t events = 0;
  };
  BatchPlan(const BatchWorld& world, const Expected& expected, std::pmr::memory_resource* memory);
  ~BatchPlan() { Release(); }
  BatchPlan(const BatchPlan&) = delete;
  BatchPlan& operator=(const BatchPlan&) = delete;

  // --- Steps. `call` is for messages. Values are kept by their address ---

  // The entry of a living entity; none where it is not alive (any more, or yet).
  EntryIndex FindAlive(Entity entity);

  // Errors, here and below: those of World's call but for what does not depend on entities.
  absl::StatusOr<EntryIndex> Create(std::string_view call, std::span<BatchValue> values);
  void Destroy(EntryIndex index);

  // Removes, then adds or (where `replaces`) replaces too. What must be absent and is not:
  // kComponentPresent; present and is not: kComponentAbsent.
  absl::Status Change(std::string_view call, EntryIndex index, std::span<BatchValue> removed,
                      std::span<BatchValue> values, bool replaces, bool is_shared);

  // Gives values to components that must be there.
  absl::Status Set(std::string_view call, EntryIndex index, std::span<BatchValue> values,
                   bool is_shared);

  // The living entities that the query matches now, enable bits included: first those that no step
  // has named, in the order of iteration; then the others, in the order in which they were named.
  // Each has an entry afterwards. REQUIRES: there is such a query. The span lives until the next
  // Match. Cost: O(rows of the archetypes that match + entries).
  std::span<const EntryIndex> Match(QueryId query);

  // Calls step(entry) for each of the last Match. The error is that of the entity with the lowest
  // index that has one, so that it does not depend on the order of rows.
  template <typename Step>
  absl::Status ForEachMatched(Step step) {
    absl::Status first_error;
    std::uint32_t index_of_error = 0;
    for (const EntryIndex entry : matched_) {
      const std::uint32_t index = entries_[entry.value()].entity.index();
      if (!first_error.ok() && index > index_of_error) continue;
      if (absl::Status error = step(entry); !error.ok()) {
        first_error = std::move(error);
        index_of_error = index;
      }
    }
    return first_error;
  }

  // No step follows: the directory is again as it was.
  void Release() noexcept;

  // --- What it comes to ---

  std::span<const Entry> entries() const { return entries_; }
  std::span<const Event> events() const { return events_; }
  const Entry& entry(EntryIndex index) const { return entries_[index.value()]; }
  const Write& write(std::uint32_t index) const { return writes_[index]; }
  const BatchShapes& shapes() const { return shapes_; }
  const BatchWorld& world() const { return world_; }
  const DirectoryForecast& ids() const { return ids_; }

  // What the entity has now; nothing where it is not alive any more.
  Signature SignatureOf(EntryIndex index) const {
    const Entry& entry = entries_[index.value()];
    return entry.is_alive ? shapes_.signature(entry.shape) : Signature();
  }

  // Whether an object is to be copied for several entities.
  bool has_shared_objects() const { return has_shared_objects_; }

  // The enableable components of the entity's row that were removed at some time, so that their
  // bits do not count any more: what is there again is enabled. REQUIRES: entry.removed is not
  // kNone.
  const Signature& removed(const Entry& entry) const { return removed_[entry.removed]; }

 private:
  EntryIndex Append(const Entry& entry);
  EntryIndex AppendNamed(const Archetype& archetype, Entity entity, const Location& from);
  EntryIndex FindMade(Entity entity);
  void NoteRemoved(Entry& entry, ComponentId component);
  void AppendWrites(Entry& entry, std::span<BatchValue> values, bool is_shared);
  bool IsEnabled(const Entry& entry, ComponentId component) const;
  bool Wants(const QueryTerms& terms, const Entry& entry) const;

  BatchWorld world_;
  BatchShapes shapes_;
  DirectoryForecast ids_;
  std::pmr::vector<Entry> entries_;
  std::pmr::unordered_map<Entity, EntryIndex> made_;
  std::size_t made_known_ = 0;  // Events that made_ knows.
  bool is_released_ = false;
  std::pmr::vector<Write> writes_;
  std::pmr::vector<Event> events_;
  std::pmr::vector<Signature> removed_;
  bool has_shared_objects_ = false;
  std::pmr::vector<EntryIndex> matched_;
  ShapeIndex last_created_;  // Of the last Create.
};

}  // namespace ashlar::inline v0
