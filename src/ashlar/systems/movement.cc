#include "ashlar/systems/movement.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "ashlar/core/limits.h"
#include "ashlar/core/simd_choice.h"
#include "ashlar/core/status.h"
#include "ashlar/query/chunk_run.h"
#include "ashlar/query/query_spec.h"
#include "ashlar/query/row_mask.h"
#include "ashlar/systems/component_check.h"
#include "ashlar/systems/movement_walk.h"
#include "ashlar/systems/parallel.h"

namespace ashlar::inline v0 {
namespace {

using internal::Columns;
using internal::FloatSpan;
using internal::kFloatsPerEntity;
using internal::kTurns;
using internal::MoveAhead;
using internal::MoveSpan;
using internal::SpanOf;

// Hints go to the chunk that begins so many bytes later, or to the next one where chunks are
// larger: far enough for the latency of memory, near enough that what they fetch is still in the
// nearest cache.
constexpr std::size_t kBytesAhead = 3 * kChunkSizeBytesMin;
constexpr std::size_t kChunksAheadMax = kBytesAhead / kChunkSizeBytesMin;

// Fewer rows than this stay in a second-level cache from step to step, and hints only cost.
constexpr std::size_t kRowsForHints = 40'000;

// A range that costs less than moving so many rows is done before another thread has woken.
constexpr std::size_t kRowsPerRange = 16'384;

// What a chunk costs besides its rows, in rows.
constexpr std::size_t kRowsPerChunkCost = 32;

}  // namespace

absl::StatusOr<MovementSystem> MovementSystem::Make(World& world, ComponentId position,
                                                    ComponentId velocity, ComponentId disabled,
                                                    std::optional<SimdLevel> level) {
  const ComponentRegistry& registry = world.registry();
  ASHLAR_RETURN_IF_ERROR(CheckFloats("movement", "position", registry, position, kFloatsPerEntity));
  ASHLAR_RETURN_IF_ERROR(CheckFloats("movement", "velocity", registry, velocity, kFloatsPerEntity));
  ASHLAR_RETURN_IF_ERROR(CheckTag("movement", "disabled tag", registry, disabled));
  const absl::StatusOr<SimdLevel> chosen = ChooseSimdLevel("movement", level);
  if (!chosen.ok()) return chosen.status();

  QuerySpec spec;
  spec.Write(position).Read(velocity).None(disabled);
  const absl::StatusOr<QueryId> query = world.MakeQuery(spec);
  if (!query.ok()) return query.status();

  MovementSystem system;
  system.query_ = *query;
  system.position_ = position;
  system.velocity_ = velocity;
  system.position_is_split_ = world.registry()[position].is_split();
  system.velocity_is_split_ = world.registry()[velocity].is_split();
  system.looks_at_rows_ = world.queries().terms(*query).has_row_terms();
  system.level_ = *chosen;
  system.kernel_ = kernels::MovementFor(*chosen);
  system.kernel_pair_ = kernels::MovementPairFor(*chosen);
  system.kernel_ahead_ = kernels::MovementAheadFor(*chosen);
  return system;
}

absl::Status MovementSystem::Step(World& world, float dt) const {
  const absl::StatusOr<IterationScope> scope = world.OpenScope(query_);
  if (!scope.ok()) return scope.status();
  Move(*scope, dt, NextWay(world, world.CountRows(query_).value_or(0)));
  return absl::OkStatus();
}

absl::Status MovementSystem::Step(World& world, float dt, Executor& executor) const {
  const absl::StatusOr<IterationScope> scope = world.OpenScope(query_);
  if (!scope.ok()) return scope.status();
  const std::size_t row_count = world.CountRows(query_).value_or(0);
  const std::size_t cost = row_count + scope->Partition(1).chunk_count() * kRowsPerChunkCost;
  const ScopePartition ranges =
      scope->Partition(std::min(RangeCountFor(executor), 1 + cost / kRowsPerRange));
  const Way way = NextWay(world, row_count);
  executor.ParallelFor(ranges.size(), [&](std::size_t i) {
    Move(ranges[InOrder(way.order, i, ranges.size())], dt, way);
  });
  return absl::OkStatus();
}

MovementSystem::Way MovementSystem::NextWay(const World& world, std::size_t row_count) const {
  if (looks_at_rows_) {
    std::size_t rows = 0;
    for (const Archetype* archetype : world.queries().matches(query_)) {
      rows += archetype->row_count();
    }
    if (rows != row_count) return {.has_gaps = true};
  }
  if (kernel_ahead_ == nullptr || row_count < kRowsForHints) return {};
  // Every second step goes back: what the step before it moved last is still in the caches, and
  // would be gone by the time that a walk from the first chunk came to it.
  const RunOrder order = next_order_;
  next_order_ = order == RunOrder::kForwards ? RunOrder::kBackwards : RunOrder::kForwards;
  return {.chunks_ahead = std::max<std::size_t>(1, kBytesAhead / world.options().chunk_size_bytes),
          .order = order};
}

template <typename Chunks>
void MovementSystem::Move(const Chunks& chunks, float dt, const Way& way) const {
  if (position_is_split_ && velocity_is_split_) {
    MoveFields(chunks, dt);
  } else if (position_is_split_ || velocity_is_split_) {
    MoveMixed(chunks, dt);
  } else if (way.has_gaps) {
    MoveMasked(chunks, dt);
  } else if (way.chunks_ahead != 0) {
    MoveChunksAhead(chunks, dt, way);
  } else {
    MoveChunks(chunks, dt);
  }
}

template <typename Chunks>
void MovementSystem::MoveChunks(const Chunks& chunks, float dt) const {
  chunks.VisitRuns([&](const ChunkRun& run) {
    const Columns columns(run, position_, velocity_);
    if (kernel_pair_ != nullptr && columns.size() > kTurns.size()) {
      internal::MoveInTurns(columns, kernel_, kernel_pair_, dt);
    } else {
      internal::MoveInOrder(columns, kernel_, dt);
    }
  });
}

// Rows are switched off here and there: blocks are computed whole, and of those with gaps only what
// is wanted is kept.
template <typename Chunks>
void MovementSystem::MoveMasked(const Chunks& chunks, float dt) const {
  chunks.VisitMasked([&](const ChunkView& view, const RowMask& mask) {
    const FloatSpan span = SpanOf(view.WriteBytes(position_), view.ReadBytes(velocity_),
                                  view.row_count() * kFloatsPerEntity);
    if (mask.wanted_count() == mask.row_count()) {
      MoveSpan(kernel_, span, dt);
      return;
    }
    for (std::size_t i = 0; i < mask.word_count(); ++i) {
      const std::size_t first = i * RowMask::kWordRows;
      const std::size_t rows = std::min(RowMask::kWordRows, mask.row_count() - first);
      float* const position = span.position + first * kFloatsPerEntity;
      const float* const velocity = span.velocity + first * kFloatsPerEntity;
      if (static_cast<std::size_t>(std::popcount(mask.word(i))) == rows) {
        kernel_(position, velocity, rows * kFloatsPerEntity, dt);
      } else {
        MoveBlock(position, velocity, rows, mask.word(i), dt);
      }
    }
  });
}

void MovementSystem::MoveBlock(float* position, const float* velocity, std::size_t rows,
                               std::uint64_t wanted, float dt) const {
  if (wanted == 0) return;
  std::array<std::array<float, kFloatsPerEntity>, RowMask::kWordRows> moved;
  std::copy_n(position, rows * kFloatsPerEntity, moved[0].data());
  kernel_(moved[0].data(), velocity, rows * kFloatsPerEntity, dt);
  for (; wanted != 0; wanted &= wanted - 1) {
    const auto row = static_cast<std::size_t>(std::countr_zero(wanted));
    std::copy_n(moved[row].data(), kFloatsPerEntity, position + row * kFloatsPerEntity);
  }
}

// Each axis is a span of its own.
template <typename Chunks>
void MovementSystem::MoveFields(const Chunks& chunks, float dt) const {
  for (const ChunkView view : chunks) {
    for (std::size_t axis = 0; axis < kFloatsPerEntity; ++axis) {
      kernel_(view.WriteField<float>(position_, axis).data(),
              view.ReadField<float>(velocity_, axis).data(), view.row_count(), dt);
    }
  }
}

// One of the two is split: rows are copied to where both lie alike, a block at a time.
template <typename Chunks>
void MovementSystem::MoveMixed(const Chunks& chunks, float dt) const {
  constexpr std::size_t kRows = 64;
  std::array<std::array<float, kFloatsPerEntity>, kRows> position;
  std::array<std::array<float, kFloatsPerEntity>, kRows> velocity;
  for (const ChunkView view : chunks) {
    for (std::size_t first = 0; first < view.row_count(); first += kRows) {
      const std::size_t rows = std::min(kRows, view.row_count() - first);
      for (std::size_t i = 0; i < rows; ++i) {
        view.LoadValue(position_, first + i, reinterpret_cast<std::byte*>(&position[i]));
        view.LoadValue(velocity_, first + i, reinterpret_cast<std::byte*>(&velocity[i]));
      }
      kernel_(position[0].data(), velocity[0].data(), rows * kFloatsPerEntity, dt);
      for (std::size_t i = 0; i < rows; ++i) {
        view.StoreValue(position_, first + i, reinterpret_cast<const std::byte*>(&position[i]));
      }
    }
  }
}

// Runs through the chunks `chunks_ahead` before the kernel does. Those between are kept from one
// run of chunks to the next in a ring: three arrays, not one of spans, whose two pointers would be
// stored in halves and loaded whole. Within a run they are looked up once more, which is cheaper.
template <typename Chunks>
void MovementSystem::MoveChunksAhead(const Chunks& chunks, float dt, const Way& way) const {
  std::array<float*, kChunksAheadMax> positions{};
  std::array<const float*, kChunksAheadMax> velocities{};
  std::array<std::size_t, kChunksAheadMax> counts{};
  std::size_t at = 0;
  const auto exchange = [&](const FloatSpan& span) {
    const FloatSpan oldest = {std::exchange(positions[at], span.position),
                              std::exchange(velocities[at], span.velocity),
                              std::exchange(counts[at], span.count)};
    at = at + 1 == way.chunks_ahead ? 0 : at + 1;
    return oldest;
  };
  const auto move = [&](const ChunkRun& run) {
    const Columns columns(run, position_, velocity_);
    const std::size_t size = columns.size();
    for (std::size_t i = 0; i < std::min(way.chunks_ahead, size); ++i) {
      const FloatSpan later = columns.InWalk(i, way.order);
      MoveAhead(kernel_ahead_, exchange(later), later, dt);
    }
    if (size <= way.chunks_ahead) return;
    internal::MoveRunAhead(columns, way.order, way.chunks_ahead, kernel_ahead_, dt);
    for (std::size_t i = size - way.chunks_ahead; i < size; ++i) {
      exchange(columns.InWalk(i, way.order));
    }
  };
  chunks.VisitRuns(move, way.order);
  for (std::size_t i = 0; i < way.chunks_ahead; ++i) MoveSpan(kernel_, exchange({}), dt);
}

}  // namespace ashlar::inline v0
