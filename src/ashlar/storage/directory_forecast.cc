#include "ashlar/storage/directory_forecast.h"

namespace ashlar::inline v0 {

Entity DirectoryForecast::Issue() {
  if (!freed_.empty()) {
    const Entity entity = freed_.back();
    freed_.pop_back();
    return entity;
  }
  if (free_slot_ != EntityDirectory::kNoSlot) {
    const Entity entity(free_slot_, directory_->GenerationOf(free_slot_));
    free_slot_ = directory_->FreeBehind(free_slot_);
    return entity;
  }
  if (fresh_ == directory_->index_limit()) return Entity();
  return Entity(static_cast<std::uint32_t>(fresh_++), kGenerationFirst);
}

void DirectoryForecast::Free(Entity entity) {
  if (entity.generation() == kGenerationLast) {
    ++retired_;
    return;
  }
  freed_.push_back(Entity(entity.index(), entity.generation() + 1));
}

}  // namespace ashlar::inline v0
