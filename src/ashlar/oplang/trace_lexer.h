// The lexer of traces: a cursor over one line, which knows tokens, comments and the first error.
//
// Nothing is copied: tokens are views into the line. A reader that fails says so to the cursor and
// returns false, which its callers hand on; the cursor keeps the first error and where it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ashlar/schema/field_type.h"
#include "ashlar/schema/text_cursor.h"

namespace ashlar::inline v0::oplang {

class LineCursor : public TextCursor {
 public:
  // `line` must outlive the cursor and has no line break in it.
  explicit LineCursor(std::string_view line) : TextCursor(line) {}

  // REQUIRES: count <= rest().size().
  void Advance(std::size_t count) { MoveTo(offset() + count); }

  // Whether a token may end here: before a space, a tab or the end of the line.
  bool AtBoundary() const { return at_end() || At(' ') || At('\t'); }

  // Whether nothing is left but a comment: '#' without a digit behind it.
  bool AtLineEnd() const;

  // Everything up to the next space, tab or end; may be empty. Cost: linear in the token.
  std::string_view PeekToken() const;

  // Takes the next token if it is this one.
  bool TakeToken(std::string_view token);

  // Records the error, if it is the first. Always false, so that callers can return it.
  bool Fail(std::size_t offset, std::string message);

  // Fails here, with what was expected and what stands here instead.
  bool FailExpected(std::string_view expected);

  const std::optional<TextError>& error() const { return error_; }

 private:
  std::optional<TextError> error_;
};

// The number, if `digits` is nothing but decimal digits and its value is at most `max`.
std::optional<std::uint64_t> ParseDecimal(std::string_view digits, std::uint64_t max);

}  // namespace ashlar::inline v0::oplang
