// Checking a value before anything changes, and writing it afterwards.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <string_view>

#include "absl/status/status.h"
#include "ashlar/core/limits.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/storage/archetype.h"
#include "ashlar/world/component_value.h"

namespace ashlar::inline v0 {

// An aligned place for one value: on the stack up to 512 bytes, else from `memory` (and then the
// constructor may throw std::bad_alloc).
class ScratchValue {
 public:
  ScratchValue(std::size_t size_bytes, std::pmr::memory_resource* memory);
  ~ScratchValue();
  ScratchValue(const ScratchValue&) = delete;
  ScratchValue& operator=(const ScratchValue&) = delete;

  std::byte* data() { return heap_ != nullptr ? heap_ : local_; }

 private:
  std::size_t size_bytes_;
  std::pmr::memory_resource* memory_;
  std::byte* heap_ = nullptr;
  alignas(kCacheLineBytes) std::byte local_[512];
};

// Whether the value may be stored: its form, its fit, its rules, its validator. Errors:
// kValueDoesNotFit, kValueRefused. Where the component has rules it may throw std::bad_alloc (see
// ScratchValue), and for an object what its constructor throws.
absl::Status CheckValue(std::string_view call, const ComponentDescriptor& descriptor,
                        const ComponentValue& value, std::pmr::memory_resource* memory);

// Writes it to a row. REQUIRES: CheckValue said OK; `out` is aligned for the component; the
// component is its bytes.
void WriteValue(const ComponentDescriptor& descriptor, const ComponentValue& value,
                std::byte* out) noexcept;

// The same to a row of an archetype, where the component may be split. `first` is its look-up.
void WriteValueTo(const ComponentDescriptor& descriptor, const ComponentValue& value,
                  const Archetype& archetype, const Column& first, std::byte* chunk,
                  std::size_t row) noexcept;

}  // namespace ashlar::inline v0
