#include "bench/report_page.h"

#include <algorithm>
#include <set>

#include "bench/chart.h"

namespace ashlar::bench {
namespace {

constexpr char kStyle[] = R"(
:root { --ink: #1d1f24; --soft: #5c6370; --grid: #e3e5ea; --paper: #ffffff; --card: #f7f8fa;
  --good: #116b39; --bad: #b3261e; --c0: #6b7280; --c1: #1f6feb; --c2: #d9730d; --c3: #188a42;
  --c4: #8e44ad; --c5: #c2185b; --c6: #00838f; --c7: #8d6e2f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --soft: #a2a9b5; --grid: #353a44;
  --paper: #16181d; --card: #1e2128; --good: #57d28b; --bad: #ff8a80; --c0: #9aa2af; --c1: #6ea8fe;
  --c2: #ffa657; --c3: #56d364; --c4: #d2a8ff; --c5: #ff7bb0; --c6: #4dd0e1; --c7: #d7b56d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1280px; padding: 24px; color: var(--ink);
  background: var(--paper); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { margin: 40px 0 4px; font-size: 21px; }
h3 { margin: 0 0 8px; font-size: 16px; font-family: ui-monospace, monospace; }
h3 small { color: var(--soft); font-weight: normal; }
p { margin: 4px 0 12px; max-width: 80ch; } .soft { color: var(--soft); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px 3px 0; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; } thead th { border-bottom: 1px solid var(--grid); }
tbody tr + tr td, tbody tr + tr th { border-top: 1px solid var(--grid); }
.targets th[scope=row] { font-family: ui-monospace, monospace; font-weight: normal; }
.met { color: var(--good); } .missed { color: var(--bad); } .none { color: var(--soft); }
section.workload { background: var(--card); border-radius: 8px; padding: 16px; margin: 16px 0; }
.charts { display: grid; gap: 16px; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); }
svg { width: 100%; max-width: 720px; height: auto; display: block; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
svg .label, svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
svg .axis, svg .group { fill: var(--soft); font-size: 12px; } svg .number { white-space: pre; }
svg .grid { stroke: var(--grid); } svg .whisker { stroke: var(--ink); stroke-width: 1.2; }
svg .line { fill: none; stroke-width: 2; }
details { margin-top: 8px; } summary { cursor: pointer; color: var(--soft); }
nav a { margin-right: 12px; white-space: nowrap; } a { color: var(--c1); }
)";

// Classes c0 to c7 colour whatever they stand on: bars, dots, lines, names.
std::string ColourRules() {
  std::string rules;
  for (int i = 0; i < 8; ++i) {
    const std::string c = ".c" + std::to_string(i), v = "var(--c" + std::to_string(i) + ")";
    rules += "svg .bar" + c + ", svg .dot" + c + ", svg .name" + c + " { fill: " + v +
             "; } svg .line" + c + " { stroke: " + v + "; }\n";
  }
  return rules;
}

// The results of one workload, and the names in it in the order in which they came.
struct Workload {
  std::string name;
  std::string unit;
  std::vector<std::string> variants;
  std::vector<std::size_t> sizes;
  std::vector<const Result*> results;

  std::size_t ColourOf(const std::string& variant) const {
    return static_cast<std::size_t>(std::ranges::find(variants, variant) - variants.begin());
  }
};

template <typename T>
void AddOnce(std::vector<T>* list, const T& value) {
  if (std::ranges::find(*list, value) == list->end()) list->push_back(value);
}

std::vector<Workload> WorkloadsOf(const ProgramReport& report) {
  std::vector<Workload> workloads;
  for (const Result& r : report.results) {
    auto at = std::ranges::find(workloads, r.workload, &Workload::name);
    if (at == workloads.end()) {
      workloads.push_back({r.workload, r.unit, {}, {}, {}});
      at = workloads.end() - 1;
    }
    AddOnce(&at->variants, r.variant);
    AddOnce(&at->sizes, r.size);
    at->results.push_back(&r);
  }
  return workloads;
}

// Text for people, with `names` set apart.
std::string ProseText(const std::string& text) {
  std::string html;
  bool is_name = false;
  for (const char c : text) {
    if (c == '`') {
      html += is_name ? "</code>" : "<code>";
      is_name = !is_name;
    } else {
      html += HtmlText({&c, 1});
    }
  }
  return html + (is_name ? "</code>" : "");
}

std::string RatioText(const Workload& work, const Result& result) {
  return result.variant == work.variants.front() ? "" : NumberText(result.ratio.median) + "\u00d7";
}

std::string FiguresText(const Result& result) {
  std::string text;
  for (const Figure& figure : result.figures) {
    text += (text.empty() ? "" : ", ") + figure.name + " " + NumberText(figure.value);
  }
  return text;
}

std::string Bars(const Workload& work) {
  std::vector<BarGroup> groups;
  for (const std::size_t size : work.sizes) {
    BarGroup group{"N = " + SizeText(size), {}};
    for (const Result* r : work.results) {
      if (r->size != size) continue;
      std::string note = RatioText(work, *r);
      const std::string figures = FiguresText(*r);
      if (!figures.empty()) note += (note.empty() ? "(" : "  (") + figures + ")";
      group.bars.push_back({r->variant, work.ColourOf(r->variant), r->value, note});
    }
    groups.push_back(std::move(group));
  }
  return BarChart(groups, work.name + ": medians with p10 to p90, in " + work.unit);
}

std::string Lines(const Workload& work) {
  if (work.sizes.size() < 3) return "";  // Two points show no more than the bars do.
  std::vector<Line> lines;
  for (const std::string& variant : work.variants) {
    Line line{variant, work.ColourOf(variant), {}};
    for (const Result* r : work.results) {
      if (r->variant == variant) line.points.emplace_back(r->size, r->value.median);
    }
    lines.push_back(std::move(line));
  }
  return LineChart(lines, work.name + ": medians over N", work.unit);
}

std::string Numbers(const Workload& work) {
  std::string html =
      "<details><summary>numbers</summary><table><thead><tr><th class=\"n\">N</th><th>variant</th>"
      "<th class=\"n\">median</th><th class=\"n\">p10</th><th class=\"n\">p90</th>"
      "<th class=\"n\">ratio</th><th class=\"n\">p10</th><th class=\"n\">p90</th>"
      "<th class=\"n\">rounds</th><th>counted</th></tr></thead><tbody>\n";
  for (const Result* r : work.results) {
    html +=
        "<tr><td class=\"n\">" + SizeText(r->size) + "</td><td>" + HtmlText(r->variant) + "</td>";
    for (const double number : {r->value.median, r->value.p10, r->value.p90, r->ratio.median,
                                r->ratio.p10, r->ratio.p90}) {
      html += "<td class=\"n\">" + NumberText(number) + "</td>";
    }
    html += "<td class=\"n\">" + std::to_string(r->rounds) + "</td><td>";
    const char* separator = "";
    for (const Figure& figure : r->figures) {
      html +=
          separator + HtmlText(figure.name + " " + NumberText(figure.value) + " " + figure.unit);
      separator = ", ";
    }
    html += "</td></tr>\n";
  }
  return html + "</tbody></table></details>\n";
}

std::string WorkloadSection(const Workload& work) {
  std::string floor;
  if (work.variants.size() > 1) floor = "; ratios to " + work.variants.front();
  return "<section class=\"workload\" id=\"" + HtmlText(work.name) + "\"><h3>" +
         HtmlText(work.name) + " <small>" + HtmlText(work.unit + floor) +
         "</small></h3>\n<div class=\"charts\">\n" + Lines(work) + Bars(work) + "</div>\n" +
         Numbers(work) + "</section>\n";
}

std::string Cell(const Target& target, const std::vector<ProgramReport>& reports) {
  const std::string times = target.is_ratio ? "\u00d7" : "";
  const std::string limit = " (" + NumberText(target.limit) + times + ")";
  const auto measured = MeasuredFor(target, reports);
  if (!measured.has_value()) return "<td class=\"n none\">not measured" + limit + "</td>";
  const bool met = *measured <= target.limit;
  return std::string("<td class=\"n ") + (met ? "met\">" : "missed\">") + NumberText(*measured) +
         times + limit + (met ? " \u2714 met" : " \u2718 missed") + "</td>";
}

std::string FactsTable(const PageInput& input) {
  std::string html = "<table><tbody>\n";
  const auto row = [&html](const std::string& name, const std::string& value) {
    html +=
        "<tr><th scope=\"row\">" + HtmlText(name) + "</th><td>" + HtmlText(value) + "</td></tr>\n";
  };
  // All programs ran on the same machine; the first of them that says so speaks for all.
  const auto facts = std::ranges::find_if(
      input.reports, [](const ProgramReport& report) { return !report.facts.empty(); });
  if (facts != input.reports.end()) {
    for (const MachineFact& fact : facts->facts) row(fact.name, fact.value);
  }
  row("commit", input.commit);
  return html + "</tbody></table>\n";
}

}  // namespace

std::string TargetTable(const std::vector<Target>& targets,
                        const std::vector<ProgramReport>& reports) {
  std::vector<std::string> workloads;
  std::set<std::size_t> sizes;
  for (const Target& target : targets) {
    AddOnce(&workloads, target.workload);
    sizes.insert(target.size);
  }
  std::string html = "<table class=\"targets\"><thead><tr><th>workload</th>";
  for (const std::size_t size : sizes) html += "<th class=\"n\">N = " + ShortSize(size) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (const std::string& workload : workloads) {
    html += "<tr><th scope=\"row\">" + HtmlText(workload) + "</th>";
    for (const std::size_t size : sizes) {
      const auto target = std::ranges::find_if(
          targets, [&](const Target& t) { return t.workload == workload && t.size == size; });
      html += target == targets.end() ? "<td></td>" : Cell(*target, reports);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string ReportPage(const PageInput& input) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Ashlar: benchmarks</title>\n<style>";
  html += kStyle + ColourRules() + "</style></head><body>\n<h1>Ashlar: what costs what</h1>\n";
  html +=
      "<p class=\"soft\">Bars and points are medians; whiskers go from the tenth to the ninetieth "
      "percentile. A ratio is the median of the ratios within a round, so that what slows the "
      "whole "
      "machine down does not count. Lower is better everywhere.</p>\n";
  html += FactsTable(input);
  for (const std::string& note : input.notes) html += "<p>" + HtmlText(note) + "</p>\n";
  html +=
      "<h2>Targets</h2>\n<p class=\"soft\">What was measured, and in brackets the most that it is "
      "to be. Ratios (\u00d7) are to the first variant of the "
      "workload. "
      "The rest are nanoseconds an item (memory: bytes an entity), set on an idle server of 2.3 "
      "GHz: "
      "on another machine, or a busy one, they say little.</p>\n";
  html += TargetTable(input.targets, input.reports);
  for (const ProgramReport& report : input.reports) {
    html += "<h2>" + HtmlText(report.program) + "</h2>\n<p class=\"soft\">" +
            ProseText(report.about) + "</p>\n<nav>";
    const std::vector<Workload> workloads = WorkloadsOf(report);
    for (const Workload& work : workloads) {
      html += "<a href=\"#" + HtmlText(work.name) + "\">" + HtmlText(work.name) + "</a>\n";
    }
    html += "</nav>\n";
    for (const Workload& work : workloads) html += WorkloadSection(work);
  }
  return html + "</body></html>\n";
}

}  // namespace ashlar::bench
