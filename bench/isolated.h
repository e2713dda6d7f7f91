// Cases whose variants each run in a process of their own, so that what one variant does to the
// heap, the caches and the page tables is not paid for by another.
//
// A program of such cases starts itself again for each variant. The child prepares its data, warms
// up, takes its samples, and prints them as JSON; the parent compares them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/harness.h"

namespace ashlar::bench {

// A variant that stands ready in its process.
struct IsolatedWork {
  double items = 1;  // Per sample.
  Sample sample;
  std::vector<Figure> figures = {};
  // Called after the last sample: a text that all variants of the case must agree on.
  std::function<std::string()> outcome = {};
};

struct IsolatedVariant {
  std::string name;
  std::function<IsolatedWork()> make;
};

struct IsolatedCase {
  std::string workload;
  std::size_t size = 0;
  std::string unit;
  std::vector<IsolatedVariant> variants;  // The first is what the others are compared with.

  std::string Name() const { return workload + "/" + std::to_string(size); }
};

// What is measured in one process.
inline constexpr std::size_t kIsolatedSamples = 21;
inline constexpr std::size_t kWarmWindow = 5;
inline constexpr double kWarmChangeMax = 0.05;
inline constexpr std::size_t kWarmSamplesMax = 60;

// Whether these samples, in order, are those of a process that is warm: the median of the last five
// differs from that of the five before by less than five percent. A process that never settles is
// warm after kWarmSamplesMax.
bool IsWarm(std::span<const double> samples);

// What a child says, as one line of JSON, and the way back.
struct IsolatedReport {
  std::vector<double> samples;  // Per item.
  std::size_t warm_up_samples = 0;
  std::vector<Figure> figures;
  std::string outcome;
};
IsolatedReport RunIsolated(const IsolatedWork& work);
std::string PrintIsolated(const IsolatedReport& report);
absl::StatusOr<IsolatedReport> ParseIsolated(const std::string& line);

// Starts a program, found as the shell would, waits for it, and returns what it printed. Error: it
// could not be started, or its exit status was not 0.
absl::StatusOr<std::string> RunProgram(std::vector<std::string> words);
// The same for this program.
absl::StatusOr<std::string> RunThisProgram(const std::vector<std::string>& flags);

// How one child is run, for tests; RunThisProgram for everyone else.
using IsolatedRunner =
    std::function<absl::StatusOr<IsolatedReport>(const IsolatedCase& work, std::size_t variant)>;

// Runs a case: `runs` times each variant, in the order of VariantAt. A ratio is that of the medians
// within a run. `error` gets what went wrong, or which variant has another outcome than the first.
std::vector<Result> RunIsolatedCase(const IsolatedCase& work, std::size_t runs,
                                    const IsolatedRunner& runner, std::string* error);

// The whole program, like RunBenchmarks.
int RunIsolatedBenchmarks(int argc, char** argv, const std::string& about,
                          const std::vector<IsolatedCase>& cases);

}  // namespace ashlar::bench
