// Neutral values of whole components as text: "80", "(1.0,2.0)", "(1.0,(2.0,3.0),4v1)".
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/schema/text_cursor.h"

namespace ashlar::inline v0 {
namespace {

using MaybeError = std::optional<TextError>;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// Reads one value from left to right. Parentheses stand around the whole and around array fields,
// never deeper, so there is nothing to recurse into.
class ValueParser {
 public:
  ValueParser(const ComponentDescriptor& descriptor, std::string_view text)
      : descriptor_(descriptor), cursor_(text) {}

  MaybeError Parse() {
    if (descriptor_.is_tag()) return ParseTag();
    if (!cursor_.At('(')) return ParseBare();
    cursor_.Take('(');
    for (const Field& field : descriptor_.fields()) {
      if (MaybeError error = ParseField(field)) return error;
    }
    return Close();
  }

  std::vector<Scalar> TakeValue() { return std::move(value_); }
  std::size_t offset() const { return cursor_.offset(); }

 private:
  // The empty text, up to the end of the word.
  MaybeError ParseTag() const {
    if (cursor_.at_end() || cursor_.At(' ') || cursor_.At('\t')) return std::nullopt;
    return Error(absl::StrCat(View(descriptor_.name()), " is a tag and takes no value"));
  }

  MaybeError ParseBare() {
    if (descriptor_.scalars().size() == 1) return ParseScalarHere();
    return Error(absl::StrCat("expected '(': a value of ", View(descriptor_.name()), " is ",
                              descriptor_.scalars().size(), " scalars, found ", Found()));
  }

  MaybeError ParseField(const Field& field) {
    if (!value_.empty()) {
      if (MaybeError error = Comma()) return error;
    }
    cursor_.SkipSpaces();
    const bool has_parentheses = field.type.count > 1 && cursor_.Take('(');
    for (std::uint32_t i = 0; i < field.type.count; ++i) {
      if (i > 0) {
        if (MaybeError error = Comma()) return error;
      }
      cursor_.SkipSpaces();
      if (MaybeError error = ParseScalarHere()) return error;
    }
    return has_parentheses ? Close() : std::nullopt;
  }

  MaybeError ParseScalarHere() {
    const std::size_t begin = cursor_.offset();
    const std::size_t index = value_.size();
    const ScalarType type = descriptor_.scalars()[index].type;
    const std::string_view text = cursor_.TakeScalar();
    const std::optional<Scalar> scalar = ParseScalar(type, text);
    if (!scalar.has_value()) {
      const std::string found = text.empty() ? Found() : Quoted(text);
      cursor_.MoveTo(begin);
      return Error(absl::StrCat(descriptor_.ScalarPath(index), ": expected ",
                                View(ScalarTypeName(type)), ", found ", found));
    }
    value_.push_back(*scalar);
    return std::nullopt;
  }

  MaybeError Comma() {
    cursor_.SkipSpaces();
    if (cursor_.Take(',')) return std::nullopt;
    return Error(absl::StrCat("expected ',' and the ", Remaining(), ", found ", Found()));
  }

  MaybeError Close() {
    cursor_.SkipSpaces();
    if (cursor_.Take(')')) return std::nullopt;
    return Error(absl::StrCat("expected ')' after ", value_.size(), " of ",
                              descriptor_.scalars().size(), " scalars of ",
                              View(descriptor_.name()), ", found ", Found()));
  }

  std::string Remaining() const {
    return absl::StrCat("other ", descriptor_.scalars().size() - value_.size(), " of ",
                        descriptor_.scalars().size(), " scalars of ", View(descriptor_.name()));
  }

  std::string Found() const { return FoundText(cursor_); }
  TextError Error(std::string message) const { return {cursor_.offset(), std::move(message)}; }

  const ComponentDescriptor& descriptor_;
  TextCursor cursor_;
  std::vector<Scalar> value_;
};

// "(1.0,2.0)" of the scalars of one field, or of a value whose shape is not known.
std::string ListText(std::span<const Scalar> scalars) {
  std::string text = "(";
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    if (i > 0) text += ',';
    text += ScalarText(scalars[i]);
  }
  return text + ")";
}

}  // namespace

std::optional<TextError> ParseValuePrefix(const ComponentDescriptor& descriptor,
                                          std::string_view text, std::vector<Scalar>* value,
                                          std::size_t* consumed) {
  ValueParser parser(descriptor, text);
  if (MaybeError error = parser.Parse()) return error;
  *value = parser.TakeValue();
  *consumed = parser.offset();
  return std::nullopt;
}

std::string ValueText(const ComponentDescriptor& descriptor, std::span<const Scalar> value) {
  const std::span<const ScalarSlot> slots = descriptor.scalars();
  if (value.empty() && !slots.empty()) {
    std::vector<Scalar> zeros;
    const std::vector<std::byte> bytes(descriptor.size_bytes());
    descriptor.Unpack(bytes.data(), &zeros);
    return ValueText(descriptor, zeros);
  }
  if (value.size() != slots.size()) return ListText(value);
  if (value.empty()) return "";
  if (value.size() == 1) return ScalarText(value[0]);
  if (descriptor.fields().size() == 1) return ListText(value);
  std::string text = "(";
  for (const Field& field : descriptor.fields()) {
    if (text.size() > 1) text += ',';
    const std::span<const Scalar> part = value.first(field.type.count);
    text += part.size() == 1 ? ScalarText(part[0]) : ListText(part);
    value = value.subspan(field.type.count);
  }
  return text + ")";
}

}  // namespace ashlar::inline v0
