// Redzones: bytes that nobody may read or write.
//
// Every redzone is filled with a pattern that the integrity check looks for. Under AddressSanitizer
// it is poisoned too, so that the access itself is reported, with a stack.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define ASHLAR_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASHLAR_ASAN 1
#endif
#endif
#ifndef ASHLAR_ASAN
#define ASHLAR_ASAN 0
#endif

namespace ashlar::inline v0 {

inline constexpr unsigned char kRedzonePattern = 0xA5;

// Fills [begin, begin + size_bytes) with the pattern and poisons it.
void RedzoneArm(std::byte* begin, std::size_t size_bytes) noexcept;

// Lifts the poison, so that the bytes may be used for something else.
void RedzoneLift(std::byte* begin, std::size_t size_bytes) noexcept;

// Poisons without writing the pattern: for memory that is free, where the pattern would cost.
void RegionPoison(std::byte* begin, std::size_t size_bytes) noexcept;

// Whether every byte is poisoned; true without AddressSanitizer, where nobody can know.
bool RegionPoisoned(const std::byte* begin, std::size_t size_bytes) noexcept;

// Whether every byte still holds the pattern (and, under AddressSanitizer, is poisoned).
bool RedzoneIntact(const std::byte* begin, std::size_t size_bytes) noexcept;

}  // namespace ashlar::inline v0
