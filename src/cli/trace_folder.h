// Where traces lie, and reading all of them.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::cli {

struct NamedProgram {
  std::string path;
  oplang::Program program;
};

// The folder of the shipped traces: share/ashlar/traces beside the folder of this executable where
// it is installed, else props/traces of the source tree that it was built from. Error:
// kFileUnreadable when neither is there.
absl::StatusOr<std::string> ShippedTraces();

// All files *.trace in the folder and the folders in it, sorted by path. Errors: kFileUnreadable,
// also for a folder without any.
absl::StatusOr<std::vector<std::string>> ListTraces(const std::string& folder);

}  // namespace ashlar::cli
