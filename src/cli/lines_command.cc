// ashlar lines: how many cache lines a loop touches, in records and in columns.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ashlar/core/status.h"
#include "cli/chunk_plan.h"
#include "cli/line_plan.h"
#include "cli/number_options.h"
#include "cli/subcommands.h"

namespace ashlar::cli {
namespace {

constexpr char kLinesFooter[] =
    "A record is a struct of the components in the order given; a column holds one component of\n"
    "every entity, tight. Both begin at a multiple of 64. Types are those of ashlar layout:\n\n"
    "  ashlar lines position:f32x3 velocity:f32x3 rest:u8[40] --hot position,velocity";

struct LineFlags {
  std::vector<std::string> components;
  std::vector<std::string> hot;
  std::uint64_t entities = 64;
};

int RunLines(const LineFlags& flags, const Console& console) {
  const auto fail = [&console](const std::string& message) {
    console.Error("lines: " + message);
    return kExitUsage;
  };
  if (flags.components.empty()) return fail("at least one component is needed, as in health:i32");
  std::vector<ComponentDescriptor> components;
  for (const std::string& argument : flags.components) {
    auto component = ParseComponentArgument(argument);
    if (!component.ok()) return fail(std::string(component.status().message()));
    components.push_back(*std::move(component));
  }
  const auto plan = MakeLinePlan(components, flags.entities, flags.hot);
  if (!plan.ok()) return fail(std::string(plan.status().message()));
  console.out << LineTable(*plan) << '\n' << LinePicture(*plan, console.colour);
  return kExitOk;
}

}  // namespace

Subcommand AddLines(CLI::App* app, const Console& console) {
  CLI::App* sub = app->add_subcommand("lines", "Count the cache lines that a loop touches");
  sub->footer(kLinesFooter);
  auto flags = std::make_shared<LineFlags>();
  sub->add_option("components", flags->components, "Components, each as name:type")
      ->type_name("NAME:TYPE ...");
  AddCount(
      sub, "--entities", {1, 1'000'000'000}, [flags](std::uint64_t n) { flags->entities = n; },
      "Number of entities (default 64)");
  sub->add_option("--hot", flags->hot, "The components that the loop reads (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...");
  return {sub, [flags, &console] { return RunLines(*flags, console); }};
}

}  // namespace ashlar::cli
