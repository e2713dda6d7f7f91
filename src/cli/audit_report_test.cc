#include "cli/audit_report.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/audit_probes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::cli {
namespace {

using oplang::OpCode;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::uint64_t& Count(model::LockstepCounts& counts, OpCode code, Reason reason) {
  return counts.operations[static_cast<int>(code)][static_cast<int>(reason)];
}

TEST(OutcomeTable, HasALineForEachOperationThatOccurred) {
  model::LockstepCounts counts;
  Count(counts, OpCode::kCreate, Reason::kNone) = 1234567;
  Count(counts, OpCode::kCreate, Reason::kValueRefused) = 12;
  auto& creates = counts.operations[static_cast<int>(OpCode::kCreate)];
  creates[model::LockstepCounts::kAllocationFailed] = 3;
  creates[model::LockstepCounts::kConstructionThrew] = 2;
  Count(counts, OpCode::kDestroy, Reason::kEntityNotAlive) = 7;
  EXPECT_EQ(OutcomeTable(counts, 100),
            "operation                  all            OK  refused\n"
            "create               1,234,584     1,234,567  value_refused 12  allocation_failed 3\n"
            "                                              construction_threw 2\n"
            "destroy                      7             0  entity_not_alive 7\n");
}

TEST(OutcomeTable, LongListsGoOnInTheNextLine) {
  model::LockstepCounts counts;
  for (std::uint64_t& count : counts.operations[3]) count = 1000;
  const std::string table = OutcomeTable(counts, 90);
  std::size_t begin = 0;
  int lines = 0;
  for (std::size_t end; (end = table.find('\n', begin)) != std::string::npos; begin = end + 1) {
    EXPECT_LE(end - begin, 90u);
    ++lines;
  }
  EXPECT_GT(lines, 5);
  EXPECT_THAT(table, HasSubstr("file_unreadable 1,000"));
}

TEST(MissingProbes, AreThoseThatWereNotHit) {
  constexpr std::array<std::string_view, 3> kWanted = {"a", "b", "c"};
  const std::vector<ProbeCount> hit = {{"a", 1}, {"b", 0}, {"x", 5}};
  EXPECT_THAT(MissingProbes(kWanted, hit), ElementsAre("b", "c"));
  EXPECT_THAT(MissingProbes({}, hit), IsEmpty());
}

TEST(RarePairs, NamesPairsBelowTheThreshold) {
  model::LockstepCounts counts;
  const std::size_t all = RarePairs(counts).size();
  EXPECT_GT(all, 60u);
  Count(counts, OpCode::kAdd, Reason::kComponentPresent) = kPairsSeenMin - 1;
  EXPECT_THAT(RarePairs(counts), Contains("add component_present (99)"));
  EXPECT_THAT(RarePairs(counts), Contains("move OK (0)"));
  Count(counts, OpCode::kAdd, Reason::kComponentPresent) = kPairsSeenMin;
  EXPECT_EQ(RarePairs(counts).size(), all - 1);
  EXPECT_THAT(RarePairs(counts), Not(Contains(HasSubstr("add component_present"))));
}

TEST(RarePairs, AreEmptyWhereAllWasSeenOften) {
  model::LockstepCounts counts;
  for (auto& outcomes : counts.operations) {
    for (std::uint64_t& count : outcomes) count = 100;
  }
  EXPECT_THAT(RarePairs(counts), IsEmpty());
}

TEST(AuditProbes, NoNameTwiceAndNoneEmpty) {
  for (std::size_t i = 0; i < std::size(kAuditProbes); ++i) {
    EXPECT_FALSE(kAuditProbes[i].empty());
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(kAuditProbes[i], kAuditProbes[j]);
  }
}

TEST(ProgressText, SaysWhatIsDoneAndWhatIsLeft) {
  AuditPlan plan;
  plan.traces.resize(2);
  plan.operations = 4000;
  AuditState state;
  state.traces_run = 1;
  EXPECT_EQ(ProgressText(plan, state), "audit: 1 of 2 traces");
  state.traces_run = 2;
  state.random_programs = 10;
  state.random_operations = 1000;
  state.random_time = std::chrono::seconds(2);
  EXPECT_EQ(ProgressText(plan, state),
            "audit: 2 of 2 traces, 1,000 of 4,000 random operations, 500/s, 6.0 s left");
  plan.time = std::chrono::seconds(5);
  EXPECT_THAT(ProgressText(plan, state), HasSubstr("3.0 s left"));
}

TEST(AuditTotals, NamesSeedAndDigest) {
  AuditPlan plan;
  plan.seed = 77;
  plan.first_program = 5;
  AuditState state;
  state.digest = 0xabc;
  state.counts.failed_allocations = 12345;
  state.counts.thrown_constructions = 67;
  const std::string totals = AuditTotals(plan, state);
  EXPECT_THAT(totals, HasSubstr("seed                77, from program 5\n"));
  EXPECT_THAT(totals, HasSubstr("injected failures   12,345 allocations, 67 constructions\n"));
  EXPECT_THAT(totals, HasSubstr("state digest        0x0000000000000abc\n"));
}

TEST(Joined, HasCommasBetween) {
  EXPECT_EQ(Joined({}), "");
  const std::vector<std::string> words = {"a", "b"};
  EXPECT_EQ(Joined(words), "a, b");
}

}  // namespace
}  // namespace ashlar::cli
