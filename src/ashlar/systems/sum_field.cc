#include "ashlar/systems/sum_field.h"

#include <new>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/core/simd_choice.h"
#include "ashlar/core/status.h"
#include "ashlar/kernels/field_sum.h"
#include "ashlar/systems/parallel.h"

namespace ashlar::inline v0 {
namespace {

// Where the values of one scalar lie in a view.
struct FloatField {
  ComponentId component;
  std::size_t scalar = 0;
  std::size_t offset_floats = 0;  // In a value that is not split.
  std::size_t stride_floats = 0;

  float SumOf(const ChunkView& view, kernels::FieldSumFunction kernel) const {
    if (view.IsSplit(component)) {
      return kernel(view.ReadField<float>(component, scalar).data(), view.row_count(), 1);
    }
    // SAFETY: CheckField has seen that the scalar is an f32 and the component its bytes, so the
    // value is a multiple of four bytes long, and at that offset of each there is a float.
    const auto* values = reinterpret_cast<const float*>(view.ReadBytes(component));
    return kernel(values + offset_floats, view.row_count(), stride_floats);
  }
};

absl::Status CheckField(const ComponentRegistry& registry, ComponentId component,
                        std::size_t scalar) {
  if (!registry.Contains(component)) {
    return MakeError(
        absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown,
        "sum: component " + std::to_string(component.value()) + " is not registered in this world");
  }
  const ComponentDescriptor& descriptor = registry[component];
  const std::string name = "'" + std::string(descriptor.name()) + "'";
  if (scalar >= descriptor.scalars().size()) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kFieldUnknown,
                     "sum: " + name + " has no scalar " + std::to_string(scalar) + ", it has " +
                         std::to_string(descriptor.scalars().size()));
  }
  if (descriptor.lifecycle() != nullptr || descriptor.scalars()[scalar].type != ScalarType::kF32) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentTypeMismatch,
                     "sum: scalar " + std::to_string(scalar) + " of " + name + ", which is " +
                         descriptor.TypeText() + ", is no f32 that is stored as such");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<float> SumField(Executor& executor, const World& world, const IterationScope& scope,
                               ComponentId component, std::size_t scalar,
                               std::optional<SimdLevel> level) try {
  ASHLAR_RETURN_IF_ERROR(CheckField(world.registry(), component, scalar));
  const absl::StatusOr<SimdLevel> chosen = ChooseSimdLevel("sum", level);
  if (!chosen.ok()) return chosen.status();
  const kernels::FieldSumFunction kernel = kernels::FieldSumFor(*chosen);
  const ComponentDescriptor& descriptor = world.registry()[component];
  const FloatField field{component, scalar,
                         descriptor.scalars()[scalar].offset_bytes / sizeof(float),
                         descriptor.size_bytes() / sizeof(float)};

  const ScopePartition ranges = scope.Partition(RangeCountFor(executor));
  std::vector<std::vector<float>> sums(ranges.size());
  executor.ParallelFor(ranges.size(), [&](std::size_t range) {
    std::vector<float> own;  // Not in place: the others' lie in the same cache line.
    own.reserve(ranges[range].chunk_count());
    for (const ChunkView& view : ranges[range]) {
      if (view.Has(component)) own.push_back(field.SumOf(view, kernel));
    }
    sums[range] = std::move(own);
  });

  float total = 0;
  executor.ParallelFor(1, [&](std::size_t) {  // For the floats of a task.
    for (const std::vector<float>& own : sums) {
      total = kernels::AddFieldSums(total, own.data(), own.size());
    }
  });
  return total;
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace ashlar::inline v0
