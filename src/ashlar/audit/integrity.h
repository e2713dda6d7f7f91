// The integrity check: every invariant of the storage, by number, on the user's own world.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// Checks I1-I13 (ARCHITECTURE, "Invariants"). OK, or kInternal / kInvariantBroken with
// the number and the place: "I1: entity 4v2: ...". Reads only; may run beside other readers. Cost:
// O(rows + archetypes * queries). `scopes_expected` is the number of scopes that the caller knows
// to be open.
absl::Status CheckIntegrity(const World& world, std::uint32_t scopes_expected = 0);

// The invariant that a status of CheckIntegrity names: 1 for I1; 0 for every other status.
int BrokenInvariant(const absl::Status& status);

}  // namespace ashlar::inline v0
