// Small words about what world and model answer, for the runner.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "ashlar/core/status.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::model {

inline constexpr oplang::Outcome kQueryUnknown{absl::StatusCode::kNotFound, Reason::kQueryUnknown};

inline bool IsOk(const oplang::Outcome& outcome) { return outcome.code == absl::StatusCode::kOk; }

inline oplang::Outcome OutcomeOf(const absl::Status& status) {
  if (status.ok()) return {};
  return {status.code(), ReasonOf(status)};
}

// What decides, of an operand, whether the world gets its values as bytes: something that stays
// when other operations are cut.
inline std::uint32_t SaltOf(const oplang::EntityRef& ref) {
  return ref.is_label ? ref.label : ref.literal.index();
}

}  // namespace ashlar::model
