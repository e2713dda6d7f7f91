// The plain driver: hands files to a fuzz target, one after the other, with any compiler.
//
//   world_fuzz_replay crash-1234 corpus/
//
// A folder stands for every file below it, in the order of their paths. A target that finds
// something aborts. Exit status: 0 all inputs ran; 2 a path cannot be read, or there was no input
// at all (a green run over nothing would prove nothing).

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

// Adds the file, or the files of the folder; false when there is neither.
bool AddInputs(const fs::path& path, std::vector<fs::path>* inputs) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_regular_file(status)) {
    inputs->push_back(path);
    return true;
  }
  if (!fs::is_directory(status)) return false;
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    if (at->is_regular_file(error)) found.push_back(at->path());
  }
  std::sort(found.begin(), found.end());
  inputs->insert(inputs->end(), found.begin(), found.end());
  return !error;
}

std::optional<std::vector<std::uint8_t>> ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file),
                                  std::istreambuf_iterator<char>()};
  if (file.bad()) return std::nullopt;
  return bytes;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::string name = fs::path(arguments[0]).filename().string();
  std::vector<fs::path> inputs;
  for (int i = 1; i < argument_count; ++i) {
    if (AddInputs(arguments[i], &inputs)) continue;
    std::fprintf(stderr, "%s: cannot read %s\n", name.c_str(), arguments[i]);
    return 2;
  }
  if (inputs.empty()) {
    std::fprintf(stderr, "%s: no inputs; usage: %s FILE_OR_FOLDER...\n", name.c_str(),
                 name.c_str());
    return 2;
  }
  const auto start = std::chrono::steady_clock::now();
  for (const fs::path& path : inputs) {
    const std::optional<std::vector<std::uint8_t>> bytes = ReadAll(path);
    if (!bytes.has_value()) {
      std::fprintf(stderr, "%s: cannot read %s\n", name.c_str(), path.c_str());
      return 2;
    }
    // What is being replayed stands in the log before a crash does.
    if (inputs.size() == 1) std::fprintf(stderr, "%s: %s\n", name.c_str(), path.c_str());
    LLVMFuzzerTestOneInput(bytes->data(), bytes->size());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%s: %zu inputs replayed in %.2f s, nothing found\n", name.c_str(), inputs.size(),
              seconds.count());
  return 0;
}
