#include "ashlar/oplang/trace_lexer.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace ashlar::inline v0::oplang {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool LineCursor::AtLineEnd() const {
  if (at_end()) return true;
  if (!At('#')) return false;
  return rest().size() == 1 || !IsDigit(rest()[1]);
}

std::string_view LineCursor::PeekToken() const {
  return rest().substr(0, rest().find_first_of(" \t"));
}

bool LineCursor::TakeToken(std::string_view token) {
  if (PeekToken() != token) return false;
  Advance(token.size());
  return true;
}

bool LineCursor::Fail(std::size_t offset, std::string message) {
  if (!error_.has_value()) error_ = TextError{offset, std::move(message)};
  return false;
}

bool LineCursor::FailExpected(std::string_view expected) {
  std::string found = "a space";
  if (at_end()) {
    found = "the end of the line";
  } else if (!AtBoundary()) {
    found = Quoted(PeekToken());
  }
  return Fail(offset(), absl::StrCat("expected ", std::string(expected), ", found ", found));
}

std::optional<std::uint64_t> ParseDecimal(std::string_view digits, std::uint64_t max) {
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : digits) {
    if (!IsDigit(c)) return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (digit > max || value > (max - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value;
}

}  // namespace ashlar::inline v0::oplang
