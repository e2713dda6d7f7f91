// The values of a statement: by the type of their component, or exact, in brackets.
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/oplang/statement_reader.h"
#include "ashlar/oplang/trace_statements.h"

namespace ashlar::inline v0::oplang {
namespace {

struct ExactKind {
  std::string_view name;
  Scalar::Kind kind;
  ScalarType read_as;
};

constexpr std::array<ExactKind, 7> kExactKinds = {{
    {"int", Scalar::Kind::kInt, ScalarType::kI64},
    {"uint", Scalar::Kind::kUint, ScalarType::kU64},
    {"f32", Scalar::Kind::kF32, ScalarType::kF32},
    {"f64", Scalar::Kind::kF64, ScalarType::kF64},
    {"bool", Scalar::Kind::kBool, ScalarType::kBool},
    {"entity", Scalar::Kind::kEntity, ScalarType::kEntity},
    {"label", Scalar::Kind::kLabel, ScalarType::kEntity},
}};

const ExactKind* FindExactKind(std::string_view name) {
  for (const ExactKind& kind : kExactKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

// Labels stand for entities, whichever they will be.
Scalar Resolved(const Scalar& scalar) {
  return scalar.kind == Scalar::Kind::kLabel ? Scalar::EntityValue(Entity()) : scalar;
}

}  // namespace

Scalar AsStored(ScalarType type, const Scalar& scalar) {
  return FitScalar(type, scalar).value_or(scalar);
}

void StatementReader::NoteFit(std::size_t offset, const ComponentDescriptor& descriptor,
                              const std::vector<Scalar>& value) {
  if (misfit_.has_value()) return;
  std::vector<Scalar> resolved;
  resolved.reserve(value.size());
  for (const Scalar& scalar : value) resolved.push_back(Resolved(scalar));
  const absl::Status fit = descriptor.CheckFit(resolved);
  if (!fit.ok()) misfit_ = TextError{offset, std::string(fit.message())};
}

bool StatementReader::ReadValue(ComponentRef component, std::vector<Scalar>* value) {
  if (cursor_.Take('[')) return ReadExactScalars(value);
  const ComponentDescriptor* descriptor = schema_.Descriptor(component);
  const std::size_t start = cursor_.offset();
  if (descriptor == nullptr) {
    return cursor_.FailExpected(
        "an exact value in brackets, as in [int:5], for a component that is not declared");
  }
  if (descriptor->is_tag()) {
    return cursor_.Fail(start, absl::StrCat(std::string(descriptor->name()),
                                            " is a tag and takes no value; leave out '='"));
  }
  if (cursor_.AtBoundary()) return cursor_.FailExpected("a value right after '='");
  std::size_t consumed = 0;
  const auto error = ParseValuePrefix(*descriptor, cursor_.rest(), value, &consumed);
  if (error.has_value()) return cursor_.Fail(start + error->offset, error->message);
  cursor_.Advance(consumed);
  NoteFit(start, *descriptor, *value);
  for (std::size_t i = 0; i < value->size(); ++i) {
    (*value)[i] = AsStored(descriptor->scalars()[i].type, (*value)[i]);
  }
  return RequireBoundary("a space after the value");
}

bool StatementReader::ReadExactScalars(std::vector<Scalar>* value) {
  do {
    cursor_.SkipSpaces();
    if (!ReadExactScalar(&value->emplace_back())) return false;
    cursor_.SkipSpaces();
  } while (cursor_.Take(','));
  return cursor_.Take(']') || cursor_.FailExpected("',' or ']'");
}

bool StatementReader::ReadExactScalar(Scalar* scalar) {
  const std::size_t start = cursor_.offset();
  const ExactKind* kind = FindExactKind(cursor_.TakeWord());
  if (kind == nullptr || !cursor_.Take(':')) {
    return cursor_.Fail(start,
                        "expected an exact scalar: int:5, uint:9223372036854775808, f32:1.5, "
                        "f64:1.5, bool:true, entity:4v2 or label:e3");
  }
  const std::string_view text = cursor_.rest().substr(0, cursor_.rest().find_first_of(",] \t"));
  const std::optional<Scalar> parsed = ParseScalar(kind->read_as, text);
  if (!parsed.has_value() || parsed->kind != kind->kind) {
    return cursor_.Fail(cursor_.offset(),
                        absl::StrCat(Quoted(text), " is no ", std::string(kind->name)));
  }
  *scalar = *parsed;
  cursor_.Advance(text.size());
  return true;
}

bool StatementReader::ReadScalarPath(ComponentRef component, std::uint32_t* scalar) {
  const std::size_t start = cursor_.offset();
  const std::string_view word = cursor_.PeekToken();
  std::string_view path = word.substr(0, word.find('='));
  cursor_.Advance(path.size());
  if (path.starts_with(".#")) {
    const auto number = ParseDecimal(path.substr(2), std::numeric_limits<std::uint32_t>::max());
    if (number.has_value()) *scalar = static_cast<std::uint32_t>(*number);
    return number.has_value() ||
           cursor_.Fail(start, "a scalar's number goes from .#0 to .#4294967295");
  }
  const ComponentDescriptor* descriptor = schema_.Descriptor(component);
  if (descriptor == nullptr) {
    return cursor_.Fail(start,
                        "expected a scalar's number, as in .#0, for a component that is not "
                        "declared");
  }
  if (path.starts_with('.')) path.remove_prefix(1);
  const absl::StatusOr<std::size_t> found = descriptor->FindScalar(path);
  if (!found.ok()) return cursor_.Fail(start, std::string(found.status().message()));
  *scalar = static_cast<std::uint32_t>(*found);
  return true;
}

bool StatementReader::ReadScalarValue(ComponentRef component, std::uint32_t scalar, Scalar* value) {
  const std::size_t start = cursor_.offset();
  if (cursor_.Take('[')) {
    return ReadExactScalar(value) &&
           (cursor_.Take(']') || cursor_.FailExpected("']' after the one scalar of a setfield"));
  }
  const ComponentDescriptor* descriptor = schema_.Descriptor(component);
  if (descriptor == nullptr || scalar >= descriptor->scalars().size()) {
    return cursor_.FailExpected(
        "an exact value in brackets, as in [int:5], for no declared scalar");
  }
  const ScalarType type = descriptor->scalars()[scalar].type;
  const std::string_view word = cursor_.PeekToken();
  const std::optional<Scalar> parsed = ParseScalar(type, word);
  if (!parsed.has_value()) {
    return cursor_.FailExpected(
        absl::StrCat("a value of type ", std::string(ScalarTypeName(type))));
  }
  *value = AsStored(type, *parsed);
  cursor_.Advance(word.size());
  if (!misfit_.has_value() && !FitScalar(type, Resolved(*value)).has_value()) {
    misfit_ = TextError{
        start, absl::StrCat(descriptor->ScalarPath(scalar), ": ", Quoted(word), " does not fit ",
                            std::string(ScalarTypeName(type)), " ", ScalarRangeText(type))};
  }
  return true;
}

bool StatementReader::ReadScalarAssignment(ComponentRef* component, std::uint32_t* scalar,
                                           Scalar* value) {
  return ReadComponentName(component) && ReadScalarPath(*component, scalar) &&
         (cursor_.Take('=') || cursor_.FailExpected("'=' and a value")) &&
         ReadScalarValue(*component, *scalar, value) && RequireBoundary("a space after the value");
}

bool StatementReader::ReadFloatAssignment(std::string_view name, std::uint32_t* bits) {
  cursor_.SkipSpaces();
  const std::string expected = absl::StrCat(std::string(name), "=NUMBER, a float");
  if (cursor_.PeekWord() != name) return cursor_.FailExpected(expected);
  cursor_.TakeWord();
  if (!cursor_.Take('=')) return cursor_.FailExpected(expected);
  const std::string_view word = cursor_.PeekToken();
  const std::optional<Scalar> parsed = ParseScalar(ScalarType::kF32, word);
  const std::optional<Scalar> fitted =
      parsed.has_value() ? FitScalar(ScalarType::kF32, *parsed) : std::nullopt;
  if (!fitted.has_value()) return cursor_.FailExpected("a float that fits f32");
  *bits = static_cast<std::uint32_t>(fitted->bits);
  cursor_.Advance(word.size());
  return true;
}

}  // namespace ashlar::inline v0::oplang
