#include "bench/harness.h"

#include <sstream>

#include "bench/json.h"
#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

TEST(SpreadOf, InterpolatesBetweenNumbers) {
  const Spread spread = SpreadOf({5, 1, 4, 2, 3});
  EXPECT_DOUBLE_EQ(spread.median, 3);
  EXPECT_DOUBLE_EQ(spread.p10, 1.4);
  EXPECT_DOUBLE_EQ(spread.p90, 4.6);
  EXPECT_DOUBLE_EQ(SpreadOf({2, 1}).median, 1.5);
}

TEST(SpreadOf, OneNumberIsAllThree) {
  const Spread spread = SpreadOf({7});
  EXPECT_EQ(spread.median, 7);
  EXPECT_EQ(spread.p10, 7);
  EXPECT_EQ(spread.p90, 7);
}

// A case of two variants whose times are made up; `order` notes who was sampled when.
CaseMaker TwoVariants(std::string* order, std::string verdict) {
  return {"toy", 10, "ns/item", [=] {
            Case work;
            work.items = 10;
            work.variants.push_back({"a", [=] { return *order += 'a', 100.0; }});
            work.variants.push_back({"b", [=] { return *order += 'b', 250.0; }});
            work.verify = [=] { return verdict; };
            return work;
          }};
}

TEST(RunCase, TakesTurnsAndComparesWithTheFirst) {
  std::string order;
  std::string error = "not yet";
  Options options;
  options.seconds = 1e-9;
  options.rounds_min = 4;
  const std::vector<Result> results = RunCase(TwoVariants(&order, ""), options, &error);
  EXPECT_EQ(error, "");
  EXPECT_EQ(order,
            "ab"
            "ab"
            "ba"
            "ba"
            "ab");  // The first pair warms up.
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].rounds, 4u);
  EXPECT_DOUBLE_EQ(results[0].value.median, 10);
  EXPECT_DOUBLE_EQ(results[0].ratio.median, 1);
  EXPECT_DOUBLE_EQ(results[1].value.median, 25);
  EXPECT_DOUBLE_EQ(results[1].ratio.median, 2.5);
}

TEST(RunCase, RunsUntilTheTimeIsUsedUp) {
  std::string order, error;
  Options options;
  options.seconds = 10 * 350e-9;
  options.rounds_min = 1;
  EXPECT_EQ(RunCase(TwoVariants(&order, ""), options, &error)[0].rounds, 10u);
}

TEST(RunCase, ReportsDisagreement) {
  std::string order, error;
  Options options;
  options.seconds = 1e-9;
  RunCase(TwoVariants(&order, "sums differ"), options, &error);
  EXPECT_EQ(error, "sums differ");
}

int RunProgram(std::vector<std::string> flags, const std::string& verdict = "") {
  std::string order;
  flags.insert(flags.begin(), "toy_bench");
  std::vector<char*> argv;
  for (std::string& flag : flags) argv.push_back(flag.data());
  return RunBenchmarks(static_cast<int>(argv.size()), argv.data(), "About.",
                       {TwoVariants(&order, verdict)});
}

TEST(RunBenchmarks, ExitStatusTellsWhatHappened) {
  EXPECT_EQ(RunProgram({"--help"}), 0);
  EXPECT_EQ(RunProgram({"--list"}), 0);
  EXPECT_EQ(RunProgram({"--seconds", "1e-9"}), 0);
  EXPECT_EQ(RunProgram({"--quick", "--seconds", "1e-9", "--filter", "toy/10"}), 0);
  EXPECT_EQ(RunProgram({"--seconds", "1e-9"}, "sums differ"), 1);
  EXPECT_EQ(RunProgram({"--seconds", "1e-9", "--json", "/no/such/folder/x.json"}), 1);
  EXPECT_EQ(RunProgram({"--fliter", "x"}), 2);
  EXPECT_EQ(RunProgram({"--filter"}), 2);
  EXPECT_EQ(RunProgram({"--filter", "nothing like it"}), 2);
  EXPECT_EQ(RunProgram({"--seconds", "0"}), 2);
  EXPECT_EQ(RunProgram({"--seconds", "1s"}), 2);
  EXPECT_EQ(RunProgram({"--seconds", "nan"}), 2);
}

TEST(PrintJson, WritesEveryNumber) {
  std::ostringstream out;
  PrintJson(out, "p_bench", "About.",
            {{"w", 3, "ns/\"x\"", "v", 5, {1.5, 1, 2}, {1, 1, 1}, {{"f", 2.5, "bytes"}}}});
  const auto json = Json::Parse(out.str());
  ASSERT_TRUE(json.ok()) << json.status();
  EXPECT_EQ((*json)["program"].text(), "p_bench");
  EXPECT_EQ((*json)["about"].text(), "About.");
  EXPECT_FALSE((*json)["cpu"].text().empty());
  ASSERT_EQ((*json)["results"].items().size(), 1u);
  const Json& result = (*json)["results"].items()[0];
  EXPECT_EQ(result["workload"].text(), "w");
  EXPECT_EQ(result["size"].number(), 3);
  EXPECT_EQ(result["unit"].text(), "ns/\"x\"");
  EXPECT_EQ(result["value"]["p90"].number(), 2);
  EXPECT_EQ(result["ratio"]["median"].number(), 1);
  EXPECT_EQ(result["figures"].items()[0]["value"].number(), 2.5);
}

}  // namespace
}  // namespace ashlar::bench
