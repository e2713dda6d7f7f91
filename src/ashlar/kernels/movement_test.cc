// The twins of the movement kernel against each other and against an oracle that rounds in its own
// way, over bit patterns chosen to differ where twins could differ.
#include "ashlar/kernels/movement.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "ashlar/kernels/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::inline v0::kernels {
namespace {

// Rounds twice, like the kernel.
std::uint32_t OracleOf(std::uint32_t position, std::uint32_t velocity, float dt) {
  return OracleBits(OracleSum(FloatOf(position), OracleProduct(FloatOf(velocity), dt)));
}

// Moves a span as the first or the second of a pair, whose other half has values of its own.
void MoveInPair(MovementPairFunction pair, bool is_first, float* position, const float* velocity,
                std::size_t count, float dt) {
  std::vector<float> other(count, 1.0f), other_velocity(count, 3.0f);
  std::vector<float> expected = other;
  MovementScalar(expected.data(), other_velocity.data(), count, dt);
  if (is_first) {
    pair(position, velocity, other.data(), other_velocity.data(), count, dt);
  } else {
    pair(other.data(), other_velocity.data(), position, velocity, count, dt);
  }
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(BitsOf(other[i]), BitsOf(expected[i])) << "the other span, at " << i;
  }
}

// Everything that this machine can run. Hints point to nowhere, which must not matter.
struct Mover {
  std::string name;
  std::function<void(float*, const float*, std::size_t, float)> move;
};

std::vector<Mover> Twins() {
  std::vector<Mover> twins;
  for (const auto& twin : TwinsOf(&MovementFor)) twins.push_back({twin.name, twin.run});
#if defined(__x86_64__)
  const auto with_hints = [&twins](const char* name, MovementAheadFunction ahead) {
    twins.push_back({name, [ahead](float* p, const float* v, std::size_t count, float dt) {
                       ahead(p, v, count, dt, nullptr, v + count);
                     }});
  };
  const auto in_pairs = [&twins](const std::string& name, MovementPairFunction pair) {
    for (const bool is_first : {true, false}) {
      twins.push_back({name + (is_first ? ", first" : ", second"),
                       [=](float* p, const float* v, std::size_t count, float dt) {
                         MoveInPair(pair, is_first, p, v, count, dt);
                       }});
    }
  };
  if (BestSimdLevel() >= SimdLevel::kAvx2) {
    with_hints("avx2 with hints", &MovementAheadAvx2);
    in_pairs("avx2 in a pair", &MovementPairAvx2);
  }
  if (BestSimdLevel() >= SimdLevel::kAvx512) {
    with_hints("avx512 with hints", &MovementAheadAvx512);
    in_pairs("avx512 in a pair", &MovementPairAvx512);
  }
#endif
  return twins;
}

// Runs one twin and returns the positions as bits; checks that it wrote nothing else.
Bits Moved(const Mover& twin, const Bits& position, const Bits& velocity, float dt,
           std::size_t position_misalignment = 0, std::size_t velocity_misalignment = 0) {
  Arena p(position, position_misalignment);
  Arena v(velocity, velocity_misalignment);
  twin.move(p.data(), v.data(), position.size(), dt);
  EXPECT_TRUE(p.CanariesIntact()) << twin.name << " wrote beyond its span";
  EXPECT_TRUE(v.CanariesIntact() && v.values() == velocity)
      << twin.name << " wrote to the velocities";
  return p.values();
}

Bits OracleOf(const Bits& position, const Bits& velocity, float dt) {
  Bits moved(position.size());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i] = OracleOf(position[i], velocity[i], dt);
  }
  return moved;
}

TEST(MovementKernel, MovesTheEntityOfTheContract) {
  for (const Mover& twin : Twins()) {
    std::array<float, 3> position = {1, 2, 3};
    const std::array<float, 3> velocity = {2, -4, 6};
    twin.move(position.data(), velocity.data(), 3, 0.5f);
    EXPECT_THAT(position, testing::ElementsAre(2.0f, 0.0f, 6.0f)) << twin.name;
  }
}

TEST(MovementKernel, MovesASpanLongerThanABlock) {
  for (const Mover& twin : Twins()) {
    std::vector<float> position(150), velocity(150);
    for (int i = 0; i < 150; ++i) {
      position[i] = static_cast<float>(i);
      velocity[i] = static_cast<float>(2 * i);
    }
    twin.move(position.data(), velocity.data(), 150, 0.25f);
    for (int i = 0; i < 150; ++i) {
      EXPECT_EQ(position[i], 1.5f * static_cast<float>(i)) << twin.name << " at " << i;
    }
  }
}

TEST(MovementKernel, RoundsTheProductBeforeTheSum) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, whose last bit the product's rounding drops: the sum with
  // -(1 + 2^-11) is 0. A fused multiply-add would keep 2^-24.
  for (const Mover& twin : Twins()) {
    for (std::size_t count : {1, 8, 100}) {
      const Bits moved = Moved(twin, Bits(count, BitsOf(-(1.0f + 0x1p-11f))),
                               Bits(count, BitsOf(1.0f + 0x1p-12f)), 1.0f + 0x1p-12f);
      EXPECT_THAT(moved, testing::Each(0u)) << twin.name;
    }
  }
}

TEST(MovementKernel, KeepsSignedZerosAndDenormals) {
  for (const Mover& twin : Twins()) {
    // -0 + -0 is -0, -0 + 0 is 0, the least denormal plus itself is twice that, and half of it
    // rounds to even, which is 0.
    const Bits moved = Moved(twin, {0x80000000, 0x80000000, 0x00000001, 0x00000000},
                             {0x80000000, 0x00000000, 0x00000001, 0x00000001}, 1.0f);
    EXPECT_THAT(moved, testing::ElementsAre(0x80000000u, 0u, 2u, 1u)) << twin.name;
    EXPECT_THAT(Moved(twin, {0}, {1}, 0.5f), testing::ElementsAre(0u)) << twin.name;
  }
}

TEST(MovementKernel, EveryNanResultIsTheCanonicalOne) {
  const std::uint32_t infinity = 0x7f800000, minus_infinity = 0xff800000, one = 0x3f800000;
  const Bits position = {0x7f800001, 0xffc12345, one,        one,      infinity,
                         one,        0xffffffff, 0x7fc00000, infinity, minus_infinity};
  const Bits velocity = {one,      one,        0xff800001, 0x7fc99999, minus_infinity,
                         infinity, 0xffffffff, one,        one,        minus_infinity};
  for (const Mover& twin : Twins()) {
    Bits expected(7, kCanonicalNan);
    expected[5] = infinity;
    expected.insert(expected.end(), {kCanonicalNan, infinity, minus_infinity});
    EXPECT_EQ(Moved(twin, position, velocity, 1.0f), expected) << twin.name;
    // Zero times infinity.
    EXPECT_EQ(Moved(twin, Bits(20, one), Bits(20, infinity), 0.0f), Bits(20, kCanonicalNan))
        << twin.name;
    EXPECT_EQ(Moved(twin, Bits(20, one), Bits(20, one), FloatOf(0xff800001)),
              Bits(20, kCanonicalNan))
        << twin.name;
  }
}

TEST(MovementKernel, ZeroFloatsTouchNothing) {
  for (const Mover& twin : Twins()) twin.move(nullptr, nullptr, 0, 1.0f);
}

// A vector twin that overlooks one place in its search for NaNs leaves a payload there.
// `step`: of the places, one of so many.
void FindASingleNanAtEveryPlace(const Mover& twin, std::size_t count, Random& random,
                                std::size_t step = 1) {
  Bits position(count), velocity(count);
  for (std::size_t i = 0; i < count; ++i) {
    position[i] = random.OrdinaryBits();
    velocity[i] = random.OrdinaryBits();
  }
  for (std::size_t at = 0; at < count; at += step) {
    Bits with_nan = position;
    with_nan[at] = 0xffc54321;
    ASSERT_EQ(Moved(twin, with_nan, velocity, 0.5f), OracleOf(with_nan, velocity, 0.5f))
        << twin.name << ", " << count << " floats, NaN at " << at;
  }
}

TEST(MovementKernel, FindsASingleNanAtEveryPlace) {
  Random random(7);
  for (const Mover& twin : Twins()) {
    for (std::size_t count = 1; count <= 150; ++count) {
      ASSERT_NO_FATAL_FAILURE(FindASingleNanAtEveryPlace(twin, count, random));
    }
    // All blocks of a short span; then of long ones those of 64, 16, 8, 4, 2 and 1 lines, a vector
    // and a half; and those of 256, 128 and 64.
    ASSERT_NO_FATAL_FAILURE(FindASingleNanAtEveryPlace(twin, 63 * 16 + 13, random));
    ASSERT_NO_FATAL_FAILURE(FindASingleNanAtEveryPlace(twin, 95 * 16 + 13, random));
    ASSERT_NO_FATAL_FAILURE(FindASingleNanAtEveryPlace(twin, 448 * 16, random, 61));
  }
}

// Every number of cache lines up to two long blocks and more, with tails of 0, 7, 8 and 15 floats.
TEST(MovementKernel, EveryNumberOfLinesGivesTheSameBits) {
  Random random(15);
  for (std::size_t lines = 0; lines <= 400; ++lines) {
    for (std::size_t tail : {0, 7, 8, 15}) {
      Bits position(16 * lines + tail), velocity(16 * lines + tail);
      for (std::size_t i = 0; i < position.size(); ++i) {
        position[i] = random.OrdinaryBits();
        velocity[i] = random.OrdinaryBits();
      }
      const Bits expected = OracleOf(position, velocity, 0.75f);
      for (const Mover& twin : Twins()) {
        ASSERT_EQ(Moved(twin, position, velocity, 0.75f), expected)
            << twin.name << ", " << lines << " lines and " << tail << " floats";
      }
    }
  }
}

// Every tail length and every misalignment of either span from a cache line: 64 * 84 spans for each
// time step, about two million tuples, by each twin.
TEST(MovementKernel, AllLengthsAndAlignmentsGiveTheSameBits) {
  Random random(2024);
  for (float dt : kTimeSteps) {
    for (std::size_t count = 0; count <= 83; ++count) {
      Bits position(count), velocity(count);
      for (std::size_t alignment = 0; alignment < 64; ++alignment) {
        for (std::size_t i = 0; i < count; ++i) {
          position[i] = random.AdversarialBits();
          velocity[i] = random.AdversarialBits();
        }
        const Bits expected = OracleOf(position, velocity, dt);
        for (const Mover& twin : Twins()) {
          ASSERT_EQ(Moved(twin, position, velocity, dt, alignment % 16, alignment / 4), expected)
              << twin.name << ", " << count << " floats, misaligned by " << alignment % 16
              << " and " << alignment / 4 << ", dt bits " << BitsOf(dt);
        }
      }
    }
  }
}

// Long spans, and random time steps: four million tuples. Most spans hold no NaN at all, so that
// the pass without mending is compared as well.
TEST(MovementKernel, LongSpansGiveTheSameBits) {
  Random random(4711);
  std::size_t spans_without_nan = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::size_t count = 3900 + random.Next() % 200;
    const bool ordinary = round % 4 != 0;
    const float dt = FloatOf(ordinary ? random.OrdinaryBits() : random.AdversarialBits());
    Bits position(count), velocity(count);
    for (std::size_t i = 0; i < count; ++i) {
      position[i] = ordinary ? random.OrdinaryBits() : random.AdversarialBits();
      velocity[i] = ordinary ? random.OrdinaryBits() : random.AdversarialBits();
    }
    const Bits expected = OracleOf(position, velocity, dt);
    spans_without_nan += ordinary;
    for (const Mover& twin : Twins()) {
      ASSERT_EQ(Moved(twin, position, velocity, dt), expected) << twin.name;
    }
  }
  EXPECT_EQ(spans_without_nan, 750u);
}

#if defined(__unix__)
void MoveAgainstGuards(const Mover& twin, std::size_t count, float fill, GuardedPage& p,
                       GuardedPage& v) {
  for (bool at_end : {false, true}) {
    float* const position = at_end ? p.end() - count : p.begin();
    float* const velocity = at_end ? v.end() - count : v.begin();
    for (std::size_t i = 0; i < count; ++i) {
      position[i] = fill;
      velocity[i] = 2.0f;
    }
    twin.move(position, velocity, count, 0.5f);
    const std::uint32_t expected = std::isnan(fill) ? kCanonicalNan : BitsOf(fill + 1.0f);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(BitsOf(position[i]), expected);
  }
}

// Reads beyond a span do not show in any result; a page that may not be read shows them.
TEST(MovementKernel, TouchesNothingBeyondTheSpanOnEitherSide) {
  GuardedPage p, v;
  ASSERT_TRUE(p.usable() && v.usable());
  for (const Mover& twin : Twins()) {
    SCOPED_TRACE(twin.name);
    for (std::size_t count = 0; count <= 400 && count <= p.floats(); ++count) {
      MoveAgainstGuards(twin, count, 1.0f, p, v);
      MoveAgainstGuards(twin, count, FloatOf(0xffc00001), p, v);
    }
    // With the longest block of short spans, and the first of long ones.
    for (std::size_t count : {std::size_t{600}, p.floats() - 3, p.floats() - 1, p.floats()}) {
      MoveAgainstGuards(twin, count, 1.0f, p, v);
      MoveAgainstGuards(twin, count, FloatOf(0xffc00001), p, v);
    }
  }
}

// The guards guard: a move that is told one float too many dies.
TEST(MovementKernelDeathTest, AStepBeyondTheSpanIsNoticed) {
  GuardedPage p, v;
  ASSERT_TRUE(p.usable() && v.usable());
  for (const Mover& twin : Twins()) {
    EXPECT_DEATH(twin.move(p.end() - 12, v.begin(), 13, 0.5f), "");
    EXPECT_DEATH(twin.move(p.begin(), v.end() - 12, 13, 0.5f), "");
  }
}
#endif  // defined(__unix__)

TEST(MovementFor, GivesTheTwinOfEachLevel) {
  EXPECT_EQ(MovementFor(SimdLevel::kScalar), &MovementScalar);
#if defined(__x86_64__)
  if (BestSimdLevel() >= SimdLevel::kAvx2) {
    EXPECT_EQ(MovementFor(SimdLevel::kAvx2), &MovementAvx2);
  }
  if (BestSimdLevel() >= SimdLevel::kAvx512) {
    EXPECT_EQ(MovementFor(SimdLevel::kAvx512), &MovementAvx512);
  }
#endif
}

#if defined(__x86_64__)
// Where the twins pay is for the processor to say.
template <typename Function>
void ExpectTwinOrNone(Function (*twin_for)(SimdLevel), SimdLevel level, Function twin) {
  if (BestSimdLevel() < level) return;
  const Function given = twin_for(level);
  EXPECT_TRUE(given == nullptr || given == twin);
}
#endif

TEST(MovementPairFor, GivesPairsToVectorTwinsAlone) {
  EXPECT_EQ(MovementPairFor(SimdLevel::kScalar), nullptr);
#if defined(__x86_64__)
  ExpectTwinOrNone(&MovementPairFor, SimdLevel::kAvx2, &MovementPairAvx2);
  ExpectTwinOrNone(&MovementPairFor, SimdLevel::kAvx512, &MovementPairAvx512);
#endif
}

TEST(MovementAheadFor, GivesHintsToVectorTwinsAlone) {
  EXPECT_EQ(MovementAheadFor(SimdLevel::kScalar), nullptr);
#if defined(__x86_64__)
  ExpectTwinOrNone(&MovementAheadFor, SimdLevel::kAvx2, &MovementAheadAvx2);
  ExpectTwinOrNone(&MovementAheadFor, SimdLevel::kAvx512, &MovementAheadAvx512);
#endif
}

}  // namespace
}  // namespace ashlar::inline v0::kernels
