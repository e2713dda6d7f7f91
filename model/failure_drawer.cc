// Draws what makes failures: numbers near their ends, allocations and constructions that fail.
#include <cstdint>
#include <iterator>

#include "ashlar/core/entity.h"
#include "ashlar/core/limits.h"
#include "model/operation_drawer.h"

namespace ashlar::model {

using oplang::Action;
using oplang::EntityRef;
using oplang::OpCode;

// REQUIRES: it is a code of those.
Action OperationDrawer::DrawOfFailures(OpCode code, const EntityRef& entity) {
  if (code == OpCode::kPlaceGeneration) return DrawPlaceGeneration(entity);
  if (code == OpCode::kPlaceIndex) return DrawPlaceIndex();
  if (code == OpCode::kPlaceVersion) return DrawPlaceVersion();
  if (code == OpCode::kFailAllocation) return DrawFailAllocation();
  return oplang::FailConstructionOp{DrawOrdinal()};
}

// Near the end of generations, where a destroy retires the slot (9,522 of them; of random
// generations none was near enough); or 0, which is refused.
Action OperationDrawer::DrawPlaceGeneration(const EntityRef& entity) {
  static constexpr std::uint32_t kGenerations[] = {
      kGenerationLast, kGenerationLast, kGenerationLast - 1, kGenerationLast - 2, 1000, 0};
  return oplang::PlaceGenerationOp{entity, kGenerations[random_.Below(std::size(kGenerations))]};
}

// A few further on; or one that was issued, or far above the limit, which are refused.
Action OperationDrawer::DrawPlaceIndex() {
  const std::uint64_t next = world().next_index();
  if (random_.Chance(1, 8)) return oplang::PlaceIndexOp{random_.Below(next + 1)};
  if (random_.Chance(1, 8)) return oplang::PlaceIndexOp{std::uint64_t{1} << random_.Below(64)};
  return oplang::PlaceIndexOp{next + random_.Below(6)};
}

// Around 2^32, where half of the numbers a version is made of are used up; further on; or back.
Action OperationDrawer::DrawPlaceVersion() {
  const std::uint64_t now = world().version();
  switch (random_.Below(4)) {
    case 0:
      return oplang::PlaceVersionOp{(std::uint64_t{1} << 32) - random_.Below(4)};
    case 1:
      return oplang::PlaceVersionOp{random_.Below(now + 1)};
    case 2:
      return oplang::PlaceVersionOp{kPlacedVersionMax + random_.Below(2)};
    default:
      return oplang::PlaceVersionOp{now + random_.Below(100)};
  }
}

// Most operations allocate a few times at most, so most numbers are small.
std::uint32_t OperationDrawer::DrawOrdinal() {
  if (random_.Chance(1, 2)) return 1;
  return 1 + static_cast<std::uint32_t>(random_.Below(random_.Chance(3, 4) ? 4 : 16));
}

Action OperationDrawer::DrawFailAllocation() {
  const std::uint32_t nth = DrawOrdinal();
  return oplang::FailAllocationOp{nth, random_.Chance(1, 4)};
}

}  // namespace ashlar::model
