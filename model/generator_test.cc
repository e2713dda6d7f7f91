// The generator: the same everywhere, legal, and rich. The floors below are what the leans of
// generator.cc and operation_drawer.cc are for; there it is said what is left without each.

#include "model/generator.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/trace_text.h"
#include "ashlar/schema/field_type.h"
#include "gtest/gtest.h"
#include "model/lockstep_schema.h"
#include "model/reachable_outcomes.h"
#include "model/reference_run.h"
#include "model/sample_components.h"

namespace ashlar::model {
namespace {

using oplang::OpCode;
using oplang::Program;

// --- Random ---

// The first numbers of splitmix64 from seed 1234567, as its reference implementation gives them.
TEST(RandomTest, IsSplitmix64) {
  Random random(1234567);
  EXPECT_EQ(random.Next(), 6457827717110365317u);
  EXPECT_EQ(random.Next(), 3203168211198807973u);
  EXPECT_EQ(random.Next(), 9817491932198370423u);
  EXPECT_EQ(random.Next(), 4593380528125082431u);
  EXPECT_EQ(random.Next(), 16408922859458223821u);
}

TEST(RandomTest, BelowIsEvenAndInside) {
  Random random(1);
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70000; ++i) ++counts[random.Below(7)];
  // 10,000 each; four standard deviations are 370.
  for (int count : counts) EXPECT_NEAR(count, 10000, 370);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(random.Below(1), 0u);
    EXPECT_LT(random.Below((std::uint64_t{1} << 63) + 1), (std::uint64_t{1} << 63) + 1);
    EXPECT_TRUE(random.Chance(1, 1));
    EXPECT_FALSE(random.Chance(0, 3));
  }
}

// --- Programs ---

std::uint64_t HashOf(const std::string& text) {  // FNV-1a
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001B3u;
  return hash;
}

// A seed is how people hand each other a program. When the generator is changed on purpose this
// number changes, and old seeds mean other programs: say so in CHANGELOG.
TEST(GeneratorTest, ASeedGivesTheSameProgramEverywhere) {
  std::string text;
  for (std::uint64_t seed = 0; seed < 50; ++seed) text += PrintTrace(GenerateFromSeed(seed));
  EXPECT_EQ(HashOf(text), 7318800981793519815u);
  EXPECT_EQ(GenerateFromSeed(7), GenerateFromSeed(7));
  EXPECT_FALSE(GenerateFromSeed(7) == GenerateFromSeed(8));
}

TEST(GeneratorTest, ProgramsSurviveTheirTextAndTheirBytes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Program program = GenerateFromSeed(seed);
    const auto parsed = oplang::ParseTrace(oplang::PrintTrace(program), "generated");
    ASSERT_TRUE(parsed.ok()) << "seed " << seed << ": " << parsed.status();
    EXPECT_EQ(*parsed, program) << "seed " << seed;
    EXPECT_EQ(oplang::DecodeProgram(oplang::EncodeProgram(program), SampleComponents()), program)
        << "seed " << seed;
  }
}

TEST(GeneratorTest, OtherComponentsWorkToo) {
  std::vector<oplang::ComponentDeclaration> few(1);
  few[0].name = "only";
  std::vector<oplang::ComponentDeclaration> many;
  for (int i = 0; i < 300; ++i) {
    many.push_back({"c" + std::to_string(i), {}});
    ASSERT_FALSE(ParseType(i % 3 == 0 ? "tag" : "u8[2000]", &many.back().type).has_value());
  }
  for (const auto& components : {few, many}) {
    Random random(9);
    Weights weights = SwarmWeights(&random);
    weights.fill(3);
    Profile profile;
    profile.operation_count = 500;
    const Program program = Generate(components, profile, weights, &random);
    EXPECT_EQ(program.operations.size(), 500u);
    EXPECT_EQ(program.components, components);
  }
}

TEST(GeneratorTest, AnOperationThatIsOffDoesNotCome) {
  Weights weights{};
  weights[static_cast<std::size_t>(OpCode::kCreate)] = 1;
  weights[static_cast<std::size_t>(OpCode::kExpect)] = 1000;
  Random random(4);
  Profile profile;
  profile.live_rows_max = 1000;
  for (const auto& operation : Generate(SampleComponents(), profile, weights, &random).operations) {
    EXPECT_EQ(CodeOf(operation.action), OpCode::kCreate);
    EXPECT_EQ(operation.expectation.kind, oplang::Expectation::Kind::kAny);
  }
}

TEST(GeneratorTest, SwarmWeightsAreASubsetWithCreateOn) {
  Random random(2);
  std::vector<int> on(oplang::kOpCodeCount, 0);
  for (int i = 0; i < 1000; ++i) {
    const Weights weights = SwarmWeights(&random);
    for (std::size_t code = 0; code < weights.size(); ++code) on[code] += weights[code] > 0 ? 1 : 0;
  }
  for (int code = 1; code < oplang::kOpCodeCount; ++code) {
    if (code == static_cast<int>(OpCode::kCreate)) {
      EXPECT_EQ(on[code], 1000);
    } else if (code == static_cast<int>(OpCode::kExpect)) {
      EXPECT_EQ(on[code], 0);
    } else {
      EXPECT_GT(on[code], 500) << oplang::OpCodeName(static_cast<OpCode>(code));
      EXPECT_LT(on[code], 990) << oplang::OpCodeName(static_cast<OpCode>(code));
    }
  }
}

TEST(GeneratorTest, ProfilesVaryAndTwoPercentAreLarge) {
  Random random(6);
  std::map<std::uint32_t, int> caps, chunk_sizes;
  int large = 0, limited = 0;
  for (int i = 0; i < 10000; ++i) {
    const Profile profile = SwarmProfile(&random);
    ++caps[profile.options.rows_per_chunk_max];
    ++chunk_sizes[profile.options.chunk_size_bytes];
    limited += profile.options.entity_index_limit != 0 ? 1 : 0;
    if (profile.live_rows_max > 64) {
      ++large;
      EXPECT_EQ(profile.options.rows_per_chunk_max, 0u);
    }
  }
  EXPECT_NEAR(large, 200, 56);  // Four standard deviations.
  EXPECT_GT(limited, 1000);
  EXPECT_EQ(caps.size(), 4u);  // 1, 2, 4 and none.
  for (const auto& [cap, count] : caps) EXPECT_GT(count, 2000) << cap;
  EXPECT_EQ(chunk_sizes.size(), 5u);  // 4 KiB to 64 KiB.
  EXPECT_GT(chunk_sizes[4096], 8000);
  for (const auto& [size, count] : chunk_sizes) EXPECT_GT(count, 100) << size;
}

// --- What programs reach ---

// What the first programs come to, on the model alone.
struct Reached {
  std::map<std::pair<OpCode, Reason>, int> outcomes;
  int programs = 0, operations = 0, in_scope = 0;
  int free_list_over_16 = 0, archetype_of_5 = 0, retired = 0;  // Programs.
  int large = 0, large_over_122 = 0;                           // Programs.
};

// The ids that a create would issue again, the retired slots, and the rows of each signature.
class Watcher {
 public:
  explicit Watcher(const Program& program)
      : schema_(SchemaOf(program.components).value()), run_(program.options, schema_->ForModel()) {}

  oplang::Outcome Apply(const oplang::Action& action) {
    Entity destroyed;
    if (const auto* op = std::get_if<oplang::DestroyOp>(&action)) {
      destroyed = run_.EntityOf(op->entity);
    }
    const oplang::Outcome outcome = run_.Apply(action);
    if (outcome == oplang::Outcome{}) {
      if (std::holds_alternative<oplang::CreateOp>(action)) free_ -= free_ > 0 ? 1 : 0;
      if (destroyed.generation() == kGenerationLast) {
        ++retired;
      } else if (!destroyed.is_null()) {
        free_max = std::max(free_max, ++free_);
      }
    }
    return outcome;
  }

  // Looks at the rows as they are now.
  void CountRows() {
    std::map<std::vector<std::uint16_t>, std::size_t> rows;
    for (const auto& [entity, row] : world().entities()) {
      std::vector<std::uint16_t> signature;
      for (const auto& [component, value] : row) signature.push_back(component);
      rows_max = std::max(rows_max, ++rows[signature]);
    }
  }

  const ReferenceWorld& world() const { return run_.world(); }

  int free_max = 0, retired = 0;
  std::size_t rows_max = 0;  // Of one signature, at any time it was looked at.

 private:
  std::shared_ptr<const Schema> schema_;
  ReferenceRun run_;
  int free_ = 0;
};

Reached Reach(int programs) {
  Reached reached;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(programs); ++seed) {
    const Program program = GenerateFromSeed(seed);
    Watcher watcher(program);
    for (const oplang::Operation& operation : program.operations) {
      reached.in_scope += watcher.world().scope_depth() > 0 ? 1 : 0;
      const oplang::Outcome outcome = watcher.Apply(operation.action);
      ++reached.outcomes[{CodeOf(operation.action), outcome.reason}];
      if (++reached.operations % 8 == 0) watcher.CountRows();
    }
    watcher.CountRows();
    const bool is_large = program.operations.size() >= 400;
    ++reached.programs;
    reached.free_list_over_16 += watcher.free_max > 16 ? 1 : 0;
    reached.archetype_of_5 += watcher.rows_max >= 5 ? 1 : 0;
    reached.retired += watcher.retired > 0 ? 1 : 0;
    reached.large += is_large ? 1 : 0;
    reached.large_over_122 += is_large && watcher.rows_max > 122 ? 1 : 0;
  }
  return reached;
}

class GeneratorReachTest : public ::testing::Test {
 protected:
  static const Reached& reached() {
    static const Reached& result = *new Reached(Reach(2000));
    return result;
  }
};

// Some failures are armed, not many, and mostly early ones for what can fail.
TEST(GeneratorTest, ArmsFailuresInModeration) {
  int operations = 0, armed = 0, early = 0, sticky = 0, well_aimed = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Program program = GenerateFromSeed(seed);
    bool is_armed = false;
    for (const oplang::Operation& operation : program.operations) {
      ++operations;
      const OpCode code = CodeOf(operation.action);
      if (is_armed &&
          (code == OpCode::kCreate || code == OpCode::kAdd || code == OpCode::kRemove ||
           code == OpCode::kExchange || code == OpCode::kSet || code == OpCode::kPut ||
           code == OpCode::kQuery || code == OpCode::kRecord || code == OpCode::kApply ||
           code == OpCode::kByQuery || code == OpCode::kMany || code == OpCode::kSort ||
           code == OpCode::kSortByEntity || code == OpCode::kPutSingle || code == OpCode::kHook)) {
        ++well_aimed;
      }
      is_armed = oplang::IsArming(code);
      armed += is_armed ? 1 : 0;
      if (const auto* op = std::get_if<oplang::FailAllocationOp>(&operation.action)) {
        EXPECT_GE(op->nth, 1u);
        EXPECT_LE(op->nth, 16u);
        early += op->nth <= 4 ? 1 : 0;
        sticky += op->sticky ? 1 : 0;
      }
    }
  }
  EXPECT_GE(armed * 100, operations);
  EXPECT_LE(armed * 100, operations * 5);
  EXPECT_GE(early * 10, armed * 4) << "of both kinds together";
  EXPECT_GE(sticky * 20, armed);
  EXPECT_GE(well_aimed * 10, armed * 7);
}

// Ten of these programs' operations are some hundred in a run of two millions.
TEST_F(GeneratorReachTest, EveryReachablePairOfOperationAndOutcome) {
  for (const OperationOutcome& pair : ReachableOutcomes()) {
    const auto found = reached().outcomes.find({pair.code, pair.reason});
    EXPECT_GE(found == reached().outcomes.end() ? 0 : found->second, 15)
        << oplang::OpCodeName(pair.code) << " " << ReasonName(pair.reason);
  }
}

TEST_F(GeneratorReachTest, NoPairThatIsNotListed) {
  for (const auto& [pair, count] : reached().outcomes) {
    const auto same = [&wanted = pair](const OperationOutcome& listed) {
      return listed.code == wanted.first && listed.reason == wanted.second;
    };
    EXPECT_TRUE(std::ranges::any_of(ReachableOutcomes(), same))
        << oplang::OpCodeName(pair.first) << " " << ReasonName(pair.second);
  }
}

TEST_F(GeneratorReachTest, StatesThatAUniformMixDoesNotReach) {
  const Reached& r = reached();
  EXPECT_GE(r.free_list_over_16 * 100, r.programs);  // 1 in 100.
  EXPECT_GE(r.archetype_of_5 * 100, r.programs * 60);
  EXPECT_GE(r.retired * 100, r.programs * 15);
  EXPECT_GE(r.large, 20);
  EXPECT_GE(r.large_over_122 * 100, r.large * 40);
  EXPECT_GE(r.in_scope * 100, r.operations * 5);
  EXPECT_LE(r.in_scope * 100, r.operations * 15);
}

TEST(GeneratorTest, LiveRowsStayUnderTheirMaximum) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Profile profile = SwarmProfile(&random);
    const Program program = Generate(SampleComponents(), profile, SwarmWeights(&random), &random);
    Watcher watcher(program);
    EXPECT_EQ(program.operations.size(), profile.operation_count);
    for (const oplang::Operation& operation : program.operations) {
      watcher.Apply(operation.action);
      ASSERT_LE(watcher.world().entities().size(), profile.live_rows_max);
    }
  }
}

}  // namespace
}  // namespace ashlar::model
