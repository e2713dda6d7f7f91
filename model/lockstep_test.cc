// Lockstep as a whole: programs that hold, programs that claim what is not so, and what is told of
// both.

#include "model/lockstep.h"

#include <string>
#include <string_view>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/injection_fixture.h"
#include "model/tracked_components.h"

namespace ashlar::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kHead =
    "component position f32[3]\n"
    "component velocity f32[3]\n"
    "component health i32 in [0,100]\n"
    "component disabled tag\n"
    "component link {to: entity, weight: f64}\n";

oplang::Program Parse(std::string_view body, std::string_view options = "") {
  auto program = oplang::ParseTrace(std::string(options) + std::string(kHead) + std::string(body),
                                    "test.trace");
  EXPECT_TRUE(program.ok()) << program.status();
  return program.value_or(oplang::Program());
}

std::optional<Failure> RunBody(std::string_view body, std::string_view options = "") {
  return RunLockstep(Parse(body, options), LockstepOptions(), nullptr);
}

void ExpectHolds(std::string_view body, std::string_view options = "") {
  const std::optional<Failure> failure = RunBody(body, options);
  EXPECT_FALSE(failure.has_value()) << failure->message;
}

void ExpectUnmet(std::string_view body, std::size_t operation, std::string_view text) {
  const std::optional<Failure> failure = RunBody(body);
  ASSERT_TRUE(failure.has_value()) << body;
  EXPECT_EQ(failure->kind, Failure::Kind::kExpectation) << failure->message;
  EXPECT_EQ(failure->operation, operation) << failure->message;
  EXPECT_THAT(failure->message, HasSubstr(std::string(text)));
}

TEST(Lockstep, HoldsOverEveryOperation) {
  ExpectHolds(
      "create e1 position=(1,2,3) velocity=(2,-4,6)\n"
      "create e2 position=(0,0,0) velocity=(1,1,1) disabled\n"
      "create e3 health=5 link=(e1,0.5)\n"
      "query q1 all(position, velocity) none(disabled)\n"
      "query q2 any(health, link) optional(position)\n"
      "query q3\n"
      "iterate q1\n"
      "iterate q3\n"
      "move dt=0.5\n"
      "expect e1 position=(2,0,6)\n"
      "expect e2 position=(0,0,0)\n"
      "add e1 health=80\n"
      "get e1 health\n"
      "has e1 disabled\n"
      "set e1 health=79\n"
      "put e1 health=78 link=(null,1)\n"
      "setfield e1 link.weight=2.5\n"
      "setfield e1 position[1]=7\n"
      "exchange e1 remove link health add health=1 disabled\n"
      "expect e1 only position=(2,7,6) velocity=(2,-4,6) health=1 disabled\n"
      "remove e1 health disabled\n"
      "query q4 all(health)\n"
      "fill q4 health=9\n"
      "expect e3 health=9 link=(e1,0.5)\n"
      "expect q4 matches e3\n"
      "open q4\n"
      "open q1\n"
      "create e4 -> FAILED_PRECONDITION scope_open\n"
      "set e3 health=8\n"
      "close\n"
      "close\n"
      "close\n"
      "place_generation e3 4294967295\n"
      "expect e3 id 2v4294967295\n"
      "destroy e3\n"
      "expect e3 dead\n"
      "create e5\n"
      "expect e5 id 3v1\n"
      "expect live 3\n"
      "nop\n");
}

TEST(Lockstep, HoldsWhereScopesAreLeftOpen) {
  ExpectHolds(
      "create e1 health=1\n"
      "query q1 all(health)\n"
      "open q1\n"
      "open q1\n"
      "fill q1 health=2\n"
      "destroy e1 -> FAILED_PRECONDITION scope_open\n");
}

TEST(Lockstep, HoldsForNoOperationsAtAll) { ExpectHolds(""); }

TEST(Lockstep, AsksTheWorldForWhatIsUnbound) {
  ExpectHolds(
      "destroy e1 -> NOT_FOUND entity_not_alive\n"
      "iterate q9 -> NOT_FOUND query_unknown\n"
      "open q9 -> NOT_FOUND query_unknown\n"
      "fill q9 health=1 -> NOT_FOUND query_unknown\n"
      "query q1 all(health) none(health) -> INVALID_ARGUMENT query_conflict\n"
      "iterate q1 -> NOT_FOUND query_unknown\n"
      "create e1 health=101 -> INVALID_ARGUMENT value_refused\n"
      "expect e1 dead\n");
}

TEST(Lockstep, HonoursTheOptions) {
  constexpr std::string_view kThree =
      "create e1 health=1\n"
      "create e2 health=2\n"
      "create e3 health=3\n"
      "query q1 all(health)\n"
      "expect q1 chunks 2\n"
      "expect e3 chunk 1 row 0\n"
      "create e4 -> RESOURCE_EXHAUSTED ids_exhausted\n";
  ExpectHolds(kThree, "option rows_per_chunk 2\noption index_limit 3\n");
  ExpectUnmet(kThree, 4, "visits 1 chunks");
}

TEST(Lockstep, RefusesAFalseExpectation) {
  const std::string_view kStart =
      "create e1 health=80 disabled\n"
      "create e2 position=(1,2,3)\n"
      "query q1\n";
  const struct {
    std::string_view claim;
    std::string_view text;
  } kCases[] = {
      {"expect e1 health=79", "model: health is 80, not 79"},
      {"expect e1 health=1.5 -> any", "the value does not fit health"},
      {"expect e1 position", "model: has no position"},
      {"expect e1 only health=80", "model: has disabled too"},
      {"expect e1 without position disabled", "model: has disabled"},
      {"expect e1 dead", "model: alive"},
      {"expect e7 health", "model: not alive"},
      {"expect e1 id 0v2", "the id is 0v1, not 0v2"},
      {"expect e1 chunk 0 row 1", "world: it is in chunk 0 row 0"},
      {"expect e1 chunk 1 row 0", "world: it is in chunk 0 row 0"},
      {"expect q1 matches e1", "world: visits e1 0v1, e2 1v1"},
      {"expect q1 matches e1 e1", "world: visits e1 0v1, e2 1v1"},
      {"expect q1 order e2 e1", "world: visits e1 0v1, e2 1v1"},
      {"expect q1 count 3", "model: matches 2"},
      {"expect q1 chunks 1", "world: visits 2 chunks"},
      {"expect q2 count 0", "q2 is not bound"},
      {"expect live 3", "model: 2 are alive"},
      {"add e1 health=5", "the program expects OK, world and model answer ALREADY_EXISTS"},
      {"destroy e1 -> NOT_FOUND", "the program expects NOT_FOUND"},
      {"destroy e9 -> NOT_FOUND component_absent", "answer NOT_FOUND entity_not_alive"},
  };
  for (const auto& c : kCases) {
    ExpectUnmet(std::string(kStart) + std::string(c.claim) + "\n", 3, c.text);
  }
}

TEST(Lockstep, SaysWhereItFailed) {
  const std::optional<Failure> failure = RunBody("create e1 health=1\n\nexpect e1 dead\nnop\n");
  ASSERT_TRUE(failure.has_value());
  EXPECT_THAT(failure->message, HasSubstr("operation 2 of 3 (line 8): expect e1 dead"));
}

TEST(Lockstep, HoldsNoExpectationsWhenAskedNotTo) {
  LockstepOptions options;
  options.check_expectations = false;
  const oplang::Program program = Parse("expect live 3\ndestroy e1\n");
  EXPECT_FALSE(RunLockstep(program, options, nullptr).has_value());
}

TEST(Lockstep, ReportsASetUpThatTheWorldRefuses) {
  oplang::Program program = Parse("nop\n");
  program.options.chunk_size_bytes = 5000;
  auto failure = RunLockstep(program, LockstepOptions(), nullptr);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Failure::Kind::kSetUp);

  program = Parse("nop\n");
  program.components.push_back(program.components.front());
  failure = RunLockstep(program, LockstepOptions(), nullptr);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Failure::Kind::kSetUp);

  program.components.back().name = "no name";
  failure = RunLockstep(program, LockstepOptions(), nullptr);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Failure::Kind::kSetUp);
}

// One of each kind, through every call; values go to the world as scalars, to copy and to take.
TEST(Lockstep, RunsComponentsThatOwn) {
  const auto program = oplang::ParseTrace(R"(
component name u64[4] as owned
component me i32 as self
component key i64 as unique
component wide f32[3] as aligned
component token tag as owned
component health i32
create e1 name=(1,2,3,4) me=5 token
create e2 name=(5,6,7,8) key=9 wide=(1,2,3) health=3
create e3 me=7 name=(1,1,1,1)
add e1 health=80 key=4
destroy e2
set e1 name=(9,9,9,9) me=6
put e3 name=(2,2,2,2) wide=(4,5,6) token
setfield e1 name[2]=77
remove e1 token name
exchange e3 remove me add me=8 health=1
exchange e3 remove token name add key=3
expect e3 only wide=(4,5,6) me=8 health=1 key=3
query q1 all(me)
fill q1 me=3
fail_construction 1
add e1 name=(1,2,3,4) -> ABORTED
expect e1 without name
fail_construction 3
add e1 name=(1,2,3,4) token -> any
expect e1 only me=3 key=4 health=80 name=(1,2,3,4) token
)",
                                          "test.trace");
  ASSERT_TRUE(program.ok()) << program.status();
  LockstepCounts counts;
  const auto failure = RunLockstep(*program, LockstepOptions(), &counts);
  EXPECT_FALSE(failure.has_value()) << failure->message;
  EXPECT_EQ(counts.thrown_constructions, 1u);
}

// Something destroys a value twice while an operation runs; what was misused before is not its own.
TEST(Lockstep, ReportsAMisusedValue) {
  TypeSpec number;
  ASSERT_FALSE(ParseType("u64", &number).has_value());
  const TrackedType type(ComponentDescriptor::FromSpec("n", number).value(),
                         oplang::Ownership::kOwned);
  std::byte value[64] = {};
  const auto misuse = [&] { type.Destroy(value); };
  HookedMemory memory;
  std::uint64_t request = 0;
  LockstepOptions options;
  options.memory = &memory;
  const oplang::Program program = Parse("nop\ncreate e1 health=1\nnop\n");
  misuse();
  ASSERT_FALSE(RunLockstep(program, options, nullptr).has_value());
  const std::uint64_t requests = memory.requests;
  memory.before_request = [&] {
    if (++request == requests) misuse();  // The last one: that of the create.
  };
  const auto failure = RunLockstep(program, options, nullptr);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->kind, Failure::Kind::kIntegrity);
  EXPECT_EQ(failure->invariant, 0);
  EXPECT_EQ(failure->operation, 1u);
  EXPECT_THAT(failure->message, HasSubstr("misuse of a value of n (as owned): destroyed after"));
}

TEST(Lockstep, CountsWhatItDid) {
  const oplang::Program program = Parse(
      "create e1 health=1\n"
      "create e2 health=1\n"
      "create e3 health=101 -> any\n"
      "destroy e1\n"
      "destroy e1 -> any\n");
  LockstepCounts counts;
  ASSERT_FALSE(RunLockstep(program, LockstepOptions(), &counts).has_value());
  const auto& creates = counts.operations[static_cast<int>(oplang::OpCode::kCreate)];
  const auto& destroys = counts.operations[static_cast<int>(oplang::OpCode::kDestroy)];
  EXPECT_EQ(creates[0], 2u);
  EXPECT_EQ(creates[static_cast<int>(Reason::kValueRefused)], 1u);
  EXPECT_EQ(destroys[0], 1u);
  EXPECT_EQ(destroys[static_cast<int>(Reason::kEntityNotAlive)], 1u);
  EXPECT_EQ(counts.total_operations(), 5u);
  EXPECT_EQ(counts.state_comparisons, 5u);
  EXPECT_EQ(counts.integrity_checks, 5u);
  EXPECT_EQ(counts.rows_compared, 1u + 2u + 2u + 1u + 1u);
  EXPECT_EQ(counts.programs, 1u);
  EXPECT_NE(counts.state_digest, 0u);

  LockstepCounts sum = counts;
  sum.Add(counts);
  EXPECT_EQ(sum.total_operations(), 10u);
  EXPECT_EQ(sum.rows_compared, 14u);
  EXPECT_EQ(sum.state_digest, 2 * counts.state_digest);
}

TEST(Lockstep, ComparesAsOftenAsAsked) {
  const oplang::Program program = Parse("nop\nnop\nnop\nnop\nnop\n");
  const auto comparisons = [&](std::uint32_t interval, std::size_t from) {
    LockstepOptions options;
    options.compare_interval = interval;
    options.compare_from = from;
    LockstepCounts counts;
    EXPECT_FALSE(RunLockstep(program, options, &counts).has_value());
    return counts.state_comparisons;
  };
  EXPECT_EQ(comparisons(1, 0), 5u);
  EXPECT_EQ(comparisons(2, 0), 3u);  // After the second, the fourth, the last.
  EXPECT_EQ(comparisons(0, 0), 1u);
  EXPECT_EQ(comparisons(1, 3), 2u);
  EXPECT_EQ(comparisons(1, 99), 1u);
}

TEST(Lockstep, TellsTheObserverWhatChanged) {
  const oplang::Program program = Parse(
      "create e4 health=1\n"
      "create e9 health=2 disabled\n"
      "remove e9 disabled\n"
      "set e4 health=3\n"
      "get e4 health\n"
      "destroy e4\n"
      "destroy e4 -> NOT_FOUND\n"
      "place_generation e9 7\n");
  std::vector<std::vector<std::string>> changes;
  std::vector<oplang::Outcome> outcomes;
  const auto failure = RunLockstep(program, LockstepOptions(), nullptr, [&](const Step& step) {
    EXPECT_EQ(step.operation, changes.size());
    changes.push_back(step.changes);
    outcomes.push_back(step.outcome);
  });
  ASSERT_FALSE(failure.has_value()) << failure->message;
  EXPECT_THAT(changes,
              ElementsAre(ElementsAre("e4 0v1: created in chunk 0 row 0: health=1"),
                          ElementsAre("e9 1v1: created in chunk 0 row 0: health=2 disabled"),
                          ElementsAre("e9 1v1: - disabled, moved to chunk 0 row 1"),
                          ElementsAre("e4 0v1: health=3 (was 1)"), IsEmpty(),
                          ElementsAre("e9 1v1: moved to chunk 0 row 0", "e4 0v1: destroyed"),
                          IsEmpty(), ElementsAre("e9 1v7: was 1v1")));
  EXPECT_EQ(outcomes[6].reason, Reason::kEntityNotAlive);
}

TEST(Lockstep, AnnotatesWithTheModelsAnswers) {
  oplang::Program program = Parse(
      "create e1 health=1\n"
      "add e1 health=1 -> any\n"
      "open q1 -> any\n"
      "destroy e1 -> NOT_FOUND\n");
  AnnotateOutcomes(&program);
  EXPECT_EQ(program, Parse("create e1 health=1\n"
                           "add e1 health=1 -> ALREADY_EXISTS component_present\n"
                           "open q1 -> NOT_FOUND query_unknown\n"
                           "destroy e1\n"));
  const auto failure = RunLockstep(program, LockstepOptions(), nullptr);
  EXPECT_FALSE(failure.has_value()) << failure->message;
}

TEST(Lockstep, TakesAFailedAllocationForAnAnswerWhereMemoryIsGiven) {
  const oplang::Program program = Parse(
      "create e1 health=1 -> any\n"
      "add e1 disabled -> any\n"
      "create e2 position=(1,2,3) velocity=(1,2,3) -> any\n"
      "query q1 all(health) -> any\n"
      "iterate q1 -> any\n"
      "destroy e1 -> any\n"
      "create e3 link=(e1,2.5) -> any\n");
  HookedMemory memory;
  LockstepOptions options;
  options.memory = &memory;
  LockstepCounts counts;
  ASSERT_FALSE(RunLockstep(program, options, &counts).has_value());
  const std::uint64_t requests = memory.requests;
  std::uint64_t refused = 0;
  for (std::uint64_t n = 0; n < requests; ++n) {
    memory.requests_left = n;
    LockstepCounts once;
    const auto failure = RunLockstep(program, options, &once);
    if (failure.has_value()) {
      EXPECT_EQ(failure->kind, Failure::Kind::kSetUp) << n << ": " << failure->message;
    }
    for (const auto& outcomes : once.operations) {
      refused += outcomes[LockstepCounts::kAllocationFailed];
    }
    EXPECT_EQ(once.failed_allocations, 0u) << "none was armed";
  }
  EXPECT_GT(refused, 0u);
}

}  // namespace
}  // namespace ashlar::model
