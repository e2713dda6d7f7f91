// ReadTraceFile: a file as one text, of bounded size.
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"
#include "ashlar/oplang/trace_text.h"

namespace ashlar::inline v0::oplang {
namespace {

struct FileCloser {
  // Nothing was written, so a failed close loses nothing.
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};

absl::Status Unreadable(const std::string& path, int error_number) {
  return MakeError(
      absl::StatusCode::kNotFound, Reason::kFileUnreadable,
      absl::StrCat(path, ": cannot be read: ", std::generic_category().message(error_number)));
}

}  // namespace

absl::StatusOr<Program> ReadTraceFile(const std::string& path) {
  errno = 0;
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return Unreadable(path, errno);

  // Read piece by piece: a pipe or a device has no size to ask for. A directory opens, and fails
  // at the first read.
  std::string text;
  std::array<char, 64 * 1024> piece;
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), count);
    if (text.size() > kTraceFileBytesMax) {
      return MakeError(absl::StatusCode::kDataLoss, Reason::kTextMalformed,
                       absl::StrCat(path, ": a trace file has at most ", kTraceFileBytesMax,
                                    " bytes; this one is larger"));
    }
  }
  if (std::ferror(file.get()) != 0) return Unreadable(path, errno);
  return ParseTrace(text, path);
}

}  // namespace ashlar::inline v0::oplang
