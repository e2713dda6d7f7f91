#include "cli/cli_app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "ashlar/core/version.h"
#include "cli/subcommands.h"

namespace ashlar::cli {
namespace {

constexpr char kVersionLine[] = "ashlar " ASHLAR_VERSION_STRING;

constexpr char kAppFooter[] =
    "Exit status: 0 all well; 1 a fault was found, or the work could not be done;\n"
    "2 a bad flag, file or value.";

// The deepest app whose name was given, for the head of an error line.
std::string CommandName(const CLI::App& root) {
  std::string name = root.get_name();
  for (const CLI::App* app : root.get_subcommands()) name += ' ' + app->get_name();
  return name;
}

// What was wrong on the command line, in one line.
int ReportUsage(const CLI::App& root, const CLI::ParseError& error, const Console& console) {
  std::string message = error.what();
  const std::vector<std::string> extras = root.remaining();
  if (root.get_subcommands().empty() && !extras.empty() && !extras[0].starts_with('-')) {
    message = "there is no subcommand '" + extras[0] + "'";
  }
  std::replace(message.begin(), message.end(), '\n', ' ');
  const std::string name = CommandName(root);
  // Error() begins with the program's name itself.
  const std::string subcommand = name.substr(std::min(name.size(), root.get_name().size() + 1));
  console.Error((subcommand.empty() ? "" : subcommand + ": ") + message + " (see '" + name +
                " --help')");
  return kExitUsage;
}

int Dispatch(const std::vector<Subcommand>& subcommands, const Console& console) {
  for (const Subcommand& subcommand : subcommands) {
    if (!subcommand.app->parsed()) continue;
    const int status = subcommand.run();
    console.out.flush();
    if (!console.out) {
      console.Error("the output could not be written");
      return kExitFailure;
    }
    return status;
  }
  console.Error(
      "a subcommand is needed: audit, replay, shrink, layout, lines or simulate (see 'ashlar "
      "--help')");
  return kExitUsage;
}

}  // namespace

int RunCli(std::span<const std::string> arguments, const Console& console) {
  CLI::App root("Ashlar: an audited entity-component storage kernel.", "ashlar");
  root.footer(kAppFooter);
  const std::vector<Subcommand> subcommands = {
      AddAudit(&root, console),  AddReplay(&root, console), AddShrink(&root, console),
      AddLayout(&root, console), AddLines(&root, console),  AddSimulate(&root, console)};
  root.require_subcommand(0, 1);
  root.set_version_flag("--version", kVersionLine, "Print the version and exit");
  for (const Subcommand& subcommand : subcommands) {
    subcommand.app->set_version_flag("--version", kVersionLine, "Print the version and exit");
  }

  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    root.parse(reversed);
  } catch (const CLI::Success& success) {  // --help, --version
    root.exit(success, console.out, console.err);
    console.out.flush();
    return console.out ? kExitOk : kExitFailure;
  } catch (const CLI::ParseError& error) {
    return ReportUsage(root, error, console);
  }
  try {
    return Dispatch(subcommands, console);
  } catch (const std::bad_alloc&) {
    console.Error("out of memory");
  } catch (const std::exception& error) {
    console.Error(error.what());
  }
  return kExitFailure;
}

}  // namespace ashlar::cli
