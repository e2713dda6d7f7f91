#include "ashlar/oplang/statement_reader.h"

#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0::oplang {
namespace {

// "e7" -> 7, "q7" -> 7: a letter and a number of at most `max`.
std::optional<std::uint64_t> ParseLabel(char letter, std::uint64_t max, std::string_view word) {
  if (word.empty() || word[0] != letter) return std::nullopt;
  return ParseDecimal(word.substr(1), max);
}

// "4v2".
std::optional<Entity> ParseEntityBits(std::string_view word) {
  const std::size_t middle = word.find('v');
  if (middle == std::string_view::npos) return std::nullopt;
  const auto index = ParseDecimal(word.substr(0, middle), kU32Max);
  const auto generation = ParseDecimal(word.substr(middle + 1), kU32Max);
  if (!index.has_value() || !generation.has_value()) return std::nullopt;
  return Entity(static_cast<std::uint32_t>(*index), static_cast<std::uint32_t>(*generation));
}

}  // namespace

bool StatementReader::AtOperand() {
  cursor_.SkipSpaces();
  return !cursor_.AtLineEnd() && !cursor_.rest().starts_with("->");
}

bool StatementReader::TakeKeyword(std::string_view word) {
  cursor_.SkipSpaces();
  return cursor_.TakeToken(word);
}

bool StatementReader::RequireBoundary(std::string_view expected) {
  return cursor_.AtBoundary() || cursor_.FailExpected(expected);
}

bool StatementReader::ReadLabel(Label* label) {
  cursor_.SkipSpaces();
  const auto number = ParseLabel('e', std::numeric_limits<Label>::max(), cursor_.PeekToken());
  if (!number.has_value()) return cursor_.FailExpected("an entity label (e0 .. e65535)");
  *label = static_cast<Label>(*number);
  cursor_.Advance(cursor_.PeekToken().size());
  return true;
}

bool StatementReader::ReadEntity(EntityRef* entity) {
  cursor_.SkipSpaces();
  const std::string_view word = cursor_.PeekToken();
  if (const auto label = ParseLabel('e', std::numeric_limits<Label>::max(), word)) {
    *entity = EntityRef::Of(static_cast<Label>(*label));
  } else if (word == "null") {
    *entity = EntityRef::Literal(Entity());
  } else if (const auto bits = ParseEntityBits(word)) {
    *entity = EntityRef::Literal(*bits);
  } else {
    return cursor_.FailExpected("an entity: a label (e0 .. e65535), bits (4v2) or null");
  }
  cursor_.Advance(word.size());
  return true;
}

bool StatementReader::ReadEntities(std::vector<EntityRef>* entities) {
  while (AtOperand()) {
    if (!ReadEntity(&entities->emplace_back())) return false;
  }
  return true;
}

bool StatementReader::ReadQuery(QueryLabel* query) {
  cursor_.SkipSpaces();
  const std::string_view word = cursor_.PeekToken();
  const auto number = ParseLabel('q', std::numeric_limits<QueryLabel>::max(), word);
  if (!number.has_value()) return cursor_.FailExpected("a query label (q0 .. q255)");
  *query = static_cast<QueryLabel>(*number);
  cursor_.Advance(word.size());
  return true;
}

bool StatementReader::ReadComponentName(ComponentRef* component) {
  cursor_.SkipSpaces();
  const std::size_t start = cursor_.offset();
  if (cursor_.Take('#')) {
    const std::string_view digits = cursor_.TakeWord();
    const auto number = ParseDecimal(digits, std::numeric_limits<ComponentRef>::max());
    if (number.has_value()) *component = static_cast<ComponentRef>(*number);
    return number.has_value() ||
           cursor_.Fail(start,
                        "a component's number goes from #0 to #65535 (a comment needs a "
                        "space after '#')");
  }
  const std::string_view token = cursor_.PeekToken();
  const std::string_view name = cursor_.TakeWord();
  if (name.empty()) return cursor_.FailExpected("a component (its name, or #N)");
  const auto number = schema_.Find(name);
  if (!number.has_value()) {
    // With the bytes that no name has, which are the likely mistake.
    const std::string_view written = token.substr(0, token.find_first_of("=.,()[]{}"));
    return cursor_.Fail(
        start, absl::StrCat("unknown component ", Quoted(written), "; ", schema_.NamesText()));
  }
  *component = *number;
  return true;
}

bool StatementReader::ReadComponent(ComponentRef* component) {
  return ReadComponentName(component) && RequireBoundary("a space after the component");
}

bool StatementReader::ReadComponents(std::vector<ComponentRef>* components) {
  while (AtOperand()) {
    if (!ReadComponent(&components->emplace_back())) return false;
  }
  return true;
}

bool StatementReader::ReadArgument(ComponentArg* argument) {
  if (!ReadComponentName(&argument->component)) return false;
  if (cursor_.Take('=') && !ReadValue(argument->component, &argument->value)) return false;
  return RequireBoundary("'=' and a value, or a space");
}

bool StatementReader::ReadArguments(std::vector<ComponentArg>* arguments) {
  while (AtOperand()) {
    if (!ReadArgument(&arguments->emplace_back())) return false;
  }
  return true;
}

bool StatementReader::ReadNumber(std::string_view what, std::uint64_t max, std::uint64_t* number) {
  cursor_.SkipSpaces();
  const std::string_view word = cursor_.PeekToken();
  const auto value = ParseDecimal(word, max);
  if (!value.has_value()) {
    return cursor_.FailExpected(absl::StrCat(std::string(what), " (0 .. ", max, ")"));
  }
  *number = *value;
  cursor_.Advance(word.size());
  return true;
}

bool StatementReader::ReadOutcome(Expectation* expectation) {
  cursor_.SkipSpaces();
  const std::string_view word = cursor_.PeekToken();
  if (cursor_.TakeToken("any")) {
    *expectation = {Expectation::Kind::kAny, {}};
    return true;
  }
  const auto code = ParseStatusCode(word);
  if (!code.has_value()) {
    return cursor_.FailExpected("'any' or a status code (NOT_FOUND, INVALID_ARGUMENT, ...)");
  }
  cursor_.Advance(word.size());
  if (*code == absl::StatusCode::kOk) return true;
  *expectation = {Expectation::Kind::kError, {*code, Reason::kNone}};
  if (!AtOperand()) return true;

  const std::string_view reason_name = cursor_.PeekToken();
  const auto reason = ParseReason(reason_name);
  if (!reason.has_value() || *reason == Reason::kNone) {
    return cursor_.FailExpected(
        "a reason (entity_not_alive, component_absent, value_refused, ...) or the end of the line");
  }
  expectation->outcome.reason = *reason;
  cursor_.Advance(reason_name.size());
  return true;
}

bool StatementReader::ReadLineEnd() {
  cursor_.SkipSpaces();
  return cursor_.AtLineEnd() || cursor_.FailExpected("the end of the statement or a comment");
}

bool StatementReader::ReadEnd(Expectation* expectation) {
  *expectation = {Expectation::Kind::kOk, {}};
  if (TakeKeyword("->") && !ReadOutcome(expectation)) return false;
  if (!ReadLineEnd()) return false;
  if (misfit_.has_value() && expectation->kind == Expectation::Kind::kOk) {
    return cursor_.Fail(misfit_->offset,
                        absl::StrCat(misfit_->message,
                                     "; where the refusal is meant, end the line with "
                                     "-> INVALID_ARGUMENT value_does_not_fit"));
  }
  return true;
}

}  // namespace ashlar::inline v0::oplang
