// CheckIntegrity: entities and rows (I1, I2, I3, I6, I12). The storage below them is checked in
// integrity_storage.cc.
#include "ashlar/audit/integrity.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "ashlar/audit/integrity_storage.h"

namespace ashlar::inline v0 {
namespace {

using integrity::Broken;

std::string RowText(const Archetype& archetype, std::uint32_t chunk, std::uint32_t row) {
  return absl::StrCat("archetype ", archetype.id().value(), " chunk ", chunk, " row ", row);
}

std::string RowText(const Archetype& archetype, const Location& location) {
  return RowText(archetype, location.chunk.value(), location.row.value());
}

absl::Status CheckLocation(const World& world, Entity entity) {
  const Location* location = world.directory().Find(entity);
  if (location == nullptr) {
    return Broken(1, absl::StrCat(EntityText(entity), " is live and cannot be found"));
  }
  if (!world.archetypes().Contains(location->archetype)) {
    return Broken(1, absl::StrCat(EntityText(entity), " lies in archetype ",
                                  location->archetype.value(), ", which does not exist"));
  }
  const Archetype& archetype = world.archetypes()[location->archetype];
  if (location->chunk.value() >= archetype.chunk_count() ||
      location->row.value() >= archetype.RowsInChunk(location->chunk)) {
    return Broken(1, absl::StrCat(EntityText(entity), " lies at ", RowText(archetype, *location),
                                  ", which is no row"));
  }
  const Entity found = archetype.EntityAt(location->chunk, location->row);
  if (found != entity) {
    return Broken(1, absl::StrCat(EntityText(entity), " lies at ", RowText(archetype, *location),
                                  ", which holds ", EntityText(found)));
  }
  return absl::OkStatus();
}

// How many slots of the directory are in which state, slot by slot.
struct SlotCounts {
  std::size_t live = 0;
  std::size_t free = 0;
  std::size_t retired = 0;
};

// I1: the location of each live id names a row that holds that id. Counts the slots on the way.
absl::Status CheckDirectoryToRows(const World& world, SlotCounts* slots) {
  const EntityDirectory& directory = world.directory();
  for (std::uint64_t slot = 0; slot < directory.slot_count(); ++slot) {
    const auto index = static_cast<std::uint32_t>(slot);
    const EntityDirectory::SlotState state = directory.StateOf(index);
    slots->free += state == EntityDirectory::SlotState::kFree;
    slots->retired += state == EntityDirectory::SlotState::kRetired;
    if (state != EntityDirectory::SlotState::kLive) continue;
    ++slots->live;
    ASHLAR_RETURN_IF_ERROR(CheckLocation(world, Entity(index, directory.GenerationOf(index))));
  }
  return absl::OkStatus();
}

// I2: each row's id is live and its location is that row; the sum of rows is the live count.
absl::Status CheckRowsToDirectory(const World& world) {
  std::size_t rows = 0;
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
      const std::uint32_t count = archetype.RowsInChunk(ChunkIndex(chunk));
      rows += count;
      for (std::uint32_t row = 0; row < count; ++row) {
        const Entity entity = archetype.EntityAt(ChunkIndex(chunk), RowIndex(row));
        const Location* location = world.directory().Find(entity);
        const Location here{ArchetypeId(id), ChunkIndex(chunk), RowIndex(row)};
        if (location == nullptr) {
          return Broken(2, absl::StrCat(RowText(archetype, chunk, row), " holds ",
                                        EntityText(entity), ", which is not alive"));
        }
        if (*location != here) {
          return Broken(2, absl::StrCat(RowText(archetype, chunk, row), " holds ",
                                        EntityText(entity), ", which lies elsewhere"));
        }
      }
    }
  }
  if (rows != world.entity_count()) {
    return Broken(2, absl::StrCat(rows, " rows, but ", world.entity_count(), " live entities"));
  }
  return absl::OkStatus();
}

// I3: each chunk of an archetype but the last is full, none is empty, none is over capacity.
// Counts of all chunks but the last are arithmetic, so the tail is what can be wrong.
absl::Status CheckPacking(const World& world) {
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    if (archetype.chunk_count() == 0) {
      if (archetype.row_count() == 0) continue;
      return Broken(3, absl::StrCat("archetype ", id, " has rows and no chunk"));
    }
    const auto tail = static_cast<std::uint32_t>(archetype.chunk_count() - 1);
    const std::uint32_t rows = archetype.RowsInChunk(ChunkIndex(tail));
    if (rows == 0 || rows > archetype.layout().capacity()) {
      return Broken(3,
                    absl::StrCat("archetype ", id, " chunk ", tail, " has ", rows, " rows; 1 to ",
                                 archetype.layout().capacity(), " are possible"));
    }
  }
  return absl::OkStatus();
}

// I6: the free list has no repeats, no live slot, no retired slot; every slot is live, free or
// retired. A slot names the one behind it, so that a repeat is a loop, and a loop has no end.
absl::Status CheckFreeList(const World& world, const SlotCounts& slots) {
  const EntityDirectory& directory = world.directory();
  std::size_t length = 0;
  absl::Status status;
  directory.ForEachFree([&](std::uint32_t index) {
    if (index >= directory.slot_count()) {
      status =
          Broken(6, absl::StrCat("the free list names slot ", index, ", which was not issued"));
    } else if (directory.StateOf(index) != EntityDirectory::SlotState::kFree) {
      status = Broken(6, absl::StrCat("slot ", index, " is in the free list and is not free"));
    } else if (++length > directory.slot_count()) {
      status = Broken(6, absl::StrCat("the free list has a loop, with slot ", index, " in it"));
    }
    return status.ok();
  });
  if (!status.ok()) return status;
  if (length == slots.free && length == directory.free_count() &&
      slots.live == directory.live_count() && slots.retired == directory.retired_count() &&
      slots.live + length + slots.retired == directory.slot_count()) {
    return absl::OkStatus();
  }
  return Broken(6, absl::StrCat(directory.slot_count(), " slots: ", slots.live, " live (",
                                directory.live_count(), " counted), ", slots.free, " free (",
                                directory.free_count(), ", in the list ", length, "), ",
                                slots.retired, " retired (", directory.retired_count(), ")"));
}

// I12: the scope depth is what the caller knows to be open.
absl::Status CheckScopes(const World& world, std::uint32_t scopes_expected) {
  if (world.scope_depth() == scopes_expected) return absl::OkStatus();
  return Broken(12, absl::StrCat("scope depth is ", world.scope_depth(), ", and ", scopes_expected,
                                 " scopes are open"));
}

}  // namespace

absl::Status CheckIntegrity(const World& world, std::uint32_t scopes_expected) {
  // Packing first: the checks of rows lean on the counts that it holds.
  ASHLAR_RETURN_IF_ERROR(CheckPacking(world));
  SlotCounts slots;
  ASHLAR_RETURN_IF_ERROR(CheckDirectoryToRows(world, &slots));
  ASHLAR_RETURN_IF_ERROR(CheckRowsToDirectory(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckSignatures(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckLayouts(world));
  ASHLAR_RETURN_IF_ERROR(CheckFreeList(world, slots));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckQueries(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckObjects(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckEnableBits(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckVersions(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckPool(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckMemory(world));
  ASHLAR_RETURN_IF_ERROR(integrity::CheckUnusedRows(world));
  return CheckScopes(world, scopes_expected);
}

int BrokenInvariant(const absl::Status& status) {
  if (ReasonOf(status) != Reason::kInvariantBroken) return 0;
  absl::string_view message = status.message();
  if (message.empty() || message.front() != 'I') return 0;
  message.remove_prefix(1);
  int number = 0;
  return absl::SimpleAtoi(message.substr(0, message.find(':')), &number) ? number : 0;
}

}  // namespace ashlar::inline v0
