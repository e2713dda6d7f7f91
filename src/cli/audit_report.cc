#include "cli/audit_report.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

#include "ashlar/core/status.h"
#include "cli/audit_probes.h"
#include "cli/text_format.h"

namespace ashlar::cli {
namespace {

constexpr std::size_t kNameWidth = 16;
constexpr std::size_t kCountWidth = 14;
constexpr std::size_t kReasonsColumn = kNameWidth + 2 * kCountWidth + 2;

std::string OutcomeName(int outcome) {
  if (outcome == model::LockstepCounts::kAllocationFailed) return "allocation_failed";
  if (outcome == model::LockstepCounts::kConstructionThrew) return "construction_threw";
  return std::string(ReasonName(static_cast<Reason>(outcome)));
}

std::string TotalLine(std::string_view name, const std::string& value) {
  return PadRight(name, 20) + value + '\n';
}

std::uint64_t PeakMemoryBytes() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

double Rate(const AuditState& state) {
  const double seconds = state.random_time.count();
  return seconds > 0 ? static_cast<double>(state.random_operations) / seconds : 0;
}

}  // namespace

std::string OutcomeTable(const model::LockstepCounts& counts, std::size_t width) {
  std::string text = PadRight("operation", kNameWidth) + PadLeft("all", kCountWidth) +
                     PadLeft("OK", kCountWidth) + "  refused\n";
  for (int code = 0; code < oplang::kOpCodeCount; ++code) {
    const auto& outcomes = counts.operations[code];
    std::uint64_t total = 0;
    for (const std::uint64_t count : outcomes) total += count;
    if (total == 0) continue;
    const std::string_view name = oplang::OpCodeName(static_cast<oplang::OpCode>(code));
    std::string line = PadRight(name, kNameWidth) + PadLeft(GroupDigits(total), kCountWidth) +
                       PadLeft(GroupDigits(outcomes[0]), kCountWidth);
    for (int outcome = 1; outcome < model::LockstepCounts::kOutcomeCount; ++outcome) {
      if (outcomes[outcome] == 0) continue;
      const std::string entry = "  " + OutcomeName(outcome) + ' ' + GroupDigits(outcomes[outcome]);
      if (line.size() + entry.size() > width && line.size() > kReasonsColumn) {
        text += line + '\n';
        line = std::string(kReasonsColumn - 2, ' ');
      }
      line += entry;
    }
    text += line + '\n';
  }
  return text;
}

std::string ProbeTable(std::span<const ProbeCount> hit) {
  std::size_t width = 10;
  for (const ProbeCount& probe : hit) width = std::max(width, probe.name.size());
  std::string text = PadRight("probe hit", width) + PadLeft("times", kCountWidth) + '\n';
  for (const ProbeCount& probe : hit) {
    text += PadRight(probe.name, width) + PadLeft(GroupDigits(probe.count), kCountWidth) + '\n';
  }
  return text;
}

std::string AuditTotals(const AuditPlan& plan, const AuditState& state) {
  const std::uint64_t all = state.counts.total_operations();
  std::string text = TotalLine("traces", GroupDigits(state.traces_run));
  text += TotalLine("random programs", GroupDigits(state.random_programs));
  text += TotalLine("operations",
                    GroupDigits(all) + " (" + GroupDigits(state.random_operations) + " random)");
  text += TotalLine("state comparisons", GroupDigits(state.counts.state_comparisons) + " (" +
                                             GroupDigits(state.counts.rows_compared) + " rows)");
  text += TotalLine("integrity checks", GroupDigits(state.counts.integrity_checks));
  text += TotalLine("injected failures",
                    GroupDigits(state.counts.failed_allocations) + " allocations, " +
                        GroupDigits(state.counts.thrown_constructions) + " constructions");
  text += TotalLine("rate", RateText(Rate(state)) + " random operations/s over " +
                                DurationText(state.random_time.count()));
  text += TotalLine("peak memory", BytesText(PeakMemoryBytes()));
  text += TotalLine(
      "seed",
      std::to_string(plan.seed) +
          (plan.first_program == 0 ? "" : ", from program " + std::to_string(plan.first_program)));
  text += TotalLine("state digest", HexText(state.digest));
  return text;
}

std::string ProgressText(const AuditPlan& plan, const AuditState& state) {
  std::string text =
      "audit: " + GroupDigits(state.traces_run) + " of " + Counted(plan.traces.size(), "trace");
  if (state.random_programs == 0) return text;
  text += ", " + GroupDigits(state.random_operations);
  const double seconds = state.random_time.count();
  double left = -1;
  if (plan.operations.has_value()) {
    text += " of " + GroupDigits(*plan.operations);
    const double rest =
        static_cast<double>(*plan.operations) - static_cast<double>(state.random_operations);
    if (Rate(state) > 0) left = std::max(0.0, rest / Rate(state));
  }
  if (plan.time.has_value()) {
    const double rest = std::max(0.0, plan.time->count() - seconds);
    left = left < 0 ? rest : std::min(left, rest);
  }
  text += " random operations, " + RateText(Rate(state)) + "/s";
  if (left >= 0) text += ", " + DurationText(left) + " left";
  return text;
}

std::vector<std::string> MissingProbes(std::span<const std::string_view> wanted,
                                       std::span<const ProbeCount> hit) {
  std::vector<std::string> missing;
  for (const std::string_view name : wanted) {
    const bool is_hit = std::any_of(hit.begin(), hit.end(), [&](const ProbeCount& probe) {
      return probe.name == name && probe.count != 0;
    });
    if (!is_hit) missing.emplace_back(name);
  }
  return missing;
}

std::vector<std::string> RarePairs(const model::LockstepCounts& counts) {
  std::vector<std::string> rare;
  for (const ExpectedOutcomes& expected : kAuditOutcomes) {
    for (std::size_t i = 0; i < expected.reasons.size(); ++i) {
      const Reason reason = expected.reasons[i];
      if (i > 0 && reason == Reason::kNone) break;
      const std::uint64_t count =
          counts.operations[static_cast<int>(expected.operation)][static_cast<int>(reason)];
      if (count >= kPairsSeenMin) continue;
      rare.push_back(std::string(oplang::OpCodeName(expected.operation)) + ' ' +
                     (reason == Reason::kNone ? "OK" : std::string(ReasonName(reason))) + " (" +
                     GroupDigits(count) + ')');
    }
  }
  return rare;
}

std::string Joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace ashlar::cli
