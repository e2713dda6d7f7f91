// World's structural changes of many entities at once: validate, reserve, construct, commit, each
// step for all of them before the next.
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "ashlar/storage/archetype_block.h"
#include "ashlar/storage/archetype_holes.h"
#include "ashlar/world/hook_runner.h"
#include "ashlar/world/numbering.h"
#include "ashlar/world/object_store.h"
#include "ashlar/world/user_code.h"
#include "ashlar/world/value_store.h"
#include "ashlar/world/world.h"
#include "ashlar/world/world_errors.h"

namespace ashlar::inline v0 {
namespace {

absl::Status CountMismatch(std::string_view call, const ComponentDescriptor& descriptor,
                           std::size_t values, std::size_t entities) {
  return MakeError(
      absl::StatusCode::kInvalidArgument, Reason::kValueCountMismatch,
      absl::StrCat(absl::string_view(call.data(), call.size()), ": component ",
                   absl::string_view(descriptor.name().data(), descriptor.name().size()), " has ",
                   values, " values for ", entities, " entities; give one for each"));
}

// The values of one component for the rows of a run. They are bytes.
void WriteRun(const ComponentDescriptor& descriptor, const Archetype& archetype,
              const ComponentSpan& span, const Archetype::Run& run) noexcept {
  const Column column = archetype.ColumnOf(span.component());
  const std::size_t size = descriptor.size_bytes();
  if (span.has_values() && span.StrideBytes(size) == size && !column.is_split()) {
    std::memcpy(column.At(run.chunk, run.first_row), span.At(run.first, size),
                size * run.row_count);
    return;
  }
  for (std::uint32_t i = 0; i < run.row_count; ++i) {
    WriteValueTo(descriptor, span.ValueAt(run.first + i, size), archetype, column, run.chunk,
                 run.first_row + i);
  }
}

// Frees the id of a marked entity, and leaves a hole where its row is.
void EndMarked(Entity entity, std::uint64_t version, ArchetypeTable& archetypes,
               EntityDirectory* directory, HoleList* holes) noexcept {
  const Location location = directory->Unmark(entity);
  directory->Free(entity);
  holes->Make(archetypes[location.archetype], location.chunk, location.row, version);
}

// Ends the objects in the holes, and fills them by the batch rule.
void CloseHoles(std::uint64_t version, EntityDirectory* directory, HoleList* holes) noexcept {
  holes->ForEach([&](Archetype& archetype) {
    archetype.EndHoles(version);
    archetype.CloseHoles(version, [&](Entity entity, const Location& location) {
      directory->Relocate(entity, location);
    });
  });
}

}  // namespace

absl::Status World::CheckSpans(std::string_view call, std::span<const ComponentSpan> components,
                               std::size_t count, Signature* seen, bool* is_checked) const {
  for (const ComponentSpan& span : components) {
    ASHLAR_RETURN_IF_ERROR(CheckNamed(call, span.component(), seen));
    const ComponentDescriptor& descriptor = registry_[span.component()];
    if (span.type_key() != nullptr && span.type_key() != descriptor.type_key()) {
      return world_errors::TypeMismatch(call, descriptor);
    }
    if (span.has_values() && span.count() != count) {
      return CountMismatch(call, descriptor, span.count(), count);
    }
    *is_checked |= registry_.brief(span.component()).is_checked || !span.is_plain();
  }
  return absl::OkStatus();
}

// Entity by entity, as calls of Create would find what is wrong.
absl::Status World::CheckSpanValues(std::string_view call,
                                    std::span<const ComponentSpan> components, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (const ComponentSpan& span : components) {
      const std::size_t size_bytes = registry_[span.component()].size_bytes();
      const ComponentValue value = span.ValueAt(i, size_bytes);
      if (CheckOne(call, value).ok()) continue;
      return CheckOne(absl::StrCat(absl::string_view(call.data(), call.size()), ": entity ", i),
                      value);  // With its number.
    }
  }
  return absl::OkStatus();
}

absl::Status World::CreateMany(std::span<Entity> ids,
                               std::span<const ComponentSpan> components) try {
  if (IsHooked({HookEvent::kAdded})) [[unlikely]] {
    return HookRunner(this).CreateMany(ids, components);
  }
  if (scope_depth() != 0) return world_errors::ScopeOpen("CreateMany");
  Signature signature;
  bool is_checked = false;
  ASHLAR_RETURN_IF_ERROR(CheckSpans("CreateMany", components, ids.size(), &signature, &is_checked));
  if (ids.empty()) return absl::OkStatus();
  if (is_checked) ASHLAR_RETURN_IF_ERROR(CheckSpanValues("CreateMany", components, ids.size()));
  const auto found = archetypes_.FindOrMake(signature);
  if (!found.ok()) return world_errors::Within("CreateMany", found.status());
  Archetype& archetype = **found;
  if (!directory_.ReserveMany(ids.size())) {
    return world_errors::IdsExhausted(directory_.index_limit(), directory_.retired_count());
  }
  ReserveNumbering(archetypes_, queries_, archetype);
  Archetype::Block block = archetype.ReserveBlock(ids.size(), memory_.scratch());
  archetype.ForEachRun(block, [&](const Archetype::Run& run) {
    for (const ComponentSpan& span : components) {
      const Column column = archetype.ColumnOf(span.component());
      const bool is_bytes = !registry_.brief(span.component()).is_object;
      if (!is_bytes || column.begin_bytes == 0) continue;
      WriteRun(registry_[span.component()], archetype, span, run);
    }
  });
  if (!archetype.object_columns().empty()) {
    const UserCodeGuard guard(&scope_depth_);
    try {
      MakeBlockObjects(registry_, archetype, block, components, memory_.scratch());
    } catch (...) {
      archetype.CancelBlock(&block);
      throw;
    }
  }

  // Commit.
  std::size_t next = 0;
  archetype.CommitBlock(block, AdvanceVersion(), [&](const Location& location) {
    return ids[next++] = directory_.Issue(location);
  });
  FinishNumbering(archetypes_, queries_, archetype);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("CreateMany");
}

absl::Status World::DestroyMany(std::span<const Entity> entities) try {
  if (IsHooked({HookEvent::kRemoved})) [[unlikely]] {
    return HookRunner(this).DestroyMany(entities);
  }
  if (scope_depth() != 0) return world_errors::ScopeOpen("DestroyMany");
  if (entities.empty()) return absl::OkStatus();
  std::size_t marked = 0;
  while (marked < entities.size() && IsAlive(entities[marked]) &&
         directory_.Mark(entities[marked])) {
    ++marked;
  }
  if (marked < entities.size()) {
    for (const Entity entity : entities.first(marked)) directory_.Unmark(entity);
    const Entity refused = entities[marked];
    return IsAlive(refused) ? world_errors::EntityRepeated("DestroyMany", refused)
                            : world_errors::NotAlive("DestroyMany", refused);
  }

  // Commit. The list is not read any more once the first row moves or the first object ends: it may
  // lie in the world itself.
  const std::uint64_t version = AdvanceVersion();
  HoleList holes;
  for (const Entity entity : entities) {
    EndMarked(entity, version, archetypes_, &directory_, &holes);
  }
  const UserCodeGuard guard(&scope_depth_);
  CloseHoles(version, &directory_, &holes);
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("DestroyMany");
}

void World::DestroyMarked() noexcept {
  const std::uint64_t version = AdvanceVersion();
  HoleList holes;
  for (std::uint64_t i = directory_.slot_count(); i > 0; --i) {
    const auto index = static_cast<std::uint32_t>(i - 1);
    const Entity entity(index, directory_.GenerationOf(index));
    const Location* found = directory_.Find(entity);
    if (found != nullptr && EntityDirectory::IsMarked(*found)) {
      EndMarked(entity, version, archetypes_, &directory_, &holes);
    }
  }
  const UserCodeGuard guard(&scope_depth_);
  CloseHoles(version, &directory_, &holes);
}

absl::Status World::DestroyAll() try {
  if (IsHooked({HookEvent::kRemoved})) [[unlikely]] {
    return HookRunner(this).DestroyAll();
  }
  if (scope_depth() != 0) return world_errors::ScopeOpen("DestroyAll");
  if (directory_.live_count() == 0) return absl::OkStatus();

  // Commit.
  const UserCodeGuard guard(&scope_depth_);
  AdvanceVersion();
  directory_.FreeAll();
  for (Archetype* archetype : archetypes_.numbered()) archetype->Clear();
  return absl::OkStatus();
} catch (...) {
  return world_errors::Caught("DestroyAll");
}

}  // namespace ashlar::inline v0
