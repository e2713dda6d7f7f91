// ReadTraceFile: a file as one text, of bounded size.
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
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

absl::Status TooLarge(const std::string& path) {
  return MakeError(absl::StatusCode::kDataLoss, Reason::kTextMalformed,
                   absl::StrCat(path, ": a trace file has at most ", kTraceFileBytesMax,
                                " bytes; this one is larger"));
}

}  // namespace

absl::StatusOr<Program> ReadTraceFile(const std::string& path) {
  errno = 0;
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) return Unreadable(path, errno);

  std::string text;
  std::error_code no_size;
  const std::uintmax_t size = std::filesystem::file_size(path, no_size);
  if (!no_size) {
    if (size > kTraceFileBytesMax) return TooLarge(path);
    text.reserve(static_cast<std::size_t>(size));
  }
  // Read piece by piece: a pipe or a device has no size, and a file may grow. A directory opens,
  // and fails at the first read.
  std::array<char, std::size_t{64} * 1024> piece;
  while (const std::size_t count = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), count);
    if (text.size() > kTraceFileBytesMax) return TooLarge(path);
  }
  if (std::ferror(file.get()) != 0) return Unreadable(path, errno);
  return ParseTrace(text, path);
}

}  // namespace ashlar::inline v0::oplang
