// What the report reads: the JSON of the benchmark programs, and the targets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/json.h"
#include "bench/machine.h"
#include "bench/results.h"

namespace ashlar::bench {

// The results of one program.
struct ProgramReport {
  std::string program;
  std::string about;
  std::vector<MachineFact> facts;
  std::vector<Result> results;  // Cases one after the other, variants of a case side by side.
};

// Reads what PrintJson wrote, or what Google Benchmark wrote of cases that are called
// WORKLOAD/VARIANT[/MORE]/SIZE and have a counter "ns/entity". Error: INVALID_ARGUMENT for JSON
// that is neither.
absl::StatusOr<ProgramReport> ReadProgramReport(const Json& json);

// One line of the targets' file.
struct Target {
  std::string workload;
  std::size_t size = 0;
  std::string variant;
  bool is_ratio = false;
  double limit = 0;
};

// Lines of five words; empty lines and those that begin with # are passed over. Error:
// INVALID_ARGUMENT naming the line.
absl::StatusOr<std::vector<Target>> ParseTargets(std::string_view text);

// The median that the target is about; nothing where it was not measured.
std::optional<double> MeasuredFor(const Target& target, const std::vector<ProgramReport>& reports);

}  // namespace ashlar::bench
