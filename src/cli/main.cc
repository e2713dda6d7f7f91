// The ashlar command.
#include <string>
#include <vector>

#include "cli/cli_app.h"
#include "cli/console.h"

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const ashlar::cli::Console console =
      ashlar::cli::ProcessConsole(argc > 0 && argv[0][0] != '\0' ? argv[0] : "ashlar");
  return ashlar::cli::RunCli(arguments, console);
}
