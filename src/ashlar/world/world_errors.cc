#include "ashlar/world/world_errors.h"

#include <new>

#include "absl/strings/str_cat.h"
#include "ashlar/core/accounted_memory.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0::world_errors {
namespace {

absl::string_view Text(std::string_view text) { return {text.data(), text.size()}; }

absl::string_view NameOf(const ComponentDescriptor& component) { return Text(component.name()); }

absl::Status MemoryLimit(std::string_view call, const MemoryLimitReached& limit) noexcept try {
  return MakeError(
      absl::StatusCode::kResourceExhausted, Reason::kMemoryLimit,
      absl::StrCat(Text(call), ": ", limit.wanted_bytes(), " bytes are wanted and ",
                   limit.in_use_bytes(), " of ", limit.limit_bytes(),
                   " are in use; destroy entities and Trim, or raise memory_limit_bytes"));
} catch (const std::bad_alloc&) {
  return OutOfMemory();
}

}  // namespace

absl::Status ScopeOpen(std::string_view call) {
  return MakeError(absl::StatusCode::kFailedPrecondition, Reason::kScopeOpen,
                   absl::StrCat(Text(call),
                                ": an iteration scope is open (or a constructor, destructor or "
                                "validator is running); close every scope before a structural "
                                "change"));
}

absl::Status NotAlive(std::string_view call, Entity entity) {
  return MakeError(absl::StatusCode::kNotFound, Reason::kEntityNotAlive,
                   absl::StrCat(Text(call), ": ", EntityText(entity),
                                " is not alive: destroyed, or never issued by this world"));
}

absl::Status EntityRepeated(std::string_view call, Entity entity) {
  return MakeError(
      absl::StatusCode::kInvalidArgument, Reason::kEntityRepeated,
      absl::StrCat(Text(call), ": ", EntityText(entity), " is named twice; name it once"));
}

absl::Status Unknown(std::string_view call, ComponentId component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown,
                   absl::StrCat(Text(call), ": no component has number ", component.value(),
                                " in this world; register it first"));
}

absl::Status Repeated(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(
      absl::StatusCode::kInvalidArgument, Reason::kComponentRepeated,
      absl::StrCat(Text(call), ": component ", NameOf(component), " is named twice; name it once"));
}

absl::Status TypeMismatch(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentTypeMismatch,
                   absl::StrCat(Text(call), ": component ", NameOf(component),
                                " has another C++ type; use the handle that Register returned for "
                                "it in this world"));
}

absl::Status AbsentFromQuery(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kNotFound, Reason::kComponentAbsent,
                   absl::StrCat(Text(call), ": the query matches entities without component ",
                                NameOf(component), "; make it a term that is required"));
}

absl::Status NoSingleton(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kNotFound, Reason::kComponentAbsent,
                   absl::StrCat(Text(call), ": the world has no singleton ", NameOf(component),
                                "; PutSingleton gives it one"));
}

absl::Status NotEnableable(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentNotEnableable,
                   absl::StrCat(Text(call), ": component ", NameOf(component),
                                " is not enableable; say so in its descriptor, or remove it"));
}

absl::Status Split(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentSplit,
                   absl::StrCat(Text(call), ": component ", NameOf(component),
                                " is split, so its value lies in no one place; use GetValue, "
                                "GetField or Load"));
}

absl::Status Present(std::string_view call, Entity entity, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kAlreadyExists, Reason::kComponentPresent,
                   absl::StrCat(Text(call), ": ", EntityText(entity), " has component ",
                                NameOf(component), " already; Put adds or replaces"));
}

absl::Status Absent(std::string_view call, Entity entity, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kNotFound, Reason::kComponentAbsent,
                   absl::StrCat(Text(call), ": ", EntityText(entity), " has no component ",
                                NameOf(component), "; add it first"));
}

absl::Status NoBytes(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueDoesNotFit,
                   absl::StrCat(Text(call), ": component ", NameOf(component), " takes ",
                                component.size_bytes(), " bytes, and the pointer is null"));
}

absl::Status Misaligned(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueDoesNotFit,
                   absl::StrCat(Text(call), ": component ", NameOf(component),
                                " is stored as objects, and the pointer is not aligned to ",
                                component.alignment_bytes(), " bytes"));
}

absl::Status MoveOnly(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(
      absl::StatusCode::kInvalidArgument, Reason::kValueDoesNotFit,
      absl::StrCat(Text(call), ": component ", NameOf(component),
                   " cannot be copied; give it to one entity a call, as a value to be moved"));
}

absl::Status NoDefault(std::string_view call, const ComponentDescriptor& component) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueDoesNotFit,
                   absl::StrCat(Text(call), ": component ", NameOf(component),
                                " has no value that is made without arguments; give one"));
}

absl::Status UnknownQuery(std::string_view call, QueryId query) {
  return MakeError(absl::StatusCode::kNotFound, Reason::kQueryUnknown,
                   absl::StrCat(Text(call), ": this world has no query ", query.value(),
                                "; make it with MakeQuery"));
}

absl::Status PlaceholderUnknown(std::string_view call) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kPlaceholderUnknown,
                   absl::StrCat(Text(call),
                                ": the placeholder is not one of this buffer since it was last "
                                "cleared; use what its Create returned"));
}

absl::Status BufferBusy(std::string_view call) {
  return MakeError(absl::StatusCode::kFailedPrecondition, Reason::kBufferBusy,
                   absl::StrCat(Text(call),
                                ": the buffer is making or ending a value; record outside of its "
                                "constructors and destructors"));
}

absl::Status BufferApplied(std::string_view call) {
  return MakeError(absl::StatusCode::kFailedPrecondition, Reason::kBufferApplied,
                   absl::StrCat(Text(call), ": the buffer was applied already; Clear it first"));
}

absl::Status BufferNotApplied(std::string_view call) {
  return MakeError(absl::StatusCode::kFailedPrecondition, Reason::kBufferNotApplied,
                   absl::StrCat(Text(call), ": the buffer was not applied yet"));
}

absl::Status BufferForeign(std::string_view call) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kBufferForeign,
                   absl::StrCat(Text(call), ": the buffer was made for another world"));
}

absl::Status BufferRepeated(std::string_view call) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kBufferRepeated,
                   absl::StrCat(Text(call), ": a buffer is named twice; name it once"));
}

absl::Status IdsExhausted(std::uint64_t index_limit, std::size_t retired_count) {
  return MakeError(absl::StatusCode::kResourceExhausted, Reason::kIdsExhausted,
                   absl::StrCat("Create: all ", index_limit, " indices are in use (", retired_count,
                                " retired); destroy entities or raise entity_index_limit"));
}

absl::Status OptionInvalid(std::string_view text) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kOptionInvalid, text);
}

absl::Status Caught(std::string_view call) {
  try {
    throw;
  } catch (const UserBadAlloc& user) {
    std::rethrow_exception(user.original);
  } catch (const MemoryLimitReached& limit) {
    return MemoryLimit(call, limit);
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  }
}

absl::Status Within(std::string_view call, const absl::Status& status) {
  if (status.ok()) return status;
  const absl::string_view message = status.message();
  return MakeError(status.code(), ReasonOf(status), absl::StrCat(Text(call), ": ", message));
}

}  // namespace ashlar::inline v0::world_errors
