// World and reference model in lockstep, under swarm weights that RapidCheck draws.
#include <cstdlib>
#include <fstream>
#include <string>

#include "ashlar/oplang/trace_text.h"
#include "ashlar/world/world.h"
#include "model/generator.h"
#include "model/lockstep.h"
#include "model/lockstep_schema.h"
#include "model/sample_components.h"
#include "model/shrink.h"
#include "props/property.h"

namespace ashlar::props {
namespace {

using model::LockstepCounts;
using model::LockstepOptions;

// Programs for each property, by ASHLAR_PROPERTY_PROGRAMS; a hundred RapidCheck cases share them.
std::uint64_t ProgramsPerCase() {
  const char* text = std::getenv("ASHLAR_PROPERTY_PROGRAMS");
  return text == nullptr ? 20 : std::strtoull(text, nullptr, 10) / 100 + 1;
}

// Shrinks a failing program, saves its trace, and says how to replay it.
std::string Report(const oplang::Program& program, std::uint64_t seed) {
  const auto shrunk = model::Shrink(program, [](const oplang::Program& candidate) {
    return model::RunLockstep(candidate, {}, nullptr).has_value();
  });
  oplang::Program minimal = shrunk.program;
  const auto failure = model::RunLockstep(minimal, {}, nullptr);
  model::AnnotateOutcomes(&minimal);
  const std::string path = "lockstep-failure-" + std::to_string(seed) + ".trace";
  std::ofstream(path) << oplang::PrintTrace(minimal);
  return (failure ? failure->message : std::string("the shrunk program passes")) +
         "\nseed: " + std::to_string(seed) + "\nminimal trace (saved as " + path + "):\n" +
         oplang::PrintTrace(minimal) + "replay: ashlar replay -v " + path;
}

TEST(LockstepProperty, SwarmsAgree) {
  LockstepCounts counts;
  Holds("world and model agree after every operation", [&] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    // RapidCheck switches operations off and sets capacity and length; the generator does the rest.
    model::Random random(seed);
    for (std::uint64_t i = 0; i < ProgramsPerCase(); ++i) {
      model::Weights weights = model::SwarmWeights(&random);
      const auto silenced = *rc::gen::inRange<std::size_t>(0, weights.size());
      if (silenced != static_cast<std::size_t>(oplang::OpCode::kCreate)) weights[silenced] = 0;
      model::Profile profile = model::SwarmProfile(&random);
      profile.options.rows_per_chunk_max = *rc::gen::element<std::uint32_t>(0, 1, 2, 4);
      const oplang::Program program =
          model::Generate(model::SampleComponents(), profile, weights, &random);
      if (model::RunLockstep(program, {}, &counts).has_value()) RC_FAIL(Report(program, seed));
    }
  });
  EXPECT_GE(counts.total_operations(), 50'000u);
  EXPECT_EQ(counts.integrity_checks, counts.state_comparisons);
  RecordProperty("operations_checked", std::to_string(counts.total_operations()));
}

// What a world takes for the sample components before anything is in it.
std::size_t BytesAtFirst() {
  const auto schema = model::SchemaOf(model::SampleComponents()).value();
  const auto world = World::Make().value();
  for (const ComponentDescriptor& descriptor : schema->stored()) {
    RC_ASSERT(world->Register(descriptor).ok());
  }
  RC_ASSERT(world->MakeQuery(QuerySpec()).ok());
  return world->memory_usage().peak;
}

TEST(LockstepProperty, AgreeWithinAnyMemoryLimit) {
  LockstepCounts counts;
  Holds("a call does what it says or is refused for the limit and changes nothing", [&] {
    const std::size_t bytes_at_first = BytesAtFirst();
    for (int i = 0; i < 5; ++i) {
      const auto seed = *rc::gen::arbitrary<std::uint64_t>();
      const oplang::Program program = model::GenerateFromSeed(seed);
      LockstepOptions options;
      options.memory_limit_bytes = bytes_at_first + *rc::gen::inRange<std::size_t>(0, 200'000);
      const auto failure = model::RunLockstep(program, options, &counts);
      if (failure.has_value()) RC_FAIL(failure->message + "\nseed: " + std::to_string(seed));
    }
  });
  std::uint64_t refused = 0;
  for (const auto& outcomes : counts.operations) {
    refused += outcomes[LockstepCounts::kAllocationFailed];
  }
  EXPECT_GT(refused, counts.failed_allocations + 1000u) << "the limit was hardly ever reached";
  RecordProperty("operations_checked", std::to_string(counts.total_operations()));
}

TEST(LockstepProperty, TheSameSeedIsTheSameProgram) {
  Holds("programs follow from their seed", [] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    RC_ASSERT(model::GenerateFromSeed(seed) == model::GenerateFromSeed(seed));
  });
}

TEST(LockstepProperty, TracesKeepPrograms) {
  Holds("a program and the program of its trace are equal", [] {
    oplang::Program program = model::GenerateFromSeed(*rc::gen::arbitrary<std::uint64_t>());
    model::AnnotateOutcomes(&program);
    const auto read = oplang::ParseTrace(oplang::PrintTrace(program), "printed");
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == program);
    RC_ASSERT(!model::RunLockstep(*read, {}, nullptr).has_value());
  });
}

}  // namespace
}  // namespace ashlar::props
