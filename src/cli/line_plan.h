// LinePlan: which cache lines a loop over some of the components touches, when every entity is a
// record (a struct of all its components) and when every component is a column.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/storage/cache_lines.h"

namespace ashlar::cli {

struct LinePlan {
  struct Field {
    std::string name;
    std::uint32_t bytes = 0;
    std::uint32_t offset = 0;  // In the record.
    bool is_hot = false;       // The loop reads it.
  };
  std::vector<Field> fields;  // In the order given, which is that of the record; tags left out.
  std::uint64_t entities = 0;
  std::uint64_t record_bytes = 0;  // A multiple of its alignment, as C++ lays out a struct.
  std::uint64_t hot_bytes = 0;     // Of one record.
  CacheLineUse records;
  CacheLineUse columns;  // Of the hot components only: the others are not touched.
};

// `hot` names the components that the loop reads; empty for all of them. Errors: a component named
// twice (kComponentNameTaken), a hot name that is none of them (kComponentUnknown) or comes twice
// (kComponentRepeated).
absl::StatusOr<LinePlan> MakeLinePlan(std::span<const ComponentDescriptor> components,
                                      std::uint64_t entities, std::span<const std::string> hot);

// Lines, bytes touched and useful bytes of both, and which touches fewer.
std::string LineTable(const LinePlan& plan);

// The first lines of both, a character for each byte: the letter of what is read, ':' for what
// comes with it, '.' for lines that are not touched. `colour` paints letters by ANSI codes as well.
std::string LinePicture(const LinePlan& plan, bool colour);

}  // namespace ashlar::cli
