#include "bench/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <set>

namespace ashlar::bench {
namespace {

constexpr double kWidth = 720;

std::string Px(double pixels) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", pixels);
  return text;
}

std::string Class(const char* name, std::size_t colour) {
  return std::string(" class=\"") + name + " c" + std::to_string(colour % 8) + "\"";
}

std::string LineElement(double x1, double y1, double x2, double y2, const std::string& attributes) {
  return "<line x1=\"" + Px(x1) + "\" y1=\"" + Px(y1) + "\" x2=\"" + Px(x2) + "\" y2=\"" + Px(y2) +
         "\"" + attributes + "/>\n";
}

std::string TextElement(double x, double y, const std::string& attributes,
                        const std::string& text) {
  return "<text x=\"" + Px(x) + "\" y=\"" + Px(y) + "\"" + attributes + ">" + HtmlText(text) +
         "</text>\n";
}

// Whoever cannot see the picture is told what it shows.
std::string Open(double height, const std::string& title) {
  return "<svg role=\"img\" viewBox=\"0 0 " + Px(kWidth) + " " + Px(height) + "\">\n<title>" +
         HtmlText(title) + "</title>\n";
}

std::string WithSeparators(std::string digits) {
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

std::string HtmlText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string NumberText(double number) {
  char text[40];
  if (std::abs(number) >= 999.5) {
    // Three digits that matter, and zeros behind them.
    const double unit = std::pow(10, std::floor(std::log10(std::abs(number))) - 2);
    std::snprintf(text, sizeof text, "%.0f", std::round(number / unit) * unit);
    return text[0] == '-' ? "-" + WithSeparators(text + 1) : WithSeparators(text);
  }
  const bool tiny = number != 0 && std::abs(number) < 1e-4;
  std::snprintf(text, sizeof text, tiny ? "%.1e" : "%.3g", number);
  return text;
}

std::string SizeText(std::size_t size) { return WithSeparators(std::to_string(size)); }

std::string ShortSize(std::size_t size) {
  if (size >= 1'000'000) return NumberText(static_cast<double>(size) / 1e6) + "M";
  if (size % 1024 == 0) return std::to_string(size / 1024) + "k";
  if (size % 1000 == 0) return std::to_string(size / 1000) + "k";
  return std::to_string(size);
}

LogAxis::LogAxis(double low, double high, double pixel_low, double pixel_high)
    : pixel_low_(pixel_low), pixel_high_(pixel_high) {
  const double widened = high > low ? std::pow(high / low, 0.06) : 2;
  low_ = low / widened;
  high_ = high * widened;
}

double LogAxis::At(double number) const {
  return pixel_low_ + (pixel_high_ - pixel_low_) * std::log(number / low_) / std::log(high_ / low_);
}

std::vector<double> LogAxis::Ticks() const {
  const auto ticks_of = [this](std::initializer_list<double> digits) {
    std::vector<double> ticks;
    for (double power = std::pow(10, std::floor(std::log10(low_))); power <= high_; power *= 10) {
      for (const double digit : digits) {
        if (digit * power >= low_ && digit * power <= high_) ticks.push_back(digit * power);
      }
    }
    return ticks;
  };
  const std::vector<double> powers = ticks_of({1});
  if (powers.size() >= 3) return powers;
  const std::vector<double> few = ticks_of({1, 2, 5});
  return few.size() >= 2 ? few : ticks_of({1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9});
}

std::vector<double> Separate(std::vector<double> positions, double gap) {
  if (positions.empty()) return positions;
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return positions[a] != positions[b] ? positions[a] < positions[b] : a < b;
  });
  // Neighbours that are too close form a block around their middle; blocks that then meet are one.
  struct Block {
    double middle;
    std::size_t count;
  };
  std::vector<Block> blocks;
  for (const std::size_t i : order) {
    blocks.push_back({positions[i], 1});
    while (blocks.size() > 1) {
      const Block &left = blocks[blocks.size() - 2], &right = blocks.back();
      const auto both = static_cast<double>(left.count + right.count);
      if (right.middle - left.middle >= gap * both / 2) break;
      const Block merged = {(left.middle * static_cast<double>(left.count) +
                             right.middle * static_cast<double>(right.count)) /
                                both,
                            left.count + right.count};
      blocks.pop_back();
      blocks.back() = merged;
    }
  }
  std::size_t next = 0;
  for (const Block& block : blocks) {
    for (std::size_t k = 0; k < block.count; ++k) {
      positions[order[next++]] =
          block.middle + gap * (static_cast<double>(k) - static_cast<double>(block.count - 1) / 2);
    }
  }
  return positions;
}

std::string BarChart(const std::vector<BarGroup>& groups, const std::string& title) {
  constexpr double kLeft = 130, kRow = 20, kCharacter = 6.8;
  // The texts behind the bars have room, and the bars have what is left.
  std::size_t longest = 0;
  for (const BarGroup& group : groups) {
    for (const Bar& bar : group.bars) longest = std::max(longest, bar.note.size() + 12);
  }
  const double bars_end =
      std::clamp(kWidth - kCharacter * static_cast<double>(longest), kLeft + 80, 440.0);
  double height = 4;
  std::string body;
  for (const BarGroup& group : groups) {
    if (!group.title.empty()) {
      body += TextElement(0, height + 15, " class=\"group\"", group.title);
      height += 22;
    }
    double most = 0;
    for (const Bar& bar : group.bars) most = std::max({most, bar.value.p90, bar.value.median});
    const double scale = most > 0 ? (bars_end - kLeft) / most : 0;
    for (const Bar& bar : group.bars) {
      const double middle = height + kRow / 2;
      const double end = kLeft + bar.value.median * scale;
      body += TextElement(kLeft - 8, middle + 4, " class=\"label\"", bar.label);
      body += "<rect x=\"" + Px(kLeft) + "\" y=\"" + Px(height + 3) + "\" width=\"" +
              Px(std::max(1.0, end - kLeft)) + "\" height=\"" + Px(kRow - 6) + "\"" +
              Class("bar", bar.colour) + "/>\n";
      if (bar.value.p90 > bar.value.p10) {
        const double from = kLeft + bar.value.p10 * scale, to = kLeft + bar.value.p90 * scale;
        body += LineElement(from, middle, to, middle, " class=\"whisker\"");
        body += LineElement(from, middle - 4, from, middle + 4, " class=\"whisker\"");
        body += LineElement(to, middle - 4, to, middle + 4, " class=\"whisker\"");
      }
      const double text_at = kLeft + std::max(bar.value.median, bar.value.p90) * scale + 8;
      body += TextElement(text_at, middle + 4, " class=\"number\"",
                          NumberText(bar.value.median) + (bar.note.empty() ? "" : "  " + bar.note));
      height += kRow;
    }
    height += 8;
  }
  return Open(height, title) + body + "</svg>\n";
}

std::string LineChart(const std::vector<Line>& lines, const std::string& title,
                      const std::string& unit) {
  constexpr double kHeight = 300, kLeft = 56, kRight = 590, kTop = 24, kBottom = 264;
  double y_low = std::numeric_limits<double>::infinity(), y_high = 0;
  std::set<std::size_t> sizes;
  for (const Line& line : lines) {
    for (const auto& [size, value] : line.points) {
      if (size == 0 || !(value > 0)) continue;
      sizes.insert(size);
      y_low = std::min(y_low, value);
      y_high = std::max(y_high, value);
    }
  }
  if (sizes.empty()) return "";
  const LogAxis x(static_cast<double>(*sizes.begin()), static_cast<double>(*sizes.rbegin()), kLeft,
                  kRight);
  const LogAxis y(y_low, y_high, kBottom, kTop);

  std::string body = TextElement(0, 12, " class=\"axis\"", unit);
  for (const double tick : y.Ticks()) {
    body += LineElement(kLeft, y.At(tick), kRight, y.At(tick), " class=\"grid\"");
    body += TextElement(kLeft - 6, y.At(tick) + 4, " class=\"axis end\"", NumberText(tick));
  }
  double labelled = -kWidth;
  for (const std::size_t size : sizes) {
    const double at = x.At(static_cast<double>(size));
    body += LineElement(at, kTop, at, kBottom, " class=\"grid\"");
    if (at - labelled < 30) continue;  // There is no room for its label.
    labelled = at;
    body += TextElement(at, kBottom + 18, " class=\"axis middle\"", ShortSize(size));
  }
  body += TextElement((kLeft + kRight) / 2, kBottom + 34, " class=\"axis middle\"", "N");

  std::vector<double> label_at;
  for (const Line& line : lines) {
    std::string points;
    double last = kBottom;
    for (const auto& [size, value] : line.points) {
      if (size == 0 || !(value > 0)) continue;
      const double at = x.At(static_cast<double>(size));
      last = y.At(value);
      points += (points.empty() ? "" : " ") + Px(at) + "," + Px(last);
      body += "<circle cx=\"" + Px(at) + "\" cy=\"" + Px(last) + "\" r=\"3\"" +
              Class("dot", line.colour) + "/>\n";
    }
    body += "<polyline points=\"" + points + "\"" + Class("line", line.colour) + "/>\n";
    label_at.push_back(last);
  }
  label_at = Separate(label_at, 15);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    body +=
        TextElement(kRight + 8, label_at[i] + 4, Class("name", lines[i].colour), lines[i].label);
  }
  return Open(kHeight, title) + body + "</svg>\n";
}

}  // namespace ashlar::bench
