// How MovementSystem goes through the chunks of a run: one after the other, in turns, or with hints
// of what comes later. Only movement.cc uses it.
//
// A chunk of 4096 bytes is moved in twenty nanoseconds, so what is done for each besides the kernel
// is kept down to some instructions. In which order chunks come changes no bit of the result.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "ashlar/core/ids.h"
#include "ashlar/core/limits.h"
#include "ashlar/kernels/movement.h"
#include "ashlar/query/chunk_run.h"

namespace ashlar::inline v0::internal {

inline constexpr std::size_t kFloatsPerEntity = 3;

// A span with more floats is asked for itself so far ahead, and only from its last ones on for what
// comes later. Chunks of which several are looked ahead have no such span.
inline constexpr std::size_t kFloatsAhead = 1024;
inline constexpr std::size_t kLineFloats = kCacheLineBytes / sizeof(float);

// The order in which so many chunks are moved where there are fewer rows: the powers of 3 modulo
// 17, less 1 (Welch's construction of a Costas array). No two steps of it are equal, nor any two
// over two entries, so that no load seems to go through memory in equal strides. Processors that
// foretell loads from that are wrong at every end of a column, and slower than if they foretold
// nothing: measured on AMD Zen 5 over 16,384 entities, chunks of 4096 bytes in this order take .7
// of the time that they take in their own. Chunks that come from farther than the second-level
// cache are faster in their own.
inline constexpr std::array<std::size_t, 16> kTurns = {0,  2,  8, 9, 12, 4,  14, 10,
                                                       15, 13, 7, 6, 3,  11, 1,  5};

// The floats of one chunk.
struct FloatSpan {
  float* position = nullptr;
  const float* velocity = nullptr;
  std::size_t count = 0;
};

// SAFETY, below: MovementSystem::Make has seen that both components are three f32 without padding,
// so each column is row_count * 3 floats in a row, all of them written when their rows were
// committed.
inline FloatSpan SpanOf(std::byte* position, const std::byte* velocity, std::size_t count) {
  return {reinterpret_cast<float*>(position), reinterpret_cast<const float*>(velocity), count};
}

// The columns of a run of chunks. Inlined, like what walks over runs of a chunk or two: where a
// world has many archetypes and few rows in each, they are called as often as the kernel.
class Columns {
 public:
  [[gnu::always_inline]] Columns(const ChunkRun& run, ComponentId position, ComponentId velocity)
      : run_(run), position_(run.WriteBytes(position)), velocity_(run.ReadBytes(velocity)) {}

  std::size_t size() const { return run_.size(); }
  FloatSpan operator[](std::size_t chunk) const {
    return SpanOf(position_[chunk], velocity_[chunk], run_.row_count(chunk) * kFloatsPerEntity);
  }
  // The chunk that a walk in that order comes to as number i.
  FloatSpan InWalk(std::size_t i, RunOrder order) const {
    return (*this)[InOrder(order, i, size())];
  }

  std::byte* PositionOf(std::size_t chunk) const { return position_[chunk]; }
  const std::byte* VelocityOf(std::size_t chunk) const { return velocity_[chunk]; }

 private:
  const ChunkRun& run_;
  ChunkRun::Column<std::byte> position_;
  ChunkRun::Column<const std::byte> velocity_;
};

inline void MoveSpan(kernels::MovementFunction kernel, const FloatSpan& span, float dt) {
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
  FloatSpan operator[](std::size_t chunk) const { return SpanAt(PositionOf(chunk)); }
  std::byte* PositionOf(std::size_t chunk) const { return columns_.PositionOf(chunk); }
  FloatSpan SpanAt(std::byte* position) const {
    return SpanOf(position, position + velocity_offset_, count_);
  }

  void MoveTwo(std::byte* position_a, std::byte* position_b, kernels::MovementPairFunction pair,
               float dt) const {
    const FloatSpan a = SpanAt(position_a);
    const FloatSpan b = SpanAt(position_b);
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
inline void MoveInTurns(const Columns& columns, kernels::MovementFunction kernel,
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
inline void MoveAhead(kernels::MovementAheadFunction kernel, const FloatSpan& span,
                      const FloatSpan& later, float dt) {
  std::size_t split = 0;
  if (span.count > kFloatsAhead) {
    split = (span.count - kFloatsAhead) / kLineFloats * kLineFloats;
    const std::size_t ahead = span.count - split;
    kernel(span.position, span.velocity, split, dt, span.position + ahead, span.velocity + ahead);
  }
  kernel(span.position + split, span.velocity + split, span.count - split, dt, later.position,
         later.velocity);
}

// The same for full chunks from `begin` on by steps of 1 or -1, until the next would be `end`, each
// with hints of the one that comes `ahead` steps later. Of that one only the place counts, so going
// forth it may be the last of the run. Going back, `end` and the steps wrap round as unsigned
// numbers do. Not inlined: the loop would lose its registers to what is around it.
template <std::ptrdiff_t kStep>
[[gnu::noinline]] void MoveFullAhead(const FullChunks& chunks, std::size_t begin, std::size_t end,
                                     std::size_t ahead, kernels::MovementAheadFunction kernel,
                                     float dt) {
  for (std::size_t i = begin; i != end; i += kStep) {
    MoveAhead(kernel, chunks[i], chunks[i + kStep * ahead], dt);
  }
}

// Moves the chunks of a run but for the last `ahead` that the walk comes to. REQUIRES: there are
// more.
[[gnu::noinline]] inline void MoveRunAhead(const Columns& columns, RunOrder order,
                                           std::size_t ahead, kernels::MovementAheadFunction kernel,
                                           float dt) {
  const FullChunks chunks(columns);
  const std::size_t last = columns.size() - 1;
  if (order == RunOrder::kBackwards) {
    MoveAhead(kernel, columns[last], columns[last - ahead], dt);
    MoveFullAhead<-1>(chunks, last - 1, ahead - 1, ahead, kernel, dt);
  } else {
    MoveFullAhead<1>(chunks, 0, last + 1 - ahead, ahead, kernel, dt);
  }
}

}  // namespace ashlar::inline v0::internal
