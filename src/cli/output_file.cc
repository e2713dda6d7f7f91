#include "cli/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "ashlar/core/status.h"

namespace ashlar::cli {

absl::Status WriteFile(const std::string& path, std::string_view text) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool is_written = file != nullptr;
  if (file != nullptr) {
    is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int write_errno = errno;
    // A full disk may show at the close only.
    if (std::fclose(file) != 0) {
      is_written = false;
    } else if (!is_written) {
      errno = write_errno;
    }
  }
  if (is_written) return absl::OkStatus();
  return MakeError(absl::StatusCode::kNotFound, Reason::kFileUnreadable,
                   path + ": cannot be written: " + std::strerror(errno));
}

}  // namespace ashlar::cli
