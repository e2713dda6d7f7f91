// What the vector twins of the particle kernels share. For the sources of this room alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ashlar::inline v0::kernels {

// The spans of one integration, to be handed on as one.
struct ParticleSpans {
  float* position;
  float* velocity;
  const float* force;
  const float* inverse_mass;
};

// Of which row float i of x y z x y z ... is: a register full of these, from a multiple of 3 rows
// on, spreads inverse masses over the floats of their rows.
alignas(64) inline constexpr std::array<std::int32_t, 48> kRowOfFloat = [] {
  std::array<std::int32_t, 48> rows{};
  for (std::int32_t i = 0; i < 48; ++i) rows[static_cast<std::size_t>(i)] = i / 3;
  return rows;
}();

}  // namespace ashlar::inline v0::kernels
