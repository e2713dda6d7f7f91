// ChunkPlan: a chunk layout with names: every byte of the chunk belongs to one part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::cli {

struct ChunkPart {
  enum class Kind : std::uint8_t { kHeader, kEntities, kColumn, kLost };
  Kind kind = Kind::kLost;
  std::string name;                   // "header", "entity", the component's name; empty for kLost.
  std::string type;                   // "f32[3]", "id"; empty for kHeader and kLost.
  std::uint32_t element_bytes = 0;    // Of kEntities and kColumn.
  std::uint32_t alignment_bytes = 0;  // Of kEntities and kColumn.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t bytes() const { return end - begin; }
};

struct ChunkPlan {
  std::uint32_t chunk_bytes = 0;
  std::uint32_t capacity = 0;
  std::uint32_t rows_max = 0;    // As asked for; 0 for no cap.
  std::uint32_t row_bytes = 0;   // The id and one value of each component.
  std::vector<ChunkPart> parts;  // In the order of their bytes, from 0 to chunk_bytes without gaps.
  std::vector<std::string> tags;

  std::uint32_t BytesOf(ChunkPart::Kind kind) const;
};

// Error: a name that occurs twice (kComponentNameTaken).
absl::Status CheckNames(std::span<const ComponentDescriptor> components);

// The plan of an archetype with these components, columns in the order given. Errors: a name that
// occurs twice (kComponentNameTaken), and those of ChunkLayout::Compute.
absl::StatusOr<ChunkPlan> MakeChunkPlan(std::span<const ComponentDescriptor> components,
                                        std::uint32_t chunk_bytes, std::uint32_t rows_max);

// Reads "position:f32x3". Errors name the text and the place in it: kTextMalformed, and those of
// ComponentDescriptor::FromSpec.
absl::StatusOr<ComponentDescriptor> ParseComponentArgument(std::string_view argument);

}  // namespace ashlar::cli
