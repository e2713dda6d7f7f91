#include "ashlar/world/object_store.h"

#include <new>

#include "ashlar/storage/archetype_block.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

using Form = ComponentValue::Form;

// Runs a constructor of the user's. Exceptions pass through, a std::bad_alloc as UserBadAlloc.
template <typename Construct>
void CallUser(const Construct& construct) {
  try {
    construct();
  } catch (const std::bad_alloc&) {
    throw world_errors::UserBadAlloc{std::current_exception()};
  }
}

// An object that ends with its scope.
class ScratchObject {
 public:
  ScratchObject(const ComponentDescriptor& descriptor, const ComponentValue& value,
                std::pmr::memory_resource* memory)
      : lifecycle_(*descriptor.lifecycle()), place_(descriptor.size_bytes(), memory) {
    MakeObject(descriptor, value, place_.data(), memory);
  }
  ~ScratchObject() { lifecycle_.destroy(place_.data(), lifecycle_); }
  ScratchObject(const ScratchObject&) = delete;
  ScratchObject& operator=(const ScratchObject&) = delete;

  const std::byte* get() { return place_.data(); }

 private:
  const Lifecycle& lifecycle_;
  ScratchValue place_;
};

ObjectColumn ObjectColumnOf(const ComponentRegistry& registry, const Archetype& archetype,
                            ComponentId component) {
  return {archetype.ColumnOf(component), registry[component].lifecycle(),
          registry.ObjectCounter(component)};
}

bool IsObject(const ComponentRegistry& registry, const ComponentValue& value) {
  return registry[value.component()].lifecycle() != nullptr;
}

// Whether the value is an object that is made before the commit, not taken in it.
bool IsMade(const ComponentRegistry& registry, const ComponentValue& value) {
  return IsObject(registry, value) && value.form() != Form::kTake;
}

std::size_t RoundUp(std::size_t size_bytes) {
  return (size_bytes + kCacheLineBytes - 1) / kCacheLineBytes * kCacheLineBytes;
}

std::size_t StageSizeBytes(const ComponentRegistry& registry,
                           std::span<const ComponentValue> values) {
  std::size_t size_bytes = 0;
  for (const ComponentValue& value : values) {
    if (IsObject(registry, value)) size_bytes += RoundUp(registry[value.component()].size_bytes());
  }
  return size_bytes;
}

}  // namespace

void MakeObject(const ComponentDescriptor& descriptor, const ComponentValue& value, void* at,
                std::pmr::memory_resource* memory) {
  const Lifecycle& lifecycle = *descriptor.lifecycle();
  if (value.form() == Form::kBytes) {
    CallUser([&] { lifecycle.copy(at, value.bytes(), lifecycle); });
    return;
  }
  if (value.form() == Form::kZero || value.scalars().empty()) {
    CallUser([&] { lifecycle.make(at, lifecycle); });
    return;
  }
  std::pmr::vector<Scalar> fitted(memory);
  fitted.reserve(value.scalars().size());
  for (std::size_t i = 0; i < value.scalars().size(); ++i) {
    fitted.push_back(*FitScalar(descriptor.scalars()[i].type, value.scalars()[i]));
  }
  CallUser([&] { lifecycle.from_scalars(at, fitted, lifecycle); });
}

absl::Status CheckObject(std::string_view call, const ComponentDescriptor& descriptor,
                         const ComponentValue& value, std::pmr::memory_resource* memory) {
  const Lifecycle& lifecycle = *descriptor.lifecycle();
  const bool is_given = value.form() == Form::kBytes || value.form() == Form::kTake;
  if (is_given && value.bytes() == nullptr) return world_errors::NoBytes(call, descriptor);
  // SAFETY: the address is looked at as a number.
  if (is_given &&
      reinterpret_cast<std::uintptr_t>(value.bytes()) % descriptor.alignment_bytes() != 0) {
    return world_errors::Misaligned(call, descriptor);
  }
  if (value.form() == Form::kBytes && lifecycle.copy == nullptr) {
    return world_errors::MoveOnly(call, descriptor);
  }
  if (value.form() == Form::kScalars) {
    if (absl::Status fits = descriptor.CheckFit(value.scalars()); !fits.ok()) {
      return world_errors::Within(call, fits);
    }
  }
  if (!is_given && value.scalars().empty() && lifecycle.make == nullptr) {
    return world_errors::NoDefault(call, descriptor);
  }
  if (!descriptor.has_validation()) return absl::OkStatus();
  if (is_given) {
    return world_errors::Within(call,
                                descriptor.Validate(static_cast<const std::byte*>(value.bytes())));
  }
  ScratchObject object(descriptor, value, memory);
  return world_errors::Within(call, descriptor.Validate(object.get()));
}

void MakeObjects(const ComponentRegistry& registry, Archetype& archetype,
                 const Archetype::Slot& slot, std::span<const ComponentValue> values,
                 std::pmr::memory_resource* memory) {
  std::size_t done = 0;
  try {
    for (; done < values.size(); ++done) {
      const ComponentValue& value = values[done];
      if (!IsMade(registry, value)) continue;
      const ObjectColumn column = ObjectColumnOf(registry, archetype, value.component());
      MakeObject(registry[value.component()], value, column.At(slot.chunk, slot.row.value()),
                 memory);
      ++*column.object_count;
    }
  } catch (...) {
    for (const ComponentValue& value : values.first(done)) {
      if (!IsMade(registry, value)) continue;
      ObjectColumnOf(registry, archetype, value.component()).Destroy(slot.chunk, slot.row.value());
    }
    archetype.Cancel(slot);
    throw;
  }
}

void TakeObjects(const ComponentRegistry& registry, const Archetype& archetype,
                 const Archetype::Slot& slot, std::span<const ComponentValue> values) noexcept {
  for (const ComponentValue& value : values) {
    if (value.form() != Form::kTake || !IsObject(registry, value)) continue;
    const ObjectColumn column = ObjectColumnOf(registry, archetype, value.component());
    column.lifecycle->take(column.At(slot.chunk, slot.row.value()), value.object(),
                           *column.lifecycle);
    ++*column.object_count;
  }
}

StagedObjects::StagedObjects(const ComponentRegistry& registry,
                             std::span<const ComponentValue> values,
                             std::pmr::memory_resource* memory)
    : staged_(memory), scratch_(StageSizeBytes(registry, values), memory) {
  staged_.reserve(values.size());
  std::size_t offset = 0;
  for (const ComponentValue& value : values) {
    if (!IsObject(registry, value)) continue;
    const ComponentDescriptor& descriptor = registry[value.component()];
    staged_.push_back({&value, descriptor.lifecycle(), offset});
    offset += RoundUp(descriptor.size_bytes());
  }
  try {
    for (; made_ < staged_.size(); ++made_) {
      const Staged& staged = staged_[made_];
      if (staged.value->form() == Form::kTake) continue;
      MakeObject(registry[staged.value->component()], *staged.value,
                 scratch_.data() + staged.offset_bytes, memory);
    }
  } catch (...) {
    EndMade();
    throw;
  }
}

StagedObjects::~StagedObjects() { EndMade(); }

void StagedObjects::EndMade() noexcept {
  for (std::size_t i = 0; i < made_; ++i) {
    if (staged_[i].value->form() == Form::kTake) continue;
    staged_[i].lifecycle->destroy(scratch_.data() + staged_[i].offset_bytes, *staged_[i].lifecycle);
  }
}

void StagedObjects::Commit(const Archetype& archetype, const Location& location) noexcept {
  std::byte* chunk = archetype.ChunkBase(location.chunk);
  for (const Staged& staged : staged_) {
    std::byte* place =
        archetype.ColumnOf(staged.value->component()).At(chunk, location.row.value());
    std::byte* made = scratch_.data() + staged.offset_bytes;
    // By way of its own place, so that a value may be taken from where it will be put.
    if (staged.value->form() == Form::kTake) {
      staged.lifecycle->take(made, staged.value->object(), *staged.lifecycle);
    }
    staged.lifecycle->destroy(place, *staged.lifecycle);
    staged.lifecycle->relocate(place, made, *staged.lifecycle);
  }
  made_ = 0;
}

void MakeBlockObjects(const ComponentRegistry& registry, const Archetype& archetype,
                      const Archetype::Block& block, std::span<const ComponentSpan> components,
                      std::pmr::memory_resource* memory) {
  // Of the objects in that order, as many are made.
  std::size_t made = 0;
  const auto for_each = [&](const auto& visit) {
    archetype.ForEachRun(block, [&](const Archetype::Run& run) {
      for (std::uint32_t i = 0; i < run.row_count; ++i) {
        for (const ComponentSpan& span : components) {
          if (registry[span.component()].lifecycle() == nullptr) continue;
          visit(span, run, i);
        }
      }
    });
  };
  try {
    for_each([&](const ComponentSpan& span, const Archetype::Run& run, std::uint32_t i) {
      const ComponentDescriptor& descriptor = registry[span.component()];
      const ObjectColumn column = ObjectColumnOf(registry, archetype, span.component());
      MakeObject(descriptor, span.ValueAt(run.first + i, descriptor.size_bytes()),
                 column.At(run.chunk, run.first_row + i), memory);
      ++*column.object_count;
      ++made;
    });
  } catch (...) {
    for_each([&](const ComponentSpan& span, const Archetype::Run& run, std::uint32_t i) {
      if (made == 0) return;
      --made;
      ObjectColumnOf(registry, archetype, span.component()).Destroy(run.chunk, run.first_row + i);
    });
    throw;
  }
}

}  // namespace ashlar::inline v0
