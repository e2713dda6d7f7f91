// The operations of a mixed frame, drawn at random beforehand, so that every store does the same.
//
// A frame moves and ages every object (one operation an object), and then does things to single
// objects by their id: look-ups, a tenth of all operations, and structural change, the share that a
// case is about. A structural operation kills an object, spawns one in its stead, toggles one, or
// gives it an effect or takes it away; a quarter each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/components.h"

namespace ashlar::bench {

enum class FrameOp : std::uint8_t { kLookUp, kReplace, kToggle, kFlipEffect };

struct FrameStep {
  FrameOp op;
  std::uint32_t object;  // Objects are numbered; whoever is spawned takes the number of the killed.
};

// Some frames one after the other.
struct FrameScript {
  std::vector<FrameStep> steps;
  std::vector<std::size_t> frame_ends;  // One past the last step of each frame.
  std::size_t structural = 0;           // Operations; to replace an object is two.
  std::size_t look_ups = 0;
  std::size_t objects = 0;

  std::size_t operations() const { return frame_ends.size() * objects + structural + look_ups; }
};

inline constexpr double kLookUpShare = 0.1;

// Frames of a share of structural change, such as 0.01, with about `operations` operations in all;
// at least one frame. Where a frame has less than one operation of a kind, some frames have one.
// REQUIRES: objects > 0; 0 <= structural_share < 0.9.
FrameScript MakeFrames(std::size_t objects, double structural_share, std::size_t operations,
                       Random* random);

}  // namespace ashlar::bench
