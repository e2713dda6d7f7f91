// The mixed frame over a world: position, velocity, life, and sometimes an effect.
#pragma once

#include <memory>
#include <vector>

#include "ashlar/kernels/movement.h"
#include "bench/fixtures.h"

namespace ashlar::bench {

// How an object is switched off.
enum class Switching {
  kEnableBit,  // Its velocity is disabled: a bit changes, no row moves.
  kTag,        // It gets a tag that the query excludes: its row moves to another archetype.
};

template <Switching kSwitching>
class FrameWorld {
 public:
  using Id = Entity;

  FrameWorld() : world_(Require(World::Make())) {
    position_ = Require(world_->Register(Describe<Position>("position")
                                             .Field("x", &Position::x)
                                             .Field("y", &Position::y)
                                             .Field("z", &Position::z)));
    auto velocity = Describe<Velocity>("velocity")
                        .Field("x", &Velocity::x)
                        .Field("y", &Velocity::y)
                        .Field("z", &Velocity::z);
    if (kSwitching == Switching::kEnableBit) velocity.Enableable();
    velocity_ = Require(world_->Register(velocity));
    life_ = Require(world_->Register(Describe<Life>("life").Field("seconds", &Life::seconds)));
    effect_ =
        Require(world_->Register(Describe<Health>("effect").Field("points", &Health::points)));
    off_ = Require(world_->Register(Require(ComponentDescriptor::FromSpec("off", TypeSpec{}))));
    moving_ = Require(world_->MakeQuery(QuerySpec().Write(position_).Read(velocity_).None(off_)));
    living_ = Require(world_->MakeQuery(QuerySpec().Write(life_)));
  }

  Id Spawn(const Position& position, const Velocity& velocity, float life) {
    const Life seconds{life};
    return Require(
        world_->Create({ComponentValue(position_, position), ComponentValue(velocity_, velocity),
                        ComponentValue(life_, seconds)}));
  }
  void Kill(Id id) { Require(world_->Destroy(id)); }
  void Toggle(Id id) {
    if constexpr (kSwitching == Switching::kEnableBit) {
      Require(world_->SetEnabled(id, velocity_, !Require(world_->IsEnabled(id, velocity_.id()))));
    } else if (Require(world_->Has(id, off_))) {
      Require(world_->Remove(id, {off_}));
    } else {
      Require(world_->Add(id, {ComponentValue(off_)}));
    }
  }
  void FlipEffect(Id id, std::int32_t effect) {
    const Health points{effect};
    if (Require(world_->Has(id, effect_.id()))) {
      Require(world_->Remove(id, {effect_.id()}));
    } else {
      Require(world_->Add(id, {ComponentValue(effect_, points)}));
    }
  }
  float PositionX(Id id) const {
    const Position* const position = world_->TryGet(id, position_);
    return position == nullptr ? 0 : position->x;
  }
  void Sweep(float dt) {
    {
      const IterationScope scope = Require(world_->OpenScope(moving_));
      for (const ChunkView& view : scope) {
        const std::span<Position> position = view.Write(position_);
        kernel_(&position.data()->x, &view.Read(velocity_).data()->x, 3 * position.size(), dt);
      }
    }
    const IterationScope scope = Require(world_->OpenScope(living_));
    for (const ChunkView& view : scope) {
      for (Life& life : view.Write(life_)) life.seconds -= dt;
    }
  }

  // As FrameStructs::StateOf.
  std::vector<float> StateOf(Id id) const {
    const Position* const p = world_->TryGet(id, position_);
    const Health* const effect = world_->TryGet(id, effect_);
    const bool moves = kSwitching == Switching::kEnableBit
                           ? Require(world_->IsEnabled(id, velocity_.id()))
                           : !Require(world_->Has(id, off_));
    return {p->x,
            p->y,
            p->z,
            world_->TryGet(id, life_)->seconds,
            effect == nullptr ? -1 : static_cast<float>(effect->points),
            moves ? 1.0f : 0.0f};
  }

 private:
  struct Life {
    float seconds;
  };

  std::unique_ptr<World> world_;
  Component<Position> position_;
  Component<Velocity> velocity_;
  Component<Life> life_;
  Component<Health> effect_;
  ComponentId off_;
  QueryId moving_, living_;
  kernels::MovementFunction kernel_ = kernels::MovementFor(BestSimdLevel());
};

}  // namespace ashlar::bench
