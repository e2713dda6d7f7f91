// The floor: the least that a chunked storage of these components can do.
//
// A record (generation, place) for each id, chunks of 4096 bytes, removal by swap, one copy of
// fixed size for each column. Nothing is checked but the generation where the workload says so,
// nothing can fail, and the archetypes are known beforehand. Never use it for anything but a
// comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "bench/components.h"

namespace ashlar::bench {

class BarePrototype {
 public:
  struct Id {
    std::uint32_t index;
    std::uint32_t generation;
  };
  struct Archetype {
    bool has_health;
    std::uint32_t capacity, position, velocity, health;  // Rows; offsets of the columns.
    std::vector<std::byte*> chunks = {};
    std::uint32_t tail = 0;  // Rows in the last chunk.
    std::uint32_t RowsIn(std::size_t chunk) const {
      return chunk + 1 == chunks.size() ? tail : capacity;
    }
  };

  // `archetype_count` archetypes of position and velocity, then one with health as well.
  explicit BarePrototype(std::uint32_t archetype_count = 1) {
    archetypes_.assign(archetype_count, {false, 122, 1088, 2560, 0});
    archetypes_.push_back({true, 112, 960, 2304, 3648});
  }
  ~BarePrototype() {
    for (void* slab : slabs_) operator delete(slab, std::align_val_t{64});
  }
  BarePrototype(const BarePrototype&) = delete;
  BarePrototype& operator=(const BarePrototype&) = delete;

  Id Create(const Position& p, const Velocity& v, std::uint32_t archetype = 0) {
    std::uint32_t index = free_;
    if (index == kNone) {
      index = used_++;
      if (index % kPageRecords == 0) pages_.push_back(std::make_unique<Record[]>(kPageRecords));
      RecordOf(index).generation = 1;
    } else {
      free_ = RecordOf(index).next_free;
    }
    Place(index, archetype);
    const Record& r = RecordOf(index);
    const Archetype& a = archetypes_[archetype];
    At<Position>(r.chunk, a.position, r.row) = p;
    At<Velocity>(r.chunk, a.velocity, r.row) = v;
    At<Id>(r.chunk, kIds, r.row) = {index, r.generation};
    return {index, r.generation};
  }

  void Destroy(Id id) {
    Record& r = RecordOf(id.index);
    if (r.generation != id.generation) return;
    Fill(r);
    ++r.generation;
    r.next_free = free_;
    free_ = id.index;
  }

  // Ends all of them. REQUIRES: every index that was issued is alive.
  void DestroyAll() {
    for (Archetype& a : archetypes_) {
      spare_.insert(spare_.end(), a.chunks.begin(), a.chunks.end());
      a.chunks.clear();
      a.tail = 0;
    }
    free_ = kNone;
    for (std::uint32_t index = used_; index-- > 0;) {
      Record& r = RecordOf(index);
      ++r.generation;
      r.next_free = free_;
      free_ = index;
    }
  }

  const Position* Get(Id id) const {
    const Record& r = RecordOf(id.index);
    if (r.generation != id.generation) return nullptr;
    return &At<Position>(r.chunk, archetypes_[r.archetype].position, r.row);
  }

  // From the first archetype to the last and back.
  void AddHealth(Id id, Health health) {
    Move(id, static_cast<std::uint16_t>(archetypes_.size() - 1));
    const Record& r = RecordOf(id.index);
    At<Health>(r.chunk, archetypes_[r.archetype].health, r.row) = health;
  }
  void RemoveHealth(Id id) { Move(id, 0); }

  const std::vector<Archetype>& archetypes() const { return archetypes_; }
  std::size_t bytes() const {
    return slabs_.size() * kSlabBytes + pages_.size() * kPageRecords * sizeof(Record);
  }

 private:
  struct Record {
    std::uint32_t generation;
    std::uint16_t archetype, row;
    union {
      std::byte* chunk;
      std::uint32_t next_free;  // Where the slot is free.
    };
  };
  static_assert(sizeof(Record) == 16);
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint32_t kIds = 64;
  static constexpr std::size_t kStride = 4160;  // No power of two: see kChunkGapBytes.
  static constexpr std::size_t kSlabChunks =
      28;  // Below the size from which malloc asks the system.
  static constexpr std::size_t kSlabBytes = kSlabChunks * kStride;
  static constexpr std::uint32_t kPageRecords = 4096;

  Record& RecordOf(std::uint32_t index) {
    return pages_[index / kPageRecords][index % kPageRecords];
  }
  const Record& RecordOf(std::uint32_t index) const {
    return pages_[index / kPageRecords][index % kPageRecords];
  }

  template <typename T>
  static T& At(std::byte* chunk, std::uint32_t column, std::uint32_t row) {
    return reinterpret_cast<T*>(chunk + column)[row];
  }

  std::byte* TakeChunk() {
    if (spare_.empty()) {
      auto* slab = static_cast<std::byte*>(operator new(kSlabBytes, std::align_val_t{64}));
      slabs_.push_back(slab);
      for (std::size_t i = kSlabChunks; i-- > 0;) spare_.push_back(slab + i * kStride);
    }
    std::byte* chunk = spare_.back();
    spare_.pop_back();
    return chunk;
  }

  // Gives the record a row at the end of the archetype.
  void Place(std::uint32_t index, std::uint32_t archetype) {
    Archetype& a = archetypes_[archetype];
    if (a.chunks.empty() || a.tail == a.capacity) {
      a.chunks.push_back(TakeChunk());
      a.tail = 0;
    }
    Record& r = RecordOf(index);
    r.archetype = static_cast<std::uint16_t>(archetype);
    r.row = static_cast<std::uint16_t>(a.tail++);
    r.chunk = a.chunks.back();
  }

  // Moves the archetype's last row into this one's.
  void Fill(const Record& r) {
    Archetype& a = archetypes_[r.archetype];
    std::byte* const last = a.chunks.back();
    const std::uint32_t row = a.tail - 1;
    if (last != r.chunk || row != r.row) {
      const Id moved = At<Id>(last, kIds, row);
      At<Id>(r.chunk, kIds, r.row) = moved;
      At<Position>(r.chunk, a.position, r.row) = At<Position>(last, a.position, row);
      At<Velocity>(r.chunk, a.velocity, r.row) = At<Velocity>(last, a.velocity, row);
      if (a.has_health) At<Health>(r.chunk, a.health, r.row) = At<Health>(last, a.health, row);
      RecordOf(moved.index).chunk = r.chunk;
      RecordOf(moved.index).row = r.row;
    }
    if (--a.tail == 0) {
      spare_.push_back(last);
      a.chunks.pop_back();
      a.tail = a.capacity;
    }
  }

  void Move(Id id, std::uint16_t target) {
    const Record from = RecordOf(id.index);
    if (from.generation != id.generation) return;
    Place(id.index, target);
    const Record& to = RecordOf(id.index);
    const Archetype& a = archetypes_[from.archetype];
    const Archetype& b = archetypes_[target];
    At<Position>(to.chunk, b.position, to.row) = At<Position>(from.chunk, a.position, from.row);
    At<Velocity>(to.chunk, b.velocity, to.row) = At<Velocity>(from.chunk, a.velocity, from.row);
    At<Id>(to.chunk, kIds, to.row) = id;
    Fill(from);
  }

  std::vector<Archetype> archetypes_;
  std::vector<std::unique_ptr<Record[]>> pages_;
  std::uint32_t used_ = 0;
  std::uint32_t free_ = kNone;
  std::vector<std::byte*> spare_;
  std::vector<void*> slabs_;
};

}  // namespace ashlar::bench
