// The byte map of a chunk as an SVG that needs nothing else: no fonts, scripts or style sheets.
#pragma once

#include <string>

#include "cli/chunk_plan.h"

namespace ashlar::cli {

// The chunk drawn to scale in lines of equal length, each part in its colour, with thin strokes
// between the values of a column where there is room, lost bytes hatched, a ruler in cache lines,
// and a table of the parts below.
std::string LayoutSvg(const ChunkPlan& plan);

}  // namespace ashlar::cli
