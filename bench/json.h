// JSON as the benchmarks write it and the report reads it: the whole of RFC 8259, with numbers as
// doubles and without a limit on anything but the depth.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace ashlar::bench {

// One value. What a value is not, it answers as empty: a reader asks for what it expects, and a
// missing member is a null.
class Json {
 public:
  enum class Kind { kNull, kBool, kNumber, kText, kArray, kObject };
  using Member = std::pair<std::string, Json>;

  // Error: INVALID_ARGUMENT with the line of the first mistake.
  static absl::StatusOr<Json> Parse(std::string_view text);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  double number() const { return number_; }                  // 0 for what is no number.
  const std::string& text() const { return text_; }          // "" for what is no text.
  const std::vector<Json>& items() const { return items_; }  // None for what is no array.
  const std::vector<Member>& members() const { return members_; }
  bool is_true() const { return kind_ == Kind::kBool && number_ != 0; }

  // The first member of that name, or a null.
  const Json& operator[](std::string_view name) const;

 private:
  friend class JsonParser;

  Kind kind_ = Kind::kNull;
  double number_ = 0;  // 1 for true.
  std::string text_;
  std::vector<Json> items_;
  std::vector<Member> members_;
};

// The text in quotes, with what must be escaped escaped.
std::string JsonText(std::string_view text);

// Six digits; null for what JSON has no number for.
std::string JsonNumber(double number);

}  // namespace ashlar::bench
