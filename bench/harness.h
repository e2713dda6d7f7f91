// A harness for comparing ways of doing the same work.
//
// Times on a shared machine drift by more than the differences that matter, so the variants of a
// case take turns in one run, in an order that changes from round to round. What is quoted is the
// median over the rounds, and the median of the ratios within a round.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/options.h"
#include "bench/results.h"

namespace ashlar::bench {

// Does the work of one sample and returns what it took, in nanoseconds, without its preparation.
// Every variant of a case is sampled equally often.
using Sample = std::function<double()>;

struct Variant {
  std::string name;
  Sample sample;
  std::vector<Figure> figures = {};
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

// Whose turn it is: forwards in one round, backwards in the next, each time from another variant
// on. Each of the `count` variants has one turn in a round.
std::size_t VariantAt(std::size_t round, std::size_t turn, std::size_t count);

// Runs one case: a round to warm up, then rounds until the time is used up (at least rounds_min).
// `error` gets what `verify` says.
std::vector<Result> RunCase(const CaseMaker& maker, const Options& options, std::string* error);

// Runs one case and prints its table. Several kinds of case, one program.
using CaseRunner = std::function<std::vector<Result>(std::size_t number, std::string* error)>;

// The cases whose names have the filter's text in them, their tables, the JSON. Returns the exit
// status: 0; 1 where variants disagree or a file cannot be written; 2 where no case has that name.
int RunSelected(const std::string& program, const std::string& about, const Options& options,
                const std::vector<std::string>& names, const CaseRunner& run);

// The whole program: flags, cases, table, JSON. Returns the exit status, as RunSelected does; 2 for
// bad flags too.
int RunBenchmarks(int argc, char** argv, const std::string& about,
                  const std::vector<CaseMaker>& makers, const std::string& more_help = "");

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

// Times work that several threads do, by the clock on the wall: waiting for a thread counts, and so
// does what other programs take away.
class WallClock {
 public:
  WallClock() : begin_(Now()) {}
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
