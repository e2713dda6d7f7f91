#include "bench/report_data.h"

#include <map>
#include <sstream>

#include "absl/status/status.h"

namespace ashlar::bench {
namespace {

Spread ReadSpread(const Json& json) {
  return {json["median"].number(), json["p10"].number(), json["p90"].number()};
}

Result ReadResult(const Json& json) {
  Result result;
  result.workload = json["workload"].text();
  result.size = static_cast<std::size_t>(json["size"].number());
  result.unit = json["unit"].text();
  result.variant = json["variant"].text();
  result.rounds = static_cast<std::size_t>(json["rounds"].number());
  result.value = ReadSpread(json["value"]);
  result.ratio = ReadSpread(json["ratio"]);
  for (const Json& figure : json["figures"].items()) {
    result.figures.push_back(
        {figure["name"].text(), figure["value"].number(), figure["unit"].text()});
  }
  return result;
}

ProgramReport ReadOurs(const Json& json) {
  ProgramReport report;
  report.program = json["program"].text();
  report.about = json["about"].text();
  for (const auto& [name, value] : json.members()) {
    const bool fact = value.kind() == Json::Kind::kText && name != "program" && name != "about";
    if (fact) report.facts.push_back({name, value.text()});
  }
  for (const Json& result : json["results"].items()) report.results.push_back(ReadResult(result));
  return report;
}

// "movement/avx2/one_nan/1024": workload movement_one_nan, variant avx2, size 1024. False for
// another kind of name.
bool ReadGoogleName(const std::string& name, Result* result) {
  std::vector<std::string> words;
  std::istringstream stream(name);
  for (std::string word; std::getline(stream, word, '/');) words.push_back(word);
  if (words.size() < 3) return false;
  result->workload = words[0];
  result->variant = words[1];
  for (std::size_t i = 2; i + 1 < words.size(); ++i) result->workload += "_" + words[i];
  std::istringstream(words.back()) >> result->size;
  return result->size != 0;
}

// Its runs of one case are repetitions, from which we make the spread. The first variant of a case
// is the one that was run first.
ProgramReport ReadGoogle(const Json& json) {
  ProgramReport report;
  report.program = "kernels_bench";
  report.about =
      "The kernels alone, over plain arrays, at every level of vector instructions that the "
      "machine "
      "has. (Google Benchmark.)";
  std::map<std::pair<std::string, std::size_t>, std::vector<Result>> cases;
  std::vector<std::pair<std::string, std::size_t>> order;
  std::map<std::string, std::vector<double>> runs;
  for (const Json& run : json["benchmarks"].items()) {
    Result result;
    const std::string& name = run["run_name"].text();
    if (run["run_type"].text() != "iteration" || !ReadGoogleName(name, &result)) continue;
    if (runs[name].empty()) {
      result.unit = "ns/entity";
      auto& variants = cases[{result.workload, result.size}];
      if (variants.empty()) order.emplace_back(result.workload, result.size);
      variants.push_back(result);
    }
    runs[name].push_back(run["ns/entity"].number());
    Result& same = [&]() -> Result& {
      for (Result& r : cases[{result.workload, result.size}]) {
        if (r.variant == result.variant) return r;
      }
      return cases[{result.workload, result.size}].back();
    }();
    same.rounds = runs[name].size();
    same.value = SpreadOf(runs[name]);
  }
  for (const auto& key : order) {
    const double first = cases[key].front().value.median;
    for (Result& result : cases[key]) {
      result.ratio = {result.value.median / first, result.value.p10 / first,
                      result.value.p90 / first};
      report.results.push_back(result);
    }
  }
  return report;
}

}  // namespace

absl::StatusOr<ProgramReport> ReadProgramReport(const Json& json) {
  if (json["results"].kind() == Json::Kind::kArray) return ReadOurs(json);
  if (json["benchmarks"].kind() == Json::Kind::kArray) return ReadGoogle(json);
  return absl::InvalidArgumentError("no results in it");
}

absl::StatusOr<std::vector<Target>> ParseTargets(std::string_view text) {
  std::vector<Target> targets;
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    Target target;
    std::string field, more;
    const bool read = static_cast<bool>(words >> target.workload >> target.size >> target.variant >>
                                        field >> target.limit);
    if (!read || words >> more || (field != "ratio" && field != "value")) {
      return absl::InvalidArgumentError("line " + std::to_string(number) + ": " + line);
    }
    target.is_ratio = field == "ratio";
    targets.push_back(target);
  }
  return targets;
}

std::optional<double> MeasuredFor(const Target& target, const std::vector<ProgramReport>& reports) {
  for (const ProgramReport& report : reports) {
    for (const Result& r : report.results) {
      if (r.workload != target.workload || r.size != target.size || r.variant != target.variant) {
        continue;
      }
      return target.is_ratio ? r.ratio.median : r.value.median;
    }
  }
  return std::nullopt;
}

}  // namespace ashlar::bench
