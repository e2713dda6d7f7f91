// The subcommands: each file adds its flags to the app and says how to run what was asked.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "cli/console.h"

namespace ashlar::cli {

struct Subcommand {
  CLI::App* app = nullptr;
  std::function<int()> run;  // After the flags were read; returns the exit status.
};

// `app` and `console` must outlive what is returned.
Subcommand AddAudit(CLI::App* app, const Console& console);
Subcommand AddReplay(CLI::App* app, const Console& console);
Subcommand AddShrink(CLI::App* app, const Console& console);
Subcommand AddLayout(CLI::App* app, const Console& console);
Subcommand AddLines(CLI::App* app, const Console& console);
Subcommand AddSimulate(CLI::App* app, const Console& console);

}  // namespace ashlar::cli
