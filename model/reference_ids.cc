#include "model/reference_ids.h"

namespace ashlar::model {

using oplang::Outcome;

Outcome Refused(Reason reason) {
  switch (reason) {
    case Reason::kEntityNotAlive:
    case Reason::kComponentAbsent:
    case Reason::kQueryUnknown:
      return {absl::StatusCode::kNotFound, reason};
    case Reason::kComponentPresent:
      return {absl::StatusCode::kAlreadyExists, reason};
    case Reason::kScopeOpen:
      return {absl::StatusCode::kFailedPrecondition, reason};
    case Reason::kIdsExhausted:
      return {absl::StatusCode::kResourceExhausted, reason};
    default:
      return {absl::StatusCode::kInvalidArgument, reason};
  }
}

}  // namespace ashlar::model
