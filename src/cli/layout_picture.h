// The byte map of a chunk as text for a terminal: a table of its parts, and a map of its bytes in
// cells of equal size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/chunk_plan.h"

namespace ashlar::cli {

// The columns with their ranges, the capacity, and where the bytes of the chunk go.
std::string LayoutTable(const ChunkPlan& plan);

// One character a cell, 64 cells a line; a cell stands for 16 bytes in chunks of up to 16 KiB, for
// more in larger ones, and shows the part that has most of its bytes. Each part has its letter,
// lost bytes a dot; `colour` paints the cells by ANSI codes (256 colours) as well.
std::string LayoutMap(const ChunkPlan& plan, bool colour);

// The text as the map paints the column of that number, from 0.
std::string PaintColumn(std::string_view text, std::size_t column);

// Bytes of one cell of that map.
std::uint32_t MapCellBytes(const ChunkPlan& plan);

// The letter of each part, by its index in plan.parts: an unused one of its own name where there is
// one; '#' for the header, '.' for lost bytes.
std::string PartLetters(const ChunkPlan& plan);

}  // namespace ashlar::cli
