// The shrinker against artificial failures, of which it is known what is needed; and against brute
// force: of what it returns, nothing can be taken out.

#include "model/shrink.h"

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/generator.h"
#include "model/lockstep_schema.h"
#include "model/operation_parts.h"
#include "model/reference_run.h"
#include "model/sample_components.h"

namespace ashlar::model {
namespace {

using oplang::Operation;
using oplang::Program;
using ::testing::ElementsAre;

Program Parse(std::string_view text) {
  const auto program = oplang::ParseTrace(text, "test");
  EXPECT_TRUE(program.ok()) << program.status();
  return program.value_or(Program{});
}

Program RandomProgram(std::uint64_t seed, std::uint32_t operation_count) {
  Random random(seed);
  Profile profile;
  profile.operation_count = operation_count;
  profile.options.rows_per_chunk_max = 2;
  Weights weights;
  weights.fill(4);
  return Generate(SampleComponents(), profile, weights, &random);
}

// The written rule of "1-minimal", tried on every operation and on every element of every list.
void ExpectMinimal(const Program& program, const StillFails& still_fails) {
  ASSERT_TRUE(still_fails(program));
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    Program without = program;
    without.operations.erase(without.operations.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(still_fails(without)) << "operation " << i << " is not needed";

    Program changed = program;
    VisitParts(changed.operations[i].action,
               Overloaded{
                   [&]<typename Element>(std::vector<Element>& list) {
                     const std::vector<Element> whole = list;
                     for (std::size_t j = 0; j < whole.size(); ++j) {
                       list = whole;
                       list.erase(list.begin() + static_cast<std::ptrdiff_t>(j));
                       EXPECT_FALSE(still_fails(changed)) << "operand " << i << ", " << j;
                     }
                     list = whole;
                   },
                   [](auto&&) {},
               });
  }
}

bool Adds(const Operation& operation, oplang::ComponentRef component) {
  const auto* add = std::get_if<oplang::AddOp>(&operation.action);
  if (add == nullptr) return false;
  for (const oplang::ComponentArg& arg : add->values) {
    if (arg.component == component) return true;
  }
  return false;
}

// Some label is created, later destroyed, and after that component 3 is added to something.
bool CreatesDestroysAndAdds(const Program& program) {
  std::set<oplang::Label> created;
  bool destroyed = false;
  for (const Operation& operation : program.operations) {
    if (const auto* create = std::get_if<oplang::CreateOp>(&operation.action)) {
      created.insert(create->label);
    }
    if (const auto* destroy = std::get_if<oplang::DestroyOp>(&operation.action)) {
      const oplang::EntityRef& entity = destroy->entity;
      destroyed = destroyed || (entity.is_label && created.contains(entity.label));
    }
    if (destroyed && Adds(operation, 3)) return true;
  }
  return false;
}

class ShrinkSeedTest : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(ShrinkSeedTest, ThreeOperationsOfAThousand) {
  Program program = RandomProgram(GetParam(), 999);
  Operation add;
  add.action = oplang::AddOp{oplang::EntityRef::Of(1), {{2, {}}, {3, {}}, {8, {}}}};
  program.operations.insert(program.operations.begin() + 700, add);
  ASSERT_TRUE(CreatesDestroysAndAdds(program));
  const auto start = std::chrono::steady_clock::now();
  const ShrinkResult result = Shrink(program, CreatesDestroysAndAdds);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_TRUE(result.minimal);
  EXPECT_GT(result.tries, 0u);
  ExpectMinimal(result.program, CreatesDestroysAndAdds);
  ASSERT_EQ(result.program.operations.size(), 3u);
  EXPECT_EQ(result.program.options, oplang::Options{});
  EXPECT_EQ(std::get<oplang::CreateOp>(result.program.operations[0].action).values.size(), 0u);
  EXPECT_EQ(std::get<oplang::AddOp>(result.program.operations[2].action).values.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ShrinkSeedTest, ::testing::Range<std::uint64_t>(1, 6));

// A thousand operations of which the failure needs these, in any place.
class ShrinkMarkedTest : public ::testing::Test {
 protected:
  // Every operation is a get of a literal entity, so that each can be told from the others.
  static Program Marked(std::uint32_t count) {
    Program program;
    for (std::uint32_t i = 0; i < count; ++i) {
      Operation operation;
      operation.action = oplang::GetOp{oplang::EntityRef::Literal(Entity(i, 1)), 0};
      program.operations.push_back(operation);
    }
    return program;
  }
  static std::vector<std::uint32_t> Marks(const Program& program) {
    std::vector<std::uint32_t> marks;
    for (const Operation& operation : program.operations) {
      marks.push_back(std::get<oplang::GetOp>(operation.action).entity.literal.index());
    }
    return marks;
  }
  static ShrinkResult ShrinkInTime(const Program& program, const StillFails& still_fails) {
    const auto start = std::chrono::steady_clock::now();
    const ShrinkResult result = Shrink(program, still_fails);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_TRUE(result.minimal);
    ExpectMinimal(result.program, still_fails);
    return result;
  }
};

TEST_F(ShrinkMarkedTest, NothingIsNeeded) {
  const ShrinkResult result = ShrinkInTime(Marked(1000), [](const Program&) { return true; });
  EXPECT_TRUE(result.program.operations.empty());
}

TEST_F(ShrinkMarkedTest, EverythingIsNeeded) {
  const ShrinkResult result = ShrinkInTime(
      Marked(1000), [](const Program& program) { return program.operations.size() >= 1000; });
  EXPECT_EQ(result.program, Marked(1000));
}

TEST_F(ShrinkMarkedTest, EveryThirdIsNeeded) {
  const ShrinkResult result = ShrinkInTime(Marked(1000), [](const Program& program) {
    int needed = 0;
    for (std::uint32_t mark : Marks(program)) needed += mark % 3 == 0 ? 1 : 0;
    return needed == 334;
  });
  EXPECT_EQ(result.program.operations.size(), 334u);
}

// Each operation can go only when the one before it is gone already.
TEST_F(ShrinkMarkedTest, AChainThatGoesFromTheFrontOnly) {
  const ShrinkResult result = ShrinkInTime(Marked(1000), [](const Program& program) {
    const std::vector<std::uint32_t> marks = Marks(program);
    if (marks.empty() || marks.back() != 999) return false;
    return marks.size() == 1000 - marks.front();
  });
  EXPECT_THAT(Marks(result.program), ElementsAre(999));
}

TEST_F(ShrinkMarkedTest, AChainThatGoesFromTheBackOnly) {
  const ShrinkResult result = ShrinkInTime(Marked(1000), [](const Program& program) {
    const std::vector<std::uint32_t> marks = Marks(program);
    return !marks.empty() && marks.front() == 0 && marks.size() == marks.back() + 1;
  });
  EXPECT_THAT(Marks(result.program), ElementsAre(0));
}

// A failure of the model's kind: the slot's fourth life. What it needs depends on what came before.
TEST(ShrinkTest, TheFourthLifeOfASlot) {
  const Program program = RandomProgram(3, 600);
  const StillFails fourth_life = [](const Program& candidate) {
    const auto own = SchemaOf(candidate.components).value();
    ReferenceRun run(candidate.options, own->ForModel());
    for (const Operation& operation : candidate.operations) {
      run.Apply(operation.action);
      for (const auto& [entity, row] : run.world().entities()) {
        if (entity.generation() == 4) return true;
      }
    }
    return false;
  };
  ASSERT_TRUE(fourth_life(program));
  const ShrinkResult result = Shrink(program, fourth_life);
  EXPECT_TRUE(result.minimal);
  ExpectMinimal(result.program, fourth_life);
  // Four creates and three destroys between them.
  EXPECT_EQ(result.program.operations.size(), 7u);
  EXPECT_TRUE(result.program.components.empty());
}

TEST(ShrinkTest, ValuesBecomeZeroOrSmallAndListsShort) {
  const Program program = Parse(
      "# a note stays\n"
      "component position f32[3]\n"
      "component health i32\n"
      "component mana u8\n"
      "create e1 position=(1.5,2.5,3.5) health=1000 mana=7\n"
      "setfield e1 position[1]=8.25\n"
      "move dt=0.75 -> any\n"
      "place_generation e1 4294967295\n");
  const StillFails fails = [](const Program& candidate) {
    if (candidate.operations.size() < 4) return false;
    const auto& create = std::get<oplang::CreateOp>(candidate.operations[0].action);
    for (const oplang::ComponentArg& arg : create.values) {
      if (candidate.components[arg.component].name != "health" || arg.value.empty()) continue;
      return arg.value[0].bits > 57;
    }
    return false;
  };
  const ShrinkResult result = Shrink(program, fails);
  EXPECT_TRUE(result.minimal);
  // 1000 halves to 62; 31 would not fail any more.
  EXPECT_EQ(oplang::PrintTrace(result.program),
            oplang::PrintTrace(Parse("# a note stays\n"
                                     "component position f32[3]\n"
                                     "component health i32\n"
                                     "create e1 health=62\n"
                                     "setfield e1 position[0]=0.0\n"
                                     "move dt=0.0 -> any\n"
                                     "place_generation e1 0\n")));
  EXPECT_EQ(result.program.notes, program.notes);
}

// Of 325 scalars two matter.
TEST(ShrinkTest, TheTwoScalarsThatMatterOfAWideValue) {
  Program program = Parse("component terrain f64[325]\ncreate e1\n");
  std::vector<Scalar> wide;
  for (int i = 0; i < 325; ++i) wide.push_back(Scalar::F64(i + 0.5));
  std::get<oplang::CreateOp>(program.operations[0].action).values = {{0, wide}};
  const StillFails fails = [](const Program& candidate) {
    if (candidate.operations.empty()) return false;
    const auto& create = std::get<oplang::CreateOp>(candidate.operations[0].action);
    if (create.values.empty() || create.values[0].value.size() != 325) return false;
    const std::vector<Scalar>& value = create.values[0].value;
    return value[17] != Scalar::F64(0) && value[300] == Scalar::F64(300.5);
  };
  const ShrinkResult result = Shrink(program, fails);
  wide.assign(325, Scalar::F64(0));
  wide[17] = Scalar::F64(1);
  wide[300] = Scalar::F64(300.5);
  EXPECT_EQ(std::get<oplang::CreateOp>(result.program.operations[0].action).values[0].value, wide);
  EXPECT_LT(result.tries, 200u);
}

// Counts go towards the first and never past it.
TEST(ShrinkTest, ArmedFailuresBecomeEarlyAndSingle) {
  const Program program = Parse(
      "fail_allocation 37 sticky\n"
      "fail_construction 9\n"
      "fail_construction 1\n"
      "fail_allocation 4294967295 sticky\n");
  const StillFails fails = [](const Program& candidate) {
    if (candidate.operations.size() != 4) return false;
    const auto& second = std::get<oplang::FailConstructionOp>(candidate.operations[1].action);
    const auto& last = std::get<oplang::FailAllocationOp>(candidate.operations[3].action);
    return second.nth >= 3 && last.sticky;
  };
  EXPECT_EQ(oplang::PrintTrace(Shrink(program, fails).program),
            oplang::PrintTrace(Parse("fail_allocation 1\n"
                                     "fail_construction 3\n"
                                     "fail_construction 1\n"
                                     "fail_allocation 1 sticky\n")));
}

TEST(ShrinkTest, EveryKindOfScalarHasAZero) {
  Program program = Parse(
      "component all {a: f32, b: f64, c: i64, d: u64, e: bool, f: entity, g: entity}\n"
      "create e1 all=(1.5,2.5,-9,18446744073709551615,true,5v6,e1)\n");
  const StillFails fails = [](const Program& candidate) {
    if (candidate.operations.empty()) return false;
    const auto& create = std::get<oplang::CreateOp>(candidate.operations[0].action);
    return create.values.size() == 1 && !create.values[0].value.empty();
  };
  EXPECT_EQ(oplang::PrintTrace(Shrink(program, fails).program),
            oplang::PrintTrace(Parse(
                "component all {a: f32, b: f64, c: i64, d: u64, e: bool, f: entity, g: entity}\n"
                "create e1 all=(0.0,0.0,0,0,false,null,null)\n")));
}

TEST(ShrinkTest, OwnershipThatMattersStays) {
  const Program program = Parse("component a u8 as owned\ncomponent b u8 as self\ncreate e1 a b\n");
  const StillFails fails = [](const Program& candidate) {
    return candidate.components.size() == 2 &&
           candidate.components[1].ownership == oplang::Ownership::kSelf;
  };
  EXPECT_EQ(oplang::PrintTrace(Shrink(program, fails).program),
            oplang::PrintTrace(Parse("component a u8\ncomponent b u8 as self\n")));
}

TEST(ShrinkTest, OptionsThatMatterStay) {
  Program program =
      Parse("option chunk_bytes 65536\noption rows_per_chunk 2\noption index_limit 8\nnop\n");
  const StillFails capped = [](const Program& candidate) {
    return candidate.options.rows_per_chunk_max == 2;
  };
  oplang::Options expected;
  expected.rows_per_chunk_max = 2;
  const ShrinkResult result = Shrink(program, capped);
  EXPECT_EQ(result.program.options, expected);
  EXPECT_TRUE(result.program.operations.empty());
}

// Numbers of components move up with them, and one past the end stays past the end.
TEST(ShrinkTest, ComponentsThatNothingUsesAreDropped) {
  const Program program = Parse(
      "component a u8\ncomponent b u8\ncomponent c u8\ncomponent d u8\n"
      "query q1 all(b, d)\n"
      "remove e1 #7 -> any\n"
      "fill q1 d=3\n"
      "has e1 b -> any\n");
  const StillFails fails = [](const Program& candidate) {
    const std::size_t count = candidate.components.size();
    if (candidate.operations.size() != 4) return false;
    const auto& query = std::get<oplang::QueryOp>(candidate.operations[0].action);
    const auto& remove = std::get<oplang::RemoveOp>(candidate.operations[1].action);
    const auto& fill = std::get<oplang::FillOp>(candidate.operations[2].action);
    return query.terms.size() == 2 && remove.components.size() == 1 &&
           remove.components[0] >= count && fill.value.component < count &&
           candidate.components[fill.value.component].name == "d";
  };
  const ShrinkResult result = Shrink(program, fails);
  EXPECT_EQ(oplang::PrintTrace(result.program),
            oplang::PrintTrace(Parse("component b u8\ncomponent d u8\n"
                                     "query q1 all(b, d)\n"
                                     "remove e1 #5 -> any\n"
                                     "fill q1 d\n"
                                     "has e1 b -> any\n")));
}

TEST(ShrinkTest, WhenTimeIsUpTheBestSoFarIsReturned) {
  const Program program = RandomProgram(3, 300);
  const auto count = static_cast<std::size_t>(300);
  const StillFails slow = [&](const Program& candidate) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return candidate.operations.size() * 3 > count;
  };
  const auto start = std::chrono::steady_clock::now();
  const ShrinkResult result = Shrink(program, slow, {std::chrono::milliseconds(40)});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_FALSE(result.minimal);
  EXPECT_TRUE(slow(result.program));
  EXPECT_LT(result.program.operations.size(), 300u);
}

}  // namespace
}  // namespace ashlar::model
