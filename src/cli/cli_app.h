// The whole command line as one function, so that tests can call it without a process.
#pragma once

#include <span>
#include <string>

#include "cli/console.h"

namespace ashlar::cli {

// Runs `ashlar <arguments>` (without the program's name) and returns the exit status.
int RunCli(std::span<const std::string> arguments, const Console& console);

}  // namespace ashlar::cli
