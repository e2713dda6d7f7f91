#include "ashlar/core/poison.h"

#include <cstdint>
#include <cstring>

#if ASHLAR_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace ashlar::inline v0 {

void RedzoneArm(std::byte* begin, std::size_t size_bytes) noexcept {
  if (size_bytes == 0) return;
  RedzoneLift(begin, size_bytes);
  std::memset(begin, kRedzonePattern, size_bytes);
  RegionPoison(begin, size_bytes);
}

#if ASHLAR_ASAN

void RedzoneLift(std::byte* begin, std::size_t size_bytes) noexcept {
  ASAN_UNPOISON_MEMORY_REGION(begin, size_bytes);
}

void RegionPoison(std::byte* begin, std::size_t size_bytes) noexcept {
  ASAN_POISON_MEMORY_REGION(begin, size_bytes);
}

namespace {

struct ShadowMapping {
  ShadowMapping() { __asan_get_shadow_mapping(&scale, &offset); }
  std::size_t scale = 0;
  std::size_t offset = 0;
};

}  // namespace

// The shadow of eight aligned bytes is one byte: 0xF7 where a program poisoned all of them, k where
// only the first k may be touched, so that behind a poisoned byte of the eight all are
// (sanitizer/asan_interface.h). Eight shadow bytes at once keep the check cheap on the long gaps of
// chunks with capped rows.
__attribute__((no_sanitize("address", "undefined"))) bool RegionPoisoned(
    const std::byte* begin, std::size_t size_bytes) noexcept {
  constexpr std::uint8_t kPoisoned = 0xF7;
  constexpr std::uint64_t kPoisonedWord = 0x0101010101010101ull * kPoisoned;
  static const ShadowMapping mapping;
  auto at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t end = at + size_bytes;
  while (at < end) {
    // SAFETY: addresses of mapped memory are only looked up in the shadow, which is mapped with it;
    // 64 aligned bytes have 8 aligned shadow bytes.
    const auto* shadow =
        reinterpret_cast<const std::uint8_t*>((at >> mapping.scale) + mapping.offset);
    if (at % 64 == 0 && at + 64 <= end) {
      const std::size_t words = (end - at) / 64;
      const auto* word = reinterpret_cast<const std::uint64_t*>(shadow);
      std::uint64_t others = 0;
      for (std::size_t i = 0; i < words; ++i) others |= word[i] ^ kPoisonedWord;
      if (others != 0) return false;
      at += words * 64;
      continue;
    }
    const std::uint8_t state = *shadow;
    const bool is_poisoned = state == kPoisoned || (state > 0 && state < 8 && at % 8 >= state);
    if (!is_poisoned) return false;
    at += 8 - at % 8;
  }
  return true;
}

// The bytes cannot be read without lifting the poison, and whoever lifted it could also have
// written; that every byte is still poisoned is the stronger statement.
bool RedzoneIntact(const std::byte* begin, std::size_t size_bytes) noexcept {
  return RegionPoisoned(begin, size_bytes);
}

#else

void RedzoneLift(std::byte* /*begin*/, std::size_t /*size_bytes*/) noexcept {}

void RegionPoison(std::byte* /*begin*/, std::size_t /*size_bytes*/) noexcept {}

bool RegionPoisoned(const std::byte* /*begin*/, std::size_t /*size_bytes*/) noexcept {
  return true;
}

bool RedzoneIntact(const std::byte* begin, std::size_t size_bytes) noexcept {
  constexpr std::uint64_t kPatternWord = 0x0101010101010101ull * kRedzonePattern;
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= size_bytes; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, begin + i, sizeof(word));
    if (word != kPatternWord) return false;
  }
  for (; i < size_bytes; ++i) {
    if (begin[i] != static_cast<std::byte>(kRedzonePattern)) return false;
  }
  return true;
}

#endif

}  // namespace ashlar::inline v0
