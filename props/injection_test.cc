// Failure at every point: each operation of many random programs is tried with its first, second,
// third ... allocation failing, once and from then on, or with its first, second ... construction
// throwing, until it goes through. After each failure the whole world must be what it was: rows in
// their order, values, free list, generations, versions, match lists, chunks and objects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ashlar/audit/integrity.h"
#include "ashlar/oplang/trace_text.h"
#include "model/generator.h"
#include "model/lockstep_runner.h"
#include "model/lockstep_schema.h"
#include "model/sample_components.h"
#include "model/tracked_components.h"

namespace ashlar::model {
namespace {

// Everything physical that lockstep's comparison of states does not look at. Values, ids and the
// free list are in the comparison and in the digest.
std::vector<std::uint64_t> PhysicalState(const World& world) {
  std::vector<std::uint64_t> state{world.version(), world.scope_depth(),
                                   world.archetypes().numbered().size(), world.registry().size(),
                                   world.chunk_pool().handed_out_count()};
  for (const Archetype* archetype : world.archetypes().numbered()) {
    state.push_back(archetype->id().value());
    state.push_back(archetype->chunk_count());
    for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
      const ChunkIndex index(chunk);
      state.push_back(reinterpret_cast<std::uintptr_t>(archetype->ChunkBase(index)));
      for (std::uint32_t row = 0; row < archetype->RowsInChunk(index); ++row) {
        state.push_back(archetype->EntityAt(index, RowIndex(row)).ToBits());
      }
    }
  }
  const EntityDirectory& directory = world.directory();
  state.push_back(directory.slot_count());
  directory.ForEachFree([&](std::uint32_t index) {
    state.push_back((std::uint64_t{directory.GenerationOf(index)} << 32) | index);
    return true;
  });
  for (std::uint32_t query = 0; query < world.queries().size(); ++query) {
    for (const Archetype* match : world.queries().matches(QueryId(query))) {
      state.push_back(match->number().value());
    }
  }
  for (std::size_t i = 0; i < world.registry().size(); ++i) {
    state.push_back(*world.registry().ObjectCounter(ComponentId(static_cast<std::uint16_t>(i))));
  }
  return state;
}

// The value to `out`, where there is one.
template <typename T, typename Out>
absl::Status Moved(absl::StatusOr<T> result, Out* out) {
  if (!result.ok()) return result.status();
  *out = *std::move(result);
  return absl::OkStatus();
}

// What would like to have memory and is done without where there is none.
bool DoesWithoutMemory(const oplang::Action& action) {
  const auto* by_query = std::get_if<oplang::ByQueryOp>(&action);
  return by_query != nullptr && by_query->verb == oplang::CommandVerb::kDestroy;
}

struct Points {
  std::uint64_t states = 0;  // Worlds in which an operation was made to fail, each a different one.
  std::uint64_t allocations = 0;
  std::uint64_t constructions = 0;
  std::uint64_t compounds = 0;  // Constructions again, without memory to undo them with.
};

// One world and the model beside it, all of whose memory may fail.
class Bench {
 public:
  explicit Bench(const oplang::Program& program) : schema_(SchemaOf(program.components).value()) {
    WorldOptions options;
    options.memory = &memory_;
    options.chunk_size_bytes = program.options.chunk_size_bytes;
    options.rows_per_chunk_max = program.options.rows_per_chunk_max;
    if (program.options.entity_index_limit != 0) {
      options.entity_index_limit = program.options.entity_index_limit;
    }
    world_ = World::Make(options).value();
    for (const ComponentDescriptor& descriptor : schema_->stored()) {
      EXPECT_TRUE(world_->Register(descriptor).ok());
    }
    RunnerOptions runner_options;
    runner_options.failing_memory = &memory_;
    runner_options.has_fills = false;  // So that a query is one call of the world.
    runner_.emplace(program.options, schema_.get(), world_.get(),
                    world_->MakeQuery(QuerySpec()).value(), runner_options);
  }

  // Tries one operation with every failure, then lets it through. False: something was lost.
  bool Try(const oplang::Action& action, bool by_construction, Points* points) {
    bool failed_once = false;
    for (std::uint32_t nth = 1; nth < 1000; ++nth) {
      if (by_construction) {
        // The allocation that fails comes after the construction: while that is being undone.
        const oplang::FailConstructionOp construction{nth};
        if (!TryOnce({construction, kNoAllocation}, action)) break;
        ++points->constructions;
        const auto needed = static_cast<std::uint32_t>(memory_.request_count());
        if (!TryOnce({construction, oplang::FailAllocationOp{needed + 1, true}}, action)) break;
        ++points->compounds;
      } else {
        // What an attempt allocated before it failed may stay as spare capacity, so the next one
        // needs less, and may go through.
        if (!TryOnce({oplang::FailAllocationOp{nth, true}}, action)) break;
        ++points->allocations;
        if (!TryOnce({oplang::FailAllocationOp{nth, false}}, action)) break;
        ++points->allocations;
      }
      failed_once = true;
      if (!fault_.empty()) return false;
    }
    points->states += failed_once;
    return fault_.empty();
  }

  const std::string& fault() const { return fault_; }
  void CloseScopes() { runner_->CloseScopes(); }

 private:
  // Arms the memory, so that its requests are counted, and fails none of them.
  static constexpr oplang::FailAllocationOp kNoAllocation{1'000'000'000, false};

  // Whether an armed failure came to pass. Else the operation has been done, or refused.
  bool TryOnce(std::initializer_list<oplang::Action> armings, const oplang::Action& action) {
    const std::vector<std::uint64_t> before = PhysicalState(*world_);
    const std::size_t bytes_before = world_->memory_usage().total();
    for (const oplang::Action& arming : armings) runner_->Run(arming);
    const StepResult& result = runner_->Run(action);
    if (!result.fired.any()) {
      if (result.world != result.model) fault_ = "world and model answer differently";
      if (!result.difference.empty()) fault_ = result.difference;
      return false;
    }
    // Hooks run when all is done, and what they record is their own.
    if (result.recording_failed) return false;
    if (!result.is_forgotten && result.world.code != absl::StatusCode::kOk) return true;
    if (!result.is_forgotten && DoesWithoutMemory(action)) {
      if (result.world != result.model) fault_ = "world and model answer differently";
      if (!runner_->comparer().SameState()) fault_ = runner_->comparer().difference();
      return false;
    }
    if (!result.is_forgotten) {
      fault_ = "the failure came to pass, and the operation says OK";
    } else if (result.digest_changed) {
      fault_ = "the digest has changed";
    } else if (PhysicalState(*world_) != before) {
      fault_ = "rows, versions, match lists, chunks or objects have changed";
    } else if (result.fired.allocation && memory_.request_count() == 1 &&
               world_->memory_usage().total() != bytes_before) {
      fault_ = "nothing could be allocated, and yet another number of bytes is in use";
    } else if (!runner_->comparer().SameState()) {
      fault_ = runner_->comparer().difference();
    } else if (const std::string objects = runner_->CountObjects(); !objects.empty()) {
      fault_ = objects;
    } else if (const std::string misuse = TakeMisuse(); !misuse.empty()) {
      fault_ = misuse;
    } else {
      const absl::Status integrity = CheckIntegrity(*world_, runner_->scope_count());
      if (!integrity.ok()) fault_ = integrity.ToString();
    }
    return true;
  }

  std::shared_ptr<const Schema> schema_;
  FailingResource memory_;
  std::unique_ptr<World> world_;
  std::optional<Runner> runner_;
  std::string fault_;
};

TEST(InjectionTest, EveryFailurePointOfEveryOperationChangesNothing) {
  constexpr std::uint64_t kPointsWanted = 100'000;
  constexpr std::size_t kOperationsMax = 200;
  Points points;
  for (std::uint64_t seed = 1; points.allocations + points.constructions < kPointsWanted; ++seed) {
    ASSERT_LT(seed, 5000u) << "the programs have too few points";
    const oplang::Program program = GenerateFromSeed(seed);
    Bench bench(program);
    for (std::size_t i = 0; i < std::min(kOperationsMax, program.operations.size()); ++i) {
      const oplang::Action& action = program.operations[i].action;
      // A fill is many calls of the world, a set each. Arming is done here.
      if (std::holds_alternative<oplang::FillOp>(action) ||
          std::holds_alternative<oplang::FlipOp>(action) || oplang::IsArming(CodeOf(action))) {
        continue;
      }
      ASSERT_TRUE(bench.Try(action, (seed + i) % 2 == 0, &points))
          << "seed " << seed << ", operation " << i + 1 << ": "
          << oplang::PrintAction(program, action) << "\n"
          << bench.fault();
    }
    bench.CloseScopes();
  }
  std::cout << "injected: " << points.allocations << " failed allocations and "
            << points.constructions << " throwing constructions (" << points.compounds
            << " of them once more without memory to undo them) in " << points.states
            << " states of a world\n";
  EXPECT_GE(points.states, 700u);
  EXPECT_GT(points.constructions, 1000u);
  EXPECT_GT(points.compounds, 1000u);
  RecordProperty("operations_checked", std::to_string(points.allocations + points.constructions));
}

// The calls that a world begins with: Make, Register by descriptor and by type, MakeQuery.
TEST(InjectionTest, EveryFailurePointOfSetUpChangesNothing) {
  const auto schema = SchemaOf(SampleComponents()).value();
  std::uint64_t points = 0;
  for (const bool sticky : {false, true}) {
    FailingResource memory;
    // Whether the call failed for want of memory. Else it must be done.
    const auto fails = [&](std::uint32_t nth, const auto& call) {
      memory.Arm(nth, sticky);
      const absl::Status status = call();
      memory.Disarm();
      EXPECT_EQ(status.ok(), !memory.fired()) << status;
      points += memory.fired();
      return memory.fired();
    };
    WorldOptions options;
    options.memory = &memory;
    std::unique_ptr<World> world;
    for (std::uint32_t nth = 1; fails(nth, [&] { return Moved(World::Make(options), &world); });
         ++nth) {
      EXPECT_EQ(world, nullptr);
    }
    ASSERT_NE(world, nullptr);
    for (std::size_t i = 0; i < schema->size(); ++i) {
      ComponentId id;
      for (std::uint32_t nth = 1;
           fails(nth, [&] { return Moved(world->Register((*schema)[i]), &id); }); ++nth) {
        EXPECT_EQ(world->registry().size(), i);
        EXPECT_TRUE(CheckIntegrity(*world).ok());
      }
      EXPECT_EQ(id.value(), i);
    }
    struct Typed {
      std::int32_t value;
    };
    const TypedDescriptor<Typed> typed = Describe<Typed>("typed").Field("", &Typed::value);
    std::optional<Component<Typed>> component;
    for (std::uint32_t nth = 1;
         fails(nth, [&] { return Moved(world->Register(typed), &component); }); ++nth) {
      EXPECT_EQ(world->registry().size(), schema->size());
    }
    QuerySpec spec;
    spec.Push(QueryTermKind::kAll, component->id(), Access::kRead);
    QueryId query;
    for (std::uint32_t nth = 1; fails(nth, [&] { return Moved(world->MakeQuery(spec), &query); });
         ++nth) {
      EXPECT_EQ(world->queries().size(), 0u);
      EXPECT_TRUE(CheckIntegrity(*world).ok());
    }
    EXPECT_EQ(world->queries().size(), 1u);
  }
  EXPECT_GT(points, 2 * schema->size());
  std::cout << "injected: " << points << " failed allocations while worlds were set up\n";
}

}  // namespace
}  // namespace ashlar::model
