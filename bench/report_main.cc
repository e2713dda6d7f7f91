// bench_report: makes the page from the JSON of the benchmark programs.
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "bench/report_page.h"

namespace ashlar::bench {
namespace {

constexpr char kUsage[] =
    "Usage: bench_report --targets FILE --out FILE [--commit NAME] [--note SENTENCE]... JSON...\n"
    "Makes one page of HTML from what the benchmark programs wrote with --json.\n";

std::optional<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::cerr << "cannot read " << path << "\n";
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

bool AddReport(const std::string& path, PageInput* input) {
  const auto text = ReadFile(path);
  if (!text.has_value()) return false;
  const auto json = Json::Parse(*text);
  auto report = json.ok() ? ReadProgramReport(*json) : json.status();
  if (!report.ok()) {
    std::cerr << path << ": " << report.status().message() << "\n";
    return false;
  }
  input->reports.push_back(*std::move(report));
  return true;
}

bool SetTargets(const std::string& path, PageInput* input) {
  const auto text = ReadFile(path);
  if (!text.has_value()) return false;
  auto targets = ParseTargets(*text);
  if (!targets.ok()) {
    std::cerr << path << ": " << targets.status().message() << "\n";
    return false;
  }
  input->targets = *std::move(targets);
  return true;
}

int Run(int argc, char** argv) {
  PageInput input;
  std::string out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") {
      std::cout << kUsage;
      return 0;
    }
    if (!word.starts_with("--")) {
      if (!AddReport(word, &input)) return 2;
      continue;
    }
    if (i + 1 == argc) {
      std::cerr << "a value is missing after " << word << "\n" << kUsage;
      return 2;
    }
    const std::string value = argv[++i];
    if (word == "--targets") {
      if (!SetTargets(value, &input)) return 2;
    } else if (word == "--out") {
      out = value;
    } else if (word == "--commit") {
      input.commit = value;
    } else if (word == "--note") {
      input.notes.push_back(value);
    } else {
      std::cerr << "unknown flag " << word << "\n" << kUsage;
      return 2;
    }
  }
  if (out.empty() || input.reports.empty()) {
    std::cerr << kUsage;
    return 2;
  }
  std::ofstream file(out, std::ios::binary);
  file << ReportPage(input);
  file.close();
  if (!file) {
    std::cerr << "cannot write " << out << "\n";
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace ashlar::bench

int main(int argc, char** argv) { return ashlar::bench::Run(argc, argv); }
