// SumField: the sum of one float field over all rows of a scope, the same bits at every SIMD level
// and number of threads.
#pragma once

#include <cstddef>
#include <optional>

#include "absl/status/statusor.h"
#include "ashlar/core/cpu.h"
#include "ashlar/core/ids.h"
#include "ashlar/systems/executor.h"
#include "ashlar/world/iteration_scope.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// Sums scalar number `scalar` of the component (ComponentDescriptor::FindScalar), split or not. The
// rows of each view are one span, summed as kernels/field_sum.h says; the sums of the spans are
// added in the scope's order (kernels::AddFieldSums). So the bits depend on the chunk size and on
// the order of rows, and on nothing else. Views of archetypes without the component count nothing;
// without rows the sum is +0.0. `scope` is one of `world`, and nobody writes the component
// meanwhile. `level` forces a kernel, see MovementSystem::Make.
//
// Errors, in this order: kComponentUnknown; kFieldUnknown, a scalar that is not there;
// kComponentTypeMismatch, one that is no f32, or lies in an object; kOptionInvalid, as in
// MovementSystem::Make; memory: the sums of the spans come from the global heap.
absl::StatusOr<float> SumField(Executor& executor, const World& world, const IterationScope& scope,
                               ComponentId component, std::size_t scalar,
                               std::optional<SimdLevel> level = std::nullopt);

}  // namespace ashlar::inline v0
