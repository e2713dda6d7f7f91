// The mixed frame a thousand times, on every SIMD level, number of threads, layout and chunk size:
// the same objects to the last bit, by the digest of the world.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/kernels/particles.h"
#include "ashlar/systems/movement.h"
#include "ashlar/systems/parallel.h"
#include "ashlar/systems/thread_pool.h"
#include "bench/fixtures.h"
#include "bench/frame_script.h"
#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

constexpr std::size_t kObjectCount = 4'000;  // More than two chunks of 64 KiB.
constexpr std::size_t kFrameCount = 1'000;
constexpr double kStructuralShare = 0.01;

struct Setting {
  SimdLevel level;
  std::size_t threads;
  bool is_split;
  std::size_t chunk_size_bytes;

  std::string Text() const {
    return std::string(SimdLevelName(level)) + ", " + std::to_string(threads) + " threads, " +
           (is_split ? "split" : "packed") + ", chunks of " + std::to_string(chunk_size_bytes);
  }
};

std::vector<Setting> Settings() {
  std::vector<Setting> settings;
  for (const SimdLevel level : kSimdLevels) {
    if (level > BestSimdLevel()) continue;
    for (const std::size_t threads : {1u, 2u, 4u, 8u}) {
      for (const bool is_split : {false, true}) {
        for (std::size_t kib = 4; kib <= 64; kib *= 2) {
          settings.push_back({level, threads, is_split, kib * 1024});
        }
      }
    }
  }
  return settings;
}

class ParallelFrames {
 public:
  ParallelFrames(const Setting& setting, ThreadPoolExecutor* executor)
      : world_(Require(World::Make({.chunk_size_bytes = setting.chunk_size_bytes}))),
        position_(Register("position", 3, setting.is_split, false)),
        velocity_(Register("velocity", 3, setting.is_split, true)),
        life_(Register("life", 1, setting.is_split, false)),
        effect_(Register("effect", 1, false, false)),
        off_(Require(world_->Register(Require(ComponentDescriptor::FromSpec("off", TypeSpec{}))))),
        living_(Require(world_->MakeQuery(QuerySpec().Write(life_)))),
        movement_(
            Require(MovementSystem::Make(*world_, position_, velocity_, off_, setting.level))),
        age_(kernels::AgeFor(setting.level)),
        executor_(executor) {
    for (std::size_t i = 0; i < kObjectCount; ++i) objects_.push_back(Spawn(i));
  }

  void Play(const FrameScript& script) {
    std::size_t at = 0;
    for (const std::size_t end : script.frame_ends) {
      Require(movement_.Step(*world_, kTimeStep, *executor_));
      Age();
      for (; at < end; ++at) Do(script.steps[at]);
    }
  }

  const World& world() const { return *world_; }
  double look_ups() const { return look_ups_; }

 private:
  ComponentId Register(const char* name, std::uint32_t count, bool is_split, bool is_enableable) {
    TypeSpec floats;
    floats.fields.push_back({"", {ScalarType::kF32, count}, {}});
    ComponentDescriptor descriptor = Require(ComponentDescriptor::FromSpec(name, floats));
    descriptor.set_split(is_split);
    descriptor.set_enableable(is_enableable);
    return Require(world_->Register(descriptor));
  }

  Entity Spawn(std::size_t i) {
    const Position position = PositionOf(i);
    const Velocity velocity = VelocityOf(i);
    const float life = 1'000;
    return Require(
        world_->Create({ComponentValue(position_, &position), ComponentValue(velocity_, &velocity),
                        ComponentValue(life_, &life)}));
  }

  void Age() {
    const IterationScope scope = Require(world_->OpenScope(living_));
    ParallelForEach(*executor_, scope, [&](const ChunkView& view) {
      float* const life = view.IsSplit(life_) ? view.WriteField<float>(life_, 0).data()
                                              : view.Write<float>(life_).data();
      age_(life, view.row_count(), kTimeStep);
    });
  }

  void Do(const FrameStep& step) {
    Entity& object = objects_[step.object];
    switch (step.op) {
      case FrameOp::kLookUp: {
        Position position{};
        Require(world_->GetValue(object, position_, &position));
        look_ups_ += static_cast<double>(position.x);
        break;
      }
      case FrameOp::kReplace:
        Require(world_->Destroy(object));
        object = Spawn(step.object);
        break;
      case FrameOp::kToggle:
        // Every other object by a bit, the rest by a tag.
        if (step.object % 2 == 0) {
          Require(world_->SetEnabled(object, velocity_,
                                     !Require(world_->IsEnabled(object, velocity_))));
        } else {
          Flip(object, ComponentValue(off_));
        }
        break;
      case FrameOp::kFlipEffect: {
        const auto effect = static_cast<float>(step.object);
        Flip(object, ComponentValue(effect_, &effect));
        break;
      }
    }
  }

  void Flip(Entity object, const ComponentValue& value) {
    if (Require(world_->Has(object, value.component()))) {
      Require(world_->Remove(object, {value.component()}));
    } else {
      Require(world_->Add(object, {value}));
    }
  }

  std::unique_ptr<World> world_;
  ComponentId position_, velocity_, life_, effect_, off_;
  QueryId living_;
  MovementSystem movement_;
  kernels::AgeFunction age_;
  ThreadPoolExecutor* executor_;
  std::vector<Entity> objects_;
  double look_ups_ = 0;
};

TEST(MixedFrame, EndsWithTheSameDigestOnEveryPath) {
  Random random(kObjectCount);
  const double in_frame = kObjectCount / (1 - kLookUpShare - kStructuralShare);
  const FrameScript script =
      MakeFrames(kObjectCount, kStructuralShare,
                 static_cast<std::size_t>(in_frame * kFrameCount) + 1, &random);
  ASSERT_EQ(script.frame_ends.size(), kFrameCount);
  ASSERT_GT(script.structural, 40'000u);

  const std::vector<Setting> settings = Settings();
  std::uint64_t digest = 0;
  double look_ups = 0;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    SCOPED_TRACE(settings[i].Text());
    const auto executor = Require(ThreadPoolExecutor::Make(settings[i].threads));
    ParallelFrames frames(settings[i], executor.get());
    frames.Play(script);
    ASSERT_TRUE(CheckIntegrity(frames.world()).ok());
    if (i == 0) {
      digest = Digest(frames.world());
      look_ups = frames.look_ups();
    }
    ASSERT_EQ(Digest(frames.world()), digest);
    ASSERT_EQ(frames.look_ups(), look_ups);
  }
}

}  // namespace
}  // namespace ashlar::bench
