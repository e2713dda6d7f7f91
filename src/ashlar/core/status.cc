#include "ashlar/core/status.h"

#include <array>
#include <string>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace ashlar::inline v0 {
namespace {

constexpr char kReasonUrl[] = "ashlar/reason";

constexpr std::array<std::string_view, kReasonCount> kReasonNames = {
    "none",
    "entity_not_alive",
    "entity_repeated",
    "component_present",
    "component_absent",
    "component_unknown",
    "component_repeated",
    "component_type_mismatch",
    "component_name_taken",
    "component_limit",
    "component_not_enableable",
    "component_split",
    "component_malformed",
    "field_unknown",
    "value_refused",
    "value_does_not_fit",
    "value_count_mismatch",
    "row_too_large",
    "query_conflict",
    "query_unknown",
    "query_limit",
    "scope_open",
    "scope_limit",
    "placeholder_unknown",
    "buffer_busy",
    "buffer_applied",
    "buffer_not_applied",
    "buffer_foreign",
    "buffer_repeated",
    "ids_exhausted",
    "memory_limit",
    "option_invalid",
    "invariant_broken",
    "text_malformed",
    "file_unreadable",
};

struct CodeName {
  absl::StatusCode code;
  std::string_view name;
};

// The codes that Ashlar uses; the names are those of the gRPC and Abseil documentation.
constexpr CodeName kCodeNames[] = {
    {absl::StatusCode::kOk, "OK"},
    {absl::StatusCode::kInvalidArgument, "INVALID_ARGUMENT"},
    {absl::StatusCode::kNotFound, "NOT_FOUND"},
    {absl::StatusCode::kAlreadyExists, "ALREADY_EXISTS"},
    {absl::StatusCode::kResourceExhausted, "RESOURCE_EXHAUSTED"},
    {absl::StatusCode::kFailedPrecondition, "FAILED_PRECONDITION"},
    {absl::StatusCode::kAborted, "ABORTED"},
    {absl::StatusCode::kDataLoss, "DATA_LOSS"},
    {absl::StatusCode::kUnimplemented, "UNIMPLEMENTED"},
    {absl::StatusCode::kInternal, "INTERNAL"},
};

}  // namespace

std::string_view ReasonName(Reason reason) {
  const auto index = static_cast<std::size_t>(reason);
  return index < kReasonNames.size() ? kReasonNames[index] : "unknown";
}

std::optional<Reason> ParseReason(std::string_view name) {
  for (std::size_t i = 0; i < kReasonNames.size(); ++i) {
    if (kReasonNames[i] == name) return static_cast<Reason>(i);
  }
  return std::nullopt;
}

Reason ReasonOf(const absl::Status& status) {
  if (status.ok()) return Reason::kNone;
  auto payload = status.GetPayload(kReasonUrl);
  if (!payload.has_value()) return Reason::kNone;
  const absl::string_view name = payload->Flatten();
  return ParseReason(std::string_view(name.data(), name.size())).value_or(Reason::kNone);
}

absl::Status MakeError(absl::StatusCode code, Reason reason, std::string_view message) {
  absl::Status status(code, absl::string_view(message.data(), message.size()));
  const std::string_view name = ReasonName(reason);
  status.SetPayload(kReasonUrl, absl::Cord(absl::string_view(name.data(), name.size())));
  return status;
}

absl::Status OutOfMemory() noexcept {
  return absl::Status(absl::StatusCode::kResourceExhausted, absl::string_view());
}

std::string EntityText(Entity entity) {
  if (entity.is_null()) return "the null entity";
  return absl::StrCat("entity ", entity.index(), "v", entity.generation());
}

std::string_view StatusCodeName(absl::StatusCode code) {
  for (const CodeName& entry : kCodeNames) {
    if (entry.code == code) return entry.name;
  }
  return "UNKNOWN";
}

std::optional<absl::StatusCode> ParseStatusCode(std::string_view name) {
  for (const CodeName& entry : kCodeNames) {
    if (entry.name == name) return entry.code;
  }
  return std::nullopt;
}

}  // namespace ashlar::inline v0
