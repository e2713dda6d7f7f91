#include "cli/text_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace ashlar::cli {
namespace {

// snprintf into a string; for the short number formats of this file only.
template <typename... Args>
std::string Format(const char* format, Args... args) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, args...);
  return buffer.data();
}

}  // namespace

std::string GroupDigits(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string Counted(std::uint64_t number, std::string_view noun) {
  std::string text = GroupDigits(number) + ' ';
  text += noun;
  if (number != 1) text += 's';
  return text;
}

std::string HexText(std::uint64_t number) {
  return Format("0x%016llx", static_cast<unsigned long long>(number));
}

std::string RateText(double number) {
  if (!std::isfinite(number)) return "-";
  if (number < 10) return Format("%.2f", number);
  if (number < 100) return Format("%.1f", number);
  if (number >= 1e18) return Format("%.3g", number);
  return GroupDigits(static_cast<std::uint64_t>(std::llround(number)));
}

std::string DurationText(double seconds) {
  if (!(seconds > 0)) return "0 s";
  if (seconds < 0.9995) return Format("%.0f ms", seconds * 1e3);
  if (seconds < 59.95) return Format("%.1f s", seconds);
  if (seconds >= 1e15) return Format("%.3g s", seconds);
  const auto whole = static_cast<unsigned long long>(std::llround(seconds));
  if (whole < 3600) return Format("%llu min %02llu s", whole / 60, whole % 60);
  return Format("%llu h %02llu min", whole / 3600, whole % 3600 / 60);
}

std::string BytesText(std::uint64_t bytes) {
  if (bytes < 1024) return Format("%llu B", static_cast<unsigned long long>(bytes));
  static constexpr std::array<const char*, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double size = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (size >= 1023.95 && unit + 1 < kUnits.size()) {
    size /= 1024;
    ++unit;
  }
  return Format("%.1f %s", size, kUnits[unit]);
}

std::string PercentText(double part, double whole) {
  return Format("%.1f %%", whole > 0 ? 100 * part / whole : 0.0);
}

std::string OneLine(std::string_view text, std::size_t length_max) {
  std::string line;
  // Escaped text is at most four times as long, so more than this can never be shown whole.
  const bool is_long = text.size() > length_max;
  const std::string_view head = is_long ? text.substr(0, length_max / 2) : text;
  const std::string_view tail = is_long ? text.substr(text.size() - length_max / 2) : "";
  const auto append = [&line](std::string_view part) {
    for (const char c : part) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte != 0x7F) {
        line += c;
      } else {
        line += Format("\\x%02X", byte);
      }
    }
  };
  append(head);
  const std::size_t head_length = line.size();
  append(tail);
  if (!is_long && line.size() <= length_max) return line;
  const std::size_t keep = length_max > 5 ? (length_max - 5) / 2 : 0;
  const std::size_t front = std::min(keep, is_long ? head_length : line.size());
  const std::size_t back = std::min(keep, line.size() - front);
  return line.substr(0, front) + " ... " + line.substr(line.size() - back);
}

std::string ShellQuoted(std::string_view word) {
  static constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string PadLeft(std::string_view text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ').append(text);
}

std::string PadRight(std::string_view text, std::size_t width) {
  std::string padded(text);
  if (padded.size() < width) padded.append(width - padded.size(), ' ');
  return padded;
}

}  // namespace ashlar::cli
