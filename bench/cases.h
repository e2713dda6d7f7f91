// The cases of storage_bench.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/harness.h"

namespace ashlar::bench {

// Entities in a world.
inline constexpr std::size_t kSizes[] = {1'024, 16'384, 131'072, 1'000'000};

// iterate_pv, exclude, exclude_bits, frag26, frag1024
void AddIterateCases(std::vector<CaseMaker>* makers);
void AddManyCases(std::vector<CaseMaker>* makers);  // create_bulk, destroy_all
void AddStructuralCases(
    std::vector<CaseMaker>* makers);                  // create, destroy_random, add_remove_h, churn
void AddBatchCases(std::vector<CaseMaker>* makers);   // commands, add_by_query, tag_by_query
void AddToggleCases(std::vector<CaseMaker>* makers);  // toggle, toggle_all
void AddLookupCases(std::vector<CaseMaker>* makers);  // get_checked, memory

}  // namespace ashlar::bench
