// Which ids the reference world issues, and how its refusals are said.
#pragma once

#include <cstdint>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/core/limits.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::model {

inline constexpr oplang::Outcome kDone;

// Every reason belongs to one code.
oplang::Outcome Refused(Reason reason);

// The id that is issued is the one freed last, with the slot's next generation; else the next fresh
// index, while there is one below the limit.
class ReferenceIds {
 public:
  explicit ReferenceIds(std::uint64_t index_limit)
      : index_limit_(index_limit != 0 ? index_limit : 0xFFFFFFFFu) {}

  // How many can be issued.
  std::uint64_t left() const { return free_.size() + (index_limit_ - next_index_); }

  // REQUIRES: some are left.
  Entity Issue() {
    if (free_.empty()) return Entity(static_cast<std::uint32_t>(next_index_++), kGenerationFirst);
    const Entity entity = free_.back();
    free_.pop_back();
    return entity;
  }

  // A slot whose last generation has lived is never used again.
  void Free(Entity entity) {
    if (entity.generation() == kGenerationLast) return;
    free_.push_back(Entity(entity.index(), entity.generation() + 1));
  }

  // Makes that index the next fresh one; whether it may be. Those between are never issued.
  bool Place(std::uint64_t index) {
    if (index < next_index_ || index > index_limit_) return false;
    if (index - next_index_ > kPlacedIndicesMax) return false;
    next_index_ = index;
    return true;
  }

  // The first index that was never issued.
  std::uint64_t next_index() const { return next_index_; }

 private:
  std::uint64_t index_limit_;
  std::uint64_t next_index_ = 0;
  std::vector<Entity> free_;  // With the generations that they will have; the next one is last.
};

}  // namespace ashlar::model
