// Scheduler: runs systems on several threads, each with the columns that it asked for.
//
//   Scheduler scheduler(&world);
//   scheduler.Add("gravity", {falling}, [&](const SystemContext& system) {
//     ParallelForEach(system.executor, system.scopes[0], [&](const ChunkView& view) { ... });
//     return absl::OkStatus();
//   });
//   ...
//   absl::Status status = scheduler.Run(executor);   // Once a frame.
//
// Two systems conflict when one of them writes a component that the other reads or writes. Systems
// are cut into batches: each comes into the first batch behind those of all earlier systems that it
// conflicts with. The systems of a batch run at the same time, the batches one after the other.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "ashlar/core/ids.h"
#include "ashlar/storage/signature.h"
#include "ashlar/systems/executor.h"
#include "ashlar/world/iteration_scope.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// What a system gets each time it runs. Dies when the system returns.
struct SystemContext {
  World& world;
  std::span<const IterationScope> scopes;  // Open, one for each of its queries, in their order.
  Executor& executor;                      // For loops inside.
};

// A world changes as if the systems of each batch had run one after the other in the order in which
// they were added, whatever the executor and its number of threads, where each system keeps to what
// it declared. Versions too: the scopes of a batch are opened before any of its systems runs, so
// all of a batch write in one version. It is Scheduler's own rule, and not that of systems which
// open scopes one after the other: there each has a version of its own.
class Scheduler {
 public:
  using System = std::function<absl::Status(const SystemContext&)>;

  // `world` outlives the scheduler.
  explicit Scheduler(World* world) : world_(world) {}

  // Adds a system. Its queries declare what it touches, by every way (its scopes, World::Get, Set,
  // SetEnabled): it writes what they write, and reads their other components, but for those that
  // they exclude without looking at enable bits. A system without queries conflicts with every
  // other; where it runs no scope of the scheduler's is open, so it may change structure. Inside of
  // the others that is refused with kScopeOpen. Errors: kQueryUnknown; a failed allocation. Cost:
  // O(systems).
  absl::Status Add(std::string_view name, std::span<const QueryId> queries, System system);
  absl::Status Add(std::string_view name, std::initializer_list<QueryId> queries, System system) {
    return Add(name, std::span(queries.begin(), queries.size()), std::move(system));
  }

  std::size_t system_count() const { return systems_.size(); }
  std::size_t batch_count() const { return batches_.size(); }

  // REQUIRES: system < system_count(), counted from 0 as they were added.
  std::string_view name(std::size_t system) const { return systems_[system].name; }
  std::size_t batch(std::size_t system) const { return systems_[system].batch; }

  // Runs every system once. One that fails does not stop the others of its batch, but the batches
  // behind are not run; the error of the first of the batch that has one, in the order in which
  // they were added, is returned with the system's name before it and its reason kept, and what it
  // threw is thrown on. What the systems have written stays. Errors besides: those of
  // World::OpenScope, before any system of that batch has run. REQUIRES: it is not called from
  // inside of one of its systems. Allocates nothing by itself where nothing fails.
  absl::Status Run(Executor& executor);

 private:
  struct Entry {
    std::string name;
    std::vector<QueryId> queries;
    System system;
    Signature touched;  // Read or written.
    Signature written;
    bool is_alone = false;  // It has no queries.
    std::size_t batch = 0;
  };

  // What came of a system that ran.
  struct Outcome {
    absl::Status status;
    std::exception_ptr exception;  // Null: none.
  };

  static bool Conflict(const Entry& a, const Entry& b) {
    return a.is_alone || b.is_alone || a.written.Intersects(b.touched) ||
           b.written.Intersects(a.touched);
  }

  absl::Status RunBatch(std::span<const std::size_t> batch, Executor& executor);

  World* world_;
  std::vector<Entry> systems_;
  std::vector<std::vector<std::size_t>>
      batches_;                         // Systems, in the order in which they were added.
  std::vector<IterationScope> scopes_;  // Of a batch that runs; room for all systems.
  std::vector<Outcome> outcomes_;       // By place in the batch; as many as systems.
};

}  // namespace ashlar::inline v0
