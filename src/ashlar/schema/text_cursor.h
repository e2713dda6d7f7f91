// TextCursor: a place in a text that is being read, and the small tokens that our grammars share.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ashlar::inline v0 {

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Refers to the text, which must outlive it. Every call is total: at the end of the text there is
// nothing to take. Offsets are bytes from the start of the text.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  std::size_t offset() const { return offset_; }
  void MoveTo(std::size_t offset) { offset_ = offset; }
  bool at_end() const { return offset_ >= text_.size(); }
  std::string_view rest() const { return text_.substr(offset_); }

  // Whether the next byte is `c`. Take also steps over it.
  bool At(char c) const { return !at_end() && text_[offset_] == c; }
  bool Take(char c);

  // Steps over spaces and tabs.
  void SkipSpaces();

  // The longest run of letters, digits and '_' from here; may be empty. Take also steps over it.
  std::string_view PeekWord() const;
  std::string_view TakeWord();

  // The longest run from here of what a scalar's text is made of: letters, digits, '_', '.', '+',
  // '-', and the parentheses of "nan(...)". May be empty.
  std::string_view TakeScalar();

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
};

// The text in quotes for a message: bytes that are not printable ASCII as "\x00", the rest of a
// long text as "...". At most about 170 bytes, whatever the text.
std::string Quoted(std::string_view text);

// What stands at the cursor, for "expected ... but found": a quoted word, a quoted byte, or "the
// end".
std::string FoundText(const TextCursor& cursor);

}  // namespace ashlar::inline v0
