// Numbering an archetype: with the first commit of a row it joins the order of archetypes and the
// lists of the queries that match it. One that has its number already is left alone.
#pragma once

#include <cstddef>

#include "ashlar/query/query_table.h"
#include "ashlar/storage/archetype_table.h"

namespace ashlar::inline v0 {

// Room for it, beside `others` that have room reserved and are not numbered yet; says whether it is
// new. Throws std::bad_alloc.
inline bool ReserveNumbering(ArchetypeTable& archetypes, QueryTable& queries,
                             const Archetype& archetype, std::size_t others = 0) {
  if (!archetype.number().is_none()) [[likely]] {
    return false;
  }
  archetypes.ReserveNumbers(1 + others);
  queries.ReserveMatch(archetype, others);
  return true;
}

// REQUIRES: there is room.
inline void FinishNumbering(ArchetypeTable& archetypes, QueryTable& queries,
                            Archetype& archetype) noexcept {
  if (!archetype.number().is_none()) [[likely]] {
    return;
  }
  archetypes.Number(archetype);
  queries.AddMatch(archetype);
}

}  // namespace ashlar::inline v0
