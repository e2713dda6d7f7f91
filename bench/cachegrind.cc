#include "bench/cachegrind.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "absl/status/status.h"
#include "bench/isolated.h"

namespace ashlar::bench {

absl::StatusOr<CacheEvents> ParseCachegrind(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::vector<std::string> names;
  CacheEvents events;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "events:") {
      while (words >> word) names.push_back(word);
    }
    if (word != "summary:") continue;
    double count = 0;
    for (const std::string& name : names) {
      if (words >> count) events[name] = count;
    }
  }
  if (names.empty() || events.size() != names.size()) {
    return absl::InvalidArgumentError("not the output of cachegrind");
  }
  return events;
}

std::vector<std::string> CachegrindFlags(const std::string& out_path) {
  return {"--tool=cachegrind",    "--branch-sim=yes",
          "--cache-sim=yes",      "--I1=32768,8,64",
          "--D1=32768,8,64",      "--LL=262144,8,64",
          "--log-file=/dev/null", "--cachegrind-out-file=" + out_path};
}

absl::StatusOr<CacheEvents> RunUnderCachegrind(const std::vector<std::string>& flags) {
  std::error_code error;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const std::string out_path = (std::filesystem::temp_directory_path(error) /
                                ("ashlar-cachegrind-" + std::to_string(getpid())))
                                   .string();
  std::vector<std::string> words = {"valgrind"};
  for (const std::string& flag : CachegrindFlags(out_path)) words.push_back(flag);
  words.push_back(program);
  words.insert(words.end(), flags.begin(), flags.end());
  const auto printed = RunProgram(words);
  std::ifstream file(out_path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::filesystem::remove(out_path, error);
  if (!printed.ok()) return printed.status();
  return ParseCachegrind(text);
}

}  // namespace ashlar::bench
