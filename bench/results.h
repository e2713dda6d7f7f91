// What a benchmark has found: numbers with their spread, and how they are printed and written.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ashlar::bench {

// Middle and spread of a list of numbers.
struct Spread {
  double median = 0;
  double p10 = 0;
  double p90 = 0;
};

// Percentiles between two numbers are interpolated. REQUIRES: not empty.
Spread SpreadOf(std::vector<double> values);

// A number that was counted and not timed, such as "touched", 16, "bytes/element".
struct Figure {
  std::string name;
  double value = 0;
  std::string unit;
};

struct Result {
  std::string workload;
  std::size_t size = 0;
  std::string unit;
  std::string variant;
  std::size_t rounds = 0;
  Spread value;  // Per item.
  Spread ratio;  // To the first variant, round by round; 1 for the first.
  std::vector<Figure> figures = {};
};

void PrintTable(std::ostream& out, const std::vector<Result>& results, bool with_header);

// The results with the facts of the machine (machine.h), as JSON. `program` and `about` say where
// they come from.
void PrintJson(std::ostream& out, const std::string& program, const std::string& about,
               const std::vector<Result>& results);

}  // namespace ashlar::bench
