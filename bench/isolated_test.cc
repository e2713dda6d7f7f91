#include "bench/isolated.h"

#include "absl/status/status.h"
#include "bench/touched.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(IsWarm, ComparesTheLastFiveWithTheFiveBefore) {
  std::vector<double> samples = {9, 9, 9, 9, 9, 5, 5, 5, 5};
  EXPECT_FALSE(IsWarm(samples));  // Fewer than ten.
  samples.push_back(5);
  EXPECT_FALSE(IsWarm(samples));  // 9 to 5.
  for (int i = 0; i < 5; ++i) samples.push_back(5.2);
  EXPECT_TRUE(IsWarm(samples));
}

TEST(IsWarm, FivePercentAreTooMuchUpOrDown) {
  const auto warm = [](double before, double now) {
    std::vector<double> samples(kWarmWindow, before);
    samples.insert(samples.end(), kWarmWindow, now);
    return IsWarm(samples);
  };
  EXPECT_TRUE(warm(100, 104));
  EXPECT_FALSE(warm(100, 106));
  EXPECT_TRUE(warm(100, 96));
  EXPECT_FALSE(warm(100, 94));
}

TEST(IsWarm, OneOutlierDoesNotCount) {
  EXPECT_TRUE(IsWarm(std::vector<double>{5, 5, 5, 5, 5, 5, 99, 5, 5, 5}));
}

TEST(IsWarm, AnUnsteadyProcessIsWarmInTheEnd) {
  std::vector<double> samples;
  double next = 1;
  while (!IsWarm(samples)) samples.push_back(next *= 2);
  EXPECT_EQ(samples.size(), kWarmSamplesMax);
}

TEST(RunIsolated, WarmsUpThenSamples) {
  std::size_t calls = 0;
  IsolatedWork work;
  work.items = 2;
  work.sample = [&] { return ++calls <= 5 ? 100.0 : 10.0; };
  work.figures = {{"touched", 16, "bytes"}};
  work.outcome = [] { return "sum 1"; };
  const IsolatedReport report = RunIsolated(work);
  // Five slow ones, and as many fast ones as it takes for most of both windows to be fast.
  EXPECT_EQ(report.warm_up_samples, 13u);
  EXPECT_EQ(calls, report.warm_up_samples + kIsolatedSamples);
  EXPECT_EQ(report.samples, std::vector<double>(kIsolatedSamples, 5.0));
  EXPECT_EQ(report.outcome, "sum 1");
}

TEST(IsolatedReport, ComesBackAsItWent) {
  const IsolatedReport report = {{1.5, 2}, 12, {{"touched", 16, "bytes/\"e\""}}, "sum \"x\""};
  const auto read = ParseIsolated(PrintIsolated(report));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->samples, ElementsAre(1.5, 2));
  EXPECT_EQ(read->warm_up_samples, 12u);
  EXPECT_EQ(read->outcome, report.outcome);
  ASSERT_EQ(read->figures.size(), 1u);
  EXPECT_EQ(read->figures[0].unit, "bytes/\"e\"");
  EXPECT_FALSE(ParseIsolated("").ok());
  EXPECT_FALSE(ParseIsolated("{}").ok());
}

IsolatedCase ThreeVariants() {
  IsolatedCase work{"toy", 4, "ns/item", {}};
  for (const char* name : {"a", "b", "c"}) work.variants.push_back({name, nullptr});
  return work;
}

TEST(RunIsolatedCase, TurnsTheOrderRoundAndComparesWithinARun) {
  std::string order, error;
  double drift = 1;
  const auto results = RunIsolatedCase(
      ThreeVariants(), 2,
      [&](const IsolatedCase& work, std::size_t v) -> absl::StatusOr<IsolatedReport> {
        order += work.variants[v].name;
        if (order.size() == 4) drift = 10;  // The machine is slower in the second run.
        return IsolatedReport{{drift * static_cast<double>(v + 1)}, 10, {{"f", 1, "u"}}, "same"};
      },
      &error);
  EXPECT_EQ(order, "abccba");
  EXPECT_EQ(error, "");
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[2].variant, "c");
  EXPECT_DOUBLE_EQ(results[2].ratio.median, 3);
  EXPECT_DOUBLE_EQ(results[2].ratio.p90, 3);
  EXPECT_EQ(results[2].figures.size(), 1u);
}

TEST(RunIsolatedCase, ReportsAnotherOutcome) {
  std::string error;
  RunIsolatedCase(
      ThreeVariants(), 1,
      [](const IsolatedCase&, std::size_t v) -> absl::StatusOr<IsolatedReport> {
        return IsolatedReport{{1.0}, 10, {}, v == 1 ? "sum 2" : "sum 1"};
      },
      &error);
  EXPECT_EQ(error, "b says sum 2, a says sum 1");
}

TEST(RunIsolatedCase, ReportsAChildThatFailed) {
  std::string error;
  const auto results = RunIsolatedCase(
      ThreeVariants(), 1,
      [](const IsolatedCase&, std::size_t) -> absl::StatusOr<IsolatedReport> {
        return absl::InternalError("killed");
      },
      &error);
  EXPECT_TRUE(results.empty());
  EXPECT_EQ(error, "a: killed");
}

TEST(RunThisProgram, GivesWhatWasPrinted) {
  const auto printed = RunThisProgram({"--gtest_list_tests", "--gtest_filter=IsWarm.*"});
  ASSERT_TRUE(printed.ok()) << printed.status();
  EXPECT_THAT(*printed, HasSubstr("OneOutlierDoesNotCount"));
}

TEST(TouchedLines, CountsEachLineOnce) {
  alignas(64) char memory[256];
  TouchedLines lines;
  EXPECT_EQ(lines.Bytes(), 0u);
  lines.Add(memory, 1);
  lines.Add(memory + 60, 8);
  lines.Add(memory, 0);
  lines.Add(memory + 63, 1);
  EXPECT_EQ(lines.Bytes(), 128u);
}

TEST(ResidentBytes, GrowsWithWhatIsTouched) {
  const std::size_t before = ResidentBytes();
  if (before == 0) GTEST_SKIP() << "the system does not say";
  const std::vector<char> memory(std::size_t{64} << 20, 'x');
  EXPECT_GT(ResidentBytes(), before + memory.size() / 2);
}

}  // namespace
}  // namespace ashlar::bench
