#include "ashlar/world/value_store.h"

#include <cstring>

#include "ashlar/world/object_store.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {

ScratchValue::ScratchValue(std::size_t size_bytes, std::pmr::memory_resource* memory)
    : size_bytes_(size_bytes), memory_(memory) {
  if (size_bytes_ > sizeof(local_)) {
    heap_ = static_cast<std::byte*>(memory_->allocate(size_bytes_, kCacheLineBytes));
  }
}

ScratchValue::~ScratchValue() {
  if (heap_ != nullptr) memory_->deallocate(heap_, size_bytes_, kCacheLineBytes);
}

absl::Status CheckValue(std::string_view call, const ComponentDescriptor& descriptor,
                        const ComponentValue& value, std::pmr::memory_resource* memory) {
  if (descriptor.lifecycle() != nullptr) return CheckObject(call, descriptor, value, memory);
  const bool is_pointer =
      value.form() == ComponentValue::Form::kBytes || value.form() == ComponentValue::Form::kTake;
  if (is_pointer && value.bytes() == nullptr && !descriptor.is_tag()) {
    return world_errors::NoBytes(call, descriptor);
  }
  if (value.form() == ComponentValue::Form::kScalars) {
    if (absl::Status fits = descriptor.CheckFit(value.scalars()); !fits.ok()) {
      return world_errors::Within(call, fits);
    }
  }
  if (!descriptor.has_validation()) return absl::OkStatus();
  ScratchValue scratch(descriptor.size_bytes(), memory);
  WriteValue(descriptor, value, scratch.data());
  return world_errors::Within(call, descriptor.Validate(scratch.data()));
}

void WriteValue(const ComponentDescriptor& descriptor, const ComponentValue& value,
                std::byte* out) noexcept {
  const std::size_t size_bytes = descriptor.size_bytes();
  if (size_bytes == 0) return;
  switch (value.form()) {
    case ComponentValue::Form::kZero:
      std::memset(out, 0, size_bytes);
      return;
    case ComponentValue::Form::kBytes:
    case ComponentValue::Form::kTake:
      // The bytes may be those of another row, or of this one.
      std::memmove(out, value.bytes(), size_bytes);
      return;
    case ComponentValue::Form::kScalars:
      descriptor.Pack(value.scalars(), out);
      return;
  }
}

void WriteValueTo(const ComponentDescriptor& descriptor, const ComponentValue& value,
                  const Archetype& archetype, const Column& first, std::byte* chunk,
                  std::size_t row) noexcept {
  if (!first.is_split()) return WriteValue(descriptor, value, first.At(chunk, row));
  switch (value.form()) {
    case ComponentValue::Form::kBytes:
    case ComponentValue::Form::kTake:
      archetype.StoreValue(first, chunk, row, static_cast<const std::byte*>(value.bytes()));
      return;
    case ComponentValue::Form::kZero:
    case ComponentValue::Form::kScalars:
      break;
  }
  // No scalars at all stand for zeros.
  const std::span<const Column> columns = archetype.SplitColumns(first);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::byte* at = columns[i].At(chunk, row);
    if (value.scalars().empty()) {
      std::memset(at, 0, columns[i].size_bytes);
    } else {
      const ScalarType type = descriptor.scalars()[i].type;
      StoreScalar(type, *FitScalar(type, value.scalars()[i]), at);
    }
  }
}

}  // namespace ashlar::inline v0
