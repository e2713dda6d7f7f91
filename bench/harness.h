// A harness for comparing ways of doing the same work.
//
// Times on a shared machine drift by more than the differences that matter, so the variants of a
// case take turns in one run, in an order that changes from round to round. What is quoted is the
// median over the rounds, and the median of the ratios within a round.
#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ashlar::bench {

// Does the work of one sample and returns what it took, in nanoseconds, without its preparation.
// Every variant of a case is sampled equally often.
using Sample = std::function<double()>;

struct Variant {
  std::string name;
  Sample sample;
};

// One workload at one size. The first variant is what the others are compared with. Variants keep
// what they need alive by themselves.
struct Case {
  double items = 1;  // Per sample; the result is per item.
  std::vector<Variant> variants;
  // Called after the last round: what the variants disagree about, or nothing. Variants that do
  // different work must not be compared.
  std::function<std::string()> verify;
};

// A case that is made when its turn comes, since large worlds do not all fit in memory at once.
struct CaseMaker {
  std::string workload;
  std::size_t size = 0;
  std::string unit;  // "ns/entity"
  std::function<Case()> make;

  std::string Name() const { return workload + "/" + std::to_string(size); }
};

// Middle and spread of a list of numbers.
struct Spread {
  double median = 0;
  double p10 = 0;
  double p90 = 0;
};

// Percentiles between two numbers are interpolated. REQUIRES: not empty.
Spread SpreadOf(std::vector<double> values);

struct Result {
  std::string workload;
  std::size_t size = 0;
  std::string unit;
  std::string variant;
  std::size_t rounds = 0;
  Spread value;  // Per item.
  Spread ratio;  // To the first variant, round by round; 1 for the first.
};

struct Options {
  double seconds = 1.0;  // For one case, preparation not counted.
  std::size_t rounds_min = 7;
  std::string filter;     // Part of a name such as "iterate_pv/16384"; empty: all.
  std::string json_path;  // Empty: none.
  bool list = false;
};

// Runs one case: a round to warm up, then rounds until the time is used up (at least rounds_min).
// `error` gets what `verify` says.
std::vector<Result> RunCase(const CaseMaker& maker, const Options& options, std::string* error);

void PrintTable(std::ostream& out, const std::vector<Result>& results, bool with_header);
void PrintJson(std::ostream& out, const std::vector<Result>& results);

// The whole program: flags, cases, table, JSON. Returns the exit status: 0; 1 where variants
// disagree or a file cannot be written; 2 for bad flags.
int RunBenchmarks(int argc, char** argv, const char* about, const std::vector<CaseMaker>& makers);

// Times a piece of work by what this thread spent on the processor, so that other programs on the
// machine disturb it by their use of the caches alone. Reading it is a system call: a sample should
// last 100 microseconds or more.
class Stopwatch {
 public:
  Stopwatch() : begin_(Now()) {}
  double Nanoseconds() const { return Now() - begin_; }

 private:
  static double Now();

  double begin_;
};

// Makes the compiler believe that `value` is used.
template <typename T>
inline void Keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace ashlar::bench
