#include "cli/trace_folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "ashlar/core/status.h"

// Both are set by CMakeLists.txt.
#ifndef ASHLAR_TRACES_SOURCE_DIR
#error "ASHLAR_TRACES_SOURCE_DIR must name props/traces of the source tree"
#endif
#ifndef ASHLAR_TRACES_INSTALL_DIR
#error "ASHLAR_TRACES_INSTALL_DIR must name the traces, seen from the folder of the executable"
#endif

namespace ashlar::cli {
namespace {

namespace fs = std::filesystem;

absl::Status Unreadable(const std::string& message) {
  return MakeError(absl::StatusCode::kNotFound, Reason::kFileUnreadable, message);
}

}  // namespace

absl::StatusOr<std::string> ShippedTraces() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed =
        (executable.parent_path() / ASHLAR_TRACES_INSTALL_DIR).lexically_normal();
    if (fs::is_directory(installed, error)) return installed.string();
  }
  if (fs::is_directory(ASHLAR_TRACES_SOURCE_DIR, error)) return ASHLAR_TRACES_SOURCE_DIR;
  return Unreadable("the shipped traces are not where they were (" ASHLAR_TRACES_SOURCE_DIR
                    "); name a folder by --traces");
}

absl::StatusOr<std::vector<std::string>> ListTraces(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  if (!fs::is_directory(folder, error)) return Unreadable(folder + ": is not a folder");
  fs::recursive_directory_iterator at(folder, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().extension() == ".trace") paths.push_back(at->path().string());
  }
  if (error) return Unreadable(folder + ": cannot be read: " + error.message());
  if (paths.empty()) return Unreadable(folder + ": has no files *.trace");
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace ashlar::cli
