// The digest: one number for the logical state of a world.
#pragma once

#include <cstdint>

#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// Version of the numbers; it changes when Digest's definition does.
inline constexpr int kDigestVersion = 1;

// Hashes ids, generations, free list, component sets and values (by field, padding left out), and
// singletons. Two
// worlds with the same logical state have the same digest, whatever their row order, archetype
// order, chunk size and history. Reads only. Cost: O(rows * components).
std::uint64_t Digest(const World& world);

}  // namespace ashlar::inline v0
