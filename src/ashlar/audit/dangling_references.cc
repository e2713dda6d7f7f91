#include "ashlar/audit/dangling_references.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/storage/value_reader.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

// A scalar of a component that names an entity.
struct ReferenceSlot {
  const ComponentDescriptor* descriptor;
  ComponentId component;
  Column column;  // Where it lies in a row; nothing for a singleton.
  std::uint32_t scalar;
};

void AppendSlots(const World& world, ComponentId component, const Column& column,
                 std::vector<ReferenceSlot>* slots) {
  const ComponentDescriptor& descriptor = world.registry()[component];
  for (std::uint32_t i = 0; i < descriptor.scalars().size(); ++i) {
    if (descriptor.scalars()[i].type != ScalarType::kEntity) continue;
    slots->push_back({&descriptor, component, column, i});
  }
}

// `scalars` is kept between calls for its capacity.
Entity TargetAt(const ReferenceSlot& slot, const std::byte* value, std::vector<Scalar>* scalars) {
  if (slot.descriptor->lifecycle() != nullptr) {
    scalars->clear();
    slot.descriptor->Unpack(value, scalars);
    return Entity::FromBits((*scalars)[slot.scalar].bits);
  }
  const ScalarSlot& scalar = slot.descriptor->scalars()[slot.scalar];
  return Entity::FromBits(LoadScalar(scalar.type, value + scalar.offset_bytes).bits);
}

// What is being looked for, and what was found.
struct Search {
  const World& world;
  std::vector<DanglingReference> found;
  std::vector<Scalar> scalars;
  ValueReader reader;

  void Look(Entity holder, const ReferenceSlot& slot, const std::byte* value) {
    const Entity target = TargetAt(slot, value, &scalars);
    if (target.is_null() || world.IsAlive(target)) return;
    found.push_back({holder, slot.component, slot.scalar, target});
  }

  void LookIntoRows(const Archetype& archetype) {
    std::vector<ReferenceSlot> slots;
    archetype.signature().ForEach([&](ComponentId component) {
      AppendSlots(world, component, archetype.ColumnOf(component), &slots);
    });
    if (slots.empty()) return;
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
      const std::byte* base = archetype.ChunkBase(ChunkIndex(chunk));
      const std::uint32_t rows = archetype.RowsInChunk(ChunkIndex(chunk));
      for (std::uint32_t row = 0; row < rows; ++row) {
        const Entity holder = archetype.EntityAt(ChunkIndex(chunk), RowIndex(row));
        for (const ReferenceSlot& slot : slots) {
          Look(holder, slot,
               reader.Read(archetype, slot.column, slot.descriptor->size_bytes(), base, row));
        }
      }
    }
  }

  void LookIntoSingletons() {
    for (std::size_t i = 0; i < world.singletons().size(); ++i) {
      const ComponentId component(static_cast<ComponentId::Rep>(i));
      const std::byte* const value = world.singletons().Value(component);
      if (value == nullptr) continue;
      std::vector<ReferenceSlot> slots;
      AppendSlots(world, component, Column{}, &slots);
      for (const ReferenceSlot& slot : slots) Look(Entity(), slot, value);
    }
  }
};

}  // namespace

absl::StatusOr<std::vector<DanglingReference>> FindDanglingReferences(const World& world) try {
  Search search{world, {}, {}, {}};
  for (const Archetype* archetype : world.archetypes().numbered()) search.LookIntoRows(*archetype);
  search.LookIntoSingletons();
  return std::move(search.found);
} catch (...) {
  return world_errors::Caught("FindDanglingReferences");
}

std::string DanglingReferenceText(const World& world, const DanglingReference& reference) {
  const bool is_singleton = reference.holder.is_null();
  return absl::StrCat(is_singleton ? "singleton" : EntityText(reference.holder), " ",
                      world.registry()[reference.component].ScalarPath(reference.scalar), " -> ",
                      EntityText(reference.target));
}

}  // namespace ashlar::inline v0
