// Text for people: numbers with thousands marks, times, sizes, and text from outside made safe to
// print in one line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ashlar::cli {

// "1,234,567".
std::string GroupDigits(std::uint64_t number);

// "1,234 files", "1 file": the noun gets an s unless there is one.
std::string Counted(std::uint64_t number, std::string_view noun);

// "0x00000000000004d2": always 16 digits, so that two can be compared by eye.
std::string HexText(std::uint64_t number);

// "0.42", "12.3", "1,234": three figures or more, for rates. Not finite: "-".
std::string RateText(double number);

// "850 ms", "12.3 s", "4 min 05 s", "2 h 03 min". Negative counts as 0.
std::string DurationText(double seconds);

// "512 B", "12.5 KiB", "1.2 GiB".
std::string BytesText(std::uint64_t bytes);

// "98.4 %"; a whole of 0 gives "0.0 %".
std::string PercentText(double part, double whole);

// The text in one line of at most `length_max` bytes: control characters become "\xNN", what is too
// long is cut in the middle. For errors that quote what came from outside.
std::string OneLine(std::string_view text, std::size_t length_max = 400);

// The word as a POSIX shell has to be told it: as it is, or in single quotes.
std::string ShellQuoted(std::string_view word);

// At the left or the right of a field of that width; longer text stays whole.
std::string PadLeft(std::string_view text, std::size_t width);
std::string PadRight(std::string_view text, std::size_t width);

}  // namespace ashlar::cli
