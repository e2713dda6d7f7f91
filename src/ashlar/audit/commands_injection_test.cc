// Every allocation and every construction of recording, applying and bulk changes fails once: the
// call is refused, and world and buffer are as they were.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "ashlar/audit/commands_fixture.h"
#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/core/poison.h"
#include "ashlar/world/bulk.h"
#include "ashlar/world/sort_rows.h"

namespace ashlar {
namespace {

using namespace commands_testing;

// The n-th allocation from now fails, or every one from there on.
class ArmedMemory final : public std::pmr::memory_resource {
 public:
  void Arm(std::size_t nth, bool sticky) {
    left_ = nth;
    sticky_ = sticky;
    failed_ = 0;
  }
  // How many have failed since it was armed; it is not armed any more.
  std::size_t Disarm() {
    left_ = 0;
    return failed_;
  }
  std::size_t allocations() const { return allocations_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations_;
    if (left_ != 0 && --left_ == 0) {
      if (sticky_) left_ = 1;
      ++failed_;
      throw std::bad_alloc();
    }
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::size_t left_ = 0;
  bool sticky_ = false;
  std::size_t failed_ = 0;
  std::size_t allocations_ = 0;
};

// All that must be as it was.
struct State {
  explicit State(const World& world)
      : digest(Digest(world)), version(world.version()), rows(RowsOf(world)), live(Plain::live) {}
  std::uint64_t digest;
  std::uint64_t version;
  std::vector<ArchetypeRows> rows;
  int live;
  friend bool operator==(const State&, const State&) = default;
};

class CommandsInjectionTest : public ::testing::TestWithParam<std::uint32_t> {
 protected:
  // Fails the first construction of a value in `call`, then the second, ... until it is done, or
  // refused for a reason of its own. `check` looks at what a call that failed has left.
  template <typename Call, typename Check>
  absl::Status FailConstructions(Side& side, Call call, Check check) {
    const State before(*side.world);
    for (int n = 1;; ++n) {
      Plain::throw_at = n;
      std::optional<absl::Status> done;
      try {
        done = call();
      } catch (const std::runtime_error&) {
        ++constructions_failed;
      }
      Plain::throw_at = 0;
      if (done.has_value()) return *done;
      ExpectUnchanged(side, before);
      check();
    }
  }

  // The same with allocations; `sticky`: with all from there on. A call that is done nevertheless
  // needs no memory.
  template <typename Call, typename Check>
  absl::Status FailAllocations(Side& side, bool sticky, Call call, Check check) {
    const State before(*side.world);
    for (std::size_t n = 1;; ++n) {
      memory_.Arm(n, sticky);
      const absl::Status done = call();
      if (memory_.Disarm() == 0) return done;
      if (done.ok()) {
        ++done_without_memory;
        return done;
      }
      ++allocations_failed;
      EXPECT_EQ(done.code(), absl::StatusCode::kResourceExhausted) << done;
      ExpectUnchanged(side, before);
      check();
    }
  }

  static void ExpectUnchanged(const Side& side, const State& before) {
    EXPECT_EQ(State(*side.world), before);
    EXPECT_EQ(side.world->memory_usage().scratch, 0u);
    const absl::Status sound = CheckIntegrity(*side.world);
    EXPECT_TRUE(sound.ok()) << sound;
  }

  ArmedMemory memory_;
  std::size_t allocations_failed = 0;
  std::size_t constructions_failed = 0;
  std::size_t done_without_memory = 0;
};

// What a test does to a side, by number: the commands of a buffer, or a bulk change.
absl::Status CallByNumber(Side& side, const Step& step, std::size_t number,
                          const std::vector<Entity>& entities) {
  const QueryId query = side.queries[step.query];
  const std::vector<ComponentValue> values = side.Values(step);
  std::vector<ComponentSpan> spans;
  for (const ComponentValue& value : values) spans.push_back(ComponentSpan::Same(value));
  switch (number) {
    case 0:
      return AddByQuery(*side.world, query, values).status();
    case 1:
      return PutByQuery(*side.world, query, values).status();
    case 2:
      return SetByQuery(*side.world, query, values).status();
    case 3:
      return RemoveByQuery(*side.world, query, side.Ids(step.given)).status();
    case 4:
      return DestroyByQuery(*side.world, query).status();
    case 5:
      return AddMany(*side.world, entities, spans);
    case 6:
      return PutMany(*side.world, entities, spans);
    case 7:
      return SetMany(*side.world, entities, spans);
    case 8:
      return RemoveMany(*side.world, entities, side.Ids(step.given));
    default:
      return SortRowsByEntity(*side.world, query);
  }
}
constexpr std::size_t kDestroyByQuery = 4;
constexpr std::size_t kCallCount = 10;

TEST_P(CommandsInjectionTest, BulkChangesChangeNothingWhenTheyFail) {
  const std::uint64_t seeds = ASHLAR_ASAN ? 12 : 60;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed * 1000 + GetParam());
    Side side(GetParam(), 200, &memory_);
    std::vector<Entity> known;
    for (int number = 0; number < 12; ++number) {
      const Round round = DrawCreates(draw, 7, 3);
      (void)PlayOneByOne(side, round);
      known.insert(known.end(), side.made.begin(), side.made.end());
      Step step;
      step.value = draw.Below(50);
      step.given = DrawComponents(draw, 3);
      step.query = draw.Below(kQueryCount);
      const std::size_t call = draw.Below(kCallCount);
      std::vector<Entity> entities;
      for (const Entity entity : known) {
        if (draw.Chance(3) && side.world->IsAlive(entity)) entities.push_back(entity);
      }
      SCOPED_TRACE("round " + std::to_string(number) + ", call " + std::to_string(call));
      const auto do_call = [&] { return CallByNumber(side, step, call, entities); };
      if (draw.Chance(2)) {
        (void)FailConstructions(side, do_call, [] {});
      } else {
        const std::size_t before = done_without_memory;
        (void)FailAllocations(side, draw.Chance(2), do_call, [] {});
        if (call != kDestroyByQuery) {
          EXPECT_EQ(done_without_memory, before);
        }
      }
      ASSERT_FALSE(HasFailure());
    }
  }
  EXPECT_GT(allocations_failed, seeds * 10);
  EXPECT_GT(constructions_failed, seeds / 2);
}

// Two worlds alike; in one of them there is no memory for a list of what the query matches.
TEST_P(CommandsInjectionTest, DestroyByQueryIsTheSameWithoutMemory) {
  std::size_t rows_ended = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed * 1000 + 90 + GetParam());
    Side rich(GetParam(), 200);
    Side poor(GetParam(), 200, &memory_);
    for (int number = 0; number < 8; ++number) {
      const Round round = DrawCreates(draw, 9, 3);
      (void)PlayOneByOne(rich, round);
      (void)PlayOneByOne(poor, round);
      const std::size_t query = draw.Below(kQueryCount);
      const auto ended = DestroyByQuery(*rich.world, rich.queries[query]);
      memory_.Arm(1, true);
      const auto ended_without = DestroyByQuery(*poor.world, poor.queries[query]);
      done_without_memory += memory_.Disarm() != 0 ? 1 : 0;
      ASSERT_TRUE(ended_without.ok()) << ended_without.status();
      ASSERT_EQ(*ended_without, *ended);
      rows_ended += *ended;
      ASSERT_EQ(RowsOf(*poor.world), RowsOf(*rich.world));
      ASSERT_EQ(Digest(*poor.world), Digest(*rich.world));
      ASSERT_EQ(poor.world->version(), rich.world->version());
      const absl::Status sound = CheckIntegrity(*poor.world);
      ASSERT_TRUE(sound.ok()) << sound;
    }
  }
  EXPECT_GT(rows_ended, 200u);
  EXPECT_GT(done_without_memory, 100u);
}

TEST_P(CommandsInjectionTest, ABufferChangesNothingWhenItFailsAndIsAppliedAfterwards) {
  const std::uint64_t seeds = ASHLAR_ASAN ? 12 : 60;
  std::size_t applied = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed * 1000 + 50 + GetParam());
    Side side(GetParam(), 200, &memory_);
    CommandBuffer buffer(*side.world);
    std::vector<Entity> known;
    for (int number = 0; number < 12; ++number) {
      SCOPED_TRACE("round " + std::to_string(number));
      buffer.Clear();
      std::size_t placeholders = 0;
      std::vector<Placeholder> made;
      for (std::size_t i = 1 + draw.Below(8); i > 0; --i) {
        const Step step = DrawStep(draw, known, &placeholders);
        const std::size_t size = buffer.size();
        const auto record = [&] { return side.Record(step, buffer, &made); };
        const auto is_unrecorded = [&] { EXPECT_EQ(buffer.size(), size); };
        const absl::Status recorded = draw.Chance(2)
                                          ? FailConstructions(side, record, is_unrecorded)
                                          : FailAllocations(side, false, record, is_unrecorded);
        ASSERT_TRUE(recorded.ok()) << recorded;
        ASSERT_EQ(buffer.size(), size + 1);
      }
      const std::size_t size = buffer.size();
      const auto apply = [&] { return Apply(*side.world, buffer, DeadTargets::kSkip).status(); };
      const auto is_whole = [&] {
        EXPECT_EQ(buffer.size(), size);
        EXPECT_FALSE(buffer.is_applied());
      };
      const absl::Status done = draw.Chance(2)
                                    ? FailConstructions(side, apply, is_whole)
                                    : FailAllocations(side, draw.Chance(2), apply, is_whole);
      ASSERT_FALSE(HasFailure());
      ASSERT_TRUE(CheckIntegrity(*side.world).ok()) << CheckIntegrity(*side.world);
      if (!done.ok()) continue;
      ++applied;
      for (const Placeholder placeholder : made) known.push_back(*buffer.Resolve(placeholder));
    }
    buffer.Clear();
    // The one is what the side makes its values of.
    ASSERT_EQ(static_cast<std::size_t>(Plain::live),
              1 + *side.world->registry().ObjectCounter(side.watched.id()));
  }
  EXPECT_GT(allocations_failed, seeds * 10);
  EXPECT_GT(constructions_failed, seeds / 2);
  EXPECT_GT(applied, seeds);
}

TEST_P(CommandsInjectionTest, ApplyAllocatesForArchetypesAndNotForCommands) {
  Side side(0, 100'000, &memory_);
  std::vector<Entity> ids;
  const Point point{1, 2, 3};
  const Points points{5};
  for (int i = 0; i < 2'000; ++i) {
    ids.push_back(*side.world->Create({ComponentValue(side.point, point)}));
  }
  CommandBuffer buffer(*side.world);
  const auto allocations_for = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(buffer.Add(ids[i], {ComponentValue(side.points, points)}).ok());
    }
    const std::size_t before = memory_.allocations();
    EXPECT_TRUE(Apply(*side.world, buffer).ok());
    const std::size_t allocations = memory_.allocations() - before;
    buffer.Clear();
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(side.world->Remove(ids[i], {side.points.id()}).ok());
    }
    return allocations;
  };
  (void)allocations_for(10);  // The archetype and its plan are made.
  const std::size_t few = allocations_for(20);
  const std::size_t many = allocations_for(2'000);
  EXPECT_LE(many, few + 40);              // Slabs of chunks, and lists that are larger.
  EXPECT_EQ(allocations_for(2'000), 0u);  // All of it was kept.
}

INSTANTIATE_TEST_SUITE_P(Capacities, CommandsInjectionTest, ::testing::Values(0u, 1u, 2u));

}  // namespace
}  // namespace ashlar
