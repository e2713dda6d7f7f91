// For the tests of parallel execution: executors by number of threads, and all that two worlds
// could differ in.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/systems/thread_pool.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// Numbers of threads that must make no difference; 0 stands for SerialExecutor.
inline constexpr std::size_t kThreadCounts[] = {0, 1, 2, 4, 8};

inline std::unique_ptr<Executor> MakeExecutor(std::size_t thread_count) {
  if (thread_count == 0) return std::make_unique<SerialExecutor>();
  return ThreadPoolExecutor::Make(thread_count).value();
}

// A world as numbers: its digest, its version, then of each chunk of each archetype the ids in
// their order and all versions.
inline std::vector<std::uint64_t> PhysicalState(const World& world) {
  std::vector<std::uint64_t> state = {Digest(world), world.version()};
  for (const Archetype* archetype : world.archetypes().numbered()) {
    for (std::uint32_t c = 0; c < archetype->chunk_count(); ++c) {
      const ChunkIndex chunk(c);
      for (std::uint32_t row = 0; row < archetype->RowsInChunk(chunk); ++row) {
        const Entity entity = archetype->EntityAt(chunk, RowIndex(row));
        state.push_back((std::uint64_t{entity.generation()} << 32) | entity.index());
      }
      state.push_back(archetype->versions().order(chunk));
      state.push_back(archetype->versions().arrival(chunk));
      archetype->signature().ForEach([&](ComponentId component) {
        state.push_back(archetype->WrittenVersion(chunk, component));
      });
    }
  }
  return state;
}

// Numbers that look random and are the same everywhere.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : state_(seed) {}

  // In [0, bound).
  std::uint32_t Below(std::uint32_t bound) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(((state_ >> 33) * bound) >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace ashlar::inline v0
