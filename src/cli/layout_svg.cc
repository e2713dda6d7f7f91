#include "cli/layout_svg.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "ashlar/core/limits.h"
#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

using Kind = ChunkPart::Kind;

constexpr double kMargin = 32;
constexpr double kOffsetWidth = 56;  // Left of the map: the byte at which a line begins.
constexpr double kMapWidth = 1024;
constexpr double kLineHeight = 40;
constexpr double kLineStep = 46;
constexpr double kMapTop = 118;
constexpr double kLegendStep = 26;
constexpr double kWidth = 2 * kMargin + kOffsetWidth + kMapWidth;
constexpr double kMapLeft = kMargin + kOffsetWidth;

// Fills that stay apart for colour-blind eyes too, in the order of columns; dark text reads on
// each.
constexpr std::array<std::string_view, 8> kColumnFills = {
    "#8ecae6", "#a7d49b", "#f4a582", "#c7b3e5", "#f6c6d9", "#7fd1c7", "#d6cf86", "#b8c4d6"};
constexpr std::string_view kHeaderFill = "#c9ced6";
constexpr std::string_view kEntityFill = "#ffd27a";

// A coordinate: at most two decimals, none that say nothing.
std::string Px(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.2f", value);
  std::string text = buffer.data();
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Text(double x, double y, std::string_view kind, std::string_view text) {
  return "<text x=\"" + Px(x) + "\" y=\"" + Px(y) + "\" class=\"" + std::string(kind) + "\">" +
         Escaped(text) + "</text>\n";
}

std::string Rect(double x, double y, double width, double height, std::string_view fill,
                 std::string_view tip) {
  return "<rect x=\"" + Px(x) + "\" y=\"" + Px(y) + "\" width=\"" + Px(width) + "\" height=\"" +
         Px(height) + "\" fill=\"" + std::string(fill) + "\"><title>" + Escaped(tip) +
         "</title></rect>\n";
}

std::string Range(const ChunkPart& part) {
  return "[" + std::to_string(part.begin) + ", " + std::to_string(part.end) + ")";
}

std::string PartName(const ChunkPart& part) {
  return part.kind == Kind::kLost ? "lost" : part.name;
}

std::vector<std::string_view> Fills(const ChunkPlan& plan) {
  std::vector<std::string_view> fills;
  std::size_t column = 0;
  for (const ChunkPart& part : plan.parts) {
    switch (part.kind) {
      case Kind::kHeader:
        fills.push_back(kHeaderFill);
        break;
      case Kind::kEntities:
        fills.push_back(kEntityFill);
        break;
      case Kind::kColumn:
        fills.push_back(kColumnFills[column++ % kColumnFills.size()]);
        break;
      case Kind::kLost:
        fills.push_back("url(#lost)");
        break;
    }
  }
  return fills;
}

// Draws the map line by line; holds what every step of it needs.
class MapPainter {
 public:
  explicit MapPainter(const ChunkPlan& plan)
      : plan_(plan),
        fills_(Fills(plan)),
        line_bytes_(std::max(512u, plan.chunk_bytes / 16)),
        scale_(kMapWidth / line_bytes_) {}

  double bottom() const { return LineTop(plan_.chunk_bytes); }

  std::string Ruler() const {
    std::string svg;
    const std::uint32_t step = line_bytes_ / 8;
    for (std::uint32_t byte = 0; byte <= line_bytes_; byte += kCacheLineBytes) {
      const double x = kMapLeft + byte * scale_;
      const bool is_major = byte % step == 0;
      svg += "<path d=\"M" + Px(x) + ' ' + Px(kMapTop - 6) + "v" + (is_major ? "-7" : "-3") +
             "\" class=\"tick\"/>\n";
      if (is_major) svg += Text(x, kMapTop - 17, "ruler", "+" + std::to_string(byte));
    }
    return svg;
  }

  std::string Map() {
    // The longest stretch of each part gets its name.
    std::string svg;
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) svg += Part(i);
    for (std::uint32_t begin = 0; begin < plan_.chunk_bytes; begin += line_bytes_) {
      const double y = LineTop(begin);
      svg += Text(kMapLeft - 10, y + kLineHeight / 2 + 4, "offset", std::to_string(begin));
      svg += "<rect x=\"" + Px(kMapLeft) + "\" y=\"" + Px(y) + "\" width=\"" + Px(kMapWidth) +
             "\" height=\"" + Px(kLineHeight) + "\" class=\"frame\"/>\n";
    }
    return svg;
  }

 private:
  double LineTop(std::uint32_t byte) const {
    const std::uint32_t line = byte / line_bytes_;
    return kMapTop + kLineStep * line;
  }
  double X(std::uint32_t byte) const { return kMapLeft + (byte % line_bytes_) * scale_; }

  // The stretches of a part, one for each line that it touches; then strokes, then its name.
  std::string Part(std::size_t index) {
    const ChunkPart& part = plan_.parts[index];
    std::string svg;
    std::uint32_t longest = part.begin;
    std::uint32_t longest_bytes = 0;
    for (std::uint32_t begin = part.begin; begin < part.end;) {
      const std::uint32_t end = std::min(part.end, (begin / line_bytes_ + 1) * line_bytes_);
      svg += Rect(X(begin), LineTop(begin), (end - begin) * scale_, kLineHeight, fills_[index],
                  PartName(part) + ' ' + part.type + (part.type.empty() ? "" : " ") + Range(part));
      if (end - begin > longest_bytes) {
        longest = begin;
        longest_bytes = end - begin;
      }
      begin = end;
    }
    svg += Strokes(part);
    const double width = longest_bytes * scale_;
    const std::string name = PartName(part);
    if (part.kind != Kind::kLost && width >= 8.0 * static_cast<double>(name.size()) + 12) {
      svg += Label(X(longest) + width / 2, LineTop(longest), name);
    }
    return svg;
  }

  // Between the values of a column, where one is at least four pixels wide.
  std::string Strokes(const ChunkPart& part) const {
    if (part.element_bytes == 0 || part.element_bytes * scale_ < 4) return "";
    std::string path;
    for (std::uint32_t byte = part.begin + part.element_bytes; byte < part.end;
         byte += part.element_bytes) {
      path += 'M' + Px(X(byte)) + ' ' + Px(LineTop(byte)) + 'v' + Px(kLineHeight);
    }
    return path.empty() ? "" : "<path d=\"" + path + "\" class=\"stroke\"/>\n";
  }

  // A name on a plate, so that the strokes do not run through its letters.
  static std::string Label(double x, double line_top, const std::string& name) {
    const double width = 7.6 * static_cast<double>(name.size()) + 12;
    return "<rect x=\"" + Px(x - width / 2) + "\" y=\"" + Px(line_top + 10) + "\" width=\"" +
           Px(width) + "\" height=\"20\" rx=\"4\" class=\"plate\"/>\n" +
           Text(x, line_top + 24.5, "name", name);
  }

  const ChunkPlan& plan_;
  std::vector<std::string_view> fills_;
  std::uint32_t line_bytes_;
  double scale_;
};

std::string Legend(const ChunkPlan& plan, double top) {
  const std::vector<std::string_view> fills = Fills(plan);
  const std::array<double, 4> x = {kMapLeft + 28, kMapLeft + 260, kMapLeft + 660, kMapLeft + 780};
  std::string svg = Text(x[0], top, "head", "part") + Text(x[1], top, "head", "type") +
                    Text(x[2], top, "head right", "bytes") +
                    Text(x[3], top, "head", "[begin, end)");
  double y = top;
  const auto row = [&](std::string_view fill, std::string_view name, std::string_view type,
                       std::uint32_t bytes, const std::string& range) {
    y += kLegendStep;
    svg += "<rect x=\"" + Px(kMapLeft) + "\" y=\"" + Px(y - 13) +
           "\" width=\"16\" height=\"16\" rx=\"3\" fill=\"" + std::string(fill) +
           "\" class=\"swatch\"/>\n";
    svg += Text(x[0], y, "cell", name) + Text(x[1], y, "mono", OneLine(type, 48)) +
           Text(x[2], y, "mono right", GroupDigits(bytes)) + Text(x[3], y, "mono", range);
  };
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    const ChunkPart& part = plan.parts[i];
    if (part.kind == Kind::kLost) continue;
    row(fills[i], OneLine(part.name, 28), part.type, part.bytes(), Range(part));
  }
  const std::uint32_t lost = plan.BytesOf(Kind::kLost);
  row("url(#lost)", "lost", "", lost, PercentText(lost, plan.chunk_bytes) + " of the chunk");
  return svg;
}

double LegendHeight(const ChunkPlan& plan) {
  std::size_t rows = 1;
  for (const ChunkPart& part : plan.parts) rows += part.kind != Kind::kLost ? 1 : 0;
  return kLegendStep * static_cast<double>(rows);
}

constexpr std::string_view kStyle = R"svg(<style>
text { font-family: system-ui, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #1f2733; }
.title { font-size: 22px; font-weight: 600; }
.sub { font-size: 14px; fill: #5a6675; }
.ruler { font-size: 11px; fill: #5a6675; text-anchor: middle; }
.offset { font-size: 12px; fill: #5a6675; text-anchor: end; }
.name { font-size: 13px; font-weight: 600; text-anchor: middle; }
.head { font-size: 12px; fill: #5a6675; }
.cell { font-size: 14px; }
.mono { font-size: 13px; font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.right { text-anchor: end; }
.tick { stroke: #9aa5b1; fill: none; }
.stroke { stroke: #ffffff; stroke-opacity: .75; fill: none; }
.plate { fill: #ffffff; fill-opacity: .82; }
.frame { fill: none; stroke: #5a6675; }
.swatch { stroke: #5a6675; stroke-width: .5; }
</style>
<defs><pattern id="lost" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" fill="#fafbfc"/><rect width="2" height="7" fill="#dd7d89"/></pattern></defs>
)svg";

}  // namespace

std::string LayoutSvg(const ChunkPlan& plan) {
  MapPainter painter(plan);
  const double legend_top = painter.bottom() + 34;
  const double height = legend_top + LegendHeight(plan) + kMargin;
  const std::string size = Px(kWidth) + "\" height=\"" + Px(height);
  std::string title;
  for (const ChunkPart& part : plan.parts) {
    if (part.kind == Kind::kColumn) title += (title.empty() ? "" : ", ") + part.name;
  }
  if (title.empty()) title = "entities without components";
  std::string sub = Counted(plan.capacity, "row") + " of " + Counted(plan.row_bytes, "byte") +
                    " in a chunk of " + GroupDigits(plan.chunk_bytes) + " bytes";
  if (plan.rows_max != 0) sub += ", capped at " + GroupDigits(plan.rows_max);
  sub += "; ticks are cache lines";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + Px(kWidth) + ' ' +
         Px(height) + "\" width=\"" + size + "\" role=\"img\">\n<title>" + Escaped(title) + ": " +
         Escaped(sub) + "</title>\n" + std::string(kStyle) + "<rect width=\"" + size +
         "\" rx=\"12\" fill=\"#ffffff\"/>\n" + Text(kMargin, 46, "title", OneLine(title, 84)) +
         Text(kMargin, 70, "sub", sub) + painter.Ruler() + painter.Map() +
         Legend(plan, legend_top) + "</svg>\n";
}

}  // namespace ashlar::cli
