// The same operations give the same world, however many threads record them; and the same entities
// and values at every chunk size.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/world/apply_commands.h"
#include "ashlar/world/bulk.h"
#include "ashlar/world/hooks.h"
#include "ashlar/world/sort_rows.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

// What is to be seen of a world after a round.
struct Sight {
  std::vector<Entity> rows;  // In iteration order.
  std::uint64_t digest = 0;
  std::uint64_t version = 0;
  std::vector<bool> changed;  // By chunk: health, order.
};

class CommandsThreadsTest : public WorldFixture {
 protected:
  static constexpr std::int32_t kEntityCount = 3000;
  static constexpr std::int32_t kRoundCount = 8;

  // Whoever ends leaves a successor, by way of a buffer of its own.
  static void OnHealthRemoved(const HookCall& call, void* context) noexcept {
    auto* const number = static_cast<std::int32_t*>(context);
    const ComponentId health = call.component;
    const Scalar value[] = {Scalar::Int((*number)++)};
    if (*number % 16 != 0) return;
    EXPECT_TRUE(call.commands.Create({ComponentValue(health, std::span(value))}).ok());
  }

  void Record(const ChunkView& view, std::int32_t round, CommandBuffer& buffer) {
    const std::span<Health> health = view.Write(health_);
    const bool has_velocity = view.Has(velocity_.id());
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      const Entity entity = view.entities()[row];
      const std::int32_t value = ++health[row].value;
      switch ((static_cast<std::uint32_t>(value) * 2654435761u >> 7) % 6) {
        case 0:
          EXPECT_TRUE(buffer.Destroy(entity).ok());
          break;
        case 1: {
          const auto made = buffer.Create({H({value + 1000 * round})});
          ASSERT_TRUE(made.ok());
          EXPECT_TRUE(buffer.Add(*made, {P({1, 2, static_cast<float>(value)})}).ok());
          break;
        }
        case 2:
          EXPECT_TRUE(buffer.Put(entity, {V({static_cast<float>(round), 0, 0})}).ok());
          break;
        case 3:
          if (has_velocity) {
            EXPECT_TRUE(buffer.Remove(entity, {velocity_.id()}).ok());
          }
          break;
        case 4:
          EXPECT_TRUE(buffer.Add(entity, {D()}).ok());
          break;
        default:
          break;
      }
    }
  }

  // Each range is recorded by a thread of its own; their buffers are applied in the ranges' order.
  void RecordAndApply(QueryId query, std::size_t thread_count, std::int32_t round) {
    std::vector<std::unique_ptr<CommandBuffer>> buffers;
    std::vector<CommandBuffer*> in_order;
    {
      const IterationScope scope = *world_->OpenScope(query);
      const ScopePartition ranges = scope.Partition(thread_count);
      std::vector<std::thread> threads;
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        buffers.push_back(std::make_unique<CommandBuffer>(*world_));
        in_order.push_back(buffers.back().get());
      }
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        threads.emplace_back([&, i] {
          for (const ChunkView& view : ranges[i]) Record(view, round, *buffers[i]);
        });
      }
      for (std::thread& thread : threads) thread.join();
    }
    const auto report = Apply(*world_, in_order);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_GT(report->created, 0u);
    EXPECT_GT(report->moved, 0u);
  }

  Sight Look(QueryId query, std::uint64_t since) {
    Sight sight;
    sight.digest = Digest(*world_);
    sight.version = world_->version();
    const IterationScope scope = *world_->OpenScope(query);
    for (const ChunkView& view : scope) {
      sight.rows.insert(sight.rows.end(), view.entities().begin(), view.entities().end());
      sight.changed.push_back(view.Changed(health_.id(), since));
      sight.changed.push_back(view.OrderChanged(since));
    }
    return sight;
  }

  std::vector<Sight> Run(std::size_t thread_count, std::uint64_t chunk_size_bytes) {
    Reset({.chunk_size_bytes = chunk_size_bytes});
    for (std::int32_t i = 0; i < kEntityCount; ++i) EXPECT_TRUE(world_->Create({H({i})}).ok());
    const QueryId active = *world_->MakeQuery(QuerySpec().Write(health_).None(disabled_));
    const QueryId idle = *world_->MakeQuery(QuerySpec().Read(health_).Read(disabled_));
    const QueryId all = *world_->MakeQuery(QuerySpec().Read(health_));
    CommandBuffer reactions(*world_);
    std::int32_t ended = 0;
    EXPECT_TRUE(
        SetHook(*world_, health_.id(), HookEvent::kRemoved, {OnHealthRemoved, &ended, &reactions})
            .ok());
    std::vector<Sight> sights;
    for (std::int32_t round = 0; round < kRoundCount; ++round) {
      const std::uint64_t since = world_->version();
      RecordAndApply(active, thread_count, round);
      const ComponentId disabled[] = {disabled_.id()};
      if (round % 3 == 1) {
        EXPECT_TRUE(RemoveByQuery(*world_, idle, disabled).ok());
      }
      if (round % 4 == 2) {
        EXPECT_TRUE(SortRows(*world_, all, health_, [](const Health& a, const Health& b) {
                      return a.value > b.value;
                    }).ok());
      }
      const auto reacted = Apply(*world_, reactions);
      EXPECT_TRUE(reacted.ok()) << reacted.status();
      sights.push_back(Look(all, since));
    }
    EXPECT_GT(ended, 16);
    EXPECT_TRUE(CheckIntegrity(*world_).ok());
    return sights;
  }
};

TEST_F(CommandsThreadsTest, OneTwoAndFourThreadsMakeTheSameWorld) {
  for (const std::uint64_t chunk_size_bytes : {4096u, 16384u}) {
    const std::vector<Sight> one = Run(1, chunk_size_bytes);
    for (const std::size_t thread_count : {2u, 4u}) {
      const std::vector<Sight> many = Run(thread_count, chunk_size_bytes);
      ASSERT_EQ(many.size(), one.size());
      for (std::size_t round = 0; round < one.size(); ++round) {
        ASSERT_EQ(many[round].rows, one[round].rows) << thread_count << " threads, " << round;
        ASSERT_EQ(many[round].digest, one[round].digest) << thread_count << " threads, " << round;
        ASSERT_EQ(many[round].version, one[round].version) << thread_count << " threads, " << round;
        ASSERT_EQ(many[round].changed, one[round].changed) << thread_count << " threads, " << round;
      }
    }
  }
}

TEST_F(CommandsThreadsTest, EveryChunkSizeHasTheSameEntities) {
  const std::vector<Sight> small = Run(4, 4096);
  for (const std::uint64_t chunk_size_bytes : {8192u, 16384u, 32768u, 65536u}) {
    const std::vector<Sight> large = Run(4, chunk_size_bytes);
    ASSERT_EQ(large.size(), small.size());
    for (std::size_t round = 0; round < small.size(); ++round) {
      ASSERT_EQ(large[round].rows, small[round].rows) << chunk_size_bytes << ", " << round;
      ASSERT_EQ(large[round].digest, small[round].digest) << chunk_size_bytes << ", " << round;
      ASSERT_EQ(large[round].version, small[round].version) << chunk_size_bytes << ", " << round;
    }
  }
}

}  // namespace
}  // namespace ashlar
