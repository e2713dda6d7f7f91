#include "cli/number_options.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace ashlar::cli {
namespace {

std::string RealText(double number) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%g", number);
  return buffer;
}

}  // namespace

std::optional<std::uint64_t> ParseCount(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<double> ParseReal(std::string_view text) {
  double value = 0;
  const char* begin = text.data();
  const char* end = begin + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

CLI::Option* AddCount(CLI::App* app, const std::string& flag, CountRange range,
                      std::function<void(std::uint64_t)> store, const std::string& description) {
  const auto read = [flag, range, store = std::move(store)](const std::string& text) {
    const std::optional<std::uint64_t> value = ParseCount(text);
    if (!value.has_value() || *value < range.min || *value > range.max) {
      throw CLI::ValidationError(flag, "'" + text + "' is not a whole number from " +
                                           std::to_string(range.min) + " to " +
                                           std::to_string(range.max));
    }
    store(*value);
  };
  return app->add_option_function<std::string>(flag, read, description)->type_name("N");
}

CLI::Option* AddReal(CLI::App* app, const std::string& flag, RealRange range,
                     std::function<void(double)> store, const std::string& description) {
  const auto read = [flag, range, store = std::move(store)](const std::string& text) {
    const std::optional<double> value = ParseReal(text);
    if (!value.has_value() || *value < range.min || *value > range.max) {
      throw CLI::ValidationError(flag, "'" + text + "' is not a number from " +
                                           RealText(range.min) + " to " + RealText(range.max));
    }
    store(*value);
  };
  return app->add_option_function<std::string>(flag, read, description)->type_name("X");
}

}  // namespace ashlar::cli
