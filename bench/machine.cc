#include "bench/machine.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "ashlar/core/cpu.h"
#include "ashlar/core/version.h"

namespace ashlar::bench {
namespace {

std::string CpuModel() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string FirstLineOf(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Where the system does not list the caches, the C library may know their sizes from the processor.
std::vector<std::string> CachesOfProcessor() {
  std::vector<std::string> caches;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  const std::pair<const char*, int> names[] = {{"L1 data", _SC_LEVEL1_DCACHE_SIZE},
                                               {"L2", _SC_LEVEL2_CACHE_SIZE},
                                               {"L3", _SC_LEVEL3_CACHE_SIZE}};
  for (const auto& [name, number] : names) {
    const long bytes = sysconf(number);
    if (bytes > 0) caches.push_back(std::string(name) + " " + std::to_string(bytes / 1024) + "K");
  }
#endif
  return caches;
}

// "L1 data 48K, L2 unified 1024K", in the order of levels.
std::string Caches() {
  const std::filesystem::path folder = "/sys/devices/system/cpu/cpu0/cache";
  std::vector<std::string> caches;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string level = FirstLineOf(entry.path() / "level");
    const std::string size = FirstLineOf(entry.path() / "size");
    std::string type = FirstLineOf(entry.path() / "type");
    std::transform(type.begin(), type.end(), type.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!level.empty() && !size.empty()) caches.push_back("L" + level + " " + type + " " + size);
  }
  std::sort(caches.begin(), caches.end());
  if (caches.empty()) caches = CachesOfProcessor();
  std::string text;
  for (const std::string& cache : caches) text += (text.empty() ? "" : ", ") + cache;
  return text.empty() ? "unknown" : text;
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

std::string Date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[40];
  return std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &utc) != 0 ? text : "unknown";
}

}  // namespace

std::vector<MachineFact> MachineFacts() {
  return {{"ashlar", ASHLAR_VERSION_STRING},
          {"cpu", CpuModel()},
          {"cores", std::to_string(std::thread::hardware_concurrency())},
          {"caches", Caches()},
          {"compiler", CompilerName()},
          {"simd", std::string(SimdLevelName(BestSimdLevel()))},
          {"date", Date()}};
}

}  // namespace ashlar::bench
