// Making the objects of components that have a Lifecycle, and putting them in place.
//
// Making runs the user's constructors, which may throw; so all of it comes before a commit, and
// whatever was made before one throws is ended again. What comes after is noexcept. A
// std::bad_alloc of theirs leaves these functions as world_errors::UserBadAlloc.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "ashlar/schema/component_registry.h"
#include "ashlar/storage/archetype.h"
#include "ashlar/world/component_span.h"
#include "ashlar/world/component_value.h"
#include "ashlar/world/value_store.h"

namespace ashlar::inline v0 {

// As CheckValue, for a component of objects. Rules and validator are asked on the object; where
// there is none yet, one is made for that and ended again.
absl::Status CheckObject(std::string_view call, const ComponentDescriptor& descriptor,
                         const ComponentValue& value, std::pmr::memory_resource* memory);

// Makes one object in raw memory, which is aligned for it. REQUIRES: CheckObject said OK; the value
// is not one to be taken.
void MakeObject(const ComponentDescriptor& descriptor, const ComponentValue& value, void* at,
                std::pmr::memory_resource* memory);

// Makes the objects among `values` in a reserved row, left to right, but for those that will be
// taken. Where one throws, none is left and the row is given back.
void MakeObjects(const ComponentRegistry& registry, Archetype& archetype,
                 const Archetype::Slot& slot, std::span<const ComponentValue> values,
                 std::pmr::memory_resource* memory);

// Takes the others. REQUIRES: a commit has begun.
void TakeObjects(const ComponentRegistry& registry, const Archetype& archetype,
                 const Archetype::Slot& slot, std::span<const ComponentValue> values) noexcept;

// New objects for a row that has old ones, until Commit on a place of their own.
class StagedObjects {
 public:
  // Makes the objects among `values`, left to right, but for those that will be taken.
  StagedObjects(const ComponentRegistry& registry, std::span<const ComponentValue> values,
                std::pmr::memory_resource* memory);

  // Ends those that were not committed.
  ~StagedObjects();
  StagedObjects(const StagedObjects&) = delete;
  StagedObjects& operator=(const StagedObjects&) = delete;

  // Ends the row's objects and puts these in their places.
  void Commit(const Archetype& archetype, const Location& location) noexcept;

 private:
  struct Staged {
    const ComponentValue* value;
    const Lifecycle* lifecycle;
    std::size_t offset_bytes;
  };

  void EndMade() noexcept;

  std::pmr::vector<Staged> staged_;
  ScratchValue scratch_;
  std::size_t made_ = 0;  // The first so many of staged_ are made, or will be taken.
};

// Makes the objects of a reserved block, row by row; what is made is ended again where one throws.
// The block is then still to be cancelled. REQUIRES: CheckObject said OK of every value.
void MakeBlockObjects(const ComponentRegistry& registry, const Archetype& archetype,
                      const Archetype::Block& block, std::span<const ComponentSpan> components,
                      std::pmr::memory_resource* memory);

}  // namespace ashlar::inline v0
