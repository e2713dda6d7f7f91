#include "bench/isolated.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "absl/status/status.h"
#include "bench/json.h"

extern char** environ;

namespace ashlar::bench {
namespace {

// The flag that makes a program do one variant; not for people, and so not in the help.
constexpr char kChildFlag[] = "--isolated-child";

double MedianOf(std::span<const double> samples) {
  return SpreadOf({samples.begin(), samples.end()}).median;
}

// The child's side: finds its variant by number and prints what it found.
int RunChild(const std::vector<IsolatedCase>& cases, const std::string& name) {
  for (const IsolatedCase& work : cases) {
    for (const IsolatedVariant& variant : work.variants) {
      if (work.Name() + "/" + variant.name != name) continue;
      std::cout << PrintIsolated(RunIsolated(variant.make())) << std::endl;
      return 0;
    }
  }
  std::cerr << "no variant is called " << name << "\n";
  return 2;
}

absl::StatusOr<IsolatedReport> RunInChild(const IsolatedCase& work, std::size_t variant) {
  const auto printed =
      RunThisProgram({kChildFlag, work.Name() + "/" + work.variants[variant].name});
  if (!printed.ok()) return printed.status();
  return ParseIsolated(*printed);
}

std::string ReadToEnd(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

bool IsWarm(std::span<const double> samples) {
  if (samples.size() >= kWarmSamplesMax) return true;
  if (samples.size() < 2 * kWarmWindow) return false;
  const double now = MedianOf(samples.last(kWarmWindow));
  const double before = MedianOf(samples.last(2 * kWarmWindow).first(kWarmWindow));
  return std::abs(now - before) < kWarmChangeMax * before;
}

IsolatedReport RunIsolated(const IsolatedWork& work) {
  std::vector<double> warm_up;
  while (!IsWarm(warm_up)) warm_up.push_back(work.sample());
  IsolatedReport report;
  report.warm_up_samples = warm_up.size();
  for (std::size_t i = 0; i < kIsolatedSamples; ++i) {
    report.samples.push_back(work.sample() / work.items);
  }
  report.figures = work.figures;
  if (work.outcome) report.outcome = work.outcome();
  return report;
}

std::string PrintIsolated(const IsolatedReport& report) {
  std::string text = "{\"warm_up\": " + std::to_string(report.warm_up_samples) +
                     ", \"outcome\": " + JsonText(report.outcome) + ", \"samples\": [";
  const char* separator = "";
  for (const double sample : report.samples) {
    text += separator + JsonNumber(sample);
    separator = ", ";
  }
  text += "], \"figures\": [";
  separator = "";
  for (const Figure& figure : report.figures) {
    text += std::string(separator) + "{\"name\": " + JsonText(figure.name) +
            ", \"value\": " + JsonNumber(figure.value) + ", \"unit\": " + JsonText(figure.unit) +
            "}";
    separator = ", ";
  }
  return text + "]}";
}

absl::StatusOr<IsolatedReport> ParseIsolated(const std::string& line) {
  const auto json = Json::Parse(line);
  if (!json.ok()) return json.status();
  IsolatedReport report;
  report.warm_up_samples = static_cast<std::size_t>((*json)["warm_up"].number());
  report.outcome = (*json)["outcome"].text();
  for (const Json& sample : (*json)["samples"].items()) report.samples.push_back(sample.number());
  for (const Json& figure : (*json)["figures"].items()) {
    report.figures.push_back(
        {figure["name"].text(), figure["value"].number(), figure["unit"].text()});
  }
  if (report.samples.empty()) return absl::InvalidArgumentError("a child without samples");
  return report;
}

absl::StatusOr<std::string> RunThisProgram(const std::vector<std::string>& flags) {
  std::vector<std::string> words = {"/proc/self/exe"};
  words.insert(words.end(), flags.begin(), flags.end());
  return RunProgram(std::move(words));
}

absl::StatusOr<std::string> RunProgram(std::vector<std::string> words) {
  int ends[2];
  if (pipe(ends) != 0) return absl::InternalError("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[1]);

  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  const std::string printed = failed == 0 ? ReadToEnd(ends[0]) : "";
  close(ends[0]);
  if (failed != 0) return absl::InternalError(words[0] + " cannot be started");
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return absl::InternalError(words[0] + " ended with wait status " + std::to_string(status));
  }
  return printed;
}

std::vector<Result> RunIsolatedCase(const IsolatedCase& work, std::size_t runs,
                                    const IsolatedRunner& runner, std::string* error) {
  const std::size_t count = work.variants.size();
  std::vector<std::vector<IsolatedReport>> reports(count);
  for (std::size_t run = 0; run < runs; ++run) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      const std::size_t v = VariantAt(run, turn, count);
      auto report = runner(work, v);
      if (!report.ok()) {
        *error = work.variants[v].name + ": " + std::string(report.status().message());
        return {};
      }
      reports[v].push_back(*std::move(report));
    }
  }
  std::vector<Result> results;
  for (std::size_t v = 0; v < count; ++v) {
    std::vector<double> samples, ratios;
    for (std::size_t run = 0; run < runs; ++run) {
      const IsolatedReport& report = reports[v][run];
      samples.insert(samples.end(), report.samples.begin(), report.samples.end());
      ratios.push_back(MedianOf(report.samples) / MedianOf(reports[0][run].samples));
      if (report.outcome != reports[0][0].outcome && error->empty()) {
        *error = work.variants[v].name + " says " + report.outcome + ", " + work.variants[0].name +
                 " says " + reports[0][0].outcome;
      }
    }
    results.push_back({work.workload, work.size, work.unit, work.variants[v].name, samples.size(),
                       SpreadOf(samples), SpreadOf(ratios), reports[v].back().figures});
  }
  return results;
}

int RunIsolatedBenchmarks(int argc, char** argv, const std::string& about,
                          const std::vector<IsolatedCase>& cases) {
  if (argc == 3 && argv[1] == std::string(kChildFlag)) return RunChild(cases, argv[2]);
  Options options;
  if (const auto stop = ParseOptions(argc, argv, about, "", &options)) return *stop;
  std::vector<std::string> names;
  for (const IsolatedCase& work : cases) names.push_back(work.Name());
  const std::size_t runs = options.quick ? 2 : 4;
  return RunSelected(std::filesystem::path(argv[0]).filename().string(), about, options, names,
                     [&](std::size_t number, std::string* error) {
                       return RunIsolatedCase(cases[number], runs, RunInChild, error);
                     });
}

}  // namespace ashlar::bench
