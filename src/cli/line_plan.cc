#include "cli/line_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"
#include "cli/chunk_plan.h"
#include "cli/layout_picture.h"
#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

// Lines that the picture shows of the records, and of each column.
constexpr std::uint64_t kShownLines = 8;

absl::Status CheckHot(std::span<const ComponentDescriptor> components,
                      std::span<const std::string> hot) {
  std::set<std::string_view> seen;
  for (const std::string& name : hot) {
    const bool is_known = std::ranges::any_of(
        components, [&name](const ComponentDescriptor& c) { return c.name() == name; });
    if (!is_known) {
      return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown,
                       "--hot: '" + OneLine(name, 80) + "' is none of the components");
    }
    if (!seen.insert(name).second) {
      return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentRepeated,
                       "--hot: '" + name + "' is named twice");
    }
  }
  return absl::OkStatus();
}

std::uint64_t RoundedUp(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

std::string UseRow(std::string_view name, const std::array<std::string, 4>& cells) {
  return PadRight(name, 10) + PadLeft(cells[0], 16) + PadLeft(cells[1], 18) +
         PadLeft(cells[2], 18) + PadLeft(cells[3], 10) + '\n';
}

std::string UseRow(std::string_view name, const CacheLineUse& use) {
  return UseRow(
      name,
      {GroupDigits(use.lines), GroupDigits(use.bytes_touched), GroupDigits(use.bytes_useful),
       PercentText(static_cast<double>(use.bytes_useful), static_cast<double>(use.bytes_touched))});
}

std::string Verdict(const LinePlan& plan) {
  const std::uint64_t records = plan.records.lines;
  const std::uint64_t columns = plan.columns.lines;
  if (records == columns) return "both touch as many lines\n";
  const bool columns_win = columns < records;
  const auto most = static_cast<double>(std::max(records, columns));
  const auto least = static_cast<double>(std::min(records, columns));
  return std::string(columns_win ? "columns" : "records") + " touch fewer lines, by a factor of " +
         RateText(most / least) + '\n';
}

// For the index of a field where no byte is read.
constexpr std::size_t kNotRead = SIZE_MAX;

// Draws lines of 64 bytes.
class LinePainter {
 public:
  LinePainter(const LinePlan& plan, bool colour) : plan_(plan), colour_(colour) {
    ChunkPlan parts;
    for (const LinePlan::Field& field : plan.fields) {
      ChunkPart part;
      part.kind = ChunkPart::Kind::kColumn;
      part.name = field.name;
      parts.parts.push_back(part);
    }
    letters_ = PartLetters(parts);
  }

  // The first of `line_count` lines; `field_at(byte)` says what is read there.
  template <typename FieldAt>
  std::string Lines(std::uint64_t line_count, FieldAt field_at) const {
    std::string text;
    const std::uint64_t shown = std::min(line_count, kShownLines);
    for (std::uint64_t line = 0; line < shown; ++line) {
      std::array<std::size_t, kCacheLineBytes> fields{};
      for (std::uint64_t i = 0; i < kCacheLineBytes; ++i) {
        fields[i] = field_at(line * kCacheLineBytes + i);
      }
      text += PadLeft(GroupDigits(line), 9) + "  " + Line(fields) + '\n';
    }
    if (shown < line_count) text += "           and " + Counted(line_count - shown, "line") + '\n';
    return text;
  }

  std::string Legend() const {
    std::string text = "  ";
    for (std::size_t i = 0; i < plan_.fields.size(); ++i) {
      if (plan_.fields[i].is_hot) text += Cells(1, i) + ' ' + plan_.fields[i].name + "   ";
    }
    return text + ": touched and not read   . not touched\n";
  }

 private:
  std::string Cells(std::size_t count, std::size_t field) const {
    const std::string cells(count, letters_[field]);
    return colour_ ? PaintColumn(cells, field) : cells;
  }
  std::string Line(std::span<const std::size_t> fields) const {
    const bool is_touched =
        std::ranges::any_of(fields, [](std::size_t field) { return field != kNotRead; });
    std::string text;
    for (std::size_t i = 0; i < fields.size();) {
      std::size_t end = i;
      while (end < fields.size() && fields[end] == fields[i]) ++end;
      text += fields[i] == kNotRead ? std::string(end - i, is_touched ? ':' : '.')
                                    : Cells(end - i, fields[i]);
      i = end;
    }
    return text;
  }

  const LinePlan& plan_;
  bool colour_;
  std::string letters_;
};

}  // namespace

absl::StatusOr<LinePlan> MakeLinePlan(std::span<const ComponentDescriptor> components,
                                      std::uint64_t entities, std::span<const std::string> hot) {
  ASHLAR_RETURN_IF_ERROR(CheckNames(components));
  ASHLAR_RETURN_IF_ERROR(CheckHot(components, hot));
  LinePlan plan;
  plan.entities = entities;
  std::uint64_t alignment = 1;
  std::vector<RecordBytes> hot_ranges;
  std::vector<std::uint32_t> hot_sizes;
  for (const ComponentDescriptor& component : components) {
    if (component.is_tag()) continue;
    const std::uint64_t begin = RoundedUp(plan.record_bytes, component.alignment_bytes());
    const auto bytes = static_cast<std::uint32_t>(component.size_bytes());
    const bool is_hot =
        hot.empty() || std::ranges::find(hot, component.name()) != std::ranges::end(hot);
    plan.fields.push_back(
        {std::string(component.name()), bytes, static_cast<std::uint32_t>(begin), is_hot});
    plan.record_bytes = begin + bytes;
    alignment = std::max<std::uint64_t>(alignment, component.alignment_bytes());
    if (!is_hot) continue;
    plan.hot_bytes += bytes;
    hot_ranges.push_back({begin, begin + bytes});
    hot_sizes.push_back(bytes);
  }
  plan.record_bytes = RoundedUp(plan.record_bytes, alignment);
  plan.records = RecordLineUse(entities, plan.record_bytes, hot_ranges);
  plan.columns = ColumnLineUse(entities, hot_sizes);
  return plan;
}

std::string LineTable(const LinePlan& plan) {
  std::string text = Counted(plan.entities, "record") + " of " +
                     Counted(plan.record_bytes, "byte") + ", " + GroupDigits(plan.hot_bytes) +
                     " of them read\n\n";
  text += UseRow("", {"lines of 64 B", "bytes touched", "bytes useful", "useful"});
  text += UseRow("records", plan.records);
  text += UseRow("columns", plan.columns);
  return text + '\n' + Verdict(plan);
}

std::string LinePicture(const LinePlan& plan, bool colour) {
  const LinePainter painter(plan, colour);
  const std::uint64_t bytes = plan.entities * plan.record_bytes;
  std::string text = "records\n";
  text += painter.Lines((bytes + kCacheLineBytes - 1) / kCacheLineBytes, [&](std::uint64_t byte) {
    const std::uint64_t offset = byte % plan.record_bytes;
    for (std::size_t i = 0; byte < bytes && i < plan.fields.size(); ++i) {
      const LinePlan::Field& field = plan.fields[i];
      const bool is_inside = offset >= field.offset && offset - field.offset < field.bytes;
      if (field.is_hot && is_inside) return i;
    }
    return kNotRead;
  });
  for (std::size_t i = 0; i < plan.fields.size(); ++i) {
    const LinePlan::Field& field = plan.fields[i];
    if (!field.is_hot) continue;
    const std::uint64_t column = plan.entities * field.bytes;
    text += "column " + field.name + '\n';
    text += painter.Lines((column + kCacheLineBytes - 1) / kCacheLineBytes,
                          [&](std::uint64_t byte) { return byte < column ? i : kNotRead; });
  }
  return text + '\n' + painter.Legend();
}

}  // namespace ashlar::cli
