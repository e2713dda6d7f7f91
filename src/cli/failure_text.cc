#include "cli/failure_text.h"

#include <cstddef>

#include "cli/text_format.h"

namespace ashlar::cli {

using FailureKind = model::Failure::Kind;

std::string FailureKindText(const model::Failure& failure) {
  switch (failure.kind) {
    case FailureKind::kOutcome:
      return "world and model answer differently";
    case FailureKind::kState:
      return "the states of world and model differ";
    case FailureKind::kIntegrity:
      return failure.invariant == 0
                 ? "an invariant is broken"
                 : "invariant I" + std::to_string(failure.invariant) + " is broken";
    case FailureKind::kDigest:
      return "a refused operation changed the world";
    case FailureKind::kExpectation:
      return "an expectation is not met";
    case FailureKind::kSetUp:
      return "components or options are refused";
  }
  return "unknown failure";
}

FailureKey KeyOf(const oplang::Program& program, const model::Failure& failure) {
  FailureKey key{failure.kind, failure.invariant, std::nullopt};
  const bool is_of_one_operation = failure.kind == FailureKind::kOutcome ||
                                   failure.kind == FailureKind::kDigest ||
                                   failure.kind == FailureKind::kExpectation;
  if (is_of_one_operation && failure.operation < program.operations.size()) {
    key.operation = CodeOf(program.operations[failure.operation].action);
  }
  return key;
}

std::string FailureLines(const model::Failure& failure, std::string_view indent) {
  std::string text = std::string(indent) + FailureKindText(failure) + '\n';
  std::string_view rest = failure.message;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    text += std::string(indent) + OneLine(rest.substr(0, end), 4000) + '\n';
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace ashlar::cli
