// CrashNote: the last words of an audit whose process dies inside the kernel (a failed check, a
// memory fault, a sanitizer's report): what was running, and the command that finds the minimal
// trace of it.
#pragma once

#include <string_view>

namespace ashlar::cli {

// While one lives, a crash of this process prints the text that was set last on standard error,
// before the crash takes its course. At most one at a time.
class CrashNote {
 public:
  CrashNote();
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;

  // Copied, and cut to 1,000 bytes; "" for nothing to say. Cheap enough for every program.
  static void Set(std::string_view text);
};

}  // namespace ashlar::cli
