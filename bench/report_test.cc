#include <cmath>

#include "bench/chart.h"
#include "bench/report_page.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pointwise;

// --- Axes and numbers ---

TEST(LogAxis, GivesEqualRatiosEqualDistances) {
  const LogAxis axis(1, 1000, 0, 300);
  EXPECT_LT(axis.low(), 1);
  EXPECT_GT(axis.high(), 1000);
  EXPECT_NEAR(axis.At(axis.low()), 0, 1e-9);
  EXPECT_NEAR(axis.At(axis.high()), 300, 1e-9);
  EXPECT_NEAR(axis.At(10) - axis.At(1), axis.At(1000) - axis.At(100), 1e-9);
}

TEST(LogAxis, MayPointDown) {
  const LogAxis axis(1, 10, 200, 0);
  EXPECT_GT(axis.At(1), axis.At(10));
}

TEST(LogAxis, TicksAreRound) {
  EXPECT_THAT(LogAxis(0.5, 20'000, 0, 1).Ticks(),
              Pointwise(testing::DoubleNear(1e-6), {1.0, 10.0, 100.0, 1'000.0, 10'000.0}));
  EXPECT_THAT(LogAxis(0.9, 8, 0, 1).Ticks(), Pointwise(testing::DoubleNear(1e-9), {1.0, 2.0, 5.0}));
  EXPECT_THAT(LogAxis(2.8, 4.2, 0, 1).Ticks(), Pointwise(testing::DoubleNear(1e-9), {3.0, 4.0}));
}

TEST(LogAxis, OneNumberIsARange) {
  const LogAxis axis(5, 5, 0, 100);
  EXPECT_NEAR(axis.At(5), 50, 1e-9);
  EXPECT_FALSE(axis.Ticks().empty());
}

TEST(NumberText, ShowsThreeDigits) {
  EXPECT_EQ(NumberText(0), "0");
  EXPECT_EQ(NumberText(0.0521), "0.0521");
  EXPECT_EQ(NumberText(1.2345), "1.23");
  EXPECT_EQ(NumberText(45.678), "45.7");
  EXPECT_EQ(NumberText(999.4), "999");
  EXPECT_EQ(NumberText(999.7), "1,000");
  EXPECT_EQ(NumberText(12'345.6), "12,300");
  EXPECT_EQ(NumberText(-1'234'567), "-1,230,000");
  EXPECT_EQ(NumberText(0.00001234), "1.2e-05");
}

TEST(SizeText, SeparatesThousands) {
  EXPECT_EQ(SizeText(7), "7");
  EXPECT_EQ(SizeText(1'000), "1,000");
  EXPECT_EQ(SizeText(1'048'576), "1,048,576");
  EXPECT_EQ(ShortSize(10), "10");
  EXPECT_EQ(ShortSize(1'000), "1k");
  EXPECT_EQ(ShortSize(16'384), "16k");
  EXPECT_EQ(ShortSize(131'072), "128k");
  EXPECT_EQ(ShortSize(1'000'000), "1M");
  EXPECT_EQ(ShortSize(1'048'576), "1.05M");
}

TEST(Separate, MovesOnlyWhatIsTooClose) {
  EXPECT_THAT(Separate({10, 50, 100}, 15), ElementsAre(10, 50, 100));
  EXPECT_THAT(Separate({52, 50, 100}, 10), ElementsAre(56, 46, 100));
  EXPECT_THAT(Separate({5, 5, 5}, 10), ElementsAre(-5, 5, 15));
  EXPECT_THAT(Separate({}, 10), IsEmpty());
}

TEST(Separate, MovedBlocksMayMeet) {
  const std::vector<double> moved = Separate({0, 1, 12, 13}, 10);
  for (std::size_t i = 1; i < moved.size(); ++i) EXPECT_NEAR(moved[i] - moved[i - 1], 10, 1e-9);
  EXPECT_NEAR(moved[0] + moved[3], 13, 1e-9);
}

// --- Charts ---

std::size_t CountOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++count;
  return count;
}

TEST(BarChart, DrawsABarAndAWhiskerEach) {
  const std::string svg =
      BarChart({{"N = 1", {{"a<b", 0, {2, 1, 4}, ""}, {"c", 1, {1, 1, 1}, "0.5\u00d7"}}}, {"", {}}},
               "t & t");
  EXPECT_EQ(CountOf(svg, "<rect"), 2u);
  EXPECT_EQ(CountOf(svg, "class=\"whisker\""), 3u);  // One line and two ends; c has no spread.
  EXPECT_THAT(svg, HasSubstr("a&lt;b"));
  EXPECT_THAT(svg, HasSubstr("<title>t &amp; t</title>"));
  EXPECT_THAT(svg, HasSubstr("1  0.5\u00d7</text>"));
  // The scale is that of the longest whisker, 310 pixels: half of it is the bar of 2.
  EXPECT_THAT(svg, HasSubstr("width=\"155.0\""));
}

TEST(BarChart, BarsOfNothingAreStillThere) {
  EXPECT_THAT(BarChart({{"", {{"a", 0, {0, 0, 0}, ""}}}}, "t"), HasSubstr("width=\"1.0\""));
}

TEST(LineChart, DrawsALineAndALabelEach) {
  const std::string svg =
      LineChart({{"first", 0, {{10, 1}, {100, 2}}}, {"second", 9, {{10, 1}, {100, 2}, {1'000, 0}}}},
                "t", "ns");
  EXPECT_EQ(CountOf(svg, "<polyline"), 2u);
  EXPECT_EQ(CountOf(svg, "<circle"), 4u);  // What is not above 0 has no place on it.
  EXPECT_EQ(CountOf(svg, ">100</text>"), 1u);
  EXPECT_THAT(svg, HasSubstr("class=\"line c1\""));  // Eight colours, then again.
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(LineChart, NothingToShowIsNoChart) {
  EXPECT_EQ(LineChart({}, "t", "ns"), "");
  EXPECT_EQ(LineChart({{"a", 0, {{10, 0}, {0, 5}, {10, std::nan("")}}}}, "t", "ns"), "");
}

// --- What is read ---

ProgramReport ReportOf(const std::string& text) {
  const auto json = Json::Parse(text);
  EXPECT_TRUE(json.ok()) << json.status();
  auto report = ReadProgramReport(*json);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : ProgramReport();
}

const char kOurs[] = R"({"program": "storage_bench", "about": "All <of> `it`.", "cpu": "C & P",
  "results": [
    {"workload": "create", "size": 1024, "variant": "bare", "unit": "ns/entity", "rounds": 7,
     "value": {"median": 10, "p10": 9, "p90": 12}, "ratio": {"median": 1, "p10": 1, "p90": 1}},
    {"workload": "create", "size": 1024, "variant": "world", "unit": "ns/entity", "rounds": 7,
     "value": {"median": 20, "p10": 19, "p90": 22}, "ratio": {"median": 2.5, "p10": 2, "p90": 3},
     "figures": [{"name": "touched", "value": 16, "unit": "bytes"}]}]})";

TEST(ReadProgramReport, ReadsOurs) {
  const ProgramReport report = ReportOf(kOurs);
  EXPECT_EQ(report.program, "storage_bench");
  ASSERT_EQ(report.facts.size(), 1u);
  EXPECT_EQ(report.facts[0].value, "C & P");
  ASSERT_EQ(report.results.size(), 2u);
  EXPECT_EQ(report.results[1].variant, "world");
  EXPECT_EQ(report.results[1].ratio.p90, 3);
  EXPECT_EQ(report.results[1].figures[0].value, 16);
}

TEST(ReadProgramReport, ReadsGoogles) {
  const ProgramReport report = ReportOf(R"({"context": {}, "benchmarks": [
    {"run_name": "movement/scalar/16", "run_type": "iteration", "ns/entity": 4},
    {"run_name": "movement/scalar/16", "run_type": "iteration", "ns/entity": 2},
    {"run_name": "movement/scalar/16", "run_type": "aggregate", "ns/entity": 99},
    {"run_name": "movement/avx2/16", "run_type": "iteration", "ns/entity": 1},
    {"run_name": "movement/avx2/one_nan/16", "run_type": "iteration", "ns/entity": 7},
    {"run_name": "other", "run_type": "iteration", "ns/entity": 7}]})");
  ASSERT_EQ(report.results.size(), 3u);
  EXPECT_EQ(report.results[0].workload, "movement");
  EXPECT_EQ(report.results[0].size, 16u);
  EXPECT_EQ(report.results[0].rounds, 2u);
  EXPECT_EQ(report.results[0].value.median, 3);
  EXPECT_EQ(report.results[1].variant, "avx2");
  EXPECT_DOUBLE_EQ(report.results[1].ratio.median, 1.0 / 3);
  EXPECT_EQ(report.results[2].workload, "movement_one_nan");
}

TEST(ReadProgramReport, RefusesOtherJson) {
  EXPECT_FALSE(ReadProgramReport(*Json::Parse("{\"a\": 1}")).ok());
}

TEST(ParseTargets, ReadsLines) {
  const auto targets = ParseTargets("# why\n\ncreate 1024 world value 21\nmemory 5 w ratio 1.5\n");
  ASSERT_TRUE(targets.ok()) << targets.status();
  ASSERT_EQ(targets->size(), 2u);
  EXPECT_EQ((*targets)[0].size, 1024u);
  EXPECT_FALSE((*targets)[0].is_ratio);
  EXPECT_TRUE((*targets)[1].is_ratio);
  EXPECT_EQ((*targets)[1].limit, 1.5);
  for (const char* bad : {"create 1024 world value", "create 1024 world speed 2",
                          "create x world value 2", "create 1 world value 2 ns"}) {
    EXPECT_THAT(std::string(ParseTargets(std::string("# a\n") + bad).status().message()),
                HasSubstr("line 2"));
  }
}

// --- The page ---

TEST(TargetTable, MarksWhatIsMet) {
  const std::vector<ProgramReport> reports = {ReportOf(kOurs)};
  const auto table = [&](const char* line) { return TargetTable(*ParseTargets(line), reports); };
  EXPECT_THAT(table("create 1024 world value 20"), HasSubstr("20 (20) \u2714 met"));
  EXPECT_THAT(table("create 1024 world value 19"), HasSubstr("20 (19) \u2718 missed"));
  EXPECT_THAT(table("create 1024 world ratio 2.5"), HasSubstr("2.5\u00d7 (2.5\u00d7) \u2714 met"));
  EXPECT_THAT(table("create 16384 world value 20"), HasSubstr("not measured (20)"));
  EXPECT_THAT(table("create 1024 world value 20\nchurn 16384 world value 20"),
              HasSubstr("<td></td>"));
}

TEST(ReportPage, HasEverythingAndNeedsNothing) {
  const std::string page = ReportPage(
      {{ReportOf(kOurs)}, *ParseTargets("create 1024 world value 21"), {"No valgrind."}, "abc123"});
  for (const char* part :
       {"storage_bench", "All &lt;of&gt; <code>it</code>.", "C &amp; P", "abc123", "No valgrind.",
        "met", "id=\"create\"", "touched 16", "2.5\u00d7"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  for (const char* part : {"<script", "http:", "https:", "url(", "<link", "<img"}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
  // What is opened is closed.
  for (const char* tag : {"table", "section", "svg", "details", "div", "h2", "nav", "html"}) {
    const std::string name = tag;
    EXPECT_EQ(CountOf(page, "<" + name + ">") + CountOf(page, "<" + name + " "),
              CountOf(page, "</" + name + ">"))
        << tag;
  }
}

}  // namespace
}  // namespace ashlar::bench
