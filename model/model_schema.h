// ModelSchema: what the reference model knows of the components.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "ashlar/core/status.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::model {

// A neutral value, fitted: one Scalar for each scalar of the component. Empty for a tag.
using Value = absl::InlinedVector<Scalar, 4>;

// What the values of each component are; what one takes in a row of a chunk, for the rule that a
// row must fit one; and whether it is not 0, that it cannot be copied. Without sizes: those of the
// descriptors; without the last: all can be. Refers to all three.
struct ModelSchema {
  std::span<const ComponentDescriptor> descriptors;
  std::span<const std::size_t> stored_size_bytes;
  std::span<const std::uint8_t> move_only = {};

  bool Has(std::uint16_t component) const { return component < descriptors.size(); }
  std::optional<std::uint16_t> Find(std::string_view name) const;

  bool IsEnableable(std::uint16_t component) const {
    return descriptors[component].is_enableable();
  }

  bool IsMoveOnly(std::uint16_t component) const {
    return component < move_only.size() && move_only[component] != 0;
  }

  // The value as the component stores it; kNone, or why not. Rules are asked on the stored form.
  Reason Fit(std::uint16_t component, const Value& value, Value* fitted) const;

  std::size_t StoredSizeBytes(std::uint16_t component) const {
    return stored_size_bytes.empty() ? descriptors[component].size_bytes()
                                     : stored_size_bytes[component];
  }

  // What a value takes of a chunk with one row: cache lines of its own, of a split one for each
  // scalar.
  std::size_t RowLineBytes(std::uint16_t component) const {
    const ComponentDescriptor& descriptor = descriptors[component];
    if (descriptor.is_split()) return descriptor.scalars().size() * 64;
    return (StoredSizeBytes(component) + 63) / 64 * 64;
  }

  // Three scalars in 12 bytes, all f32: then nothing stands before, between or behind them.
  bool IsThreeFloats(std::uint16_t component) const {
    const auto scalars = descriptors[component].scalars();
    return scalars.size() == 3 && StoredSizeBytes(component) == 12 &&
           std::ranges::all_of(
               scalars, [](const ScalarSlot& slot) { return slot.type == ScalarType::kF32; });
  }
};

}  // namespace ashlar::model
