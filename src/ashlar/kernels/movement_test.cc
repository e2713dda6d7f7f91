// The twins of the movement kernel against each other and against an oracle that rounds in its own
// way, over bit patterns chosen to differ where twins could differ.
#include "ashlar/kernels/movement.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ashlar::inline v0::kernels {
namespace {

constexpr std::uint32_t kCanonicalNan = 0x7fc00000;

// Floats that are compared as bits, so that NaNs and signed zeros count.
using Bits = std::vector<std::uint32_t>;

float FloatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t BitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

// A double holds the exact product of two floats, and the sum of two floats rounded to double and
// then to float is the sum rounded once (53 >= 2 * 24 + 2). So this rounds twice, like the kernel,
// whatever a compiler contracts.
std::uint32_t OracleBits(std::uint32_t position, std::uint32_t velocity, float dt) {
  const float step =
      static_cast<float>(static_cast<double>(FloatOf(velocity)) * static_cast<double>(dt));
  const float moved =
      static_cast<float>(static_cast<double>(FloatOf(position)) + static_cast<double>(step));
  return std::isnan(moved) ? kCanonicalNan : BitsOf(moved);
}

// SplitMix64: a generator whose whole state is one number.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  // Half of the time one of the values where arithmetic is special, else a random exponent and
  // mantissa, or a plain number.
  std::uint32_t AdversarialBits() {
    static constexpr std::array<std::uint32_t, 26> kSpecial = {
        0x00000000, 0x80000000,              // Zeros.
        0x00000001, 0x80000001,              // The least denormals.
        0x007fffff, 0x807fffff, 0x00400000,  // Large denormals.
        0x00800000, 0x80800000,              // The least normals.
        0x7f7fffff, 0xff7fffff,              // The greatest numbers.
        0x7f000000, 0xff000000,              // Half of that: sums overflow.
        0x7f800000, 0xff800000,              // Infinities.
        0x7fc00000, 0xffc00000, 0x7fc12345,  // Quiet NaNs.
        0xffffffff, 0x7f800001, 0xff812345,  // One more quiet one, then signalling NaNs.
        0x3f800000, 0xbf800000, 0x3f800001,  // Around one: the last bit tells a fused sum.
        0x33800000, 0x4b800000};
    const std::uint64_t draw = Next();
    const auto bits = static_cast<std::uint32_t>(draw >> 32);
    switch (draw & 3) {
      case 0:
      case 1:
        return kSpecial[bits % kSpecial.size()];
      case 2:
        return bits;
      default:  // An exponent near that of one, where products and sums meet.
        return (bits & 0x80ffffff) | 0x3f000000;
    }
  }

  // Numbers that move to numbers.
  std::uint32_t OrdinaryBits() {
    return (static_cast<std::uint32_t>(Next()) & 0x80ffffff) | 0x3f000000;
  }

 private:
  std::uint64_t state_;
};

// Everything that this machine can run. Hints point to nowhere, which must not matter.
struct Twin {
  std::string name;
  std::function<void(float*, const float*, std::size_t, float)> move;
};

std::vector<Twin> Twins() {
  std::vector<Twin> twins = {{"scalar", MovementFor(SimdLevel::kScalar)}};
#if defined(__x86_64__)
  if (BestSimdLevel() >= SimdLevel::kAvx2) {
    twins.push_back({"avx2", MovementFor(SimdLevel::kAvx2)});
    twins.push_back({"avx2 with hints", [](float* p, const float* v, std::size_t count, float dt) {
                       MovementAheadAvx2(p, v, count, dt, nullptr, v + count);
                     }});
  }
#endif
  return twins;
}

constexpr float kTimeSteps[] = {0.5f,
                                -1.0f / 3.0f,
                                1.0f + 0x1p-23f,
                                0.0f,
                                -0.0f,
                                0x1p-149f,
                                0x1p127f,
                                std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};

// A span at a chosen distance from 64-byte alignment, with a canary before and behind it.
class Arena {
 public:
  static constexpr std::uint32_t kCanary = 0xA5A5A5A5;
  static constexpr std::size_t kCanaryFloats = 32;

  Arena(const Bits& values, std::size_t misalignment) : count_(values.size()) {
    storage_.assign(kCanaryFloats * 2 + 32 + count_, FloatOf(kCanary));
    auto address = reinterpret_cast<std::uintptr_t>(storage_.data() + kCanaryFloats);
    const std::size_t to_line = (64 - address % 64) % 64 / sizeof(float);
    begin_ = kCanaryFloats + to_line + misalignment;
    if (count_ != 0) std::memcpy(data(), values.data(), count_ * sizeof(float));
  }

  float* data() { return storage_.data() + begin_; }
  Bits values() const {
    Bits values(count_);
    if (count_ != 0) std::memcpy(values.data(), storage_.data() + begin_, count_ * sizeof(float));
    return values;
  }
  bool CanariesIntact() const {
    for (std::size_t i = 0; i < storage_.size(); ++i) {
      const bool inside = i >= begin_ && i < begin_ + count_;
      if (!inside && BitsOf(storage_[i]) != kCanary) return false;
    }
    return true;
  }

 private:
  std::size_t count_;
  std::size_t begin_ = 0;
  std::vector<float> storage_;
};

// Runs one twin and returns the positions as bits; checks that it wrote nothing else.
Bits Moved(const Twin& twin, const Bits& position, const Bits& velocity, float dt,
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
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] = OracleBits(position[i], velocity[i], dt);
  return moved;
}

TEST(MovementKernel, MovesTheEntityOfTheContract) {
  for (const Twin& twin : Twins()) {
    std::array<float, 3> position = {1, 2, 3};
    const std::array<float, 3> velocity = {2, -4, 6};
    twin.move(position.data(), velocity.data(), 3, 0.5f);
    EXPECT_THAT(position, testing::ElementsAre(2.0f, 0.0f, 6.0f)) << twin.name;
  }
}

TEST(MovementKernel, MovesASpanLongerThanABlock) {
  for (const Twin& twin : Twins()) {
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
  for (const Twin& twin : Twins()) {
    for (std::size_t count : {1, 8, 100}) {
      const Bits moved = Moved(twin, Bits(count, BitsOf(-(1.0f + 0x1p-11f))),
                               Bits(count, BitsOf(1.0f + 0x1p-12f)), 1.0f + 0x1p-12f);
      EXPECT_THAT(moved, testing::Each(0u)) << twin.name;
    }
  }
}

TEST(MovementKernel, KeepsSignedZerosAndDenormals) {
  for (const Twin& twin : Twins()) {
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
  for (const Twin& twin : Twins()) {
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
  for (const Twin& twin : Twins()) twin.move(nullptr, nullptr, 0, 1.0f);
}

// A vector twin that overlooks one place in its search for NaNs leaves a payload there.
TEST(MovementKernel, FindsASingleNanAtEveryPlace) {
  Random random(7);
  for (const Twin& twin : Twins()) {
    for (std::size_t count = 1; count <= 150; ++count) {
      Bits position(count), velocity(count);
      for (std::size_t i = 0; i < count; ++i) {
        position[i] = random.OrdinaryBits();
        velocity[i] = random.OrdinaryBits();
      }
      for (std::size_t at = 0; at < count; ++at) {
        Bits with_nan = position;
        with_nan[at] = 0xffc54321;
        ASSERT_EQ(Moved(twin, with_nan, velocity, 0.5f), OracleOf(with_nan, velocity, 0.5f))
            << twin.name << ", " << count << " floats, NaN at " << at;
      }
    }
  }
}

// Every tail length and every misalignment of either span: 8 * 8 * 68 spans for each time step,
// about 1.3 million tuples, by each twin.
TEST(MovementKernel, AllLengthsAndAlignmentsGiveTheSameBits) {
  Random random(2024);
  for (float dt : kTimeSteps) {
    for (std::size_t count = 0; count <= 67; ++count) {
      Bits position(count), velocity(count);
      for (std::size_t alignment = 0; alignment < 64; ++alignment) {
        for (std::size_t i = 0; i < count; ++i) {
          position[i] = random.AdversarialBits();
          velocity[i] = random.AdversarialBits();
        }
        const Bits expected = OracleOf(position, velocity, dt);
        for (const Twin& twin : Twins()) {
          ASSERT_EQ(Moved(twin, position, velocity, dt, alignment / 8, alignment % 8), expected)
              << twin.name << ", " << count << " floats, misaligned by " << alignment / 8 << " and "
              << alignment % 8 << ", dt bits " << BitsOf(dt);
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
    for (const Twin& twin : Twins()) {
      ASSERT_EQ(Moved(twin, position, velocity, dt), expected) << twin.name;
    }
  }
  EXPECT_EQ(spans_without_nan, 750u);
}

#if defined(__unix__)
// Three pages, of which only the middle one may be touched.
class GuardedPage {
 public:
  GuardedPage() : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    void* mapped = mmap(nullptr, 3 * page_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return;
    base_ = static_cast<std::byte*>(mapped);
    usable_ = mprotect(base_ + page_bytes_, page_bytes_, PROT_READ | PROT_WRITE) == 0;
  }
  ~GuardedPage() {
    if (base_ != nullptr) munmap(base_, 3 * page_bytes_);
  }
  GuardedPage(const GuardedPage&) = delete;
  GuardedPage& operator=(const GuardedPage&) = delete;

  bool usable() const { return usable_; }
  std::size_t floats() const { return page_bytes_ / sizeof(float); }
  float* begin() { return reinterpret_cast<float*>(base_ + page_bytes_); }
  float* end() { return begin() + floats(); }

 private:
  std::size_t page_bytes_;
  std::byte* base_ = nullptr;
  bool usable_ = false;
};

void MoveAgainstGuards(const Twin& twin, std::size_t count, float fill, GuardedPage& p,
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
  for (const Twin& twin : Twins()) {
    SCOPED_TRACE(twin.name);
    for (std::size_t count = 0; count <= 400 && count <= p.floats(); ++count) {
      MoveAgainstGuards(twin, count, 1.0f, p, v);
      MoveAgainstGuards(twin, count, FloatOf(0xffc00001), p, v);
    }
    MoveAgainstGuards(twin, p.floats(), 1.0f, p, v);
  }
}

// The guards guard: a move that is told one float too many dies.
TEST(MovementKernelDeathTest, AStepBeyondTheSpanIsNoticed) {
  GuardedPage p, v;
  ASSERT_TRUE(p.usable() && v.usable());
  for (const Twin& twin : Twins()) {
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
#endif
}

TEST(MovementAheadFor, GivesHintsToVectorTwinsAlone) {
  EXPECT_EQ(MovementAheadFor(SimdLevel::kScalar), nullptr);
#if defined(__x86_64__)
  if (BestSimdLevel() >= SimdLevel::kAvx2) {
    const MovementAheadFunction ahead = MovementAheadFor(SimdLevel::kAvx2);
    EXPECT_TRUE(ahead == nullptr || ahead == &MovementAheadAvx2);
  }
#endif
}

}  // namespace
}  // namespace ashlar::inline v0::kernels
