#include "bench/json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "absl/status/status.h"

namespace ashlar::bench {
namespace {

// Beyond this a file is broken, and recursion would end the program instead of the reading.
constexpr int kDepthMax = 100;

void AppendUtf8(std::uint32_t code, std::string* out) {
  const auto push = [out](std::uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xC0 | code >> 6);
    push(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    push(0xE0 | code >> 12);
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  } else {
    push(0xF0 | code >> 18);
    push(0x80 | (code >> 12 & 0x3F));
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  }
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

// Each Read... consumes one thing and says whether it was there. The first that was not leaves
// `at_` at the mistake.
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  absl::StatusOr<Json> Parse() {
    Json value;
    if (ReadValue(&value, 0)) {
      SkipSpace();
      if (at_ == text_.size()) return value;
    }
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
    return absl::InvalidArgumentError("no JSON in line " + std::to_string(line));
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipSpace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool Take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool ReadValue(Json* value, int depth) {
    SkipSpace();
    if (depth > kDepthMax) return false;
    switch (Peek()) {
      case '{':
        return ReadObject(value, depth);
      case '[':
        return ReadArray(value, depth);
      case '"':
        value->kind_ = Json::Kind::kText;
        return ReadText(&value->text_);
      case 'n':
        return Take("null");
      case 't':
      case 'f':
        value->kind_ = Json::Kind::kBool;
        value->number_ = Peek() == 't' ? 1 : 0;
        return Take("true") || Take("false");
      default:
        value->kind_ = Json::Kind::kNumber;
        return ReadNumber(&value->number_);
    }
  }

  bool ReadArray(Json* value, int depth) {
    value->kind_ = Json::Kind::kArray;
    ++at_;
    SkipSpace();
    if (Take("]")) return true;
    do {
      if (!ReadValue(&value->items_.emplace_back(), depth + 1)) return false;
      SkipSpace();
    } while (Take(","));
    return Take("]");
  }

  bool ReadObject(Json* value, int depth) {
    value->kind_ = Json::Kind::kObject;
    ++at_;
    SkipSpace();
    if (Take("}")) return true;
    do {
      SkipSpace();
      Json::Member& member = value->members_.emplace_back();
      if (!ReadText(&member.first)) return false;
      SkipSpace();
      if (!Take(":") || !ReadValue(&member.second, depth + 1)) return false;
      SkipSpace();
    } while (Take(","));
    return Take("}");
  }

  bool ReadText(std::string* out) {
    if (!Take("\"")) return false;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) return false;
      if (text_[at_] == '\\') {
        if (!ReadEscape(out)) return false;
      } else {
        out->push_back(text_[at_++]);
      }
    }
    return Take("\"");
  }

  bool ReadEscape(std::string* out) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (Take("u")) {
      std::uint32_t code = 0, low = 0;
      if (!ReadHex(&code)) return false;
      // Two halves of one character above the first 65,536.
      if (code >= 0xD800 && code < 0xDC00) {
        if (!Take("\\u") || !ReadHex(&low) || low < 0xDC00 || low > 0xDFFF) return false;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      }
      AppendUtf8(code, out);
      return true;
    }
    const std::size_t letter = at_ < text_.size() ? kLetters.find(text_[at_]) : kLetters.npos;
    if (letter == kLetters.npos) return false;
    out->push_back(kMeanings[letter]);
    ++at_;
    return true;
  }

  bool ReadHex(std::uint32_t* code) {
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), *code, 16);
    if (digits.size() < 4 || read.ptr != digits.data() + 4) return false;
    at_ += 4;
    return true;
  }

  bool ReadDigits() {
    const std::size_t begin = at_;
    while (IsDigit(Peek())) ++at_;
    return at_ > begin;
  }

  bool ReadNumber(double* number) {
    const std::size_t begin = at_;
    Take("-");
    if (!Take("0") && !ReadDigits()) return false;
    if (Take(".") && !ReadDigits()) return false;
    if (Take("e") || Take("E")) {
      if (!Take("+")) Take("-");
      if (!ReadDigits()) return false;
    }
    std::from_chars(text_.data() + begin, text_.data() + at_, *number);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

absl::StatusOr<Json> Json::Parse(std::string_view text) { return JsonParser(text).Parse(); }

const Json& Json::operator[](std::string_view name) const {
  static const Json null;
  for (const Member& member : members_) {
    if (member.first == name) return member.second;
  }
  return null;
}

std::string JsonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string JsonNumber(double number) {
  if (!std::isfinite(number)) return "null";
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

}  // namespace ashlar::bench
