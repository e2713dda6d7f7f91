// The twins of the fused movement kernel against each other and against an oracle that rounds to
// odd, which no instruction does.
#include "ashlar/kernels/movement_fused.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ashlar/kernels/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::inline v0::kernels {
namespace {

// position + velocity * dt rounded once. The product is exact in double. The sum is rounded to odd:
// where it is not exact (Knuth's two-sum gives what is lost) and its last bit is even, the
// neighbour on the side of what was lost is taken. Rounding that to float is rounding once
// (Boldo, Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
std::uint32_t Oracle(std::uint32_t position, std::uint32_t velocity, float dt) {
  const double a = static_cast<double>(FloatOf(position));
  const double b = static_cast<double>(FloatOf(velocity)) * static_cast<double>(dt);
  double sum = a + b;
  if (std::isfinite(sum)) {
    const double b_part = sum - a;
    const double lost = (a - (sum - b_part)) + (b - b_part);
    if (lost != 0 && (std::bit_cast<std::uint64_t>(sum) & 1) == 0) {
      const double infinity = std::numeric_limits<double>::infinity();
      sum = std::nextafter(sum, lost > 0 ? infinity : -infinity);
    }
  }
  return OracleBits(static_cast<float>(sum));
}

Bits OracleOf(const Bits& position, const Bits& velocity, float dt) {
  Bits moved(position.size());
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = Oracle(position[i], velocity[i], dt);
  return moved;
}

Bits Moved(MovementFunction move, const Bits& position, const Bits& velocity, float dt,
           std::size_t position_misalignment = 0, std::size_t velocity_misalignment = 0) {
  Arena p(position, position_misalignment);
  Arena v(velocity, velocity_misalignment);
  move(p.data(), v.data(), position.size(), dt);
  EXPECT_TRUE(p.CanariesIntact()) << "wrote beyond its span";
  EXPECT_TRUE(v.CanariesIntact() && v.values() == velocity) << "wrote to the velocities";
  return p.values();
}

TEST(MovementFused, RoundsOnce) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: what movement drops is kept.
  for (const auto& twin : TwinsOf(&MovementFusedFor)) {
    for (std::size_t count : {1, 8, 100}) {
      const Bits moved = Moved(twin.run, Bits(count, BitsOf(-(1.0f + 0x1p-11f))),
                               Bits(count, BitsOf(1.0f + 0x1p-12f)), 1.0f + 0x1p-12f);
      EXPECT_THAT(moved, testing::Each(BitsOf(0x1p-24f))) << twin.name;
    }
    EXPECT_EQ(Moved(twin.run, {0x80000000, 1, 0, 0x7f800001}, {0x80000000, 1, 1, 0}, 1.0f),
              (Bits{0x80000000, 2, 1, kCanonicalNan}))
        << twin.name;
    twin.run(nullptr, nullptr, 0, 1.0f);
  }
}

TEST(MovementFused, AllLengthsAndAlignmentsGiveTheSameBits) {
  Random random(77);
  for (float dt : kTimeSteps) {
    for (std::size_t count = 0; count <= 67; ++count) {
      for (std::size_t alignment = 0; alignment < 16; ++alignment) {
        // Without NaNs every other time, so that the pass without mending is compared too.
        const bool ordinary = alignment % 2 == 0;
        const Bits position = ordinary ? random.Ordinary(count) : random.Adversarial(count);
        const Bits velocity = ordinary ? random.Ordinary(count) : random.Adversarial(count);
        const Bits expected = OracleOf(position, velocity, dt);
        for (const auto& twin : TwinsOf(&MovementFusedFor)) {
          ASSERT_EQ(Moved(twin.run, position, velocity, dt, alignment, 15 - alignment), expected)
              << twin.name << ", " << count << " floats, misaligned by " << alignment
              << ", dt bits " << BitsOf(dt);
        }
      }
    }
  }
}

// Time steps near one and sums that nearly cancel, where one rounding differs from two.
TEST(MovementFused, LongSpansGiveTheSameBitsAndNotThoseOfMovement) {
  Random random(78);
  std::size_t different = 0;
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 1000 + random.Next() % 100;
    const Bits position = random.Ordinary(count), velocity = random.Ordinary(count);
    const float dt = FloatOf(random.OrdinaryBits());
    const Bits expected = OracleOf(position, velocity, dt);
    for (const auto& twin : TwinsOf(&MovementFusedFor)) {
      ASSERT_EQ(Moved(twin.run, position, velocity, dt), expected) << twin.name;
    }
    const Bits twice = Moved(&MovementScalar, position, velocity, dt);
    for (std::size_t i = 0; i < count; ++i) different += twice[i] != expected[i] ? 1 : 0;
  }
  EXPECT_GT(different, 1000u);
}

#if defined(__unix__)
TEST(MovementFused, TouchesNothingBeyondTheSpanOnEitherSide) {
  GuardedPage p, v;
  ASSERT_TRUE(p.usable() && v.usable());
  for (const auto& twin : TwinsOf(&MovementFusedFor)) {
    for (std::size_t count = 0; count <= 100; ++count) {
      for (bool at_end : {false, true}) {
        float* const position = at_end ? p.end() - count : p.begin();
        float* const velocity = at_end ? v.end() - count : v.begin();
        std::fill_n(position, count, 1.0f);
        std::fill_n(velocity, count, 2.0f);
        twin.run(position, velocity, count, 0.5f);
        ASSERT_EQ(std::count(position, position + count, 2.0f), count) << twin.name;
      }
    }
  }
}
#endif

TEST(MovementFusedFor, GivesTheTwinOfEachLevel) {
  EXPECT_EQ(MovementFusedFor(SimdLevel::kScalar), &MovementFusedScalar);
#if defined(__x86_64__)
  if (BestSimdLevel() >= SimdLevel::kAvx2) {
    EXPECT_EQ(MovementFusedFor(SimdLevel::kAvx2), &MovementFusedAvx2);
  }
  if (BestSimdLevel() >= SimdLevel::kAvx512) {
    EXPECT_EQ(MovementFusedFor(SimdLevel::kAvx512), &MovementFusedAvx512);
  }
#endif
}

}  // namespace
}  // namespace ashlar::inline v0::kernels
