// Reading and writing the type grammar. The parser is a loop over fields: nothing in the grammar
// nests deeper than one pair of braces, so no text can make it recurse.
#include "ashlar/schema/field_type.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/limits.h"
#include "ashlar/schema/field_rule.h"
#include "ashlar/schema/text_cursor.h"

namespace ashlar::inline v0 {
namespace {

using MaybeError = std::optional<TextError>;

bool IsAllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

TextError Expected(const TextCursor& cursor, const char* what) {
  return {cursor.offset(), absl::StrCat("expected ", what, ", found ", FoundText(cursor))};
}

// Takes the name of a scalar type, and no more than that of "f32x3".
std::optional<ScalarType> TakeScalarType(TextCursor* cursor) {
  const std::string_view word = cursor->PeekWord();
  const std::string_view name = word.substr(0, word.find('x'));
  const std::optional<ScalarType> type = ParseScalarType(name);
  if (type.has_value()) cursor->MoveTo(cursor->offset() + name.size());
  return type;
}

// Whether an "x" that begins a count stands at the cursor, and not some other word. Right behind
// the scalar's name ("f32x") an x is always meant as one.
bool AtCountX(const TextCursor& cursor, bool is_behind_name) {
  const std::string_view word = cursor.PeekWord();
  if (!word.starts_with('x')) return false;
  if (is_behind_name || IsAllDigits(word.substr(1))) return true;
  if (word.size() > 1) return false;
  TextCursor ahead = cursor;
  ahead.Take('x');
  ahead.SkipSpaces();
  return IsAllDigits(ahead.PeekWord());
}

MaybeError ParseCount(TextCursor* cursor, std::uint32_t* count) {
  cursor->SkipSpaces();
  const std::string_view word = cursor->PeekWord();
  if (!IsAllDigits(word)) return Expected(*cursor, "a number of elements");
  std::uint32_t value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  if (result.ec != std::errc() || value < 1 || value > kArrayCountMax) {
    return TextError{cursor->offset(), absl::StrCat("an array has 1 to ", kArrayCountMax,
                                                    " elements, not ", FoundText(*cursor))};
  }
  cursor->TakeWord();
  *count = value;
  return std::nullopt;
}

// scalar | scalar "[" count "]" | scalar "x" count
MaybeError ParseFieldType(TextCursor* cursor, FieldType* type) {
  const std::optional<ScalarType> scalar = TakeScalarType(cursor);
  if (!scalar.has_value()) {
    return Expected(*cursor,
                    "a type (f32, f64, i8, i16, i32, i64, u8, u16, u32, u64, bool, entity)");
  }
  type->scalar = *scalar;
  type->count = 1;
  const std::size_t end = cursor->offset();
  cursor->SkipSpaces();
  if (cursor->Take('[')) {
    if (MaybeError error = ParseCount(cursor, &type->count)) return error;
    cursor->SkipSpaces();
    if (!cursor->Take(']')) return Expected(*cursor, "']'");
    return std::nullopt;
  }
  if (AtCountX(*cursor, cursor->offset() == end)) {
    cursor->Take('x');
    return ParseCount(cursor, &type->count);
  }
  cursor->MoveTo(end);
  return std::nullopt;
}

MaybeError ParseBound(TextCursor* cursor, ScalarType type, std::optional<Scalar>* bound) {
  cursor->SkipSpaces();
  const std::size_t begin = cursor->offset();
  const std::string_view text = cursor->TakeScalar();
  *bound = ParseScalar(type, text);
  if (!bound->has_value()) {
    cursor->MoveTo(begin);
    return TextError{begin, absl::StrCat("expected a number as bound, found ",
                                         text.empty() ? FoundText(*cursor) : Quoted(text))};
  }
  if (auto error = BoundError(type, **bound)) return TextError{begin, *std::move(error)};
  return std::nullopt;
}

// "[" number "," number "]", after "in".
MaybeError ParseRange(TextCursor* cursor, ScalarType type, FieldRule* rule) {
  cursor->SkipSpaces();
  if (!cursor->Take('[')) return Expected(*cursor, "'['");
  if (MaybeError error = ParseBound(cursor, type, &rule->min)) return error;
  cursor->SkipSpaces();
  if (!cursor->Take(',')) return Expected(*cursor, "','");
  if (MaybeError error = ParseBound(cursor, type, &rule->max)) return error;
  cursor->SkipSpaces();
  if (!cursor->Take(']')) return Expected(*cursor, "']'");
  return std::nullopt;
}

// Takes the word where it is the next one. The cursor stays where it is otherwise.
bool TakeKeyword(TextCursor* cursor, std::string_view keyword) {
  TextCursor ahead = *cursor;
  ahead.SkipSpaces();
  if (ahead.TakeWord() != keyword) return false;
  *cursor = ahead;
  return true;
}

// ["in" "[" number "," number "]"] ["finite"]
MaybeError ParseRule(TextCursor* cursor, ScalarType type, FieldRule* rule) {
  TextCursor start = *cursor;
  start.SkipSpaces();
  if (TakeKeyword(cursor, "in")) {
    // Bounds of a type that takes no rule are not worth looking at.
    if (!IsFloat(type) && !IsInteger(type)) {
      return TextError{start.offset(), *RuleError(type, {.min = {}, .max = {}, .finite = true})};
    }
    if (MaybeError error = ParseRange(cursor, type, rule)) return error;
  }
  rule->finite = TakeKeyword(cursor, "finite");
  if (auto error = RuleError(type, *rule)) return TextError{start.offset(), *std::move(error)};
  return std::nullopt;
}

// field [rule]
MaybeError ParseField(TextCursor* cursor, FieldSpec* field) {
  if (MaybeError error = ParseFieldType(cursor, &field->type)) return error;
  return ParseRule(cursor, field->type.scalar, &field->rule);
}

// name ":" field [rule]
MaybeError ParseNamedField(TextCursor* cursor, TypeSpec* type) {
  cursor->SkipSpaces();
  const std::size_t begin = cursor->offset();
  const std::string_view name = cursor->TakeWord();
  if (!IsName(name)) {
    cursor->MoveTo(begin);
    return Expected(*cursor, "a field name (1 to 64 letters, digits, '_'; not a digit first)");
  }
  for (const FieldSpec& other : type->fields) {
    if (other.name == name) return TextError{begin, absl::StrCat("a second field ", Quoted(name))};
  }
  if (type->fields.size() == kFieldCountMax) {
    return TextError{begin, absl::StrCat("more than ", kFieldCountMax, " fields")};
  }
  cursor->SkipSpaces();
  if (!cursor->Take(':')) return Expected(*cursor, "':' and a type");
  cursor->SkipSpaces();
  FieldSpec& field = type->fields.emplace_back();
  field.name = name;
  return ParseField(cursor, &field);
}

// "{" named field { "," named field } "}", after the "{".
MaybeError ParseFields(TextCursor* cursor, TypeSpec* type) {
  do {
    if (MaybeError error = ParseNamedField(cursor, type)) return error;
    cursor->SkipSpaces();
  } while (cursor->Take(','));
  if (!cursor->Take('}')) return Expected(*cursor, "',' or '}'");
  return std::nullopt;
}

}  // namespace

bool IsName(std::string_view text) {
  if (text.empty() || text.size() > kNameLengthMax || IsDigit(text[0])) return false;
  return TextCursor(text).PeekWord().size() == text.size();
}

std::optional<TextError> ParseTypePrefix(std::string_view text, TypeSpec* type,
                                         std::size_t* consumed) {
  TextCursor cursor(text);
  cursor.SkipSpaces();
  TypeSpec result;
  if (cursor.Take('{')) {
    if (MaybeError error = ParseFields(&cursor, &result)) return error;
  } else if (!TakeKeyword(&cursor, "tag")) {
    if (MaybeError error = ParseField(&cursor, &result.fields.emplace_back())) return error;
  }
  *type = std::move(result);
  *consumed = cursor.offset();
  return std::nullopt;
}

std::optional<TextError> ParseType(std::string_view text, TypeSpec* type) {
  TypeSpec result;
  std::size_t consumed = 0;
  if (MaybeError error = ParseTypePrefix(text, &result, &consumed)) return error;
  TextCursor cursor(text);
  cursor.MoveTo(consumed);
  cursor.SkipSpaces();
  if (!cursor.at_end()) return Expected(cursor, "the end of the type");
  *type = std::move(result);
  return std::nullopt;
}

std::string FieldTypeText(const FieldType& type) {
  std::string text(ScalarTypeName(type.scalar));
  if (type.count != 1) absl::StrAppend(&text, "[", type.count, "]");
  return text;
}

std::string TypeText(const TypeSpec& type) {
  if (type.fields.empty()) return "tag";
  const bool has_braces = type.fields.size() > 1 || !type.fields[0].name.empty();
  std::string text = has_braces ? "{" : "";
  for (const FieldSpec& field : type.fields) {
    if (&field != &type.fields[0]) text += ", ";
    if (has_braces) absl::StrAppend(&text, field.name, ": ");
    text += FieldTypeText(field.type);
    const std::string rule = RuleText(field.type.scalar, field.rule);
    if (!rule.empty()) absl::StrAppend(&text, " ", rule);
  }
  if (has_braces) text += "}";
  return text;
}

}  // namespace ashlar::inline v0
