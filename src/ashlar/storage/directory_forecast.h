// DirectoryForecast: which ids the directory would issue, without touching it.
//
//   freed_       ids of the forecast's own frees, last one first     then
//   free_slot_   the directory's free list, from the head on         then
//   fresh_       fresh indices, in order
//
// That is the order of EntityDirectory itself: making the same calls there, in the same order,
// gives the same ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/storage/entity_directory.h"

namespace ashlar::inline v0 {

class DirectoryForecast {
 public:
  // `directory` outlives this and does not change meanwhile.
  DirectoryForecast(const EntityDirectory* directory, std::pmr::memory_resource* memory)
      : directory_(directory),
        freed_(memory),
        free_slot_(directory->free_head()),
        fresh_(directory->slot_count()) {}

  // The id that would be issued now; the null id where none is left. Throws nothing.
  Entity Issue();

  // That id would be freed now. Throws std::bad_alloc. REQUIRES: it would be alive.
  void Free(Entity entity);

  // Ids that must be free or fresh in the directory before the same calls are made there.
  std::size_t needed_count() const {
    const std::uint64_t fresh = fresh_ - directory_->slot_count();
    return fresh == 0 ? 0 : directory_->free_count() + static_cast<std::size_t>(fresh);
  }

  std::size_t retired_count() const { return directory_->retired_count() + retired_; }

 private:
  const EntityDirectory* directory_;
  std::pmr::vector<Entity> freed_;  // As they would be issued again.
  std::uint32_t free_slot_;
  std::uint64_t fresh_;
  std::size_t retired_ = 0;
};

}  // namespace ashlar::inline v0
