// Console: where a subcommand writes, and what that place can show.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace ashlar::cli {

// Exit statuses of every subcommand.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // A fault was found, or the work could not be done.
inline constexpr int kExitUsage = 2;    // Bad flags, files or values.

struct Console {
  std::ostream& out;  // Results.
  std::ostream& err;  // Errors and progress.
  bool err_is_terminal = false;
  bool colour = false;             // `out` may be sent colours.
  std::size_t width = 100;         // Columns of text.
  std::string program = "ashlar";  // How the program was called, for commands to copy.

  // One line "ashlar: <message>" on `err`, control characters made visible.
  void Error(std::string_view message) const;
};

// Standard output and error of this process. Colours: where standard output is a terminal, TERM is
// not "dumb" and NO_COLOR is not set.
Console ProcessConsole(std::string_view program);

}  // namespace ashlar::cli
