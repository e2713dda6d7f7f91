#include "cli/layout_picture.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

using Kind = ChunkPart::Kind;

constexpr std::uint32_t kCellsPerLine = 64;
constexpr std::uint32_t kCellsMax = 1024;

// Backgrounds from the 256-colour palette that stay apart from each other and carry black letters;
// the header and the ids have the first two.
constexpr std::array<int, 10> kBackgrounds = {250, 222, 117, 150, 216, 183, 80, 229, 175, 109};

std::string Painted(std::string_view text, int background) {
  return "\x1b[38;5;16;48;5;" + std::to_string(background) + "m" + std::string(text) + "\x1b[0m";
}

int ColumnBackground(std::size_t column) {
  return kBackgrounds[2 + column % (kBackgrounds.size() - 2)];
}

// The colour of each part by its index in plan.parts; -1 for lost bytes.
std::vector<int> PartColours(const ChunkPlan& plan) {
  std::vector<int> colours;
  std::size_t column = 0;
  for (const ChunkPart& part : plan.parts) {
    switch (part.kind) {
      case Kind::kHeader:
        colours.push_back(kBackgrounds[0]);
        break;
      case Kind::kEntities:
        colours.push_back(kBackgrounds[1]);
        break;
      case Kind::kColumn:
        colours.push_back(ColumnBackground(column++));
        break;
      case Kind::kLost:
        colours.push_back(-1);
        break;
    }
  }
  return colours;
}

// The index of the part that has most of the bytes [begin, end); of equal ones the first.
std::size_t PartOfCell(const ChunkPlan& plan, std::uint32_t begin, std::uint32_t end) {
  std::size_t best = 0;
  std::uint32_t best_bytes = 0;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const std::uint32_t from = std::max(begin, plan.parts[i].begin);
    const std::uint32_t to = std::min(end, plan.parts[i].end);
    if (to > from && to - from > best_bytes) {
      best = i;
      best_bytes = to - from;
    }
  }
  return best;
}

std::string ScaleLine(std::uint32_t cell_bytes) {
  std::string line(9, ' ');
  for (std::uint32_t cell = 0; cell < kCellsPerLine; cell += 16) {
    line += PadRight('+' + std::to_string(cell * cell_bytes), 16);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

// What the letters mean, in lines of at most the map's width.
std::string Legend(const ChunkPlan& plan, bool colour) {
  const std::string letters = PartLetters(plan);
  const std::vector<int> colours = PartColours(plan);
  const std::string margin(9, ' ');
  std::string text = margin + "one cell = " + std::to_string(MapCellBytes(plan)) + " bytes";
  std::size_t column = text.size();
  const auto append = [&](std::string_view shown, std::size_t length) {
    if (column + 3 + length > margin.size() + kCellsPerLine) {
      text += '\n' + margin;
      column = margin.size();
    } else {
      text += "   ";
      column += 3;
    }
    text += shown;
    column += length;
  };
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    if (plan.parts[i].kind == Kind::kLost) continue;
    const std::string letter(1, letters[i]);
    const std::string cell = colour ? Painted(' ' + letter + ' ', colours[i]) : letter;
    append(cell + ' ' + plan.parts[i].name, (colour ? 4 : 2) + plan.parts[i].name.size());
  }
  if (plan.BytesOf(Kind::kLost) != 0) append(". lost", 6);
  return text + '\n';
}

struct TableWidths {
  std::size_t name = 9;
  std::size_t type = 4;
};

std::string TableRow(const TableWidths& widths, const std::array<std::string, 8>& cells) {
  std::string row = PadRight(cells[0], widths.name) + "  " + PadRight(cells[1], widths.type);
  for (std::size_t i = 2; i < cells.size(); ++i) {
    row += PadLeft(cells[i], i == 2 || i == 3 ? 7 : 8);
  }
  return row.substr(0, row.find_last_not_of(' ') + 1) + '\n';
}

std::string Number(std::uint64_t number) { return std::to_string(number); }

std::string ShareLine(std::string_view name, std::uint32_t bytes, const ChunkPlan& plan,
                      std::string_view note) {
  return PadRight(name, 10) + PadLeft(Number(bytes), 6) +
         PadLeft(PercentText(bytes, plan.chunk_bytes), 9) + "  " + std::string(note) + '\n';
}

std::string Summary(const ChunkPlan& plan) {
  const std::uint32_t rows = plan.BytesOf(Kind::kEntities) + plan.BytesOf(Kind::kColumn);
  std::string cap = plan.rows_max == 0 ? "" : ", capped by --rows-max " + Number(plan.rows_max);
  std::string text = PadRight("capacity", 10) + PadLeft(Number(plan.capacity), 6) +
                     (plan.capacity == 1 ? " row of " : " rows of ") + Number(plan.row_bytes) +
                     " bytes" + cap + '\n';
  text += ShareLine("rows", rows, plan, "bytes of ids and values");
  text += ShareLine("header", plan.BytesOf(Kind::kHeader), plan, "bytes, reserved");
  text += ShareLine("lost", plan.BytesOf(Kind::kLost), plan,
                    "bytes behind columns: alignment, and the rest of the chunk");
  if (!plan.tags.empty()) {
    text += "tags        ";
    for (std::size_t i = 0; i < plan.tags.size(); ++i) text += (i == 0 ? "" : ", ") + plan.tags[i];
    text += " (no bytes)\n";
  }
  return text;
}

}  // namespace

std::string LayoutTable(const ChunkPlan& plan) {
  TableWidths widths;
  for (const ChunkPart& part : plan.parts) {
    widths.name = std::max(widths.name, part.name.size());
    widths.type = std::max(widths.type, std::min<std::size_t>(part.type.size(), 40));
  }
  std::string text =
      "chunk of " + Number(plan.chunk_bytes) + " bytes\n\n" +
      TableRow(widths, {"part", "type", "size", "align", "begin", "end", "bytes", "lost"});
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const ChunkPart& part = plan.parts[i];
    if (part.kind == Kind::kLost) continue;
    const bool has_gap = i + 1 < plan.parts.size() && plan.parts[i + 1].kind == Kind::kLost;
    const bool is_array = part.element_bytes != 0;
    text += TableRow(
        widths, {part.name, OneLine(part.type, 40), is_array ? Number(part.element_bytes) : "",
                 is_array ? Number(part.alignment_bytes) : "", Number(part.begin), Number(part.end),
                 Number(part.bytes()), Number(has_gap ? plan.parts[i + 1].bytes() : 0)});
  }
  return text + '\n' + Summary(plan);
}

std::string PaintColumn(std::string_view text, std::size_t column) {
  return Painted(text, ColumnBackground(column));
}

std::uint32_t MapCellBytes(const ChunkPlan& plan) {
  return std::max(16u, plan.chunk_bytes / kCellsMax);
}

std::string PartLetters(const ChunkPlan& plan) {
  std::string letters;
  const auto is_free = [&letters](char letter) {
    return letters.find(letter) == std::string::npos;
  };
  static constexpr std::string_view kSpare =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdfghijklmnopqrstuvwxyz";
  for (const ChunkPart& part : plan.parts) {
    if (part.kind == Kind::kHeader) letters += '#';
    if (part.kind == Kind::kLost) letters += '.';
    if (part.kind == Kind::kEntities) letters += 'e';
    if (part.kind != Kind::kColumn) continue;
    std::string candidates = part.name;
    for (char& c : candidates) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    std::erase(candidates, '_');
    candidates += kSpare;
    const auto chosen = std::find_if(candidates.begin(), candidates.end(), is_free);
    // With more columns than letters, the last ones share one.
    letters += chosen != candidates.end() ? *chosen : '?';
  }
  return letters;
}

std::string LayoutMap(const ChunkPlan& plan, bool colour) {
  const std::uint32_t cell_bytes = MapCellBytes(plan);
  const std::string letters = PartLetters(plan);
  const std::vector<int> colours = PartColours(plan);
  std::string text = ScaleLine(cell_bytes);
  for (std::uint32_t begin = 0; begin < plan.chunk_bytes; begin += cell_bytes * kCellsPerLine) {
    text += PadLeft(Number(begin), 7) + "  ";
    std::size_t run_part = plan.parts.size();
    std::string run;
    const auto flush = [&] {
      if (run.empty()) return;
      text += colour && colours[run_part] >= 0 ? Painted(run, colours[run_part]) : run;
      run.clear();
    };
    for (std::uint32_t cell = 0; cell < kCellsPerLine; ++cell) {
      const std::uint32_t from = begin + cell * cell_bytes;
      if (from >= plan.chunk_bytes) break;
      const std::size_t part = PartOfCell(plan, from, from + cell_bytes);
      if (part != run_part) flush();
      run_part = part;
      run += letters[part];
    }
    flush();
    text += '\n';
  }
  return text + '\n' + Legend(plan, colour);
}

}  // namespace ashlar::cli
