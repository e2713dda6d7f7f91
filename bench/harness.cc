#include "bench/harness.h"

#include <time.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace ashlar::bench {
namespace {

bool IsOptimised() {
#if defined(__OPTIMIZE__)
  return true;
#else
  return false;
#endif
}

double ReadClock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

// What is measured now, on a line that the next one overwrites. A log would only grow by it.
void ShowProgress(std::size_t number, std::size_t count, const std::string& name) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::cerr << "\r\033[K" << number << " of " << count << ": " << name << std::flush;
}
void EndProgress() {
  if (isatty(STDERR_FILENO) != 0) std::cerr << "\r\033[K" << std::flush;
}

std::vector<Result> ResultsOf(const CaseMaker& maker, const Case& work,
                              const std::vector<std::vector<double>>& samples) {
  std::vector<Result> results;
  for (std::size_t v = 0; v < work.variants.size(); ++v) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < samples[v].size(); ++round) {
      ratios.push_back(samples[v][round] / samples[0][round]);
    }
    results.push_back({maker.workload, maker.size, maker.unit, work.variants[v].name,
                       samples[v].size(), SpreadOf(samples[v]), SpreadOf(ratios),
                       work.variants[v].figures});
  }
  return results;
}

bool WriteJson(const std::string& path, const std::string& program, const std::string& about,
               const std::vector<Result>& results) {
  std::ofstream file(path);
  PrintJson(file, program, about, results);
  file.close();
  if (file) return true;
  std::cerr << "cannot write " << path << "\n";
  return false;
}

}  // namespace

double Stopwatch::Now() { return ReadClock(CLOCK_THREAD_CPUTIME_ID); }
double WallClock::Now() { return ReadClock(CLOCK_MONOTONIC); }

std::size_t VariantAt(std::size_t round, std::size_t turn, std::size_t count) {
  const std::size_t at = (round / 2 + turn) % count;
  return round % 2 == 0 ? at : count - 1 - at;
}

std::vector<Result> RunCase(const CaseMaker& maker, const Options& options, std::string* error) {
  const Case work = maker.make();
  const std::size_t count = work.variants.size();
  std::vector<std::vector<double>> samples(count);
  for (const Variant& variant : work.variants) variant.sample();

  double measured = 0;
  for (std::size_t round = 0; round < options.rounds_min || measured < options.seconds * 1e9;
       ++round) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t v = VariantAt(round, turn, count);
      const double nanoseconds = work.variants[v].sample();
      samples[v].push_back(nanoseconds / work.items);
      measured += nanoseconds;
    }
  }
  *error = work.verify ? work.verify() : "";
  return ResultsOf(maker, work, samples);
}

int RunSelected(const std::string& program, const std::string& about, const Options& options,
                const std::vector<std::string>& names, const CaseRunner& run) {
  if (!IsOptimised()) std::cerr << "warning: built without optimisation; times mean nothing\n";
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].find(options.filter) != std::string::npos) selected.push_back(i);
  }
  if (selected.empty()) {
    std::cerr << "no case has '" << options.filter << "' in its name; --list prints the names\n";
    return 2;
  }
  std::vector<Result> all;
  bool failed = false;
  for (std::size_t k = 0; k < selected.size(); ++k) {
    const std::string& name = names[selected[k]];
    if (options.list) {
      std::cout << name << "\n";
      continue;
    }
    std::string error;
    ShowProgress(k + 1, selected.size(), name);
    const std::vector<Result> results = run(selected[k], &error);
    EndProgress();
    PrintTable(std::cout, results, k == 0);
    all.insert(all.end(), results.begin(), results.end());
    if (!error.empty()) {
      std::cerr << name << ": the variants disagree: " << error << "\n";
      failed = true;
    }
  }
  if (!options.json_path.empty() && !options.list) {
    failed |= !WriteJson(options.json_path, program, about, all);
  }
  return failed ? 1 : 0;
}

int RunBenchmarks(int argc, char** argv, const std::string& about,
                  const std::vector<CaseMaker>& makers, const std::string& more_help) {
  Options options;
  if (const auto stop = ParseOptions(argc, argv, about, more_help, &options)) return *stop;
  std::vector<std::string> names;
  for (const CaseMaker& maker : makers) names.push_back(maker.Name());
  return RunSelected(std::filesystem::path(argv[0]).filename().string(), about, options, names,
                     [&](std::size_t number, std::string* error) {
                       return RunCase(makers[number], options, error);
                     });
}

}  // namespace ashlar::bench
