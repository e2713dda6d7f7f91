#include "ashlar/audit/integrity_storage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/core/poison.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0::integrity {
namespace {

// Memory for a list that is short in most worlds: from the stack, and from the heap where that is
// not enough.
class ListMemory {
 public:
  std::pmr::memory_resource* get() { return &resource_; }

 private:
  alignas(std::max_align_t) std::array<std::byte, 1024> bytes_;
  std::pmr::monotonic_buffer_resource resource_{bytes_.data(), bytes_.size(),
                                                std::pmr::new_delete_resource()};
};

std::uint64_t NextLine(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

// Calls visit(component, size in bytes, whether it is the first) for each column that there must
// be.
template <typename Visit>
void ForEachElement(const Archetype& archetype, const ComponentRegistry& registry, Visit visit) {
  archetype.signature().ForEach([&](ComponentId component) {
    const ComponentDescriptor& descriptor = registry[component];
    if (descriptor.is_split()) {
      for (std::size_t i = 0; i < descriptor.scalars().size(); ++i) {
        visit(component, std::uint64_t{ScalarSizeBytes(descriptor.scalars()[i].type)}, i == 0);
      }
    } else if (descriptor.size_bytes() != 0) {
      visit(component, std::uint64_t{descriptor.size_bytes()}, true);
    }
  });
}

// Whether `rows` rows of these columns fit a chunk, column by column: the slow arithmetic that the
// layout function must agree with. It shares nothing with it.
bool FitsByHand(const Archetype& archetype, const ComponentRegistry& registry, std::uint64_t rows) {
  std::uint64_t used = 64 + rows * 8;
  ForEachElement(archetype, registry, [&](ComponentId, std::uint64_t size_bytes, bool) {
    used = NextLine(used) + rows * size_bytes;
  });
  return used <= archetype.layout().chunk_size_bytes();
}

absl::Status CheckCapacity(const World& world, const Archetype& archetype) {
  const std::uint64_t capacity = archetype.layout().capacity();
  const std::uint64_t cap = world.options().rows_per_chunk_max;
  const bool may_be_more =
      (cap == 0 || capacity < cap) && FitsByHand(archetype, world.registry(), capacity + 1);
  if (capacity >= 1 && (cap == 0 || capacity <= cap) && !may_be_more &&
      archetype.capacity() == capacity && FitsByHand(archetype, world.registry(), capacity)) {
    return absl::OkStatus();
  }
  return Broken(5, absl::StrCat("archetype ", archetype.id().value(), " has capacity ", capacity,
                                ", which is not the largest that fits"));
}

absl::Status CheckColumns(const World& world, const Archetype& archetype) {
  const std::uint64_t rows = archetype.layout().capacity();
  std::uint64_t end = 64 + rows * 8;
  std::size_t next = 0;
  bool right =
      archetype.layout().entities() == ColumnExtent{64, static_cast<std::uint32_t>(end), 8};
  ForEachElement(
      archetype, world.registry(), [&](ComponentId component, std::uint64_t size, bool is_first) {
        const std::uint64_t begin = NextLine(end);
        end = begin + rows * size;
        if (next >= archetype.columns().size()) {
          right = false;
          return;
        }
        const ColumnExtent& extent = archetype.layout().columns()[next];
        const Column& column = archetype.columns()[next];
        const Column looked_up = archetype.ColumnOf(component);
        right = right && extent.begin_bytes == begin && extent.end_bytes == end &&
                extent.stride_bytes == size && column.component == component &&
                column.begin_bytes == begin && column.size_bytes == size;
        const std::uint64_t looked_up_size = world.registry()[component].is_split() ? 0 : size;
        right = right && (!is_first || (looked_up.begin_bytes == begin &&
                                        looked_up.size_bytes == looked_up_size));
        ++next;
      });
  if (right && next == archetype.columns().size() && next == archetype.layout().columns().size()) {
    return absl::OkStatus();
  }
  return Broken(5, absl::StrCat("archetype ", archetype.id().value(),
                                " has columns that are not where they must be"));
}

absl::Status CheckGaps(const Archetype& archetype) {
  for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
    const std::byte* base = archetype.ChunkBase(ChunkIndex(chunk));
    std::uint32_t broken_at = 0;
    bool intact = true;
    archetype.layout().ForEachGap([&](std::uint32_t begin, std::uint32_t end) {
      if (!intact || RedzoneIntact(base + begin, end - begin)) return;
      intact = false;
      broken_at = begin;
    });
    if (!intact) {
      return Broken(5, absl::StrCat("archetype ", archetype.id().value(), " chunk ", chunk,
                                    ": the gap from byte ", broken_at, " was written"));
    }
  }
  return absl::OkStatus();
}

// Component by component.
bool MatchesByHand(const QueryTerms& terms, const Signature& signature) {
  bool matches = true;
  const auto must_have = [&](ComponentId id) { matches = matches && signature.Contains(id); };
  terms.all.ForEach(must_have);
  terms.row_all.ForEach(must_have);
  terms.none.ForEach([&](ComponentId id) { matches = matches && !signature.Contains(id); });
  bool has_any = terms.any.empty();
  terms.any.ForEach([&](ComponentId id) { has_any = has_any || signature.Contains(id); });
  return matches && has_any;
}

}  // namespace

absl::Status Broken(int invariant, const std::string& text) {
  return MakeError(absl::StatusCode::kInternal, Reason::kInvariantBroken,
                   absl::StrCat("I", invariant, ": ", text));
}

// Signatures are unique by content; hashes only bring equal ones side by side.
absl::Status CheckSignatures(const World& world) {
  struct Hashed {
    std::size_t hash;
    const Archetype* archetype;
  };
  ListMemory memory;
  std::pmr::vector<Hashed> order(memory.get());
  order.reserve(world.archetypes().size());
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    order.push_back({archetype.signature().Hash(), &archetype});
  }
  std::ranges::sort(order, {}, &Hashed::hash);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size() && order[j].hash == order[i].hash; ++j) {
      if (order[j].archetype->signature() != order[i].archetype->signature()) continue;
      return Broken(4, absl::StrCat("archetypes ", order[i].archetype->id().value(), " and ",
                                    order[j].archetype->id().value(), " have the same signature"));
    }
  }
  return absl::OkStatus();
}

// Each layout is the one that slow arithmetic finds, and no gap was written.
absl::Status CheckLayouts(const World& world) {
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    ASHLAR_RETURN_IF_ERROR(CheckCapacity(world, archetype));
    ASHLAR_RETURN_IF_ERROR(CheckColumns(world, archetype));
    ASHLAR_RETURN_IF_ERROR(CheckGaps(archetype));
  }
  if (!world.chunk_pool().GapsIntact()) return Broken(5, "the gap behind a chunk was written");
  return absl::OkStatus();
}

// Each query's cached matches equal a brute-force match, component by component, over all numbered
// archetypes; and those are just the archetypes that have ever had a row.
absl::Status CheckQueries(const World& world) {
  const auto numbered = world.archetypes().numbered();
  for (std::size_t i = 0; i < numbered.size(); ++i) {
    if (numbered[i]->number().value() == i) continue;
    return Broken(7,
                  absl::StrCat("the archetype at place ", i, " of the order has another number"));
  }
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    if (archetype.row_count() == 0 || !archetype.number().is_none()) continue;
    return Broken(7, absl::StrCat("archetype ", id, " has rows and no number"));
  }
  for (std::uint32_t query = 0; query < world.queries().size(); ++query) {
    const QueryTerms& terms = world.queries().terms(QueryId(query));
    const auto matches = world.queries().matches(QueryId(query));
    std::size_t next = 0;
    for (const Archetype* archetype : numbered) {
      if (!MatchesByHand(terms, archetype->signature())) continue;
      if (next >= matches.size() || matches[next] != archetype) {
        return Broken(7, absl::StrCat("query ", query, " misses archetype ",
                                      archetype->id().value(), ", or has it out of order"));
      }
      ++next;
    }
    if (next != matches.size()) {
      return Broken(7, absl::StrCat("query ", query, " has ", matches.size() - next,
                                    " archetypes that do not match"));
    }
  }
  return absl::OkStatus();
}

// Objects constructed minus destroyed are as many as the rows that hold one, component by
// component.
absl::Status CheckObjects(const World& world) {
  for (std::size_t i = 0; i < world.registry().size(); ++i) {
    const ComponentId component(static_cast<ComponentId::Rep>(i));
    const bool is_object = world.registry()[component].lifecycle() != nullptr;
    std::size_t rows = 0;
    for (std::uint32_t id = 0; is_object && id < world.archetypes().size(); ++id) {
      const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
      if (archetype.signature().Contains(component)) rows += archetype.row_count();
    }
    const std::size_t objects = *world.registry().ObjectCounter(component);
    if (objects == rows) continue;
    return Broken(8, absl::StrCat("component ", i, " has ", objects, " objects in ", rows,
                                  " rows that hold one"));
  }
  return absl::OkStatus();
}

// Each count is the number of its bits, and rows that are not there have no bit.
absl::Status CheckEnableBits(const World& world) {
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    const EnableBits& bits = archetype.enable_bits();
    if (bits.empty()) continue;
    if (bits.chunk_count() != archetype.chunk_count()) {
      return Broken(9, absl::StrCat("archetype ", id, " has ", archetype.chunk_count(),
                                    " chunks and enable bits of ", bits.chunk_count()));
    }
    for (std::size_t place = 0; place < bits.component_count(); ++place) {
      for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i) {
        const ChunkIndex chunk(i);
        const auto words = bits.words(place, chunk);
        const std::uint32_t rows = archetype.RowsInChunk(chunk);
        std::uint64_t within = 0;
        std::uint64_t beyond = 0;
        for (std::size_t word = 0; word < words.size(); ++word) {
          const std::uint64_t first = word * 64;
          const std::uint64_t left = rows > first ? rows - first : 0;
          const std::uint64_t in_use =
              left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
          within += static_cast<std::uint64_t>(std::popcount(words[word] & in_use));
          beyond += static_cast<std::uint64_t>(std::popcount(words[word] & ~in_use));
        }
        if (within == bits.enabled_count(place, chunk) && beyond == 0) continue;
        return Broken(
            9, absl::StrCat("archetype ", id, " chunk ", i, ", enableable component ", place, ": ",
                            within, " rows are enabled, ", bits.enabled_count(place, chunk),
                            " are counted, and ", beyond, " bits stand beyond the rows"));
      }
    }
  }
  return absl::OkStatus();
}

// Each chunk has versions, and none of them is above the world's.
absl::Status CheckVersions(const World& world) {
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    const ChunkVersions& versions = archetype.versions();
    if (versions.chunk_count() != archetype.chunk_count()) {
      return Broken(10, absl::StrCat("archetype ", id, " has ", archetype.chunk_count(),
                                     " chunks and versions of ", versions.chunk_count()));
    }
    for (std::uint32_t i = 0; i < archetype.chunk_count(); ++i) {
      const ChunkIndex chunk(i);
      std::uint64_t highest = versions.order(chunk);
      archetype.signature().ForEach([&](ComponentId component) {
        highest = std::max(highest, archetype.WrittenVersion(chunk, component));
      });
      if (highest <= world.version()) continue;
      return Broken(10, absl::StrCat("archetype ", id, " chunk ", i, " was changed in version ",
                                     highest, "; the world is at ", world.version()));
    }
  }
  return absl::OkStatus();
}

// Handed out + free = allocated, and every chunk in one place only.
absl::Status CheckPool(const World& world) {
  const ChunkPool& pool = world.chunk_pool();
  const ChunkPool::Recount recount = pool.CountSlabs();
  ListMemory memory;
  std::pmr::vector<const std::byte*> chunks(memory.get());
  chunks.reserve(pool.allocated_count());
  chunks.insert(chunks.end(), pool.free_chunks().begin(), pool.free_chunks().end());
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
      chunks.push_back(archetype.ChunkBase(ChunkIndex(chunk)));
    }
  }
  if (chunks.size() - pool.free_count() != pool.handed_out_count() ||
      pool.handed_out_count() + pool.free_count() != pool.allocated_count() ||
      recount.chunks != pool.allocated_count() || recount.bytes != pool.bytes_held()) {
    return Broken(
        11, absl::StrCat(pool.allocated_count(), " chunks allocated (", recount.chunks,
                         " in slabs), ", pool.handed_out_count(), " handed out, ",
                         chunks.size() - pool.free_count(), " in archetypes, ", pool.free_count(),
                         " free; ", recount.bytes, " of ", pool.bytes_held(), " bytes"));
  }
  std::sort(chunks.begin(), chunks.end());
  if (std::adjacent_find(chunks.begin(), chunks.end()) != chunks.end()) {
    return Broken(11, "a chunk has two owners");
  }
  for (const std::byte* chunk : chunks) {
    if (!pool.Owns(chunk)) return Broken(11, "a chunk lies in no slab of the pool");
  }
  return absl::OkStatus();
}

// Under AddressSanitizer nobody may touch a row that is not in use. Elsewhere nobody can know.
absl::Status CheckUnusedRows(const World& world) {
  for (std::uint32_t id = 0; id < world.archetypes().size(); ++id) {
    const Archetype& archetype = world.archetypes()[ArchetypeId(id)];
    const std::uint64_t capacity = archetype.capacity();
    for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
      const std::byte* base = archetype.ChunkBase(ChunkIndex(chunk));
      const std::uint64_t used = archetype.RowsInChunk(ChunkIndex(chunk));
      bool poisoned = RegionPoisoned(base + kChunkHeaderBytes + used * sizeof(Entity),
                                     (capacity - used) * sizeof(Entity));
      for (const Column& column : archetype.columns()) {
        poisoned = poisoned &&
                   RegionPoisoned(column.At(base, used), (capacity - used) * column.size_bytes);
      }
      if (poisoned) continue;
      return Broken(13, absl::StrCat("archetype ", id, " chunk ", chunk,
                                     ": a row beyond the first ", used, " may be touched"));
    }
  }
  return absl::OkStatus();
}

// The bytes accounted are the bytes held: the purposes add up to what the budget has given out, and
// those that can be counted anew are what they should be.
absl::Status CheckMemory(const World& world) {
  const MemoryUsage usage = world.memory_usage();
  const std::size_t in_use = world.memory_budget().in_use_bytes();
  if (usage.total() != in_use) {
    return Broken(11, absl::StrCat("the purposes hold ", usage.total(), " bytes, and ", in_use,
                                   " are in use"));
  }
  if ((usage.limit != 0 && in_use > usage.limit) || in_use > usage.peak) {
    return Broken(11, absl::StrCat(in_use, " bytes are in use, the limit is ", usage.limit,
                                   ", the peak was ", usage.peak));
  }
  const ChunkPool& pool = world.chunk_pool();
  if (usage.chunks != pool.bytes_held() + pool.list_bytes()) {
    return Broken(11, absl::StrCat(usage.chunks, " bytes are accounted for chunks; the slabs have ",
                                   pool.bytes_held(), ", the lists ", pool.list_bytes()));
  }
  if (usage.directory != world.directory().bytes_held()) {
    return Broken(11, absl::StrCat(usage.directory,
                                   " bytes are accounted for the directory, which "
                                   "holds ",
                                   world.directory().bytes_held()));
  }
  if (usage.scratch != 0) {
    return Broken(11, absl::StrCat(usage.scratch, " bytes of temporary values were kept"));
  }
  return absl::OkStatus();
}

}  // namespace ashlar::inline v0::integrity
