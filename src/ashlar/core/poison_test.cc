#include "ashlar/core/poison.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#if ASHLAR_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace ashlar {
namespace {

// Room for a zone of every start modulo 64 and of every length up to three cache lines.
struct alignas(64) Area {
  std::array<std::byte, 512> bytes{};
};

// What a stray write does to a redzone: under AddressSanitizer it is reported before it is done, so
// that a lifted byte stands for it.
void Damage(std::byte* byte) {
  RedzoneLift(byte, 1);
  *byte = std::byte{0};
}

TEST(Redzone, HoldsThePatternAtEveryStartAndLength) {
  Area area;
  for (std::size_t start = 0; start < 64; ++start) {
    for (std::size_t size = 0; size <= 192; ++size) {
      // A zone ends where a column begins, and a column begins at a multiple of 8.
      const std::size_t length = (start + size + 7) / 8 * 8 - start;
      std::byte* zone = area.bytes.data() + start;
      RedzoneArm(zone, length);
      ASSERT_TRUE(RedzoneIntact(zone, length)) << start << " + " << length;
      RedzoneLift(zone, length);
      for (std::size_t i = 0; i < length; ++i) {
        ASSERT_EQ(zone[i], std::byte{0xA5}) << start << " + " << i;
      }
    }
  }
}

TEST(Redzone, OneWrittenByteShows) {
  Area area;
  for (const std::size_t start : {0u, 1u, 5u, 8u, 12u, 60u, 63u}) {
    for (const std::size_t end : {64u, 72u, 128u, 136u, 256u}) {
      std::byte* zone = area.bytes.data() + start;
      for (std::size_t i = 0; i < end - start; ++i) {
        RedzoneArm(zone, end - start);
        Damage(zone + i);
        ASSERT_FALSE(RedzoneIntact(zone, end - start)) << start << " .. " << end << " at " << i;
      }
      RedzoneLift(zone, end - start);
    }
  }
}

TEST(Redzone, AnEmptyOneIsIntact) {
  Area area;
  RedzoneArm(area.bytes.data() + 3, 0);
  EXPECT_TRUE(RedzoneIntact(area.bytes.data() + 3, 0));
  EXPECT_EQ(area.bytes[3], std::byte{0});
}

#if ASHLAR_ASAN
TEST(Redzone, IsPoisonedUnderAddressSanitizer) {
  Area area;
  RedzoneArm(area.bytes.data() + 64, 64);
  EXPECT_TRUE(__asan_address_is_poisoned(area.bytes.data() + 64));
  EXPECT_TRUE(__asan_address_is_poisoned(area.bytes.data() + 127));
  EXPECT_FALSE(__asan_address_is_poisoned(area.bytes.data() + 63));
  EXPECT_FALSE(__asan_address_is_poisoned(area.bytes.data() + 128));
  RedzoneLift(area.bytes.data() + 64, 64);
  EXPECT_FALSE(__asan_address_is_poisoned(area.bytes.data() + 64));
}
#endif

}  // namespace
}  // namespace ashlar
