// The operations about commands, and those that change many entities at once. Beside each stands
// its text.
#pragma once

#include <cstdint>
#include <vector>

#include "ashlar/oplang/operands.h"

namespace ashlar::inline v0::oplang {

// --- Commands. A program has command buffers 0 to kCommandBufferCount - 1. A record that succeeds
// has put its command there; one that is refused has recorded nothing. ---

inline constexpr std::uint8_t kCommandBufferCount = 3;

// record create e1 health=80
// record destroy e1
// record add e1 health=80          (and set, put)
// record remove e1 health
// record exchange e1 remove health add mana=3
// record add q1 health=80          (and all others but create: for what the query then matches)
// record 1 late add e1 health=80   (into buffer 1, and not 0; with sort key 1, and not 0)
//
// A create binds its label to the placeholder that it gives, at once; one that is refused, to the
// null entity. Until the buffer is applied, a record that names the label means what will be made,
// and every other operation the null entity. In another buffer it is refused.
struct RecordOp {
  CommandVerb verb = CommandVerb::kCreate;
  bool by_query = false;              // Never of a create.
  Label label = 0;                    // Of a create.
  EntityRef entity;                   // Of all others, where not by query.
  QueryLabel query = 0;               // By query.
  std::vector<ComponentRef> removed;  // Where Removes(verb).
  std::vector<ComponentArg> values;   // Where Gives(verb).
  std::uint8_t buffer = 0;
  bool is_late = false;
  friend bool operator==(const RecordOp&, const RecordOp&) = default;
};

// apply; apply skip_dead: runs what was recorded, as one change: first what is not late, buffer by
// buffer, then what is. Then labels that are still bound to placeholders are bound to the entities
// that were made, and the buffers are empty. One that is refused leaves buffers and labels as they
// are. With skip_dead, commands are left out whose entity is not alive.
struct ApplyOp {
  bool skip_dead = false;
  friend bool operator==(const ApplyOp&, const ApplyOp&) = default;
};

// discard: empties the buffers. Labels that are bound to their placeholders are bound to the null
// entity.
struct DiscardOp {
  friend bool operator==(const DiscardOp&, const DiscardOp&) = default;
};

// --- One change to many entities at once ---

// by_query add q1 health=80; by_query remove q1 health; by_query destroy q1; and set, put.
struct ByQueryOp {
  CommandVerb verb = CommandVerb::kDestroy;  // One of kBulkVerbs.
  QueryLabel query = 0;
  std::vector<ComponentRef> removed;  // Where Removes(verb).
  std::vector<ComponentArg> values;   // Where Gives(verb).
  friend bool operator==(const ByQueryOp&, const ByQueryOp&) = default;
};

// many add e1 e2 e3 : health=80; many remove e1 e2 : health; many destroy e1 e2; and set, put. Each
// entity gets the same values.
struct ManyOp {
  CommandVerb verb = CommandVerb::kDestroy;  // One of kBulkVerbs.
  std::vector<EntityRef> entities;
  std::vector<ComponentRef> removed;  // Where Removes(verb).
  std::vector<ComponentArg> values;   // Where Gives(verb).
  friend bool operator==(const ManyOp&, const ManyOp&) = default;
};

}  // namespace ashlar::inline v0::oplang
