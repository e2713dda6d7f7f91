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

// The bytes cannot be read without lifting the poison, and whoever lifted it could also have
// written; that every byte is still poisoned is the stronger statement. The shadow of eight bytes
// is one byte, 0xF7 where a program poisoned all of them (sanitizer/asan_interface.h); reading
// eight shadow bytes at once keeps the check cheap on the long gaps of chunks with capped rows.
__attribute__((no_sanitize("address"))) bool RedzoneIntact(const std::byte* begin,
                                                           std::size_t size_bytes) noexcept {
  std::size_t scale = 0;
  std::size_t offset = 0;
  __asan_get_shadow_mapping(&scale, &offset);
  auto at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t end = at + size_bytes;
  for (; at < end && at % 64 != 0; ++at) {
    // SAFETY: the address is only looked up in the shadow.
    if (!__asan_address_is_poisoned(reinterpret_cast<const void*>(at))) return false;
  }
  for (; at + 64 <= end; at += 64) {
    // SAFETY: the shadow of mapped memory is mapped, and 64 aligned bytes have 8 aligned shadow
    // bytes.
    const auto* shadow = reinterpret_cast<const volatile std::uint64_t*>((at >> scale) + offset);
    if (*shadow != 0xF7F7F7F7F7F7F7F7ull) return false;
  }
  for (; at < end; ++at) {
    if (!__asan_address_is_poisoned(reinterpret_cast<const void*>(at))) return false;
  }
  return true;
}

#else

void RedzoneLift(std::byte* /*begin*/, std::size_t /*size_bytes*/) noexcept {}

void RegionPoison(std::byte* /*begin*/, std::size_t /*size_bytes*/) noexcept {}

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
