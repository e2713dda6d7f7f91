// ashlar layout: the byte map of a chunk.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"
#include "cli/chunk_plan.h"
#include "cli/layout_picture.h"
#include "cli/layout_svg.h"
#include "cli/number_options.h"
#include "cli/output_file.h"
#include "cli/subcommands.h"

namespace ashlar::cli {
namespace {

constexpr char kLayoutFooter[] =
    "A type is a scalar (f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool entity), an array of one\n"
    "(f32[3] or f32x3), fields in braces, or tag:\n\n"
    "  ashlar layout position:f32x3 velocity:f32x3 health:i32\n"
    "  ashlar layout 'body:{pos: f32[3], mass: f32}' disabled:tag --svg body.svg";

struct LayoutFlags {
  std::vector<std::string> components;
  std::uint64_t chunk_bytes = 4096;
  std::uint64_t rows_max = 0;
  std::string svg;
};

int Fail(const Console& console, const absl::Status& status) {
  console.Error("layout: " + std::string(status.message()));
  return kExitUsage;
}

int RunLayout(const LayoutFlags& flags, const Console& console) {
  std::vector<ComponentDescriptor> components;
  for (const std::string& argument : flags.components) {
    auto component = ParseComponentArgument(argument);
    if (!component.ok()) return Fail(console, component.status());
    components.push_back(*std::move(component));
  }
  const auto plan = MakeChunkPlan(components, static_cast<std::uint32_t>(flags.chunk_bytes),
                                  static_cast<std::uint32_t>(flags.rows_max));
  if (!plan.ok()) return Fail(console, plan.status());
  if (!flags.svg.empty()) {
    const absl::Status written = WriteFile(flags.svg, LayoutSvg(*plan));
    if (!written.ok()) return Fail(console, written);
  }
  console.out << LayoutTable(*plan) << '\n' << LayoutMap(*plan, console.colour);
  if (!flags.svg.empty()) console.out << "\nwritten: " << flags.svg << '\n';
  return kExitOk;
}

}  // namespace

Subcommand AddLayout(CLI::App* app, const Console& console) {
  CLI::App* sub = app->add_subcommand("layout", "Show where each column of a chunk lies");
  sub->footer(kLayoutFooter);
  auto flags = std::make_shared<LayoutFlags>();
  sub->add_option("components", flags->components, "Components, each as name:type")
      ->type_name("NAME:TYPE ...");
  AddCount(
      sub, "--chunk-bytes", {kChunkSizeBytesMin, kChunkSizeBytesMax},
      [flags](std::uint64_t n) { flags->chunk_bytes = n; },
      "Bytes of a chunk: a power of two from 4096 to 65536 (default 4096)");
  AddCount(
      sub, "--rows-max", {0, UINT32_MAX}, [flags](std::uint64_t n) { flags->rows_max = n; },
      "At most so many rows in a chunk; 0 for as many as fit (default)");
  sub->add_option("--svg", flags->svg, "Draw the chunk into this file as well")->type_name("FILE");
  return {sub, [flags, &console] { return RunLayout(*flags, console); }};
}

}  // namespace ashlar::cli
