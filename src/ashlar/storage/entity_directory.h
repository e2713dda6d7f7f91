// EntityDirectory: id -> location, and the issue of ids.
//
//   pages_ -> page 0: | record 0 | record 1 | ... | record 1023 |   16 bytes a record
//             page 1: ...                                          pages never move
//
//   record, live:     generation | archetype | chunk     | row
//           free:     generation | kFree     | next free | -
//           retired:  2^32-1     | kRetired  | -         | -
//
// A free slot has the generation that it will be issued with. Ids come from a LIFO list of free
// slots, then from fresh indices in order. A slot whose last generation was destroyed is retired.
//
//   I6  free list: no repeats, no live slot, no retired slot; every slot is live, free or retired.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/probe.h"

namespace ashlar::inline v0 {

class EntityDirectory {
 public:
  enum class SlotState : std::uint8_t { kLive, kFree, kRetired };

  // `index_limit` indices may be issued: 1 to 2^32-1, so that no index is kNoSlot.
  EntityDirectory(std::pmr::memory_resource* memory, std::uint64_t index_limit);
  ~EntityDirectory();
  EntityDirectory(const EntityDirectory&) = delete;
  EntityDirectory& operator=(const EntityDirectory&) = delete;

  // Makes sure that the next Issue cannot fail. False: no index is left. Throws std::bad_alloc.
  bool ReserveOne() {
    if (free_head_ != kNoSlot || slot_count_ < slot_capacity_) [[likely]] {
      return true;
    }
    return ReserveFresh();
  }

  // Issues an id and gives it a location. REQUIRES: ReserveOne() said true since the last Issue.
  Entity Issue(const Location& location) noexcept {
    ++live_count_;
    if (free_head_ == kNoSlot) {
      const auto index = static_cast<std::uint32_t>(slot_count_++);
      RecordAt(index) = {kGenerationFirst, location};
      return Entity(index, kGenerationFirst);
    }
    ASHLAR_EVER(free_count_ > 16, "directory: free list deeper than 16");
    const std::uint32_t index = free_head_;
    Record& record = RecordAt(index);
    free_head_ = record.location.chunk.value();
    --free_count_;
    record.location = location;
    return Entity(index, record.generation);
  }

  // A location for Issue whose entity is not alive yet; Relocate makes it so.
  static constexpr Location kNowhere{ArchetypeId(0xFFFFFFFDu), ChunkIndex(0), RowIndex(0)};

  // Makes sure that the next `count` Issues cannot fail. False: not so many ids are left. Throws
  // std::bad_alloc; pages that were added stay.
  bool ReserveMany(std::size_t count);

  // Takes every id back, as Free would from the highest index to the lowest: those that are issued
  // next come in rising order. Cost: O(slots).
  void FreeAll() noexcept;

  // Takes an id back: frees its slot, or retires it. REQUIRES: IsAlive(entity).
  void Free(Entity entity) noexcept {
    Record& record = RecordAt(entity.index());
    --live_count_;
    if (record.generation == kGenerationLast) [[unlikely]] {
      ASHLAR_EVER(true, "directory: slot retired");
      record.location = {kRetired, ChunkIndex(), RowIndex()};
      ++retired_count_;
      return;
    }
    ++record.generation;
    record.location = {kFree, ChunkIndex(free_head_), RowIndex()};
    free_head_ = entity.index();
    ++free_count_;
  }

  bool IsAlive(Entity entity) const { return Find(entity) != nullptr; }

  // The location of a live entity, or null. The pointer is for this moment: take the value before
  // anything changes.
  const Location* Find(Entity entity) const {
    if (entity.index() >= slot_count_) return nullptr;
    const Record& record = RecordAt(entity.index());
    if (record.generation != entity.generation() ||
        record.location.archetype >= kNowhere.archetype) {
      return nullptr;
    }
    return &record.location;
  }

  // REQUIRES: IsAlive(entity).
  void Relocate(Entity entity, const Location& location) noexcept {
    RecordAt(entity.index()).location = location;
  }

  // Marks a live entity, for a call that names many of them. False: it was marked already. Until
  // Unmark, Find says whether it is alive and not where. REQUIRES: IsAlive(entity).
  bool Mark(Entity entity) noexcept {
    RowIndex& row = RecordAt(entity.index()).location.row;
    if ((row.value() & kMark) != 0) return false;
    row = RowIndex(row.value() | kMark);
    return true;
  }

  // Whether what Find gave is that of a marked entity.
  static bool IsMarked(const Location& found) { return (found.row.value() & kMark) != 0; }

  // Takes the mark away again; returns the location. REQUIRES: it is marked.
  Location Unmark(Entity entity) noexcept {
    Location& location = RecordAt(entity.index()).location;
    location.row = RowIndex(location.row.value() & ~kMark);
    return location;
  }

  // The same with a number, in the place of where it is: whoever asks for the entity again finds
  // it. Until Unnumber, Find says whether it is alive and not where. REQUIRES: IsAlive(entity), and
  // it has no number yet.
  void Number(Entity entity, std::uint32_t number) noexcept {
    Location& location = RecordAt(entity.index()).location;
    location.chunk = ChunkIndex(number);
    location.row = RowIndex(location.row.value() | kMark);
  }
  static bool IsNumbered(const Location& found) { return IsMarked(found); }
  static std::uint32_t NumberIn(const Location& found) { return found.chunk.value(); }

  // Takes the number away; `location` is where the entity is. REQUIRES: it has one.
  void Unnumber(Entity entity, const Location& location) noexcept { Relocate(entity, location); }

  // Asks for the slot's record ahead of time. Any index will do.
  void Prefetch(std::uint32_t index) const {
    if (index < slot_count_) __builtin_prefetch(&RecordAt(index), 1);
  }

  // Gives a live entity's slot another generation; returns the new id. REQUIRES: IsAlive(entity),
  // generation is not 0. A test hook.
  Entity PlaceGeneration(Entity entity, std::uint32_t generation) noexcept;

  // Retires the indices from slot_count() to that one, unissued, so that it is the next fresh one.
  // Throws std::bad_alloc; then nothing has changed. REQUIRES: slot_count() <= index <=
  // index_limit(). A test hook. Cost: O(indices retired).
  void PlaceIndex(std::uint64_t index);

  std::size_t live_count() const { return live_count_; }
  std::size_t free_count() const { return free_count_; }
  std::size_t retired_count() const { return retired_count_; }
  std::uint64_t slot_count() const { return slot_count_; }  // Indices used so far: 0 .. n-1.
  std::uint64_t index_limit() const { return index_limit_; }

  // Bytes of all pages and of the list of pages. They never shrink: a slot's generation is kept.
  std::size_t bytes_held() const {
    return pages_.size() * kPageRecords * sizeof(Record) + pages_.capacity() * sizeof(Record*);
  }

  // --- For the integrity check and the digest ---

  // REQUIRES for the index: below slot_count().
  SlotState StateOf(std::uint32_t index) const;
  std::uint32_t GenerationOf(std::uint32_t index) const { return RecordAt(index).generation; }

  // The free list, slot by slot: the one that is issued next, and the one behind a free slot;
  // kNoSlot behind the last.
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;
  std::uint32_t free_head() const { return free_head_; }
  std::uint32_t FreeBehind(std::uint32_t slot) const {
    return RecordAt(slot).location.chunk.value();
  }

  // Calls visit(index) along the free list, next to be issued first, at most slot_count() + 1 times
  // (so that a list with a loop ends). A visit that says false ends it.
  template <typename Visit>
  void ForEachFree(Visit visit) const {
    std::uint64_t left = slot_count_ + 1;
    for (std::uint32_t slot = free_head_; slot != kNoSlot && left != 0; --left) {
      if (!visit(slot) || slot >= slot_count_) return;
      slot = RecordAt(slot).location.chunk.value();
    }
  }

 private:
  friend struct StorageTestPeer;
  struct Record {
    std::uint32_t generation;
    Location location;
  };
  static_assert(sizeof(Record) == 16);

  static constexpr std::uint32_t kPageShift = 10;
  static constexpr std::uint32_t kPageRecords = 1u << kPageShift;
  static constexpr std::uint32_t kMark = 0x80000000u;  // No chunk has so many rows.
  static constexpr ArchetypeId kFree{0xFFFFFFFFu};
  static constexpr ArchetypeId kRetired{0xFFFFFFFEu};

  const Record& RecordAt(std::uint32_t index) const {
    return pages_[index >> kPageShift][index & (kPageRecords - 1)];
  }
  Record& RecordAt(std::uint32_t index) {
    return pages_[index >> kPageShift][index & (kPageRecords - 1)];
  }
  bool ReserveFresh();
  void AddPage();

  std::pmr::memory_resource* memory_;
  std::uint64_t index_limit_;
  std::uint64_t slot_count_ = 0;
  std::uint64_t slot_capacity_ = 0;  // Slots that pages and the limit give room for.
  std::uint32_t free_head_ = kNoSlot;
  std::size_t live_count_ = 0;
  std::size_t free_count_ = 0;
  std::size_t retired_count_ = 0;
  std::pmr::vector<Record*> pages_;
};

}  // namespace ashlar::inline v0
