#include "cli/chunk_plan.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "ashlar/core/status.h"
#include "ashlar/schema/field_type.h"
#include "ashlar/storage/chunk_layout.h"
#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

using Kind = ChunkPart::Kind;

// Appends a part, and the lost bytes between the one before and it.
void Append(ChunkPart part, std::vector<ChunkPart>* parts) {
  const std::uint32_t end = parts->empty() ? 0 : parts->back().end;
  if (end != part.begin) parts->push_back({Kind::kLost, "", "", 0, 0, end, part.begin});
  if (part.bytes() != 0) parts->push_back(std::move(part));
}

}  // namespace

std::uint32_t ChunkPlan::BytesOf(ChunkPart::Kind kind) const {
  std::uint32_t bytes = 0;
  for (const ChunkPart& part : parts) bytes += part.kind == kind ? part.bytes() : 0;
  return bytes;
}

absl::Status CheckNames(std::span<const ComponentDescriptor> components) {
  std::set<std::string_view> names;
  for (const ComponentDescriptor& component : components) {
    if (names.insert(component.name()).second) continue;
    return MakeError(absl::StatusCode::kAlreadyExists, Reason::kComponentNameTaken,
                     "component '" + std::string(component.name()) + "' is named twice");
  }
  return absl::OkStatus();
}

absl::StatusOr<ChunkPlan> MakeChunkPlan(std::span<const ComponentDescriptor> components,
                                        std::uint32_t chunk_bytes, std::uint32_t rows_max) {
  ASHLAR_RETURN_IF_ERROR(CheckNames(components));
  ChunkPlan plan;
  plan.chunk_bytes = chunk_bytes;
  plan.rows_max = rows_max;
  plan.row_bytes = sizeof(Entity);
  std::vector<const ComponentDescriptor*> columns;
  std::vector<std::uint32_t> sizes;
  for (const ComponentDescriptor& component : components) {
    if (component.is_tag()) {
      plan.tags.emplace_back(component.name());
      continue;
    }
    columns.push_back(&component);
    sizes.push_back(static_cast<std::uint32_t>(component.size_bytes()));
    plan.row_bytes += sizes.back();
  }
  const absl::StatusOr<ChunkLayout> layout = ChunkLayout::Compute(sizes, chunk_bytes, rows_max);
  if (!layout.ok()) return layout.status();

  plan.capacity = layout->capacity();
  const ColumnExtent& ids = layout->entities();
  Append({Kind::kHeader, "header", "", 0, 0, 0, ids.begin_bytes}, &plan.parts);
  Append({Kind::kEntities, "entity", "id", ids.stride_bytes, alignof(Entity), ids.begin_bytes,
          ids.end_bytes},
         &plan.parts);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnExtent& extent = layout->columns()[i];
    Append({Kind::kColumn, std::string(columns[i]->name()), columns[i]->TypeText(),
            extent.stride_bytes, static_cast<std::uint32_t>(columns[i]->alignment_bytes()),
            extent.begin_bytes, extent.end_bytes},
           &plan.parts);
  }
  // Nothing stands at the end of the chunk; the part of no bytes marks what is lost before it.
  Append({Kind::kLost, "", "", 0, 0, chunk_bytes, chunk_bytes}, &plan.parts);
  return plan;
}

absl::StatusOr<ComponentDescriptor> ParseComponentArgument(std::string_view argument) {
  const auto malformed = [&argument](const std::string& message) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kTextMalformed,
                     "'" + OneLine(argument, 120) + "': " + message);
  };
  const std::size_t colon = argument.find(':');
  if (colon == std::string_view::npos) {
    return malformed("a component is written name:type, as in health:i32");
  }
  TypeSpec spec;
  const std::string_view type = argument.substr(colon + 1);
  if (const auto error = ParseType(type, &spec); error.has_value()) {
    return malformed("column " + std::to_string(colon + 2 + error->offset) + ": " + error->message);
  }
  auto descriptor = ComponentDescriptor::FromSpec(argument.substr(0, colon), spec);
  if (!descriptor.ok()) return malformed(std::string(descriptor.status().message()));
  return descriptor;
}

}  // namespace ashlar::cli
