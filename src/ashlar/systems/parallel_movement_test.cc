// Loops on several threads against the same loops on one: the same bits, rows and versions.
#include <cfenv>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
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

struct Config {
  std::uint32_t chunk_bytes = 4096;
  std::uint32_t rows_per_chunk_max = 0;  // 0: as many as fit.
  int entities = 0;
  int steps = 0;
  int rounding = FE_TONEAREST;  // What the calling thread is set to during the steps.
};

WorldOptions OptionsOf(const Config& config) {
  WorldOptions options;
  options.chunk_size_bytes = config.chunk_bytes;
  if (config.rows_per_chunk_max != 0) options.rows_per_chunk_max = config.rows_per_chunk_max;
  return options;
}

class ParallelMovementTest : public WorldFixture {
 protected:
  // Entities in four archetypes, every 16th of them disabled.
  void Fill(int count, ComponentId velocity) {
    for (int i = 0; i < count; ++i) {
      const float x = static_cast<float>(i);
      const Position position = {x / 3, -0.0f, 1e-38f};
      const Velocity moving = {x / 7, 1e-40f * x, -x};
      const Health health = {i};
      std::vector<ComponentValue> values = {P(position), {velocity, &moving}};
      if (i % 3 == 0) values.push_back(H(health));
      if (i % 16 == 15) values.push_back(D());
      ASSERT_TRUE(world_->Create(values).ok());
    }
  }
  MovementSystem MakeSystem() {
    return *MovementSystem::Make(*world_, position_.id(), velocity_.id(), disabled_.id());
  }

  // All that differs after the steps; nothing for threads: the plain Step.
  std::vector<std::uint64_t> Run(const Config& config, std::optional<std::size_t> threads) {
    Reset(OptionsOf(config));
    Fill(config.entities, velocity_.id());
    const MovementSystem system = MakeSystem();
    const auto executor = MakeExecutor(threads.value_or(0));
    const std::uint64_t before = world_->version();
    std::fesetround(config.rounding);
    for (int step = 0; step < config.steps; ++step) {
      const absl::Status status = threads.has_value() ? system.Step(*world_, 0.125f, *executor)
                                                      : system.Step(*world_, 0.125f);
      EXPECT_TRUE(status.ok()) << status;
    }
    EXPECT_EQ(std::fegetround(), config.rounding);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(world_->version(), before + static_cast<std::uint64_t>(config.steps));
    EXPECT_EQ(world_->scope_depth(), 0u);
    if (threads == 8) {
      EXPECT_TRUE(CheckIntegrity(*world_).ok());
    }
    return PhysicalState(*world_);
  }

  void ExpectTheSame(const Config& config, std::span<const std::size_t> counts = kThreadCounts) {
    const std::vector<std::uint64_t> serial = Run(config, std::nullopt);
    for (const std::size_t threads : counts) {
      EXPECT_EQ(Run(config, threads), serial)
          << threads << " threads, chunks of " << config.chunk_bytes << " bytes and at most "
          << config.rows_per_chunk_max << " rows";
    }
  }
};

TEST_F(ParallelMovementTest, SameBitsAndVersions) {
  ExpectTheSame({.chunk_bytes = 4096, .entities = 33'000, .steps = 200});
  ExpectTheSame({.chunk_bytes = 65536, .entities = 33'000, .steps = 200});
}

// Just more rows than one range has.
TEST_F(ParallelMovementTest, SameBitsAndVersionsInSmallChunks) {
  constexpr std::size_t kCounts[] = {2, 8};
  for (const std::uint32_t rows : {1u, 2u, 4u}) {
    ExpectTheSame({.rows_per_chunk_max = rows, .entities = 5000, .steps = 20}, kCounts);
  }
}

TEST_F(ParallelMovementTest, SameBitsAndVersionsWithHints) {
  for (const std::uint32_t bytes : {4096u, 16384u, 65536u}) {
    for (const int steps : {1, 2, 3}) {  // The last one forth, or back.
      ExpectTheSame({.chunk_bytes = bytes, .entities = 60'000, .steps = steps});
    }
  }
}

// Runs tasks on the calling thread, and another function behind each.
class WatchingExecutor final : public Executor {
 public:
  explicit WatchingExecutor(std::function<void()> behind_each)
      : behind_each_(std::move(behind_each)) {}
  std::size_t thread_count() const override { return 2; }

 private:
  void Run(std::size_t count, TaskRef task) override {
    for (std::size_t i = 0; i < count; ++i) {
      task(i);
      behind_each_();
    }
  }
  std::function<void()> behind_each_;
};

// Over many rows one step goes forth and the next goes back, whatever else is written between them.
TEST_F(ParallelMovementTest, TurnsEveryStepOverManyRows) {
  if (kernels::MovementAheadFor(BestSimdLevel()) == nullptr) GTEST_SKIP() << "no hints here";
  std::vector<Entity> entities;
  for (int i = 0; i < 60'000; ++i) entities.push_back(*world_->Create({P({}), V({1, 0, 0})}));
  const MovementSystem system = MakeSystem();
  int step = 0;
  std::string first_moved;  // Which end of the rows was moved first, for each step.
  WatchingExecutor executor([&] {
    if (first_moved.size() == static_cast<std::size_t>(step)) return;
    const auto is_moved = [&](Entity entity) {
      return world_->TryGet(entity, position_)->x == static_cast<float>(step);
    };
    const bool front = is_moved(entities.front());
    ASSERT_NE(front, is_moved(entities.back()));
    first_moved += front ? 'f' : 'b';
  });
  while (++step <= 6) {
    ASSERT_TRUE(system.Step(*world_, 1, executor).ok());
    if (step > 2) {
      ASSERT_TRUE(world_->Set(entities[7], {V({1, 0, 0})}).ok());
    }
  }
  EXPECT_EQ(first_moved, "fbfbfb");
}

TEST_F(ParallelMovementTest, MovesTheContractsEntities) {
  const Entity four = *world_->Create({P({1, 2, 3}), V({2, -4, 6})});
  const Entity nine = *world_->Create({P({9, 9, 9}), V({1, 1, 1}), D()});
  const auto executor = MakeExecutor(4);
  ASSERT_TRUE(MakeSystem().Step(*world_, 0.5f, *executor).ok());
  EXPECT_EQ(*world_->TryGet(four, position_), (Position{2, 0, 6}));
  EXPECT_EQ(*world_->TryGet(nine, position_), (Position{9, 9, 9}));
}

TEST_F(ParallelMovementTest, AWorldWithoutMatchesIsFine) {
  const auto executor = MakeExecutor(4);
  EXPECT_TRUE(MakeSystem().Step(*world_, 1, *executor).ok());
}

TEST_F(ParallelMovementTest, SplitVelocities) {
  std::vector<std::vector<std::uint64_t>> states;
  for (const std::size_t threads : kThreadCounts) {
    Reset({});
    const auto split = *world_->Register(Describe<Velocity>("fields")
                                             .Field("x", &Velocity::x)
                                             .Field("y", &Velocity::y)
                                             .Field("z", &Velocity::z)
                                             .Split());
    Fill(17'000, split.id());
    const MovementSystem system =
        *MovementSystem::Make(*world_, position_.id(), split.id(), disabled_.id());
    const auto executor = MakeExecutor(threads);
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(system.Step(*world_, 0.125f, *executor).ok());
    states.push_back(PhysicalState(*world_));
    EXPECT_EQ(states.back(), states.front()) << threads;
  }
}

TEST_F(ParallelMovementTest, RoundsToNearestWhateverTheCallerDoes) {
  const auto serial = Run({.entities = 17'000, .steps = 3}, std::nullopt);
  for (const std::size_t threads : kThreadCounts) {
    EXPECT_EQ(Run({.entities = 17'000, .steps = 3, .rounding = FE_UPWARD}, threads), serial);
  }
  EXPECT_NE(Run({.entities = 17'000, .steps = 3, .rounding = FE_UPWARD}, std::nullopt), serial)
      << "it would make a difference";
}

// Readers of another column, while steps run.
TEST_F(ParallelMovementTest, ReadersAtTheSameTime) {
  Fill(20'000, velocity_.id());
  const MovementSystem system = MakeSystem();
  const QueryId read = *world_->MakeQuery(QuerySpec().Read(velocity_));
  float first_sum = 0;
  std::thread reader([&] {
    for (int round = 0; round < 20; ++round) {
      const auto scope = *world_->OpenScope(read);
      float sum = 0;
      for (const ChunkView& view : scope) {
        for (const Velocity& velocity : view.Read(velocity_)) sum += velocity.x;
      }
      if (round == 0) first_sum = sum;
      EXPECT_EQ(sum, first_sum);
    }
  });
  const auto executor = MakeExecutor(4);
  for (int step = 0; step < 100; ++step) {
    EXPECT_TRUE(system.Step(*world_, 1, *executor).ok());
  }
  reader.join();
  EXPECT_GT(first_sum, 0);
}

class ParallelForEachTest : public WorldFixture {
 protected:
  // Rounds of a loop that writes two columns and of structural changes between them.
  std::vector<std::uint64_t> Run(const WorldOptions& options, std::optional<std::size_t> threads) {
    Reset(options);
    TestRandom random(7);
    std::vector<Entity> entities;
    const QueryId query =
        *world_->MakeQuery(QuerySpec().Write(position_).Optional(health_.id(), Access::kWrite));
    const auto executor = MakeExecutor(threads.value_or(0));
    for (int round = 0; round < 300; ++round) {
      Change(&random, &entities);
      const auto visit = [&](const ChunkView& view) {
        for (Position& position : view.Write(position_)) position.x += 1;
        // Health is touched in some chunks only, as their first row says.
        if (!view.Has(health_.id()) || view.entities()[0].index() % 2 != 0) return;
        for (Health& health : view.Write(health_)) health.value ^= round;
      };
      const auto scope = *world_->OpenScope(query);
      if (threads.has_value()) {
        ParallelForEach(*executor, scope, visit);
      } else {
        for (const ChunkView& view : scope) visit(view);
      }
    }
    EXPECT_TRUE(CheckIntegrity(*world_).ok());
    return PhysicalState(*world_);
  }

  void Change(TestRandom* random, std::vector<Entity>* entities) {
    for (int i = 0; i < 4; ++i) {
      if (entities->size() < 200 || random->Below(2) == 0) {
        entities->push_back(random->Below(2) == 0 ? *world_->Create({P({1, 2, 3}), H({5})})
                                                  : *world_->Create({P({4, 5, 6})}));
      } else {
        Entity& gone = (*entities)[random->Below(static_cast<std::uint32_t>(entities->size()))];
        EXPECT_TRUE(world_->Destroy(gone).ok());
        gone = entities->back();
        entities->pop_back();
      }
    }
  }
};

TEST_F(ParallelForEachTest, EqualsTheLoopOverHundredsOfRounds) {
  for (const std::uint32_t chunk_bytes : {4096u, 65536u}) {
    for (const std::uint32_t rows : {1u, 2u, 4u, 0u}) {
      const WorldOptions options =
          OptionsOf({.chunk_bytes = chunk_bytes, .rows_per_chunk_max = rows});
      const std::vector<std::uint64_t> serial = Run(options, std::nullopt);
      for (const std::size_t threads : kThreadCounts) {
        EXPECT_EQ(Run(options, threads), serial)
            << threads << " threads, chunks of " << chunk_bytes << " bytes, rows " << rows;
      }
    }
  }
}

TEST_F(ParallelForEachTest, BitsAreSwitchedInsideAsInTheLoop) {
  struct Awake {};
  std::vector<std::vector<std::uint64_t>> states;
  for (const std::size_t threads : kThreadCounts) {
    Reset({.rows_per_chunk_max = 4});
    const ComponentId awake = world_->Register(Describe<Awake>("awake").Enableable())->id();
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(world_->Create({P({}), ComponentValue(awake)}).ok());
    }
    const QueryId query = *world_->MakeQuery(QuerySpec().Write(position_).Write(awake));
    const auto executor = MakeExecutor(threads);
    std::vector<std::size_t> counts;
    for (int round = 1; round < 5; ++round) {
      const auto scope = *world_->OpenScope(query);
      ParallelForEach(*executor, scope, [&](const ChunkView& view) {
        for (std::size_t row = 0; row < view.row_count(); ++row) {
          view.Write(position_)[row].x += 1;
          if (view.entities()[row].index() % 5 == static_cast<std::uint32_t>(round)) {
            view.SetEnabled(awake, row, false);
          }
        }
      });
      counts.push_back(*world_->CountRows(query));
    }
    EXPECT_THAT(counts, ElementsAre(240, 180, 120, 60)) << threads;
    EXPECT_TRUE(CheckIntegrity(*world_).ok());
    states.push_back(PhysicalState(*world_));
    EXPECT_EQ(states.back(), states.front()) << threads;
  }
}

TEST_F(ParallelForEachTest, StructuralChangesInsideAreRefused) {
  Reset({.rows_per_chunk_max = 1});
  std::vector<Entity> entities;
  for (int i = 0; i < 16; ++i) entities.push_back(*world_->Create({P({})}));
  const QueryId query = *world_->MakeQuery(QuerySpec().Write(position_));
  const std::uint64_t version = world_->version();
  {
    const auto scope = *world_->OpenScope(query);
    const auto executor = MakeExecutor(4);
    ParallelForEach(*executor, scope, [&](const ChunkView& view) {
      const Entity entity = view.entities()[0];
      EXPECT_REFUSED(world_->Destroy(entity), kFailedPrecondition, kScopeOpen);
      EXPECT_REFUSED(world_->Create(), kFailedPrecondition, kScopeOpen);
      EXPECT_TRUE(world_->Set(entity, {P({7, 0, 0})}).ok());
    });
  }
  EXPECT_EQ(world_->version(), version + 1);
  EXPECT_EQ(world_->TryGet(entities[15], position_)->x, 7);
}

TEST_F(ParallelForEachTest, WhatAVisitThrowsComesOutAndTheScopeEnds) {
  Reset({.rows_per_chunk_max = 1});
  for (int i = 0; i < 64; ++i) ASSERT_TRUE(world_->Create({P({})}).ok());
  const QueryId query = *world_->MakeQuery(QuerySpec().Write(position_));
  const auto executor = MakeExecutor(2);  // 8 ranges of 8 chunks.
  std::string caught;
  try {
    const auto scope = *world_->OpenScope(query);
    ParallelForEach(*executor, scope, [&](const ChunkView& view) {
      const std::uint32_t chunk = view.chunk().value();
      if (chunk % 8 == 3 && chunk > 8) throw std::runtime_error(std::to_string(chunk));
      view.Write(position_)[0].x = 1;
    });
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
  EXPECT_EQ(caught, "11");
  EXPECT_EQ(world_->scope_depth(), 0u);
  float sum = 0;
  const auto scope = *world_->OpenScope(query);
  for (const ChunkView& view : scope) sum += view.Read(position_)[0].x;
  EXPECT_EQ(sum, 8 + 7 * 3);  // Seven ranges ended at their fourth chunk.
}

}  // namespace
}  // namespace ashlar::inline v0
