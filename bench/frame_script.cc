#include "bench/frame_script.h"

#include <algorithm>

namespace ashlar::bench {

FrameScript MakeFrames(std::size_t objects, double structural_share, std::size_t operations,
                       Random* random) {
  const auto count = static_cast<double>(objects);
  const double in_frame = count / (1 - kLookUpShare - structural_share);  // Operations.
  const auto frames =
      static_cast<std::size_t>(std::max(1.0, static_cast<double>(operations) / in_frame));
  FrameScript script;
  script.objects = objects;
  for (std::size_t frame = 1; frame <= frames; ++frame) {
    const double so_far = static_cast<double>(frame) * in_frame;
    const auto add = [&](FrameOp op) {
      script.steps.push_back({op, static_cast<std::uint32_t>(random->Below(objects))});
    };
    while (static_cast<double>(script.look_ups) + 1 <= so_far * kLookUpShare + 1e-6) {
      ++script.look_ups;
      add(FrameOp::kLookUp);
    }
    // A replacement may come one operation early; the next frame has one less.
    while (static_cast<double>(script.structural) + 1 <= so_far * structural_share + 1e-6) {
      constexpr FrameOp kOps[] = {FrameOp::kReplace, FrameOp::kToggle, FrameOp::kFlipEffect};
      const FrameOp op = kOps[random->Below(3)];
      script.structural += op == FrameOp::kReplace ? 2 : 1;
      add(op);
    }
    script.frame_ends.push_back(script.steps.size());
  }
  return script;
}

}  // namespace ashlar::bench
