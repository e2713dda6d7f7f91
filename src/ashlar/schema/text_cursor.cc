#include "ashlar/schema/text_cursor.h"

namespace ashlar::inline v0 {
namespace {

// By hand: <cctype> asks the locale.
bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsScalarByte(char c) { return IsWordByte(c) || c == '.' || c == '+' || c == '-'; }

template <typename Predicate>
std::string_view Run(std::string_view text, Predicate is_inside) {
  std::size_t size = 0;
  while (size < text.size() && is_inside(text[size])) ++size;
  return text.substr(0, size);
}

}  // namespace

bool TextCursor::Take(char c) {
  if (!At(c)) return false;
  ++offset_;
  return true;
}

void TextCursor::SkipSpaces() {
  while (At(' ') || At('\t')) ++offset_;
}

std::string_view TextCursor::PeekWord() const { return Run(rest(), IsWordByte); }

std::string_view TextCursor::TakeWord() {
  const std::string_view word = PeekWord();
  offset_ += word.size();
  return word;
}

std::string_view TextCursor::TakeScalar() {
  const std::size_t begin = offset_;
  const std::string_view run = Run(rest(), IsScalarByte);
  offset_ += run.size();
  if (run == "nan" && At('(')) {
    const std::size_t open = offset_;
    Take('(');
    TakeWord();
    if (!Take(')')) offset_ = open;
  }
  return text_.substr(begin, offset_ - begin);
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kShownMax = 40;
  constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "'";
  for (const char c : text.substr(0, kShownMax)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      quoted += c;
    } else {
      quoted += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  if (text.size() > kShownMax) quoted += "...";
  return quoted + "'";
}

std::string FoundText(const TextCursor& cursor) {
  if (cursor.at_end()) return "the end";
  const std::string_view word = cursor.PeekWord();
  return Quoted(word.empty() ? cursor.rest().substr(0, 1) : word);
}

}  // namespace ashlar::inline v0
