#include "cli/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

std::size_t TerminalWidth(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return 100;
}

}  // namespace

void Console::Error(std::string_view message) const {
  err << "ashlar: " << OneLine(message, 1000) << '\n' << std::flush;
}

Console ProcessConsole(std::string_view program) {
  Console console{std::cout, std::cerr};
  const bool out_is_terminal = isatty(STDOUT_FILENO) != 0;
  console.err_is_terminal = isatty(STDERR_FILENO) != 0 && Environment("TERM") != "dumb";
  console.colour =
      out_is_terminal && Environment("NO_COLOR").empty() && Environment("TERM") != "dumb";
  if (out_is_terminal) {
    console.width = TerminalWidth(STDOUT_FILENO);
  } else if (console.err_is_terminal) {
    console.width = TerminalWidth(STDERR_FILENO);
  }
  console.program = program;
  return console;
}

}  // namespace ashlar::cli
