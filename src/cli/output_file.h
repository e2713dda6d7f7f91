// Files that the command writes.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace ashlar::cli {

// Makes or replaces the file. Error: kFileUnreadable, naming the file and why not.
absl::Status WriteFile(const std::string& path, std::string_view text);

}  // namespace ashlar::cli
