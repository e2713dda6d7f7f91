// What an audit did, as tables, and what it should have done and did not.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ashlar/core/probe.h"
#include "cli/audit_run.h"

namespace ashlar::cli {

// A line for each kind of operation: how many, how many went well, how many were refused and why.
// Lists that are too long for `width` go on in further lines.
std::string OutcomeTable(const model::LockstepCounts& counts, std::size_t width);

// Name and count of each probe that was hit.
std::string ProbeTable(std::span<const ProbeCount> hit);

// Totals, rate, peak memory of this process, seed and digest.
std::string AuditTotals(const AuditPlan& plan, const AuditState& state);

// One line for progress.
std::string ProgressText(const AuditPlan& plan, const AuditState& state);

// The wanted probes that were not hit.
std::vector<std::string> MissingProbes(std::span<const std::string_view> wanted,
                                       std::span<const ProbeCount> hit);

// The pairs of kAuditOutcomes (audit_probes.h) that were seen fewer than kPairsSeenMin times, as
// "add component_present (17)".
std::vector<std::string> RarePairs(const model::LockstepCounts& counts);

// "a, b, c".
std::string Joined(std::span<const std::string> words);

}  // namespace ashlar::cli
