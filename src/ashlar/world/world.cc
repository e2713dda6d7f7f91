#include "ashlar/world/world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/check.h"
#include "ashlar/core/limits.h"
#include "ashlar/storage/chunk_layout.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

WorldOptions WithDefaults(WorldOptions options) {
  if (options.memory == nullptr) options.memory = std::pmr::get_default_resource();
  return options;
}

absl::Status CheckOptions(const WorldOptions& options) {
  if (!IsChunkSize(options.chunk_size_bytes)) {
    return world_errors::OptionInvalid(
        absl::StrCat("chunk_size_bytes is ", options.chunk_size_bytes,
                     "; a power of two from 4096 to 65536 is needed"));
  }
  if (options.entity_index_limit < 1 || options.entity_index_limit > 0xFFFFFFFFu) {
    return world_errors::OptionInvalid(absl::StrCat(
        "entity_index_limit is ", options.entity_index_limit, "; 1 to 4294967295 is possible"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<World>> World::Make(const WorldOptions& options) try {
  ASHLAR_RETURN_IF_ERROR(CheckOptions(options));
  return std::unique_ptr<World>(new World(WithDefaults(options)));
} catch (...) {
  return world_errors::Caught("Make");
}

World::World(const WorldOptions& options)
    : options_(options),
      memory_(options.memory, options.memory_limit_bytes),
      registry_(memory_.components()),
      pool_(memory_.chunks(), options.chunk_size_bytes),
      archetypes_(&registry_, &pool_, options.rows_per_chunk_max, memory_.archetypes()),
      directory_(memory_.directory(), options.entity_index_limit),
      queries_(memory_.queries()),
      singletons_(&registry_, memory_.components()),
      hooks_(memory_.components()) {}

World::~World() { ASHLAR_CHECK(scope_depth() == 0); }

absl::StatusOr<ComponentId> World::Register(const ComponentDescriptor& descriptor) try {
  if (scope_depth() != 0) return world_errors::ScopeOpen("Register");
  return registry_.Register(descriptor);
} catch (...) {
  return world_errors::Caught("Register");
}

absl::StatusOr<ComponentId> World::FindComponent(std::string_view name) const try {
  const ComponentId id = registry_.Find(name);
  if (!id.is_none()) return id;
  return MakeError(
      absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown,
      absl::StrCat("no component is named '", absl::string_view(name.data(), name.size()),
                   "' in this world; register it first"));
} catch (...) {
  return world_errors::Caught("FindComponent");
}

absl::StatusOr<Location> World::Locate(Entity entity) const try {
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return world_errors::NotAlive("Locate", entity);
  return *location;
} catch (...) {
  return world_errors::Caught("Locate");
}

absl::StatusOr<QueryId> World::MakeQuery(const QuerySpec& spec) try {
  if (scope_depth() != 0) return world_errors::ScopeOpen("MakeQuery");
  const auto terms = ResolveTerms(spec, registry_);
  if (!terms.ok()) return terms.status();
  return queries_.FindOrMake(*terms, archetypes_.numbered());
} catch (...) {
  return world_errors::Caught("MakeQuery");
}

absl::StatusOr<IterationScope> World::OpenScope(QueryId query) try {
  if (!queries_.Contains(query)) return world_errors::UnknownQuery("OpenScope", query);
  const std::uint32_t depth_before = scope_depth_.fetch_add(1, std::memory_order_acq_rel);
  if (depth_before >= kScopeDepthMax) {
    scope_depth_.fetch_sub(1, std::memory_order_release);
    return MakeError(absl::StatusCode::kResourceExhausted, Reason::kScopeLimit,
                     absl::StrCat("OpenScope: ", kScopeDepthMax, " scopes are open already"));
  }
  const QueryTerms& terms = queries_.terms(query);
  IterationScope scope(&scope_depth_, &terms, queries_.row_filter(query), queries_.matches(query));
  if (terms.has_writes()) {
    // The version goes up before anybody can see that a scope writes: who sees it writes in it.
    const std::uint64_t version = WritingVersion();
    writing_depth_.fetch_add(1, std::memory_order_release);
    scope.BeginWriting(&writing_depth_, version);
  }
  return scope;
} catch (...) {
  return world_errors::Caught("OpenScope");
}

absl::StatusOr<std::size_t> World::CountRows(QueryId query) const try {
  if (!queries_.Contains(query)) return world_errors::UnknownQuery("CountRows", query);
  const RowFilter filter = queries_.row_filter(query);
  std::size_t rows = 0;
  for (const Archetype* archetype : queries_.matches(query)) {
    if (filter.empty()) {
      rows += archetype->row_count();
      continue;
    }
    for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
      rows += filter.CountRows(*archetype, ChunkIndex(chunk));
    }
  }
  return rows;
} catch (...) {
  return world_errors::Caught("CountRows");
}

absl::StatusOr<std::size_t> World::Trim() try {
  if (scope_depth() != 0) return world_errors::ScopeOpen("Trim");
  const std::size_t bytes_before = memory_.budget().in_use_bytes();
  pool_.Trim();
  for (std::uint32_t id = 0; id < archetypes_.size(); ++id) archetypes_[ArchetypeId(id)].Trim();
  return bytes_before - memory_.budget().in_use_bytes();
} catch (...) {
  return world_errors::Caught("Trim");
}

absl::StatusOr<Entity> World::PlaceGeneration(Entity entity, std::uint32_t generation) try {
  if (scope_depth() != 0) return world_errors::ScopeOpen("PlaceGeneration");
  const Location* location = directory_.Find(entity);
  if (location == nullptr) return world_errors::NotAlive("PlaceGeneration", entity);
  if (generation == 0) {
    return world_errors::OptionInvalid("PlaceGeneration: generations start at 1, not 0");
  }
  const Entity placed = directory_.PlaceGeneration(entity, generation);
  archetypes_[location->archetype].RenameRow(location->chunk, location->row, placed);
  return placed;
} catch (...) {
  return world_errors::Caught("PlaceGeneration");
}

absl::Status World::PlaceIndex(std::uint64_t index) try {
  if (scope_depth() != 0) return world_errors::ScopeOpen("PlaceIndex");
  const std::uint64_t first = directory_.slot_count();
  const std::uint64_t last = std::min(directory_.index_limit(), first + kPlacedIndicesMax);
  if (index < first || index > last) {
    return world_errors::OptionInvalid(
        absl::StrCat("PlaceIndex: ", index, " is not in ", first, " to ", last));
  }
  directory_.PlaceIndex(index);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("PlaceIndex");
}

absl::Status World::PlaceVersion(std::uint64_t version) try {
  if (scope_depth() != 0) return world_errors::ScopeOpen("PlaceVersion");
  if (version < this->version() || version > kPlacedVersionMax) {
    return world_errors::OptionInvalid(absl::StrCat("PlaceVersion: ", version, " is not in ",
                                                    this->version(), " to ", kPlacedVersionMax));
  }
  version_.store(version, std::memory_order_relaxed);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("PlaceVersion");
}

}  // namespace ashlar::inline v0
