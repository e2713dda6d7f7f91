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
#include "ashlar/systems/parallel.h"

namespace ashlar::inline v0 {
namespace {

constexpr std::size_t kFloatsPerEntity = 3;

// Hints go to the chunk that begins so many bytes later, or to the next one where chunks are
// larger: far enough for the latency of memory, near enough that what they fetch is still in the
// nearest cache.
constexpr std::size_t kBytesAhead = 3 * kChunkSizeBytesMin;
constexpr std::size_t kChunksAheadMax = kBytesAhead / kChunkSizeBytesMin;

// A span with more floats is asked for itself so far ahead, and only from its last ones on for what
// comes later. Chunks of which several are looked ahead have no such span.
constexpr std::size_t kFloatsAhead = 1024;
constexpr std::size_t kLineFloats = kCacheLineBytes / sizeof(float);

// Fewer rows than this stay in a second-level cache from step to step, and hints only cost.
constexpr std::size_t kRowsForHints = 40'000;

// The order in which so many chunks are moved where there are fewer rows: the powers of 3 modulo
// 17, less 1 (Welch's construction of a Costas array). No two steps of it are equal, nor any two
// over two entries, so that no load seems to go through memory in equal strides. Processors that
// foretell loads from that are wrong at every end of a column, and slower than if they foretold
// nothing: measured on AMD Zen 5 over 16,384 entities, chunks of 4096 bytes in this order take .7
// of the time that they take in their own. Chunks that come from farther than the second-level
// cache are faster in their own.
constexpr std::array<std::size_t, 16> kTurns = {0,  2,  8, 9, 12, 4,  14, 10,
                                                15, 13, 7, 6, 3,  11, 1,  5};

// A range that costs less than moving so many rows is done before another thread has woken.
constexpr std::size_t kRowsPerRange = 16'384;

// What a chunk costs besides its rows, in rows.
constexpr std::size_t kRowsPerChunkCost = 32;

// The floats of one chunk.
struct Span {
  float* position = nullptr;
  const float* velocity = nullptr;
  std::size_t count = 0;
};

// SAFETY, below: MovementSystem::Make has seen that both components are three f32 without padding,
// so each column is row_count * 3 floats in a row, all of them written when their rows were
// committed.
Span SpanOf(std::byte* position, const std::byte* velocity, std::size_t count) {
  return {reinterpret_cast<float*>(position), reinterpret_cast<const float*>(velocity), count};
}

// The columns of a run of chunks. Inlined, like what walks over runs of a chunk or two: where a
// world has many archetypes and few rows in each, they are called as often as the kernel.
class Columns {
 public:
  [[gnu::always_inline]] Columns(const ChunkRun& run, ComponentId position, ComponentId velocity)
      : run_(run), position_(run.WriteBytes(position)), velocity_(run.ReadBytes(velocity)) {}

  std::size_t size() const { return run_.size(); }
  Span operator[](std::size_t chunk) const {
    return SpanOf(position_[chunk], velocity_[chunk], run_.row_count(chunk) * kFloatsPerEntity);
  }

  std::byte* PositionOf(std::size_t chunk) const { return position_[chunk]; }
  const std::byte* VelocityOf(std::size_t chunk) const { return velocity_[chunk]; }

 private:
  const ChunkRun& run_;
  ChunkRun::Column<std::byte> position_;
  ChunkRun::Column<const std::byte> velocity_;
};

void MoveSpan(kernels::MovementFunction kernel, const Span& span, float dt) {
  kernel(span.position, span.velocity, span.count, dt);
}

[[gnu::always_inline]] inline void MoveInOrder(const Columns& columns,
                                               kernels::MovementFunction kernel, float dt) {
  for (std::size_t chunk = 0; chunk < columns.size(); ++chunk) {
    MoveSpan(kernel, columns[chunk], dt);
  }
}

// The chunks of a run but the last: all have as many floats, and velocities at the same distance
// from positions. So a position says the rest: what is kept for a chunk while another is moved must
// fit into the registers that calls leave alone, for stores to the stack are as dear as those of
// lines (kernels/movement_lines.h).
class FullChunks {
 public:
  explicit FullChunks(const Columns& columns)
      : columns_(columns),
        size_(columns.size() - 1),
        count_(columns[0].count),
        velocity_offset_(columns.VelocityOf(0) - columns.PositionOf(0)) {}

  std::size_t size() const { return size_; }

  // Chunk number size() is the last of the run: of its span only the places are right, for hints.
  Span operator[](std::size_t chunk) const { return SpanAt(PositionOf(chunk)); }
  std::byte* PositionOf(std::size_t chunk) const { return columns_.PositionOf(chunk); }
  Span SpanAt(std::byte* position) const {
    return SpanOf(position, position + velocity_offset_, count_);
  }

  void MoveTwo(std::byte* position_a, std::byte* position_b, kernels::MovementPairFunction pair,
               float dt) const {
    const Span a = SpanAt(position_a);
    const Span b = SpanAt(position_b);
    pair(a.position, a.velocity, b.position, b.velocity, count_, dt);
  }

 private:
  const Columns& columns_;
  std::size_t size_;
  std::size_t count_;
  std::ptrdiff_t velocity_offset_;
};

// Moves chunks in the order of kTurns, two at a time. Where the next two lie is looked up before
// two are moved: until then, nothing of them can begin. REQUIRES: more chunks than kTurns has.
void MoveInTurns(const Columns& columns, kernels::MovementFunction kernel,
                 kernels::MovementPairFunction pair, float dt) {
  const FullChunks chunks(columns);
  const std::size_t in_turns = chunks.size() / kTurns.size() * kTurns.size();
  const auto position_at = [&](std::size_t i) {
    return chunks.PositionOf(i / kTurns.size() * kTurns.size() + kTurns[i % kTurns.size()]);
  };
  std::byte* a = position_at(0);
  std::byte* b = position_at(1);
  for (std::size_t i = 2; i < in_turns; i += 2) {
    std::byte* const next_a = position_at(i);
    std::byte* const next_b = position_at(i + 1);
    chunks.MoveTwo(a, b, pair, dt);
    a = next_a;
    b = next_b;
  }
  chunks.MoveTwo(a, b, pair, dt);

  std::byte* waiting = nullptr;  // For a second.
  for (const std::size_t turn : kTurns) {
    if (in_turns + turn >= chunks.size()) continue;
    std::byte* const position = chunks.PositionOf(in_turns + turn);
    if (waiting == nullptr) {
      waiting = position;
    } else {
      chunks.MoveTwo(std::exchange(waiting, nullptr), position, pair, dt);
    }
  }
  if (waiting != nullptr) MoveSpan(kernel, chunks.SpanAt(waiting), dt);
  MoveSpan(kernel, columns[chunks.size()], dt);
}

// Moves a span, asking for what will be moved later.
void MoveAhead(kernels::MovementAheadFunction kernel, const Span& span, const Span& later,
               float dt) {
  std::size_t split = 0;
  if (span.count > kFloatsAhead) {
    split = (span.count - kFloatsAhead) / kLineFloats * kLineFloats;
    const std::size_t ahead = span.count - split;
    kernel(span.position, span.velocity, split, dt, span.position + ahead, span.velocity + ahead);
  }
  kernel(span.position + split, span.velocity + split, span.count - split, dt, later.position,
         later.velocity);
}

// The same for the chunks of a run but the last `chunks_ahead`, each with hints of the one that is
// so many behind it. Of that one only the place counts, so it may be the last. Not inlined: its
// loop would lose its registers to what is around it.
[[gnu::noinline]] void MoveFullAhead(const FullChunks& chunks, std::size_t chunks_ahead,
                                     kernels::MovementAheadFunction kernel, float dt) {
  for (std::size_t i = chunks_ahead; i <= chunks.size(); ++i) {
    MoveAhead(kernel, chunks[i - chunks_ahead], chunks[i], dt);
  }
}

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
  Move(*scope, dt, WayOf(world, world.CountRows(query_).value_or(0)));
  return absl::OkStatus();
}

absl::Status MovementSystem::Step(World& world, float dt, Executor& executor) const {
  const absl::StatusOr<IterationScope> scope = world.OpenScope(query_);
  if (!scope.ok()) return scope.status();
  const std::size_t row_count = world.CountRows(query_).value_or(0);
  const std::size_t cost = row_count + scope->Partition(1).chunk_count() * kRowsPerChunkCost;
  const ScopePartition ranges =
      scope->Partition(std::min(RangeCountFor(executor), 1 + cost / kRowsPerRange));
  const Way way = WayOf(world, row_count);
  executor.ParallelFor(ranges.size(), [&](std::size_t range) { Move(ranges[range], dt, way); });
  return absl::OkStatus();
}

MovementSystem::Way MovementSystem::WayOf(const World& world, std::size_t row_count) const {
  if (looks_at_rows_) {
    std::size_t rows = 0;
    for (const Archetype* archetype : world.queries().matches(query_)) {
      rows += archetype->row_count();
    }
    if (rows != row_count) return {.has_gaps = true};
  }
  if (kernel_ahead_ == nullptr || row_count < kRowsForHints) return {};
  return {.chunks_ahead = std::max<std::size_t>(1, kBytesAhead / world.options().chunk_size_bytes)};
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
    MoveChunksAhead(chunks, dt, way.chunks_ahead);
  } else {
    MoveChunks(chunks, dt);
  }
}

template <typename Chunks>
void MovementSystem::MoveChunks(const Chunks& chunks, float dt) const {
  chunks.VisitRuns([&](const ChunkRun& run) {
    const Columns columns(run, position_, velocity_);
    if (kernel_pair_ != nullptr && columns.size() > kTurns.size()) {
      MoveInTurns(columns, kernel_, kernel_pair_, dt);
    } else {
      MoveInOrder(columns, kernel_, dt);
    }
  });
}

// Rows are switched off here and there: blocks are computed whole, and of those with gaps only what
// is wanted is kept.
template <typename Chunks>
void MovementSystem::MoveMasked(const Chunks& chunks, float dt) const {
  chunks.VisitMasked([&](const ChunkView& view, const RowMask& mask) {
    const Span span = SpanOf(view.WriteBytes(position_), view.ReadBytes(velocity_),
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
void MovementSystem::MoveChunksAhead(const Chunks& chunks, float dt,
                                     std::size_t chunks_ahead) const {
  std::array<float*, kChunksAheadMax> positions{};
  std::array<const float*, kChunksAheadMax> velocities{};
  std::array<std::size_t, kChunksAheadMax> counts{};
  std::size_t at = 0;
  const auto exchange = [&](const Span& span) {
    const Span oldest = {std::exchange(positions[at], span.position),
                         std::exchange(velocities[at], span.velocity),
                         std::exchange(counts[at], span.count)};
    at = at + 1 == chunks_ahead ? 0 : at + 1;
    return oldest;
  };
  chunks.VisitRuns([&](const ChunkRun& run) {
    const Columns columns(run, position_, velocity_);
    const std::size_t size = columns.size();
    for (std::size_t i = 0; i < std::min(chunks_ahead, size); ++i) {
      const Span later = columns[i];
      MoveAhead(kernel_ahead_, exchange(later), later, dt);
    }
    if (size <= chunks_ahead) return;
    MoveFullAhead(FullChunks(columns), chunks_ahead, kernel_ahead_, dt);
    for (std::size_t i = size - chunks_ahead; i < size; ++i) exchange(columns[i]);
  });
  for (std::size_t i = 0; i < chunks_ahead; ++i) MoveSpan(kernel_, exchange({}), dt);
}

}  // namespace ashlar::inline v0
