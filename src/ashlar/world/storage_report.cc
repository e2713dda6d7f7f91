#include "ashlar/world/storage_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ashlar/world/world.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

double Ratio(std::size_t rows, std::size_t capacity) {
  return capacity == 0 ? 0.0 : static_cast<double>(rows) / static_cast<double>(capacity);
}

ArchetypeFigures FiguresOf(const World& world, const Archetype& archetype) {
  ArchetypeFigures figures;
  figures.number = archetype.number();
  figures.id = archetype.id();
  archetype.signature().ForEach([&](ComponentId component) {
    figures.components.emplace_back(world.registry()[component].name());
  });
  figures.rows = archetype.row_count();
  figures.rows_per_chunk = archetype.capacity();
  figures.chunks = archetype.chunk_count();
  figures.capacity = figures.chunks * archetype.capacity();
  figures.bytes = figures.chunks * world.chunk_pool().stride_bytes();
  return figures;
}

std::string Counted(std::size_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// "50.4 %", rounded down, so that only what is full is 100.0 %. REQUIRES: whole is not 0.
std::string Percent(std::size_t part, std::size_t whole) {
  const std::size_t permille = part * 1000 / whole;
  return absl::StrCat(permille / 10, ".", permille % 10, " %");
}

std::string FilledText(std::size_t rows, std::size_t capacity) {
  if (capacity == 0) return "no rows";
  return absl::StrCat(rows, " of ", Counted(capacity, "row"), ", ", Percent(rows, capacity),
                      " full");
}

}  // namespace

double ArchetypeFigures::occupancy() const { return Ratio(rows, capacity); }
double StorageFigures::occupancy() const { return Ratio(rows, capacity); }

absl::StatusOr<StorageFigures> World::StorageReport() const try {
  StorageFigures figures;
  figures.archetypes.reserve(archetypes_.numbered().size());
  for (const Archetype* archetype : archetypes_.numbered()) {
    const ArchetypeFigures& added = figures.archetypes.emplace_back(FiguresOf(*this, *archetype));
    figures.rows += added.rows;
    figures.chunks += added.chunks;
    figures.capacity += added.capacity;
    figures.bytes += added.bytes;
  }
  const ChunkPool::Recount unused = pool_.CountUnusedSlabs();
  figures.slabs = pool_.slab_count();
  figures.chunks_free = pool_.free_count();
  figures.pool_bytes = pool_.bytes_held();
  figures.slabs_unused = unused.slabs;
  figures.bytes_unused = unused.bytes;
  return figures;
} catch (...) {
  return world_errors::Caught("StorageReport");
}

std::string StorageReportText(const StorageFigures& figures) {
  std::string text;
  for (const ArchetypeFigures& archetype : figures.archetypes) {
    absl::StrAppend(&text, "archetype ", archetype.number.value(), " [",
                    absl::StrJoin(archetype.components, " "),
                    "]: ", FilledText(archetype.rows, archetype.capacity), ", ",
                    Counted(archetype.chunks, "chunk"), " of ", archetype.rows_per_chunk, ", ",
                    Counted(archetype.bytes, "byte"), "\n");
  }
  absl::StrAppend(&text, "total: ", FilledText(figures.rows, figures.capacity), ", ",
                  Counted(figures.chunks, "chunk"), ", ", Counted(figures.bytes, "byte"), "\n");
  absl::StrAppend(&text, "pool: ", Counted(figures.chunks + figures.chunks_free, "chunk"), " in ",
                  Counted(figures.slabs, "slab"), ", ", figures.chunks_free, " free, ",
                  Counted(figures.pool_bytes, "byte"), "; Trim would give back ",
                  figures.bytes_unused, "\n");
  return text;
}

}  // namespace ashlar::inline v0
