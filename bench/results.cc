#include "bench/results.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/json.h"
#include "bench/machine.h"

namespace ashlar::bench {
namespace {

double Percentile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

std::string JsonSpread(const Spread& spread) {
  return "{\"median\": " + JsonNumber(spread.median) + ", \"p10\": " + JsonNumber(spread.p10) +
         ", \"p90\": " + JsonNumber(spread.p90) + "}";
}

std::string JsonFigures(const std::vector<Figure>& figures) {
  std::string text = "[";
  for (const Figure& figure : figures) {
    if (text.size() > 1) text += ", ";
    text += "{\"name\": " + JsonText(figure.name) + ", \"value\": " + JsonNumber(figure.value) +
            ", \"unit\": " + JsonText(figure.unit) + "}";
  }
  return text + "]";
}

}  // namespace

Spread SpreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {Percentile(values, 0.5), Percentile(values, 0.1), Percentile(values, 0.9)};
}

void PrintTable(std::ostream& out, const std::vector<Result>& results, bool with_header) {
  char line[200];
  if (with_header) {
    std::snprintf(line, sizeof line, "%-20s %9s  %-14s %9s %9s %9s  %6s %6s %6s %7s  %s\n",
                  "workload", "size", "variant", "median", "p10", "p90", "ratio", "p10", "p90",
                  "rounds", "unit");
    out << line;
  }
  for (const Result& r : results) {
    std::snprintf(line, sizeof line,
                  "%-20s %9zu  %-14s %9.3f %9.3f %9.3f  %6.3f %6.3f %6.3f %7zu  %s",
                  r.workload.c_str(), r.size, r.variant.c_str(), r.value.median, r.value.p10,
                  r.value.p90, r.ratio.median, r.ratio.p10, r.ratio.p90, r.rounds, r.unit.c_str());
    out << line;
    for (const Figure& figure : r.figures) {
      std::snprintf(line, sizeof line, "; %s %.4g %s", figure.name.c_str(), figure.value,
                    figure.unit.c_str());
      out << line;
    }
    out << "\n";
  }
  out.flush();
}

void PrintJson(std::ostream& out, const std::string& program, const std::string& about,
               const std::vector<Result>& results) {
  out << "{\n  \"program\": " << JsonText(program) << ",\n  \"about\": " << JsonText(about);
  for (const MachineFact& fact : MachineFacts()) {
    out << ",\n  " << JsonText(fact.name) << ": " << JsonText(fact.value);
  }
  out << ",\n  \"results\": [";
  const char* separator = "\n";
  for (const Result& r : results) {
    out << separator << "    {\"workload\": " << JsonText(r.workload) << ", \"size\": " << r.size
        << ", \"variant\": " << JsonText(r.variant) << ", \"unit\": " << JsonText(r.unit)
        << ", \"rounds\": " << r.rounds << ", \"value\": " << JsonSpread(r.value)
        << ", \"ratio\": " << JsonSpread(r.ratio);
    if (!r.figures.empty()) out << ", \"figures\": " << JsonFigures(r.figures);
    out << "}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
}

}  // namespace ashlar::bench
