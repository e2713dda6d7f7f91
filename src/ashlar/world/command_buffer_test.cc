#include "ashlar/world/command_buffer.h"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/cord.h"
#include "ashlar/world/apply_commands.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class CommandBufferTest : public WorldFixture {};

// A value whose copy says that there is no memory.
struct Greedy {
  Greedy() = default;
  Greedy(const Greedy&) { throw std::bad_alloc(); }
  Greedy(Greedy&&) noexcept = default;
};

TEST_F(CommandBufferTest, CommandsHappenWhenTheyAreApplied) {
  const Entity kept = *world_->Create({P({1, 2, 3})});
  const Entity gone = *world_->Create({P({4, 5, 6})});
  CommandBuffer buffer(*world_);
  const Placeholder made = *buffer.Create({P({7, 8, 9})});
  ASSERT_TRUE(buffer.Add(made, {H({80})}).ok());
  ASSERT_TRUE(buffer.Add(kept, {V({1, 1, 1})}).ok());
  ASSERT_TRUE(buffer.Destroy(gone).ok());
  EXPECT_EQ(buffer.size(), 4u);
  EXPECT_EQ(world_->entity_count(), 2u);
  EXPECT_REFUSED(buffer.Resolve(made), kFailedPrecondition, kBufferNotApplied);

  const std::uint64_t version = world_->version();
  const auto report = Apply(*world_, buffer);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->commands, 4u);
  EXPECT_EQ(report->created, 1u);
  EXPECT_EQ(report->destroyed, 1u);
  EXPECT_EQ(report->moved, 1u);
  EXPECT_EQ(world_->version(), version + 1);
  const Entity entity = *buffer.Resolve(made);
  EXPECT_EQ(entity, Entity(2, 1));
  EXPECT_EQ(**world_->Get(entity, position_), (Position{7, 8, 9}));
  EXPECT_EQ((*world_->Get(entity, health_))->value, 80);
  EXPECT_EQ(**world_->Get(kept, velocity_), (Velocity{1, 1, 1}));
  EXPECT_FALSE(world_->IsAlive(gone));
}

TEST_F(CommandBufferTest, AnIdIsUsedAgainInTheOrderOfTheCommands) {
  const Entity old = *world_->Create({P({1, 2, 3})});
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.Destroy(old).ok());
  const Placeholder first = *buffer.Create({H({1})});
  ASSERT_TRUE(buffer.Destroy(first).ok());
  const Placeholder second = *buffer.Create({H({2})});
  const Placeholder third = *buffer.Create({H({3})});
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_EQ(*buffer.Resolve(first), Entity(0, 2));
  EXPECT_EQ(*buffer.Resolve(second), Entity(0, 3));
  EXPECT_EQ(*buffer.Resolve(third), Entity(1, 1));
  EXPECT_FALSE(world_->IsAlive(Entity(0, 2)));
  EXPECT_EQ((*world_->Get(Entity(0, 3), health_))->value, 2);
}

TEST_F(CommandBufferTest, OneRefusedCommandRefusesAll) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  CommandBuffer buffer(*world_);
  const Placeholder made = *buffer.Create({H({1})});
  ASSERT_TRUE(buffer.Set(entity, {P({9, 9, 9})}).ok());
  ASSERT_TRUE(buffer.Remove(entity, {health_.id()}).ok());
  const std::uint64_t version = world_->version();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto report = Apply(*world_, buffer);
    EXPECT_REFUSED(report, kNotFound, kComponentAbsent);
    EXPECT_EQ(RefusedCommand(report.status()), (CommandPlace{0, 2}));
    EXPECT_EQ(world_->version(), version);
    EXPECT_EQ(world_->entity_count(), 1u);
    EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
    EXPECT_EQ(world_->archetypes().numbered().size(), 1u);
  }
  // The buffer stayed whole: once the world allows it, it is applied.
  ASSERT_TRUE(world_->Add(entity, {H({5})}).ok());
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_EQ(*buffer.Resolve(made), Entity(1, 1));
  EXPECT_FALSE(*world_->Has(entity, health_.id()));
}

TEST_F(CommandBufferTest, IsAppliedOnce) {
  CommandBuffer buffer(*world_);
  const Placeholder made = *buffer.Create({H({1})});
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_REFUSED(Apply(*world_, buffer), kFailedPrecondition, kBufferApplied);
  EXPECT_REFUSED(buffer.Create({H({1})}), kFailedPrecondition, kBufferApplied);
  EXPECT_REFUSED(buffer.Destroy(made), kFailedPrecondition, kBufferApplied);
  EXPECT_EQ(world_->entity_count(), 1u);
  buffer.Clear();
  EXPECT_REFUSED(buffer.Resolve(made), kInvalidArgument, kPlaceholderUnknown);
  EXPECT_REFUSED(buffer.Destroy(made), kInvalidArgument, kPlaceholderUnknown);
  ASSERT_TRUE(buffer.Create({H({2})}).ok());
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_EQ(world_->entity_count(), 2u);
}

TEST_F(CommandBufferTest, RecordingIsLegalInAScopeAndApplyingIsNot) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(position_));
  CommandBuffer buffer(*world_);
  {
    const IterationScope scope = *world_->OpenScope(query);
    for (const ChunkView& view : scope) ASSERT_TRUE(buffer.Destroy(view.entities()[0]).ok());
    EXPECT_REFUSED(Apply(*world_, buffer), kFailedPrecondition, kScopeOpen);
    EXPECT_TRUE(world_->IsAlive(entity));
  }
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_FALSE(world_->IsAlive(entity));
}

TEST_F(CommandBufferTest, WhatDoesNotDependOnEntitiesIsCheckedWhenItIsRecorded) {
  CommandBuffer buffer(*world_);
  EXPECT_REFUSED(buffer.Add(Entity(), {ComponentValue(ComponentId(9))}), kInvalidArgument,
                 kComponentUnknown);
  EXPECT_REFUSED(buffer.Add(Entity(), {H({1}), H({2})}), kInvalidArgument, kComponentRepeated);
  EXPECT_REFUSED(buffer.Remove(Entity(), {health_.id(), health_.id()}), kInvalidArgument,
                 kComponentRepeated);
  const Scalar big[] = {Scalar::Int(4294967296)};
  EXPECT_REFUSED(buffer.Create({ComponentValue(health_.id(), std::span(big))}), kInvalidArgument,
                 kValueDoesNotFit);
  EXPECT_REFUSED(buffer.Destroy(Placeholder()), kInvalidArgument, kPlaceholderUnknown);
  CommandBuffer other(*world_);
  EXPECT_REFUSED(other.Destroy(*buffer.Create()), kInvalidArgument, kPlaceholderUnknown);
  EXPECT_EQ(buffer.size(), 1u);
  EXPECT_TRUE(other.empty());
}

TEST_F(CommandBufferTest, DeadTargetsCanBeSkipped) {
  const Entity dead = *world_->Create({P({1, 2, 3})});
  const Entity alive = *world_->Create({P({1, 2, 3})});
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.Destroy(dead).ok());
  ASSERT_TRUE(buffer.Add(dead, {H({1})}).ok());
  ASSERT_TRUE(buffer.Destroy(dead).ok());
  ASSERT_TRUE(buffer.Add(alive, {H({2})}).ok());
  EXPECT_REFUSED(Apply(*world_, buffer), kNotFound, kEntityNotAlive);
  const auto report = Apply(*world_, buffer, DeadTargets::kSkip);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->commands, 2u);
  EXPECT_EQ(report->skipped, 2u);
  EXPECT_EQ((*world_->Get(alive, health_))->value, 2);
}

TEST_F(CommandBufferTest, SeveralBuffersAreOneTransactionInTheOrderOfKeysThenBuffers) {
  const Entity entity = *world_->Create({H({0})});
  CommandBuffer first(*world_);
  CommandBuffer second(*world_);
  first.set_sort_key(5);
  ASSERT_TRUE(first.Set(entity, {H({1})}).ok());
  ASSERT_TRUE(first.Destroy(entity).ok());
  ASSERT_TRUE(second.Set(entity, {H({2})}).ok());
  second.set_sort_key(5);
  ASSERT_TRUE(second.Add(entity, {D()}).ok());
  CommandBuffer* const both[] = {&first, &second};
  auto report = Apply(*world_, both);
  EXPECT_REFUSED(report, kNotFound, kEntityNotAlive);
  EXPECT_EQ(RefusedCommand(report.status()), (CommandPlace{1, 1}));
  CommandBuffer* const swapped[] = {&second, &first};
  report = Apply(*world_, swapped);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->commands, 4u);
  EXPECT_EQ(world_->entity_count(), 0u);
  EXPECT_TRUE(first.is_applied());
  EXPECT_TRUE(second.is_applied());
}

// Whatever the threads do meanwhile, the outcome is that of the buffers in their order.
TEST_F(CommandBufferTest, ThreadsRecordIntoBuffersOfTheirOwnInsideAScope) {
  constexpr std::size_t kThreadCount = 4;
  for (int i = 0; i < 600; ++i) ASSERT_TRUE(world_->Create({P({1, 2, 3}), H({i})}).ok());
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(health_));
  std::vector<std::unique_ptr<CommandBuffer>> buffers;
  for (std::size_t i = 0; i < kThreadCount; ++i) {
    buffers.push_back(std::make_unique<CommandBuffer>(*world_));
  }
  {
    const IterationScope scope = *world_->OpenScope(query);
    const ScopePartition ranges = scope.Partition(kThreadCount);
    ASSERT_EQ(ranges.size(), kThreadCount);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreadCount; ++i) {
      threads.emplace_back([&, i] {
        for (const ChunkView& view : ranges[i]) {
          const std::span<const Health> health = view.Read(health_);
          for (std::size_t row = 0; row < view.row_count(); ++row) {
            const Entity entity = view.entities()[row];
            if (health[row].value % 3 == 0) {
              EXPECT_TRUE(buffers[i]->Destroy(entity).ok());
              EXPECT_TRUE(buffers[i]->Create({H({-health[row].value})}).ok());
            } else {
              EXPECT_TRUE(buffers[i]->Add(entity, {D()}).ok());
            }
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::vector<CommandBuffer*> in_order;
  for (const auto& buffer : buffers) in_order.push_back(buffer.get());
  const auto report = Apply(*world_, in_order);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->destroyed, 200u);
  EXPECT_EQ(report->created, 200u);
  EXPECT_EQ(report->moved, 400u);
  // Each destroyed one's index is used at once for the one that is created next.
  for (std::uint32_t i = 0; i < 600; ++i) {
    const bool is_new = i % 3 == 0;
    const Entity entity(i, is_new ? 2 : 1);
    ASSERT_TRUE(world_->IsAlive(entity)) << i;
    const auto value = static_cast<std::int32_t>(i);
    EXPECT_EQ((*world_->Get(entity, health_))->value, is_new ? -value : value);
  }
}

TEST_F(CommandBufferTest, WrongBuffersAreRefused) {
  const auto other = *World::Make();
  CommandBuffer foreign(*other);
  CommandBuffer buffer(*world_);
  EXPECT_REFUSED(Apply(*world_, foreign), kInvalidArgument, kBufferForeign);
  CommandBuffer* const twice[] = {&buffer, &buffer};
  EXPECT_REFUSED(Apply(*world_, twice), kInvalidArgument, kBufferRepeated);
  EXPECT_TRUE(Apply(*world_, buffer).ok());  // Nothing is in it, and nothing happens.
  EXPECT_EQ(world_->version(), 1u);
}

// Whatever a copy throws is the user's, even what the kernel throws too.
TEST_F(CommandBufferTest, WhatACopyThrowsPassesThroughEveryRecordingCall) {
  const Component<Greedy> greedy = *world_->Register(Describe<Greedy>("greedy"));
  const Entity entity = *world_->Create();
  const QueryId query = *world_->MakeQuery(QuerySpec());
  const Greedy value;
  CommandBuffer buffer(*world_);
  const Placeholder made = *buffer.Create();
  EXPECT_THROW((void)buffer.Create({{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.Add(entity, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.Add(made, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.Set(entity, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.Put(entity, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.Exchange(entity, {}, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.AddByQuery(query, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.SetByQuery(query, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.PutByQuery(query, {{greedy, value}}), std::bad_alloc);
  EXPECT_THROW((void)buffer.ExchangeByQuery(query, {}, {{greedy, value}}), std::bad_alloc);
  EXPECT_EQ(buffer.size(), 1u);
}

// A buffer that takes nothing says that first; then comes what the command names.
TEST_F(CommandBufferTest, AnAppliedBufferSaysSoBeforeItLooksAtTheCommand) {
  CommandBuffer buffer(*world_);
  EXPECT_REFUSED(buffer.Destroy(Placeholder()), kInvalidArgument, kPlaceholderUnknown);
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_REFUSED(buffer.Destroy(Placeholder()), kFailedPrecondition, kBufferApplied);
}

TEST_F(CommandBufferTest, OnlyAPlaceInAStatusIsOne) {
  EXPECT_EQ(RefusedCommand(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(RefusedCommand(absl::UnknownError("x")), std::nullopt);
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.Destroy(Entity(7, 1)).ok());
  absl::Status status = Apply(*world_, buffer).status();
  EXPECT_EQ(RefusedCommand(status), (CommandPlace{0, 0}));
  std::string url;
  status.ForEachPayload([&](absl::string_view name, const absl::Cord& text) {
    if (text == "0/0") url = std::string(name);
  });
  for (const char* junk : {"", "junk", "1", "1/", "/1", "1/2x", "1-2", "-1/2"}) {
    status.SetPayload(url, absl::Cord(junk));
    EXPECT_EQ(RefusedCommand(status), std::nullopt) << junk;
  }
}

TEST_F(CommandBufferTest, WhatComesToNothingHasNoVersion) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  const Location location = *world_->Locate(entity);
  const std::uint64_t version = world_->version();
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.Add(entity, {D()}).ok());
  ASSERT_TRUE(buffer.Remove(entity, {disabled_.id()}).ok());
  const auto report = Apply(*world_, buffer);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->commands, 2u);
  EXPECT_EQ(report->moved, 0u);
  EXPECT_EQ(world_->version(), version);
  EXPECT_EQ(*world_->Locate(entity), location);
  EXPECT_EQ(world_->archetypes().numbered().size(), 1u);
}

TEST_F(CommandBufferTest, AValueThatIsRemovedAgainIsNotWritten) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  const std::uint64_t version = world_->version();
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.Add(entity, {H({7})}).ok());
  ASSERT_TRUE(buffer.Set(entity, {H({8})}).ok());
  ASSERT_TRUE(buffer.Remove(entity, {health_.id()}).ok());
  const auto report = Apply(*world_, buffer);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->written, 0u);
  EXPECT_EQ(world_->version(), version);
}

// Rows 0 to 5 of one archetype: those that go leave holes, and those at its end fill them.
TEST_F(CommandBufferTest, RowsFollowTheRuleOfBatches) {
  std::vector<Entity> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(*world_->Create({P({0, 0, 0}), H({i})}));
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(health_).None(disabled_));
  const QueryId disabled = *world_->MakeQuery(QuerySpec().Read(disabled_));
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.Add(ids[4], {D()}).ok());
  const Placeholder made = *buffer.Create({P({0, 0, 0}), H({6})});
  ASSERT_TRUE(buffer.Add(ids[0], {D()}).ok());
  ASSERT_TRUE(buffer.Destroy(ids[2]).ok());
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_EQ(Rows(query), (std::vector<Entity>{ids[5], ids[1], *buffer.Resolve(made), ids[3]}));
  EXPECT_EQ(Rows(disabled), (std::vector<Entity>{ids[4], ids[0]}));
}

TEST_F(CommandBufferTest, QueriesMatchWhatTheCommandsBeforeHaveMade) {
  const Entity a = *world_->Create({P({1, 0, 0})});
  const Entity b = *world_->Create({P({2, 0, 0}), D()});
  const Entity c = *world_->Create({H({3})});
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(position_).None(disabled_));
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.Remove(b, {disabled_.id()}).ok());
  ASSERT_TRUE(buffer.Add(c, {P({3, 0, 0})}).ok());
  const Placeholder d = *buffer.Create({P({4, 0, 0})});
  ASSERT_TRUE(buffer.Add(a, {D()}).ok());
  ASSERT_TRUE(buffer.PutByQuery(query, {H({7})}).ok());
  const auto report = Apply(*world_, buffer);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(*world_->Has(a, health_.id()));
  for (const Entity entity : {b, c, *buffer.Resolve(d)}) {
    EXPECT_EQ((*world_->Get(entity, health_))->value, 7);
  }
}

TEST_F(CommandBufferTest, DestroyByQueryFreesIdsFromTheHighestIndexOn) {
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(world_->Create({H({i})}).ok());
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(health_));
  CommandBuffer buffer(*world_);
  ASSERT_TRUE(buffer.DestroyByQuery(query).ok());
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_EQ(world_->entity_count(), 0u);
  EXPECT_EQ(*world_->Create(), Entity(0, 2));
  EXPECT_EQ(*world_->Create(), Entity(1, 2));
}

TEST_F(CommandBufferTest, MemoryIsAccountedForAndGivenBack) {
  const std::size_t before = world_->memory_usage().total();
  {
    CommandBuffer buffer(*world_);
    EXPECT_EQ(world_->memory_usage().commands, 0u);
    ASSERT_TRUE(buffer.Create({P({1, 2, 3})}).ok());
    EXPECT_GT(world_->memory_usage().commands, 0u);
  }
  EXPECT_EQ(world_->memory_usage().commands, 0u);
  EXPECT_EQ(world_->memory_usage().total(), before);
}

}  // namespace
}  // namespace ashlar
