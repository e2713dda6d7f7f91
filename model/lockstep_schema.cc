#include "model/lockstep_schema.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ashlar::model {
namespace {

struct Kept {
  std::vector<oplang::ComponentDeclaration> declarations;
  std::shared_ptr<const Schema> schema;
};

const TrackedType& TypeOf(const Lifecycle& lifecycle) {
  return *static_cast<const TrackedType*>(lifecycle.context);
}

std::byte* Bytes(void* object) { return static_cast<std::byte*>(object); }

// The functions of a TrackedType as those of a lifecycle, whose context it is.
Lifecycle LifecycleOf(const TrackedType* type) {
  Lifecycle lifecycle;
  lifecycle.context = type;
  lifecycle.make = [](void* at, const Lifecycle& self) { TypeOf(self).MakeZero(Bytes(at)); };
  if (type->ownership() != oplang::Ownership::kUnique) {
    lifecycle.copy = [](void* at, const void* from, const Lifecycle& self) {
      TypeOf(self).Copy(Bytes(at), static_cast<const std::byte*>(from));
    };
  }
  lifecycle.take = [](void* at, void* from, const Lifecycle& self) noexcept {
    TypeOf(self).Move(Bytes(at), Bytes(from));
  };
  lifecycle.relocate = [](void* at, void* from, const Lifecycle& self) noexcept {
    TypeOf(self).Relocate(Bytes(at), Bytes(from));
  };
  lifecycle.destroy = [](void* at, const Lifecycle& self) noexcept {
    TypeOf(self).Destroy(Bytes(at));
  };
  lifecycle.from_scalars = [](void* at, std::span<const Scalar> scalars, const Lifecycle& self) {
    TypeOf(self).MakeFromScalars(Bytes(at), scalars);
  };
  lifecycle.to_scalars = [](const void* value, std::span<Scalar> scalars,
                            const Lifecycle& self) noexcept {
    TypeOf(self).ToScalars(static_cast<const std::byte*>(value), scalars.data());
  };
  return lifecycle;
}

}  // namespace

// An object takes a byte at least, also one that has no scalars.
absl::Status Schema::Add(const oplang::ComponentDeclaration& declaration) {
  auto neutral = ComponentDescriptor::FromSpec(declaration.name, declaration.type);
  if (!neutral.ok()) return neutral.status();
  std::unique_ptr<const TrackedType> tracked;
  absl::StatusOr<ComponentDescriptor> stored = *neutral;
  if (declaration.ownership != oplang::Ownership::kPlain) {
    tracked = std::make_unique<const TrackedType>(*neutral, declaration.ownership);
    stored = ComponentDescriptor::FromLifecycle(
        declaration.name, std::max<std::size_t>(1, tracked->size_bytes()),
        tracked->alignment_bytes(), declaration.type, LifecycleOf(tracked.get()), nullptr, {});
    if (!stored.ok()) return stored.status();
  }
  neutral->set_enableable(declaration.is_enableable).set_split(declaration.is_split);
  stored->set_enableable(declaration.is_enableable).set_split(declaration.is_split);
  stored_size_bytes_.push_back(stored->size_bytes());
  move_only_.push_back(declaration.ownership == oplang::Ownership::kUnique ? 1 : 0);
  stored_.push_back(*std::move(stored));
  neutral_.push_back(*std::move(neutral));
  if (tracked != nullptr) {
    tracked_components_.push_back(static_cast<std::uint16_t>(tracked_.size()));
  }
  tracked_.push_back(std::move(tracked));
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const Schema>> SchemaOf(
    std::span<const oplang::ComponentDeclaration> declarations) {
  thread_local std::array<Kept, 4> all_kept;
  thread_local std::size_t next = 0;
  for (const Kept& kept : all_kept) {
    if (kept.schema != nullptr && std::ranges::equal(kept.declarations, declarations)) {
      return kept.schema;
    }
  }
  Schema schema;
  for (const oplang::ComponentDeclaration& declaration : declarations) {
    if (absl::Status status = schema.Add(declaration); !status.ok()) return status;
  }
  Kept& kept = all_kept[next++ % all_kept.size()];
  kept.declarations.assign(declarations.begin(), declarations.end());
  kept.schema = std::make_shared<const Schema>(std::move(schema));
  return kept.schema;
}

}  // namespace ashlar::model
