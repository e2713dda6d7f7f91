// BatchCommit: carries a plan out.
//
//   Prepare   reserve: archetypes, move plans, a block of rows in each destination, ids
//             construct: copies of objects that several entities share
//   Commit    ids are freed and issued; rows arrive in their blocks; values are written in place
//             where a row stays; holes are closed
//
// The rule of the rows: each entity's change is made at once, whatever steps it took. Rows arrive
// in the order in which their entities were first named. Then, in each archetype that is left with
// n rows, the holes among its first n are filled, from the first to the last, by the rows behind
// them that stay, from the first to the last (Archetype::CloseHoles). Only archetypes in which a
// row arrives are made or numbered, in the order of the first row. All of it is of one version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ashlar/storage/archetype.h"
#include "ashlar/world/batch_plan.h"
#include "ashlar/world/batch_value.h"
#include "ashlar/world/batch_world.h"
#include "ashlar/world/value_arena.h"

namespace ashlar::inline v0 {

class BatchCommit {
 public:
  // What changed.
  struct Counts {
    std::size_t created = 0;    // Alive now; one that was destroyed again is not counted.
    std::size_t destroyed = 0;  // Of those that were there before.
    std::size_t moved = 0;      // From one archetype to another.
    std::size_t written = 0;    // Stayed where they are, with new values.
  };

  // Keeps both; works on the plan's world. The plan is complete and released.
  BatchCommit(const BatchPlan* plan, std::pmr::memory_resource* memory);

  // Gives everything back that was not committed.
  ~BatchCommit();
  BatchCommit(const BatchCommit&) = delete;
  BatchCommit& operator=(const BatchCommit&) = delete;

  // Throws std::bad_alloc, and what copies of objects throw; a std::bad_alloc of theirs as
  // world_errors::UserBadAlloc. Then nothing has changed.
  void Prepare();

  // Whether Commit changes anything. REQUIRES: Prepare.
  bool has_changes() const;

  // Objects are moved out of the plan's values; such a value is null afterwards. REQUIRES: Prepare.
  Counts Commit(std::uint64_t version) noexcept;

 private:
  struct Destination {
    explicit Destination(std::pmr::memory_resource* memory) : block(memory) {}

    ShapeIndex shape;
    Archetype* archetype = nullptr;
    std::size_t first = 0;  // In arrivals_.
    std::size_t count = 0;
    Archetype::Block block;
    bool is_reserved = false;
  };

  // A row that comes.
  struct Arrival {
    EntryIndex entry;
    const MovePlan* plan = nullptr;  // Null: the entity is made.
  };

  bool WillWrite(const BatchPlan::Entry& entry) const;
  bool WillEnable(const BatchPlan::Entry& entry) const;
  void GroupByDestination();
  void ReserveRows();
  void StageObjects();
  void StageObjectsOf(const BatchPlan::Entry& entry);

  void CommitArrivals(Destination& destination, std::uint64_t version) noexcept;
  void PrefetchSource(const Arrival& arrival) const noexcept;
  void Arrive(Archetype& target, const Arrival& arrival, const Archetype::Slot& slot,
              std::uint64_t version) noexcept;
  void EnableRemoved(const BatchPlan::Entry& entry, Archetype& archetype, const Location& at,
                     std::uint64_t version) noexcept;
  void WriteStaying(const BatchPlan::Entry& entry, std::uint64_t version) noexcept;
  void CloseHoles(std::uint64_t version, Counts* counts) noexcept;

  // Calls visit(write) for the last value of each component that the entity has in the end.
  template <typename Visit>
  void ForEachLastWrite(const BatchPlan::Entry& entry, Visit visit) const;
  void Store(const Archetype& archetype, const BatchPlan::Write& write, std::byte* chunk,
             std::size_t row) noexcept;

  const BatchPlan* plan_;
  BatchWorld world_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Destination> destinations_;
  std::pmr::vector<Arrival> arrivals_;    // Destination by destination.
  std::pmr::vector<EntryIndex> staying_;  // Entities whose row stays and has new values.
  std::size_t hole_count_ = 0;
  ValueArena staging_;
  std::pmr::vector<BatchValue> staged_;  // Copies, in the order in which Commit asks for them.
  std::size_t next_staged_ = 0;
};

}  // namespace ashlar::inline v0
