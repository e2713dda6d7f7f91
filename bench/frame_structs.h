// What one would write without an entity-component system: a vector of structs with flags, removal
// by swap with the last, and an index from ids to places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "bench/components.h"

namespace ashlar::bench {

// Ids are counted up; a hash map knows the places. The simplest there is.
class MapIndex {
 public:
  using Id = std::uint64_t;

  Id Insert(std::size_t place) {
    places_.emplace(++last_, place);
    return last_;
  }
  void Erase(Id id) { places_.erase(id); }
  void Move(Id id, std::size_t place) { places_.find(id)->second = place; }
  const std::size_t* Find(Id id) const {
    const auto found = places_.find(id);
    return found == places_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<Id, std::size_t> places_;
  Id last_ = 0;
};

// Slots that are used again, each with a generation: what one writes when the map is too slow.
class SlotIndex {
 public:
  using Id = std::uint64_t;  // Generation and slot.

  Id Insert(std::size_t place) {
    std::uint32_t slot = static_cast<std::uint32_t>(slots_.size());
    if (free_.empty()) {
      slots_.push_back({place, 1});
    } else {
      slot = free_.back();
      free_.pop_back();
      slots_[slot].place = place;
    }
    return Id{slots_[slot].generation} << 32 | slot;
  }
  void Erase(Id id) {
    ++slots_[SlotOf(id)].generation;
    free_.push_back(SlotOf(id));
  }
  void Move(Id id, std::size_t place) { slots_[SlotOf(id)].place = place; }
  const std::size_t* Find(Id id) const {
    if (SlotOf(id) >= slots_.size() || slots_[SlotOf(id)].generation != id >> 32) return nullptr;
    return &slots_[SlotOf(id)].place;
  }

 private:
  struct Slot {
    std::size_t place;
    std::uint32_t generation;
  };
  static std::uint32_t SlotOf(Id id) { return static_cast<std::uint32_t>(id); }

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

template <typename Index>
class FrameStructs {
 public:
  using Id = typename Index::Id;

  Id Spawn(const Position& position, const Velocity& velocity, float life) {
    const Id id = index_.Insert(objects_.size());
    objects_.push_back({id, position, velocity, life, 0, false, true});
    return id;
  }
  void Kill(Id id) {
    const std::size_t* const place = index_.Find(id);
    if (place == nullptr) return;
    const std::size_t hole = *place;
    index_.Erase(id);
    if (hole + 1 != objects_.size()) {
      objects_[hole] = objects_.back();
      index_.Move(objects_[hole].id, hole);
    }
    objects_.pop_back();
  }
  void Toggle(Id id) {
    if (Object* object = FindObject(id)) object->enabled = !object->enabled;
  }
  void FlipEffect(Id id, std::int32_t effect) {
    Object* const object = FindObject(id);
    if (object == nullptr) return;
    object->has_effect = !object->has_effect;
    object->effect = effect;
  }
  float PositionX(Id id) const {
    const std::size_t* const place = index_.Find(id);
    return place == nullptr ? 0 : objects_[*place].position.x;
  }
  void Sweep(float dt) {
    for (Object& object : objects_) {
      if (object.enabled) {
        object.position.x += object.velocity.x * dt;
        object.position.y += object.velocity.y * dt;
        object.position.z += object.velocity.z * dt;
      }
      object.life -= dt;
    }
  }

  // Position x, y, z, life, the effect or -1, and whether it moves: for comparisons.
  std::vector<float> StateOf(Id id) const {
    const Object& o = objects_[*index_.Find(id)];
    return {o.position.x,
            o.position.y,
            o.position.z,
            o.life,
            o.has_effect ? static_cast<float>(o.effect) : -1,
            o.enabled ? 1.0f : 0.0f};
  }

 private:
  struct Object {
    Id id;
    Position position;
    Velocity velocity;
    float life;
    std::int32_t effect;
    bool has_effect;
    bool enabled;
  };

  Object* FindObject(Id id) {
    const std::size_t* const place = index_.Find(id);
    return place == nullptr ? nullptr : &objects_[*place];
  }

  std::vector<Object> objects_;
  Index index_;
};

}  // namespace ashlar::bench
