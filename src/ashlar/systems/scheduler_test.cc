// Batches, errors and versions by literal plans; then random schedules, which must do what a loop
// over the systems does, at every number of threads.
#include "ashlar/systems/scheduler.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/audit/integrity.h"
#include "ashlar/systems/movement.h"
#include "ashlar/systems/parallel.h"
#include "ashlar/systems/parallel_fixture.h"
#include "ashlar/world/world_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::inline v0 {
namespace {

using testing::ElementsAre;

absl::Status Nothing(const SystemContext&) { return absl::OkStatus(); }

class SchedulerTest : public WorldFixture {
 protected:
  QueryId Query(const QuerySpec& spec) { return *world_->MakeQuery(spec); }

  std::vector<std::size_t> Batches(const Scheduler& scheduler) {
    std::vector<std::size_t> batches;
    for (std::size_t i = 0; i < scheduler.system_count(); ++i)
      batches.push_back(scheduler.batch(i));
    return batches;
  }
};

TEST_F(SchedulerTest, SystemsThatConflictComeOneAfterTheOther) {
  const QueryId read_p = Query(QuerySpec().Read(position_));
  const QueryId write_p = Query(QuerySpec().Write(position_));
  const QueryId write_v = Query(QuerySpec().Write(velocity_));
  const QueryId move = Query(QuerySpec().Write(position_).Read(velocity_).None(disabled_));
  const QueryId maybe_h = Query(QuerySpec().Optional(health_.id(), Access::kWrite));
  const QueryId any = Query(QuerySpec().Any(health_.id()).Any(velocity_.id()));
  Scheduler scheduler(world_.get());
  ASSERT_TRUE(scheduler.Add("read p", {read_p}, Nothing).ok());            // 0
  ASSERT_TRUE(scheduler.Add("read p too", {read_p}, Nothing).ok());        // 0
  ASSERT_TRUE(scheduler.Add("write v", {write_v}, Nothing).ok());          // 0
  ASSERT_TRUE(scheduler.Add("write p", {write_p}, Nothing).ok());          // 1, behind the readers
  ASSERT_TRUE(scheduler.Add("move", {move}, Nothing).ok());                // 2
  ASSERT_TRUE(scheduler.Add("write h", {maybe_h}, Nothing).ok());          // 0
  ASSERT_TRUE(scheduler.Add("read h or v", {any}, Nothing).ok());          // 1
  ASSERT_TRUE(scheduler.Add("p and v", {read_p, write_v}, Nothing).ok());  // 3, behind move
  ASSERT_TRUE(scheduler.Add("alone", {}, Nothing).ok());                   // 4
  ASSERT_TRUE(scheduler.Add("write h too", {maybe_h}, Nothing).ok());      // 5
  EXPECT_THAT(Batches(scheduler), ElementsAre(0, 0, 0, 1, 2, 0, 1, 3, 4, 5));
  EXPECT_EQ(scheduler.batch_count(), 6u);
  EXPECT_EQ(scheduler.name(4), "move");
  const auto executor = MakeExecutor(4);
  EXPECT_TRUE(scheduler.Run(*executor).ok());
}

// What is excluded is read only where rows are looked at.
TEST_F(SchedulerTest, AnExcludedComponentIsReadByItsBits) {
  struct Stunned {};
  const auto stunned = *world_->Register(Describe<Stunned>("stunned").Enableable());
  const QueryId write_stunned = Query(QuerySpec().Write(stunned));
  Scheduler scheduler(world_.get());
  ASSERT_TRUE(scheduler.Add("stun", {write_stunned}, Nothing).ok());
  const auto none = QuerySpec().Write(position_).None(stunned.id());
  ASSERT_TRUE(scheduler.Add("bits", {Query(none)}, Nothing).ok());
  auto with_disabled = QuerySpec().Write(velocity_).None(stunned.id()).WithDisabled();
  ASSERT_TRUE(scheduler.Add("no bits", {Query(with_disabled)}, Nothing).ok());
  EXPECT_THAT(Batches(scheduler), ElementsAre(0, 1, 0));
}

TEST_F(SchedulerTest, ASystemGetsItsScopesInItsOrder) {
  ASSERT_TRUE(world_->Create({P({1, 0, 0}), H({5})}).ok());
  const QueryId p = Query(QuerySpec().Read(position_));
  const QueryId v = Query(QuerySpec().Write(velocity_));
  const QueryId h = Query(QuerySpec().Write(health_));
  Scheduler scheduler(world_.get());
  ASSERT_TRUE(scheduler.Add("other", {v}, Nothing).ok());
  const auto heal = [&](const SystemContext& system) {
    EXPECT_EQ(&system.world, world_.get());
    EXPECT_EQ(system.scopes.size(), 2u);
    EXPECT_EQ(system.world.scope_depth(), 3u);
    for (const ChunkView& view : system.scopes[1]) view.Write(health_)[0].value += 2;
    for (const ChunkView& view : system.scopes[0]) EXPECT_EQ(view.Read(position_)[0].x, 1);
    return absl::OkStatus();
  };
  ASSERT_TRUE(scheduler.Add("heal", {p, h}, heal).ok());
  const auto executor = MakeExecutor(2);
  ASSERT_TRUE(scheduler.Run(*executor).ok());
  EXPECT_EQ(world_->scope_depth(), 0u);
  const auto scope = *world_->OpenScope(p);
  for (const ChunkView& view : scope) EXPECT_EQ(view.Read(health_)[0].value, 7);
}

TEST_F(SchedulerTest, ABatchWritesInOneVersion) {
  ASSERT_TRUE(world_->Create({P({}), V({}), H({})}).ok());
  const QueryId p = Query(QuerySpec().Write(position_));
  const QueryId v = Query(QuerySpec().Write(velocity_));
  const QueryId read = Query(QuerySpec().Read(health_));
  Scheduler scheduler(world_.get());
  ASSERT_TRUE(scheduler.Add("p", {p}, Nothing).ok());
  ASSERT_TRUE(scheduler.Add("v", {v}, Nothing).ok());
  ASSERT_TRUE(scheduler.Add("read", {read}, Nothing).ok());
  ASSERT_TRUE(scheduler.Add("p again", {p}, Nothing).ok());
  const std::uint64_t before = world_->version();
  const auto executor = MakeExecutor(4);
  ASSERT_TRUE(scheduler.Run(*executor).ok());
  EXPECT_EQ(world_->version(), before + 2);
}

TEST_F(SchedulerTest, OnlyASystemWithoutQueriesMayChangeStructure) {
  const QueryId p = Query(QuerySpec().Write(position_));
  Scheduler scheduler(world_.get());
  const auto create = [](const SystemContext& system) { return system.world.Create().status(); };
  ASSERT_TRUE(scheduler.Add("alone", {}, create).ok());
  ASSERT_TRUE(scheduler.Add("alone too", {}, create).ok());
  ASSERT_TRUE(scheduler.Add("inside", {p}, create).ok());
  const auto executor = MakeExecutor(2);
  EXPECT_REFUSED(scheduler.Run(*executor), kFailedPrecondition, kScopeOpen);
  EXPECT_EQ(world_->entity_count(), 2u);
}

TEST_F(SchedulerTest, TheFirstErrorIsReturnedWhenItsBatchHasEnded) {
  const QueryId p = Query(QuerySpec().Write(position_));
  const QueryId v = Query(QuerySpec().Write(velocity_));
  const QueryId h = Query(QuerySpec().Write(health_));
  std::vector<int> ran(4);
  const auto system = [&ran](std::size_t number, absl::Status status) {
    return [&ran, number, status = std::move(status)](const SystemContext&) {
      ++ran[number];
      return status;
    };
  };
  Scheduler scheduler(world_.get());
  ASSERT_TRUE(scheduler.Add("fine", {p}, system(0, absl::OkStatus())).ok());
  absl::Status first = MakeError(absl::StatusCode::kNotFound, Reason::kFileUnreadable, "gone");
  first.SetPayload("mine", absl::Cord("kept"));
  ASSERT_TRUE(scheduler.Add("first", {v}, system(1, first)).ok());
  ASSERT_TRUE(scheduler.Add("second", {h}, system(2, absl::InternalError("other"))).ok());
  ASSERT_TRUE(scheduler.Add("behind", {p}, system(3, absl::OkStatus())).ok());
  for (const std::size_t threads : kThreadCounts) {
    ran.assign(4, 0);
    const auto executor = MakeExecutor(threads);
    const absl::Status status = scheduler.Run(*executor);
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(std::string(status.message()), "first: gone");
    EXPECT_EQ(ReasonOf(status), Reason::kFileUnreadable);
    EXPECT_EQ(*status.GetPayload("mine"), "kept");
    EXPECT_THAT(ran, ElementsAre(1, 1, 1, 0)) << threads;
    EXPECT_EQ(world_->scope_depth(), 0u);
  }
}

TEST_F(SchedulerTest, WhatASystemThrowsIsThrownOn) {
  const QueryId p = Query(QuerySpec().Write(position_));
  const QueryId v = Query(QuerySpec().Write(velocity_));
  const QueryId h = Query(QuerySpec().Write(health_));
  int ran = 0;
  Scheduler scheduler(world_.get());
  const auto thrower = [](const char* text) {
    return [text](const SystemContext&) -> absl::Status { throw std::runtime_error(text); };
  };
  ASSERT_TRUE(scheduler.Add("p", {p}, thrower("one")).ok());
  ASSERT_TRUE(scheduler.Add("v", {v}, thrower("two")).ok());
  ASSERT_TRUE(scheduler
                  .Add("h", {h},
                       [&ran](const SystemContext&) {
                         ++ran;
                         return absl::InternalError("three");
                       })
                  .ok());
  const auto executor = MakeExecutor(4);
  for (int round = 1; round <= 2; ++round) {
    std::string caught;
    try {
      EXPECT_FALSE(scheduler.Run(*executor).ok());
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "one");
    EXPECT_EQ(ran, round);
    EXPECT_EQ(world_->scope_depth(), 0u);
  }
}

TEST_F(SchedulerTest, AQueryOfNoWorldIsRefusedAndNothingIsAdded) {
  Scheduler scheduler(world_.get());
  EXPECT_REFUSED(scheduler.Add("none", {QueryId(9)}, Nothing), kNotFound, kQueryUnknown);
  EXPECT_EQ(scheduler.system_count(), 0u);
  EXPECT_EQ(scheduler.batch_count(), 0u);
}

// A system may be one of the kernel's, which opens a scope of its own inside.
TEST_F(SchedulerTest, MovementIsASystem) {
  const Entity four = *world_->Create({P({1, 2, 3}), V({2, -4, 6})});
  const MovementSystem movement =
      *MovementSystem::Make(*world_, position_.id(), velocity_.id(), disabled_.id());
  Scheduler scheduler(world_.get());
  ASSERT_TRUE(scheduler
                  .Add("movement", {movement.query()},
                       [&](const SystemContext& system) {
                         return movement.Step(system.world, 0.5f, system.executor);
                       })
                  .ok());
  const std::uint64_t before = world_->version();
  const auto executor = MakeExecutor(2);
  ASSERT_TRUE(scheduler.Run(*executor).ok());
  EXPECT_EQ(world_->version(), before + 1);
  EXPECT_EQ(*world_->TryGet(four, position_), (Position{2, 0, 6}));
}

// --- Random schedules ---

// A system over six components of one number each: what it writes becomes a sum of all that it
// reads, of itself, and of its own number.
struct RandomSystem {
  std::vector<ComponentId> reads;
  std::vector<ComponentId> writes;
  std::uint32_t number = 0;
  bool in_parallel = false;  // Whether its own loop is one.

  void Visit(const ChunkView& view) const {
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      std::uint32_t sum = number + view.entities()[row].index();
      for (const ComponentId c : reads) {
        if (view.Has(c)) sum = sum * 31 + view.Read<std::uint32_t>(c)[row];
      }
      for (const ComponentId c : writes) {
        if (!view.Has(c)) continue;
        std::uint32_t& value = view.Write<std::uint32_t>(c)[row];
        value = value * 7 + sum;
      }
    }
  }
};

class RandomScheduleTest : public testing::Test {
 protected:
  static constexpr std::size_t kComponents = 6;
  static constexpr int kRuns = 10;

  void Make(std::uint64_t seed) {
    TestRandom random(seed);
    const std::uint32_t rows[] = {0, 1, 2, 4};
    world_ = *World::Make({.chunk_size_bytes = random.Below(2) == 0 ? 4096u : 65536u,
                           .rows_per_chunk_max = rows[random.Below(4)]});
    std::vector<ComponentId> components;
    for (std::size_t i = 0; i < kComponents; ++i) {
      TypeSpec type;
      EXPECT_FALSE(ParseType("u32", &type).has_value());
      const auto descriptor = ComponentDescriptor::FromSpec("c" + std::to_string(i), type);
      components.push_back(*world_->Register(*descriptor));
    }
    for (int i = 0; i < 150; ++i) {
      std::vector<ComponentValue> values;
      const auto value = static_cast<std::uint32_t>(i);
      for (const ComponentId c : components) {
        if (random.Below(3) != 0) values.emplace_back(c, &value);
      }
      EXPECT_TRUE(world_->Create(values).ok());
    }
    systems_.clear();
    queries_.clear();
    const std::uint32_t count = 1 + random.Below(10);
    for (std::uint32_t i = 0; i < count; ++i) AddSystem(&random, components, i);
  }

  void AddSystem(TestRandom* random, const std::vector<ComponentId>& components,
                 std::uint32_t number) {
    RandomSystem system;
    QuerySpec spec;
    for (const ComponentId c : components) {
      const std::uint32_t what = random->Below(8);
      if (what == 0) {
        spec.Optional(c, Access::kWrite);
        system.writes.push_back(c);
      } else if (what <= 2) {
        spec.Optional(c);
        system.reads.push_back(c);
      } else if (what == 3) {
        spec.Read(c);
        system.reads.push_back(c);
      }
    }
    system.number = number;
    system.in_parallel = random->Below(2) == 0;
    systems_.push_back(system);
    queries_.push_back(*world_->MakeQuery(spec));
  }

  // The runs by a scheduler.
  void RunScheduled(std::size_t threads) {
    Scheduler scheduler(world_.get());
    for (std::size_t i = 0; i < systems_.size(); ++i) {
      const RandomSystem& system = systems_[i];
      const auto run = [&system](const SystemContext& context) {
        const auto visit = [&system](const ChunkView& view) { system.Visit(view); };
        if (system.in_parallel) {
          ParallelForEach(context.executor, context.scopes[0], visit);
        } else {
          for (const ChunkView& view : context.scopes[0]) visit(view);
        }
        return absl::OkStatus();
      };
      ASSERT_TRUE(scheduler.Add("s" + std::to_string(i), {queries_[i]}, run).ok());
    }
    const auto executor = MakeExecutor(threads);
    for (int i = 0; i < kRuns; ++i) ASSERT_TRUE(scheduler.Run(*executor).ok());
  }

  // The same by a loop.
  void RunPlainly() {
    for (int run = 0; run < kRuns; ++run) {
      for (std::size_t i = 0; i < systems_.size(); ++i) {
        const auto scope = *world_->OpenScope(queries_[i]);
        for (const ChunkView& view : scope) systems_[i].Visit(view);
      }
    }
  }

  std::unique_ptr<World> world_;
  std::vector<RandomSystem> systems_;
  std::vector<QueryId> queries_;
};

TEST_F(RandomScheduleTest, EqualALoopOverTheSystems) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    Make(seed);
    RunPlainly();
    const std::uint64_t digest = Digest(*world_);
    std::optional<std::vector<std::uint64_t>> state;
    for (const std::size_t threads : kThreadCounts) {
      Make(seed);
      RunScheduled(threads);
      EXPECT_EQ(Digest(*world_), digest) << "seed " << seed << ", " << threads << " threads";
      EXPECT_TRUE(CheckIntegrity(*world_).ok());
      if (!state.has_value()) state = PhysicalState(*world_);
      EXPECT_EQ(PhysicalState(*world_), *state) << "seed " << seed << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace ashlar::inline v0
