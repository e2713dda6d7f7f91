// Applying command buffers: all of their commands, as one transaction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/world/command_buffer.h"
#include "ashlar/world/world.h"

namespace ashlar::inline v0 {

// What becomes of a command whose entity is not alive when its turn comes.
enum class DeadTargets : std::uint8_t {
  kRefuse,  // It is refused, and so is everything.
  kSkip,    // It is left out and counted.
};

struct ApplyReport {
  std::size_t commands = 0;   // Applied; those that were skipped are not counted.
  std::size_t skipped = 0;    // Left out, because their entity was not alive any more.
  std::size_t created = 0;    // Entities that are there now and were not before.
  std::size_t destroyed = 0;  // Entities that were there before.
  std::size_t moved = 0;      // Rows that went to another archetype.
  std::size_t written = 0;    // Rows that stayed and got values, or were switched on again.
};

// Runs the commands of all buffers, by sort key, then in the order of the buffers, then as they
// were recorded. Logically the outcome is that of World's calls, one after the other: the same
// entities, ids, free list, components and values. Rows come and go by the rule of batch_commit.h,
// in one version of the world, or none where nothing changes in the end. Afterwards the buffers
// count as applied; but one that a hook has recorded into since has begun anew (hooks.h).
//
// The buffers outlive the call: a component that the call may end must not own one. Hooks run when
// all is done (hooks.h).
//
// Or an error, and neither the world nor a buffer has changed, so it may be tried again:
// kScopeOpen; kBufferForeign, kBufferRepeated, kBufferBusy, kBufferApplied, about the first buffer
// that has one; then that of the first command that World would refuse, where RefusedCommand says
// which: those of the call of its name, and kQueryUnknown. A placeholder whose Create comes later,
// by its key, is not alive. For a command by query it is the error of the entity with the lowest
// index that has one. kIdsExhausted and memory name no command. What a copy of an object throws,
// for commands by query, passes through.
//
// Allocates a bounded number of times for the whole and for each archetype that rows come to, none
// for each command; but growing lists where entities are matched by query. What the call needs
// meanwhile, some 100 bytes for each command, stays with the first buffer for its next time. Cost:
// O(commands + values + rows that change) and that of matching queries.
absl::StatusOr<ApplyReport> Apply(World& world, std::span<CommandBuffer* const> buffers,
                                  DeadTargets dead_targets = DeadTargets::kRefuse);
absl::StatusOr<ApplyReport> Apply(World& world, CommandBuffer& buffer,
                                  DeadTargets dead_targets = DeadTargets::kRefuse);

// Which command of which buffer, both counted from 0 as they were recorded and given.
struct CommandPlace {
  std::size_t buffer = 0;
  std::size_t command = 0;

  friend bool operator==(const CommandPlace&, const CommandPlace&) = default;
};

// The command that Apply's status says was refused; nothing for OK and for every other error.
std::optional<CommandPlace> RefusedCommand(const absl::Status& status);

}  // namespace ashlar::inline v0
