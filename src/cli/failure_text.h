// Failures of lockstep in words, and when two of them are the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/lockstep.h"

namespace ashlar::cli {

// "outcome", "state", "integrity I3", ...
std::string FailureKindText(const model::Failure& failure);

// What makes two failures one fault: the kind, the invariant, and, where a single operation is at
// fault, which kind of operation it is.
struct FailureKey {
  model::Failure::Kind kind = model::Failure::Kind::kOutcome;
  int invariant = 0;
  std::optional<oplang::OpCode> operation;

  friend bool operator==(const FailureKey&, const FailureKey&) = default;
};

FailureKey KeyOf(const oplang::Program& program, const model::Failure& failure);

// The failure's lines, each behind `indent`, with the kind before the first.
std::string FailureLines(const model::Failure& failure, std::string_view indent);

}  // namespace ashlar::cli
