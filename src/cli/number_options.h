// Number flags: read strictly, refused in words that say what would be right.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ashlar::cli {

// Decimal digits, or "0x" and hexadecimal ones; nothing for other text and for more than 64 bits.
std::optional<std::uint64_t> ParseCount(std::string_view text);

// A decimal number, all of the text, finite.
std::optional<double> ParseReal(std::string_view text);

struct CountRange {
  std::uint64_t min = 0;
  std::uint64_t max = UINT64_MAX;
};

// A flag that takes a whole number; `store` gets it. Outside the range: CLI::ValidationError.
CLI::Option* AddCount(CLI::App* app, const std::string& flag, CountRange range,
                      std::function<void(std::uint64_t)> store, const std::string& description);

struct RealRange {
  double min = 0;
  double max = 0;
};

// The same for a decimal number.
CLI::Option* AddReal(CLI::App* app, const std::string& flag, RealRange range,
                     std::function<void(double)> store, const std::string& description);

}  // namespace ashlar::cli
