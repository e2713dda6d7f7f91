// The page that shows all results: one file of HTML with its charts inside, which needs neither a
// script nor anything from elsewhere.
#pragma once

#include <string>
#include <vector>

#include "bench/report_data.h"

namespace ashlar::bench {

struct PageInput {
  std::vector<ProgramReport> reports;
  std::vector<Target> targets;
  std::vector<std::string> notes;  // Sentences for the top, such as what could not be run.
  std::string commit = "unknown";
};

std::string ReportPage(const PageInput& input);

// The summary alone: a row a workload, a column a size, each cell with its limit and whether it is
// met.
std::string TargetTable(const std::vector<Target>& targets,
                        const std::vector<ProgramReport>& reports);

}  // namespace ashlar::bench
