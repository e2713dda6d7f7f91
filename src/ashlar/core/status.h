// Statuses and their machine-readable reasons.
//
// Every error of the public API is an absl::Status whose payload names one Reason; programs and the
// lockstep tests compare reasons, people read the message. The one exception is a failed
// allocation: OutOfMemory() has a code alone, because a message would need memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/entity.h"

namespace ashlar::inline v0 {

// Why a call was refused. The names (ReasonName) are stable: traces store them.
enum class Reason : std::uint8_t {
  kNone = 0,
  kEntityNotAlive,         // null, forged, stale or destroyed                      NOT_FOUND
  kEntityRepeated,         // named twice in one call                               INVALID_ARGUMENT
  kComponentPresent,       // add of what is there                                  ALREADY_EXISTS
  kComponentAbsent,        // remove, set or get of what is not there               NOT_FOUND
  kComponentUnknown,       // not registered in this world                          INVALID_ARGUMENT
  kComponentRepeated,      // named twice in one call                               INVALID_ARGUMENT
  kComponentTypeMismatch,  // a typed handle that is not this component's           INVALID_ARGUMENT
  kComponentNameTaken,     // registration of a name that exists                    ALREADY_EXISTS
  kComponentLimit,  // more than kComponentCountMax                          RESOURCE_EXHAUSTED
  kComponentNotEnableable,  // it has no enable bits                             INVALID_ARGUMENT
  kComponentSplit,          // its value does not lie in one piece                INVALID_ARGUMENT
  kComponentMalformed,  // a descriptor that breaks its rules                    INVALID_ARGUMENT
  kFieldUnknown,        // no field at that path                                 INVALID_ARGUMENT
  kValueRefused,        // by a validator or a field's rule                      INVALID_ARGUMENT
  kValueDoesNotFit,     // wrong kind, or outside the field's range              INVALID_ARGUMENT
  kValueCountMismatch,  // a span with another number of values than entities   INVALID_ARGUMENT
  kRowTooLarge,         // one row does not fit a chunk                          INVALID_ARGUMENT
  kQueryConflict,       // a term both required and excluded                     INVALID_ARGUMENT
  kQueryUnknown,        // no such query in this world                           NOT_FOUND
  kQueryLimit,          // more than kQueryCountMax                              RESOURCE_EXHAUSTED
  kScopeOpen,           // structural change inside an iteration scope           FAILED_PRECONDITION
  kScopeLimit,          // more than kScopeDepthMax scopes                       RESOURCE_EXHAUSTED
  kPlaceholderUnknown,  // of another command buffer, or cleared                 INVALID_ARGUMENT
  kBufferBusy,          // recording from inside a value's constructor           FAILED_PRECONDITION
  kBufferApplied,       // a command buffer that was applied already             FAILED_PRECONDITION
  kBufferNotApplied,    // its placeholders are no entities yet                  FAILED_PRECONDITION
  kBufferForeign,       // a command buffer of another world                     INVALID_ARGUMENT
  kBufferRepeated,      // named twice in one call                               INVALID_ARGUMENT
  kIdsExhausted,        // no index left                                         RESOURCE_EXHAUSTED
  kMemoryLimit,         // the world's byte budget                               RESOURCE_EXHAUSTED
  kOptionInvalid,       // a world option out of its range                       INVALID_ARGUMENT
  kInvariantBroken,     // found by the integrity check                          INTERNAL
  kTextMalformed,       // a trace or type that does not parse                   DATA_LOSS
  kFileUnreadable,      // a file that cannot be opened or read                  NOT_FOUND
};
inline constexpr int kReasonCount = static_cast<int>(Reason::kFileUnreadable) + 1;

// "entity_not_alive", "component_present", ...; "none" for kNone.
std::string_view ReasonName(Reason reason);

// The reason of that name; nothing for other text.
std::optional<Reason> ParseReason(std::string_view name);

// The reason that a status carries; kNone for OK and for a failed allocation.
Reason ReasonOf(const absl::Status& status);

// A status with its reason as payload. Allocates from the global heap; throws std::bad_alloc when
// that fails.
absl::Status MakeError(absl::StatusCode code, Reason reason, std::string_view message);

// RESOURCE_EXHAUSTED without message or payload. Never allocates.
absl::Status OutOfMemory() noexcept;

// "entity 4v2" or "the null entity", for messages.
std::string EntityText(Entity entity);

// The code's name as traces write it: "OK", "NOT_FOUND", ...
std::string_view StatusCodeName(absl::StatusCode code);

// The code of that name; nothing for other text.
std::optional<absl::StatusCode> ParseStatusCode(std::string_view name);

}  // namespace ashlar::inline v0

// Returns from the enclosing function when `expression` is not OK.
#define ASHLAR_RETURN_IF_ERROR(expression)                                               \
  do {                                                                                   \
    if (absl::Status ashlar_status_ = (expression); !ashlar_status_.ok()) [[unlikely]] { \
      return ashlar_status_;                                                             \
    }                                                                                    \
  } while (false)
