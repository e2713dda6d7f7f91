#include "bench/harness.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "ashlar/core/cpu.h"
#include "ashlar/core/version.h"

namespace ashlar::bench {
namespace {

double Percentile(const std::vector<double>& sorted, double part) {
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

// Forwards in one round, backwards in the next, each time from another variant on.
std::size_t Turn(std::size_t round, std::size_t turn, std::size_t count) {
  const std::size_t at = (round / 2 + turn) % count;
  return round % 2 == 0 ? at : count - 1 - at;
}

std::string JsonText(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

std::string JsonSpread(const Spread& spread) {
  char text[120];
  std::snprintf(text, sizeof text, "{\"median\": %.6g, \"p10\": %.6g, \"p90\": %.6g}",
                spread.median, spread.p10, spread.p90);
  return text;
}

std::string CpuModel() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

const char* CompilerName() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

bool IsOptimised() {
#if defined(__OPTIMIZE__)
  return true;
#else
  return false;
#endif
}

void PrintUsage(std::ostream& out, const char* program, const char* about) {
  out << about << "\n\nUsage: " << program
      << " [--filter TEXT] [--seconds S] [--json FILE] [--list]\n"
         "  --filter TEXT  only cases with TEXT in their name, such as iterate_pv/16384\n"
         "  --seconds S    measure each case for S seconds (1)\n"
         "  --json FILE    write the results to FILE as well\n"
         "  --list         print the names of the cases and stop\n"
         "Results are medians; ratios are medians of the ratios within a round.\n";
}

// 0: go on. Otherwise the exit status plus one.
int ParseFlags(int argc, char** argv, const char* about, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--help") {
      PrintUsage(std::cout, argv[0], about);
      return 1;
    }
    if (flag == "--list") {
      options->list = true;
      continue;
    }
    const bool known = flag == "--filter" || flag == "--seconds" || flag == "--json";
    if (!known || i + 1 == argc) {
      std::cerr << (known ? "a value is missing after " : "unknown flag ") << flag
                << "; --help lists the flags\n";
      return 3;
    }
    const std::string value = argv[++i];
    if (flag == "--filter") options->filter = value;
    if (flag == "--json") options->json_path = value;
    if (flag == "--seconds") {
      char* end = nullptr;
      options->seconds = std::strtod(value.c_str(), &end);
      if (value.empty() || *end != '\0' || !(options->seconds > 0 && options->seconds <= 3600)) {
        std::cerr << "--seconds takes a number above 0 and up to 3600, not '" << value << "'\n";
        return 3;
      }
    }
  }
  return 0;
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
                       samples[v].size(), SpreadOf(samples[v]), SpreadOf(ratios)});
  }
  return results;
}

}  // namespace

double Stopwatch::Now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

Spread SpreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {Percentile(values, 0.5), Percentile(values, 0.1), Percentile(values, 0.9)};
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
      const std::size_t v = Turn(round, turn, count);
      const double nanoseconds = work.variants[v].sample();
      samples[v].push_back(nanoseconds / work.items);
      measured += nanoseconds;
    }
  }
  *error = work.verify ? work.verify() : "";
  return ResultsOf(maker, work, samples);
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
                  "%-20s %9zu  %-14s %9.3f %9.3f %9.3f  %6.3f %6.3f %6.3f %7zu  %s\n",
                  r.workload.c_str(), r.size, r.variant.c_str(), r.value.median, r.value.p10,
                  r.value.p90, r.ratio.median, r.ratio.p10, r.ratio.p90, r.rounds, r.unit.c_str());
    out << line;
  }
  out.flush();
}

void PrintJson(std::ostream& out, const std::vector<Result>& results) {
  out << "{\n  \"ashlar\": " << JsonText(ASHLAR_VERSION_STRING)
      << ",\n  \"cpu\": " << JsonText(CpuModel())
      << ",\n  \"compiler\": " << JsonText(CompilerName())
      << ",\n  \"simd\": " << JsonText(std::string(SimdLevelName(BestSimdLevel())))
      << ",\n  \"results\": [";
  const char* separator = "\n";
  for (const Result& r : results) {
    out << separator << "    {\"workload\": " << JsonText(r.workload) << ", \"size\": " << r.size
        << ", \"variant\": " << JsonText(r.variant) << ", \"unit\": " << JsonText(r.unit)
        << ", \"rounds\": " << r.rounds << ", \"value\": " << JsonSpread(r.value)
        << ", \"ratio\": " << JsonSpread(r.ratio) << "}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
}

int RunBenchmarks(int argc, char** argv, const char* about, const std::vector<CaseMaker>& makers) {
  Options options;
  if (const int stop = ParseFlags(argc, argv, about, &options); stop != 0) return stop - 1;
  if (!IsOptimised()) std::cerr << "warning: built without optimisation; times mean nothing\n";

  std::vector<Result> all;
  bool failed = false;
  bool any = false;
  for (const CaseMaker& maker : makers) {
    if (maker.Name().find(options.filter) == std::string::npos) continue;
    const bool first = !any;
    any = true;
    if (options.list) {
      std::cout << maker.Name() << "\n";
      continue;
    }
    std::string error;
    const std::vector<Result> results = RunCase(maker, options, &error);
    PrintTable(std::cout, results, first);
    all.insert(all.end(), results.begin(), results.end());
    if (!error.empty()) {
      std::cerr << maker.Name() << ": the variants disagree: " << error << "\n";
      failed = true;
    }
  }
  if (!any) {
    std::cerr << "no case has '" << options.filter << "' in its name; --list prints the names\n";
    return 2;
  }
  if (!options.json_path.empty() && !options.list) {
    std::ofstream file(options.json_path);
    PrintJson(file, all);
    file.close();
    if (!file) {
      std::cerr << "cannot write " << options.json_path << "\n";
      return 1;
    }
  }
  return failed ? 1 : 0;
}

}  // namespace ashlar::bench
