// The movement system: position += velocity * dt over all entities with both and without Disabled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/cpu.h"
#include "ashlar/core/ids.h"
#include "ashlar/kernels/movement.h"
#include "ashlar/query/chunk_run.h"
#include "ashlar/systems/executor.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// Plain data: a query of one world and a kernel. Copies are equal.
class MovementSystem {
 public:
  // `position` and `velocity` must hold three f32 and nothing else, split or not; `disabled` must
  // be a tag. Makes one query. `level` forces a kernel; nothing: what the environment variable
  // ASHLAR_SIMD ("scalar", "avx2", "avx512") says, or the best of this machine where it is not set.
  // Errors, in this order: kComponentUnknown and kComponentTypeMismatch, for each component from
  // left to right, kOptionInvalid (a level that this machine does not have, or a variable that
  // names none), those of World::MakeQuery.
  static absl::StatusOr<MovementSystem> Make(World& world, ComponentId position,
                                             ComponentId velocity, ComponentId disabled,
                                             std::optional<SimdLevel> level = std::nullopt);

  // One step over all chunks, in an order of the system's own: over many rows, one step goes forth
  // and the next goes back. No result depends on it. Opens a scope that writes. `world` is the one
  // that this was made for. Fields' rules and validators are not asked. Errors: those of
  // World::OpenScope.
  absl::Status Step(World& world, float dt) const;

  // The same on several threads: the same bits and versions at any number of them. Few rows are
  // left to one thread. Allocates nothing by itself.
  absl::Status Step(World& world, float dt, Executor& executor) const;

  QueryId query() const { return query_; }
  SimdLevel level() const { return level_; }

 private:
  MovementSystem() = default;

  // How a step goes through the chunks, with so many rows that the query wants.
  struct Way {
    bool has_gaps = false;                 // Some rows are switched off.
    std::size_t chunks_ahead = 0;          // Of which hints are given; 0: none are.
    RunOrder order = RunOrder::kForwards;  // Of ranges, runs, chunks.
  };
  Way NextWay(const World& world, std::size_t row_count) const;

  // Step over the chunks of a scope or of a range: whatever gives views and runs.
  template <typename Chunks>
  void Move(const Chunks& chunks, float dt, const Way& way) const;
  template <typename Chunks>
  void MoveChunks(const Chunks& chunks, float dt) const;
  template <typename Chunks>
  void MoveMasked(const Chunks& chunks, float dt) const;
  void MoveBlock(float* position, const float* velocity, std::size_t rows, std::uint64_t wanted,
                 float dt) const;
  template <typename Chunks>
  void MoveFields(const Chunks& chunks, float dt) const;
  template <typename Chunks>
  void MoveMixed(const Chunks& chunks, float dt) const;
  template <typename Chunks>
  void MoveChunksAhead(const Chunks& chunks, float dt, const Way& way) const;

  QueryId query_;
  ComponentId position_;
  ComponentId velocity_;
  bool position_is_split_ = false;
  bool velocity_is_split_ = false;
  bool looks_at_rows_ = false;  // One of the three can be switched off.
  SimdLevel level_ = SimdLevel::kScalar;
  kernels::MovementFunction kernel_ = nullptr;
  kernels::MovementPairFunction kernel_pair_ = nullptr;    // Null: never.
  kernels::MovementAheadFunction kernel_ahead_ = nullptr;  // Null: never.

  // Of the next step over many rows. No outcome depends on it, so Step is const. Two steps at the
  // same time, which would race for it, would write the same positions and are forbidden.
  mutable RunOrder next_order_ = RunOrder::kForwards;
};

}  // namespace ashlar::inline v0
