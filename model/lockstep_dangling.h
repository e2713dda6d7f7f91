// Dangling references, as the model has them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ashlar/audit/dangling_references.h"
#include "model/reference_world.h"

namespace ashlar::model {

// Every reference, but null ones, to what is not alive; ordered by holder, component and scalar.
std::vector<DanglingReference> DanglingInModel(const ReferenceWorld& model,
                                               const ModelSchema& schema);

// Whether the world's list, in any order, is that of the model; empty, or the difference.
std::string DanglingDifference(std::vector<DanglingReference> in_world,
                               std::span<const DanglingReference> in_model);

}  // namespace ashlar::model
