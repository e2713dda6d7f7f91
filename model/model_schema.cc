#include "model/model_schema.h"

#include "ashlar/core/limits.h"

namespace ashlar::model {

std::optional<std::uint16_t> ModelSchema::Find(std::string_view name) const {
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    if (descriptors[i].name() == name) return static_cast<std::uint16_t>(i);
  }
  return std::nullopt;
}

Reason ModelSchema::Fit(std::uint16_t component, const Value& value, Value* fitted) const {
  struct alignas(kComponentAlignmentMax) Line {
    std::byte bytes[kComponentAlignmentMax];
  };
  const ComponentDescriptor& descriptor = descriptors[component];
  if (!descriptor.CheckFit(value).ok()) return Reason::kValueDoesNotFit;
  absl::InlinedVector<Line, 4> storage(descriptor.size_bytes() / sizeof(Line) + 1);
  descriptor.Pack(value, storage.front().bytes);
  if (!descriptor.Validate(storage.front().bytes).ok()) return Reason::kValueRefused;
  fitted->resize(descriptor.scalars().size());
  descriptor.UnpackTo(storage.front().bytes, *fitted);
  return Reason::kNone;
}

}  // namespace ashlar::model
