// Charts as SVG text: bars with their spread, and lines over both axes logarithmic. Colours come
// from the page's style sheet, by the classes c0, c1, ...
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/results.h"

namespace ashlar::bench {

// With &, <, > and quotes as entities.
std::string HtmlText(std::string_view text);

// Three digits that matter and no exponent where people need none: 0.052, 1.23, 45.7, 12,300.
std::string NumberText(double number);
std::string SizeText(std::size_t size);   // 1,024
std::string ShortSize(std::size_t size);  // 1k, 16k, 1M: for axes.

// Maps positive numbers to pixels, equal ratios to equal distances. The range is widened a little,
// so that nothing sits on the edge; equal ends are moved apart.
class LogAxis {
 public:
  // REQUIRES: 0 < low <= high.
  LogAxis(double low, double high, double pixel_low, double pixel_high);
  double At(double number) const;
  // Round numbers inside: powers of ten, with 2 and 5 between them where there are few.
  std::vector<double> Ticks() const;
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_, high_, pixel_low_, pixel_high_;
};

// Moves positions apart until neighbours have at least `gap` between them, keeping their order and,
// as far as that goes, their places.
std::vector<double> Separate(std::vector<double> positions, double gap);

struct Bar {
  std::string label;
  std::size_t colour = 0;
  Spread value;
  std::string note;  // Behind the number: the ratio, figures.
};
struct BarGroup {
  std::string title;  // Empty: none.
  std::vector<Bar> bars;
};

// Groups below each other, each with a scale of its own from 0; the whisker is p10 to p90.
std::string BarChart(const std::vector<BarGroup>& groups, const std::string& title);

struct Line {
  std::string label;
  std::size_t colour = 0;
  std::vector<std::pair<std::size_t, double>> points;
};

// Points that are not above 0 are left out, and so is the chart where none are left.
std::string LineChart(const std::vector<Line>& lines, const std::string& title,
                      const std::string& unit);

}  // namespace ashlar::bench
