// The messages of World's errors, in one place. All of them are off the fast paths.
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

#include "absl/status/status.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::inline v0::world_errors {

// Each returns a status with the reason of its name. `call` is the name of the public call.
absl::Status ScopeOpen(std::string_view call);
absl::Status NotAlive(std::string_view call, Entity entity);
absl::Status EntityRepeated(std::string_view call, Entity entity);
absl::Status Unknown(std::string_view call, ComponentId component);
absl::Status Repeated(std::string_view call, const ComponentDescriptor& component);
absl::Status TypeMismatch(std::string_view call, const ComponentDescriptor& component);
absl::Status Present(std::string_view call, Entity entity, const ComponentDescriptor& component);
absl::Status Absent(std::string_view call, Entity entity, const ComponentDescriptor& component);
absl::Status AbsentFromQuery(std::string_view call, const ComponentDescriptor& component);
absl::Status NoSingleton(std::string_view call, const ComponentDescriptor& component);
absl::Status NotEnableable(std::string_view call, const ComponentDescriptor& component);
absl::Status Split(std::string_view call, const ComponentDescriptor& component);
absl::Status NoBytes(std::string_view call, const ComponentDescriptor& component);
absl::Status Misaligned(std::string_view call, const ComponentDescriptor& component);
absl::Status MoveOnly(std::string_view call, const ComponentDescriptor& component);
absl::Status NoDefault(std::string_view call, const ComponentDescriptor& component);
absl::Status UnknownQuery(std::string_view call, QueryId query);
absl::Status PlaceholderUnknown(std::string_view call);
absl::Status BufferBusy(std::string_view call);
absl::Status BufferApplied(std::string_view call);
absl::Status BufferNotApplied(std::string_view call);
absl::Status BufferForeign(std::string_view call);
absl::Status BufferRepeated(std::string_view call);
absl::Status IdsExhausted(std::uint64_t index_limit, std::size_t retired_count);
absl::Status OptionInvalid(std::string_view text);

// A std::bad_alloc that a constructor of the user's threw, on its way out through the kernel. It is
// no std::bad_alloc itself, so that nothing takes it for an allocation of the kernel's.
struct UserBadAlloc {
  std::exception_ptr original;
};

// What a call answers to the exception that it caught. An allocation that was refused for the
// world's limit (MemoryLimitReached): kMemoryLimit, naming the bytes wanted, in use and allowed.
// Another that failed, and that of building this message: OutOfMemory(). Whatever else there is,
// the user threw, and it is thrown again: UserBadAlloc as the exception it carries.
// REQUIRES: it is called in a handler.
absl::Status Caught(std::string_view call);

// `status` with the call's name before its message; its reason is kept. OK stays OK.
absl::Status Within(std::string_view call, const absl::Status& status);

}  // namespace ashlar::inline v0::world_errors
