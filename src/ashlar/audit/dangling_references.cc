#include "ashlar/audit/dangling_references.h"

#include "absl/strings/str_cat.h"
#include "ashlar/storage/value_reader.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

// A scalar of one column that names an entity.
struct ReferenceSlot {
  Column column;
  const ComponentDescriptor* descriptor;
  std::uint32_t scalar;
};

std::vector<ReferenceSlot> SlotsOf(const World& world, const Archetype& archetype) {
  std::vector<ReferenceSlot> slots;
  archetype.signature().ForEach([&](ComponentId component) {
    const ComponentDescriptor& descriptor = world.registry()[component];
    for (std::uint32_t i = 0; i < descriptor.scalars().size(); ++i) {
      if (descriptor.scalars()[i].type != ScalarType::kEntity) continue;
      slots.push_back({archetype.ColumnOf(component), &descriptor, i});
    }
  });
  return slots;
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

}  // namespace

absl::StatusOr<std::vector<DanglingReference>> FindDanglingReferences(const World& world) try {
  std::vector<DanglingReference> found;
  std::vector<Scalar> scalars;
  ValueReader reader;
  for (const Archetype* archetype : world.archetypes().numbered()) {
    const std::vector<ReferenceSlot> slots = SlotsOf(world, *archetype);
    if (slots.empty()) continue;
    for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
      const std::byte* base = archetype->ChunkBase(ChunkIndex(chunk));
      const std::uint32_t rows = archetype->RowsInChunk(ChunkIndex(chunk));
      for (std::uint32_t row = 0; row < rows; ++row) {
        const Entity holder = archetype->EntityAt(ChunkIndex(chunk), RowIndex(row));
        for (const ReferenceSlot& slot : slots) {
          const std::byte* value =
              reader.Read(*archetype, slot.column, slot.descriptor->size_bytes(), base, row);
          const Entity target = TargetAt(slot, value, &scalars);
          if (target.is_null() || world.IsAlive(target)) continue;
          found.push_back({holder, slot.column.component, slot.scalar, target});
        }
      }
    }
  }
  return found;
} catch (...) {
  return world_errors::Caught("FindDanglingReferences");
}

std::string DanglingReferenceText(const World& world, const DanglingReference& reference) {
  return absl::StrCat(EntityText(reference.holder), " ",
                      world.registry()[reference.component].ScalarPath(reference.scalar), " -> ",
                      EntityText(reference.target));
}

}  // namespace ashlar::inline v0
