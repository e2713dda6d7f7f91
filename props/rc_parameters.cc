#include "props/rc_parameters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace ashlar::props {
namespace {

constexpr std::array<std::string_view, 7> kKeys = {
    "seed",     "max_success",      "max_size",         "max_discard_ratio",
    "noshrink", "verbose_progress", "verbose_shrinking"};

bool IsNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool IsZero(std::string_view text) { return text.find_first_not_of('0') == text.npos; }

}  // namespace

std::optional<std::string> RcParametersProblem(std::string_view text) {
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (key == "reproduce") {
      return "reproduce= lets every other property pass without a case; use seed= instead";
    }
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
      return "unknown key '" + key + "'";
    }
    if (equals == word.npos || !IsNumber(word.substr(equals + 1))) {
      return "'" + word + "' is not of the form key=number";
    }
    if (key == "max_success" && IsZero(word.substr(equals + 1))) {
      return "max_success=0 would pass without a case";
    }
  }
  return std::nullopt;
}

std::string WithoutShrinking(std::string_view text) {
  if (text.find("noshrink") != text.npos) return std::string(text);
  return std::string(text) + (text.empty() ? "" : " ") + "noshrink=1";
}

}  // namespace ashlar::props
