// When a world pays and when it does not: a mixed frame (frame_script.h) over few objects and many,
// with little structural change and much, beside the vector of structs that one would write
// instead.
#include <memory>

#include "bench/frame_script.h"
#include "bench/frame_structs.h"
#include "bench/frame_world.h"
#include "bench/harness.h"

namespace ashlar::bench {
namespace {

constexpr std::size_t kObjects[] = {1, 10, 100, 1'000, 16'384, 131'072};
constexpr int kStructuralPercent[] = {0, 1, 10, 50};
constexpr std::size_t kOperations = 100'000;  // In a sample.
constexpr float kLife = 1'000;

// One store, the ids of its objects by number, and what its look-ups have added up to.
template <typename Store>
struct Player {
  Store store;
  std::vector<typename Store::Id> ids;
  double sum = 0;
  Random random;

  explicit Player(std::size_t objects) : random(objects) {
    for (std::size_t i = 0; i < objects; ++i) {
      ids.push_back(store.Spawn(PositionOf(i), VelocityOf(i), kLife));
    }
  }

  void Do(const FrameStep& step) {
    const std::uint32_t i = step.object;
    switch (step.op) {
      case FrameOp::kLookUp:
        sum += static_cast<double>(store.PositionX(ids[i]));
        break;
      case FrameOp::kReplace:
        store.Kill(ids[i]);
        ids[i] = store.Spawn(PositionOf(i), VelocityOf(i), kLife);
        break;
      case FrameOp::kToggle:
        store.Toggle(ids[i]);
        break;
      case FrameOp::kFlipEffect:
        store.FlipEffect(ids[i], static_cast<std::int32_t>(i));
        break;
    }
  }

  // Nanoseconds for kOperations, of which the script has about as many.
  double Play(double structural_share) {
    const FrameScript script = MakeFrames(ids.size(), structural_share, kOperations, &random);
    const Stopwatch watch;
    std::size_t at = 0;
    for (const std::size_t end : script.frame_ends) {
      store.Sweep(kTimeStep);
      for (; at < end; ++at) Do(script.steps[at]);
    }
    const double nanoseconds = watch.Nanoseconds();
    Keep(sum);
    return nanoseconds * kOperations / static_cast<double>(script.operations());
  }
};

// What two players disagree about, or nothing.
template <typename A, typename B>
std::string Compare(const char* name, const Player<A>& a, const Player<B>& b) {
  const std::string who = std::string(" of ") + name;
  if (a.sum != b.sum) return "sum of look-ups" + who;
  for (std::size_t i = 0; i < a.ids.size(); ++i) {
    if (a.store.StateOf(a.ids[i]) != b.store.StateOf(b.ids[i])) {
      return "object number " + std::to_string(i) + who;
    }
  }
  return "";
}

Case Frame(std::size_t objects, double structural_share) {
  const auto map = std::make_shared<Player<FrameStructs<MapIndex>>>(objects);
  const auto slots = std::make_shared<Player<FrameStructs<SlotIndex>>>(objects);
  const auto world = std::make_shared<Player<FrameWorld<Switching::kEnableBit>>>(objects);
  const auto tags = std::make_shared<Player<FrameWorld<Switching::kTag>>>(objects);
  Case work;
  work.items = kOperations;
  work.variants.push_back({"structs_map", [=] { return map->Play(structural_share); }});
  work.variants.push_back({"structs_slots", [=] { return slots->Play(structural_share); }});
  work.variants.push_back({"world", [=] { return world->Play(structural_share); }});
  work.variants.push_back({"world_tags", [=] { return tags->Play(structural_share); }});
  work.verify = [=] {
    std::string error = Compare("structs_slots", *map, *slots);
    if (error.empty()) error = Compare("world", *map, *world);
    if (error.empty()) error = Compare("world_tags", *map, *tags);
    return error;
  };
  return work;
}

}  // namespace
}  // namespace ashlar::bench

int main(int argc, char** argv) {
  using namespace ashlar::bench;
  std::vector<CaseMaker> makers;
  for (const int percent : kStructuralPercent) {
    for (const std::size_t objects : kObjects) {
      makers.push_back({"frame_" + std::to_string(percent), objects, "ns/operation",
                        [=] { return Frame(objects, percent / 100.0); }});
    }
  }
  return RunBenchmarks(
      argc, argv,
      "A mixed frame over a world, beside the same frame over a vector of structs with flags and "
      "an\n"
      "index (a hash map, or slots). frame_P: P percent of the operations are structural (kill,\n"
      "spawn, toggle, add or remove an effect), a tenth are look-ups by id, and the rest move and\n"
      "age one object each. `world` toggles by enable bits, `world_tags` by adding and removing a\n"
      "tag. All must end with the same objects, to the last bit.",
      makers);
}
