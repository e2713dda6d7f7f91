#include "ashlar/storage/entity_directory.h"

#include <algorithm>

#include "ashlar/core/check.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/probe.h"
#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

EntityDirectory::EntityDirectory(std::pmr::memory_resource* memory, std::uint64_t index_limit)
    : memory_(memory), index_limit_(index_limit), pages_(memory) {
  ASHLAR_CHECK(index_limit >= 1 && index_limit <= 0xFFFFFFFFu);
}

EntityDirectory::~EntityDirectory() {
  for (Record* page : pages_) {
    memory_->deallocate(page, kPageRecords * sizeof(Record), kCacheLineBytes);
  }
}

bool EntityDirectory::ReserveFresh() {
  if (slot_count_ == index_limit_) return false;
  AddPage();
  return true;
}

bool EntityDirectory::ReserveMany(std::size_t count) {
  if (count <= free_count_) return true;
  const std::uint64_t fresh = count - free_count_;
  if (fresh > index_limit_ - slot_count_) return false;
  while (slot_capacity_ - slot_count_ < fresh) AddPage();
  return true;
}

void EntityDirectory::FreeAll() noexcept {
  for (std::uint64_t slot = slot_count_; slot-- > 0 && live_count_ != 0;) {
    const auto index = static_cast<std::uint32_t>(slot);
    const Record& record = RecordAt(index);
    if (record.location.archetype < kRetired) Free(Entity(index, record.generation));
  }
}

void EntityDirectory::AddPage() {
  ReserveOneMore(pages_);
  // SAFETY: a record is plain data; Issue writes it before anything reads it, since slot_count_
  // bounds every look-up.
  pages_.push_back(
      static_cast<Record*>(memory_->allocate(kPageRecords * sizeof(Record), kCacheLineBytes)));
  slot_capacity_ = std::min<std::uint64_t>(pages_.size() * kPageRecords, index_limit_);
  ASHLAR_EVER(pages_.size() > 1, "directory: more than one page");
}

Entity EntityDirectory::PlaceGeneration(Entity entity, std::uint32_t generation) noexcept {
  RecordAt(entity.index()).generation = generation;
  return Entity(entity.index(), generation);
}

void EntityDirectory::PlaceIndex(std::uint64_t index) {
  while (slot_capacity_ < index) AddPage();
  for (; slot_count_ < index; ++slot_count_) {
    RecordAt(static_cast<std::uint32_t>(slot_count_)) = {kGenerationLast,
                                                         {kRetired, ChunkIndex(), RowIndex()}};
    ++retired_count_;
  }
}

EntityDirectory::SlotState EntityDirectory::StateOf(std::uint32_t index) const {
  const ArchetypeId archetype = RecordAt(index).location.archetype;
  if (archetype == kFree) return SlotState::kFree;
  if (archetype == kRetired) return SlotState::kRetired;
  return SlotState::kLive;
}

}  // namespace ashlar::inline v0
