// The twins of the particle kernels against each other and against an oracle that rounds in its own
// way, over bit patterns chosen to differ where twins could differ.
#include "ashlar/kernels/particles.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ashlar/kernels/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::inline v0::kernels {
namespace {

constexpr std::uint32_t kOne = 0x3f800000, kTwo = 0x40000000, kInfinity = 0x7f800000;

// A twin of either integration, with the number of floats that a row has.
struct Integrator {
  std::string name;
  IntegrateRowsFunction run;
  std::size_t axes;
};

std::vector<Integrator> Integrators() {
  std::vector<Integrator> integrators;
  for (const auto& twin : TwinsOf(&IntegrateRowsFor)) {
    integrators.push_back({"rows, " + twin.name, twin.run, 3});
  }
  for (const auto& twin : TwinsOf(&IntegrateAxisFor)) {
    integrators.push_back({"axis, " + twin.name, twin.run, 1});
  }
  return integrators;
}

// The four spans of an integration, as bits.
struct Particles {
  Bits position, velocity, force, inverse_mass;

  bool operator==(const Particles&) const = default;
};

// The same four bits in every row.
Particles Uniform(std::size_t rows, std::size_t axes, const std::array<std::uint32_t, 4>& bits) {
  return {Bits(axes * rows, bits[0]), Bits(axes * rows, bits[1]), Bits(axes * rows, bits[2]),
          Bits(rows, bits[3])};
}

Particles RandomParticles(Random& random, std::size_t rows, std::size_t axes, bool ordinary) {
  const auto some = [&random, ordinary](std::size_t count) {
    return ordinary ? random.Ordinary(count) : random.Adversarial(count);
  };
  return {some(axes * rows), some(axes * rows), some(axes * rows), some(rows)};
}

Particles OracleOf(Particles particles, float dt) {
  const std::size_t axes =
      particles.inverse_mass.empty() ? 1 : particles.force.size() / particles.inverse_mass.size();
  for (std::size_t i = 0; i < particles.force.size(); ++i) {
    const float inverse_mass = FloatOf(particles.inverse_mass[i / axes]);
    const float acceleration = OracleProduct(FloatOf(particles.force[i]), inverse_mass);
    const float velocity =
        OracleSum(FloatOf(particles.velocity[i]), OracleProduct(acceleration, dt));
    const float position = OracleSum(FloatOf(particles.position[i]), OracleProduct(velocity, dt));
    particles.velocity[i] = OracleBits(velocity);
    particles.position[i] = OracleBits(position);
  }
  return particles;
}

// Runs one twin; checks that it wrote nothing but positions and velocities. Misalignments in
// floats.
Particles Integrated(const Integrator& twin, const Particles& particles, float dt,
                     const std::array<std::size_t, 4>& misaligned = {}) {
  Arena position(particles.position, misaligned[0]), velocity(particles.velocity, misaligned[1]);
  Arena force(particles.force, misaligned[2]), mass(particles.inverse_mass, misaligned[3]);
  twin.run(position.data(), velocity.data(), force.data(), mass.data(),
           particles.inverse_mass.size(), dt);
  EXPECT_TRUE(position.CanariesIntact() && velocity.CanariesIntact() && force.CanariesIntact() &&
              mass.CanariesIntact())
      << twin.name << " wrote beyond its spans";
  return {position.values(), velocity.values(), force.values(), mass.values()};
}

TEST(IntegrateRows, IntegratesAKnownParticle) {
  // Force 8, -4, 2 at mass 2 for half a second: velocities change by 2, -1, 0.5.
  for (const auto& twin : TwinsOf(&IntegrateRowsFor)) {
    std::array<float, 3> position = {1, 2, 3}, velocity = {0, 4, -0.5f};
    const std::array<float, 3> force = {8, -4, 2};
    const float inverse_mass = 0.5f;
    twin.run(position.data(), velocity.data(), force.data(), &inverse_mass, 1, 0.5f);
    EXPECT_THAT(velocity, testing::ElementsAre(2, 3, 0)) << twin.name;
    EXPECT_THAT(position, testing::ElementsAre(2, 3.5f, 3)) << twin.name;
  }
}

TEST(IntegrateAxis, IntegratesAKnownParticle) {
  for (const auto& twin : TwinsOf(&IntegrateAxisFor)) {
    std::array<float, 2> position = {1, 2}, velocity = {0, 4};
    const std::array<float, 2> force = {8, -4}, inverse_mass = {0.5f, 0};
    twin.run(position.data(), velocity.data(), force.data(), inverse_mass.data(), 2, 0.5f);
    EXPECT_THAT(velocity, testing::ElementsAre(2, 4)) << twin.name;
    EXPECT_THAT(position, testing::ElementsAre(2, 4)) << twin.name;
  }
}

// Every row its own mass: a spread that takes a neighbour's is seen in each lane.
TEST(IntegrateRows, EachRowHasItsOwnMass) {
  constexpr std::size_t kRows = 37;
  for (const auto& twin : TwinsOf(&IntegrateRowsFor)) {
    std::vector<float> position(3 * kRows), velocity(3 * kRows), force(3 * kRows, 1), mass(kRows);
    for (std::size_t row = 0; row < kRows; ++row) mass[row] = static_cast<float>(row);
    twin.run(position.data(), velocity.data(), force.data(), mass.data(), kRows, 1);
    for (std::size_t i = 0; i < 3 * kRows; ++i) {
      ASSERT_EQ(velocity[i], static_cast<float>(i / 3)) << twin.name << " at " << i;
      ASSERT_EQ(position[i], static_cast<float>(i / 3)) << twin.name << " at " << i;
    }
  }
}

TEST(Integrate, RoundsEveryProductAndSum) {
  const std::uint32_t near_one = BitsOf(1.0f + 0x1p-12f);
  for (const Integrator& twin : Integrators()) {
    for (std::size_t rows : {1, 8, 16, 50}) {
      // The product force * inverse_mass = (1 + 2^-12)^2 loses 2^-24, so that the velocity is 0.
      const Particles velocity =
          Uniform(rows, twin.axes, {0, BitsOf(-(1.0f + 0x1p-11f)), near_one, near_one});
      const Particles still = Integrated(twin, velocity, 1.0f);
      EXPECT_THAT(still.velocity, testing::Each(0u)) << twin.name;
      EXPECT_THAT(still.position, testing::Each(0u)) << twin.name;
      // And so does velocity * dt.
      const Particles position =
          Uniform(rows, twin.axes, {BitsOf(-(1.0f + 0x1p-11f)), near_one, 0, kOne});
      EXPECT_THAT(Integrated(twin, position, 1.0f + 0x1p-12f).position, testing::Each(0u))
          << twin.name;
      // (force * inverse_mass) * dt, in this order: 2^127 * 2 overflows, times 0.25 it would not.
      const Particles order = Uniform(rows, twin.axes, {0, 0, BitsOf(0x1p127f), kTwo});
      EXPECT_THAT(Integrated(twin, order, 0.25f).velocity, testing::Each(kInfinity)) << twin.name;
    }
  }
}

TEST(Integrate, KeepsSignedZerosAndDenormals) {
  for (const Integrator& twin : Integrators()) {
    for (std::size_t rows : {1, 8, 16, 50}) {
      // -0 + (-0 * 1) * 1 is -0; the least denormal goes through velocity and position.
      EXPECT_EQ(
          Integrated(twin, Uniform(rows, twin.axes, {0x80000000, 0x80000000, 0x80000000, kOne}),
                     1.0f),
          Uniform(rows, twin.axes, {0x80000000, 0x80000000, 0x80000000, kOne}))
          << twin.name;
      EXPECT_EQ(Integrated(twin, Uniform(rows, twin.axes, {1, 1, 1, kOne}), 1.0f),
                Uniform(rows, twin.axes, {3, 2, 1, kOne}))
          << twin.name;
    }
  }
}

TEST(Integrate, EveryNanResultIsTheCanonicalOne) {
  const std::uint32_t payload = 0xffc12345;
  for (const Integrator& twin : Integrators()) {
    for (std::size_t rows : {1, 8, 16, 50}) {
      const auto result = [&](const std::array<std::uint32_t, 4>& bits, float dt) {
        const Particles moved = Integrated(twin, Uniform(rows, twin.axes, bits), dt);
        EXPECT_THAT(moved.position, testing::Each(moved.position[0])) << twin.name;
        EXPECT_THAT(moved.velocity, testing::Each(moved.velocity[0])) << twin.name;
        return std::array<std::uint32_t, 2>{moved.position[0], moved.velocity[0]};
      };
      const std::array<std::uint32_t, 2> both = {kCanonicalNan, kCanonicalNan};
      EXPECT_EQ(result({payload, kOne, kOne, kOne}, 1), (std::array{kCanonicalNan, kTwo}));
      EXPECT_EQ(result({kOne, payload, kOne, kOne}, 1), both);
      EXPECT_EQ(result({kOne, kOne, 0x7f800001, kOne}, 1), both);
      EXPECT_EQ(result({kOne, kOne, kOne, 0xff800001}, 1), both);
      EXPECT_EQ(result({kOne, kOne, kOne, kOne}, FloatOf(0xff812345)), both);
      // An infinite force is not held by an inverse mass of 0, and infinities may cancel.
      EXPECT_EQ(result({kOne, kOne, kInfinity, 0}, 1), both);
      EXPECT_EQ(result({kOne, kInfinity, 0xff800000, kOne}, 1), both);
      EXPECT_EQ(result({0xff800000, kInfinity, 0, kOne}, 1),
                (std::array{kCanonicalNan, kInfinity}));
    }
  }
}

TEST(Integrate, ZeroRowsTouchNothing) {
  for (const Integrator& twin : Integrators()) twin.run(nullptr, nullptr, nullptr, nullptr, 0, 1);
}

// A vector twin that overlooks one place in its search for NaNs leaves a payload there.
TEST(Integrate, FindsASingleNanAtEveryPlace) {
  Random random(17);
  for (const Integrator& twin : Integrators()) {
    for (std::size_t rows = 1; rows <= 40; ++rows) {
      const Particles ordinary = RandomParticles(random, rows, twin.axes, true);
      for (std::size_t at = 0; at < twin.axes * rows; ++at) {
        Particles one = ordinary;
        (at % 2 == 0 ? one.position : one.velocity)[at] = 0xffc54321;
        ASSERT_EQ(Integrated(twin, one, 0.5f), OracleOf(one, 0.5f))
            << twin.name << ", " << rows << " rows, NaN at " << at;
      }
    }
  }
}

// Every tail length and every misalignment of each span.
TEST(Integrate, AllLengthsAndAlignmentsGiveTheSameBits) {
  Random random(18);
  for (float dt : kTimeSteps) {
    for (std::size_t rows = 0; rows <= 40; ++rows) {
      for (std::size_t shift = 0; shift < 16; ++shift) {
        for (std::size_t axes : {1, 3}) {
          const Particles particles = RandomParticles(random, rows, axes, shift % 4 == 0);
          const Particles expected = OracleOf(particles, dt);
          for (const Integrator& twin : Integrators()) {
            if (twin.axes != axes) continue;
            ASSERT_EQ(Integrated(twin, particles, dt,
                                 {shift, (3 * shift) % 16, (5 * shift + 1) % 16, 15 - shift}),
                      expected)
                << twin.name << ", " << rows << " rows, shift " << shift << ", dt bits "
                << BitsOf(dt);
          }
        }
      }
    }
  }
}

TEST(Integrate, LongSpansGiveTheSameBits) {
  Random random(19);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rows = 900 + random.Next() % 100;
    const bool ordinary = round % 4 != 0;
    const float dt = FloatOf(ordinary ? random.OrdinaryBits() : random.AdversarialBits());
    for (const Integrator& twin : Integrators()) {
      const Particles particles = RandomParticles(random, rows, twin.axes, ordinary);
      ASSERT_EQ(Integrated(twin, particles, dt), OracleOf(particles, dt)) << twin.name;
    }
  }
}

// Runs one twin of Age; checks that it wrote nothing else and counted as the results say.
Bits Aged(AgeFunction age, const Bits& life, float dt, std::size_t misaligned = 0) {
  Arena arena(life, misaligned);
  const std::size_t dead = age(arena.data(), life.size(), dt);
  EXPECT_TRUE(arena.CanariesIntact());
  const Bits aged = arena.values();
  EXPECT_EQ(dead, std::ranges::count_if(aged, [](std::uint32_t b) { return !(FloatOf(b) > 0); }));
  return aged;
}

TEST(Age, CountsWhatIsNotAboveZero) {
  for (const auto& twin : TwinsOf(&AgeFor)) {
    std::array<float, 5> life = {2, 1, 0.5f, 1.5f, FloatOf(0x7f800001)};
    EXPECT_EQ(twin.run(life.data(), 5, 1.0f), 3u) << twin.name;
    EXPECT_EQ(life[0], 1.0f);
    EXPECT_EQ(life[1], 0.0f);
    EXPECT_EQ(life[2], -0.5f);
    EXPECT_EQ(BitsOf(life[4]), kCanonicalNan);
    // The least denormal is alive, infinity too; zeros of either sign are not.
    const Bits edge = {1, 0, 0x80000000, kInfinity, 0xff800000, 0x80000001, 0x7f7fffff};
    EXPECT_EQ(Aged(twin.run, edge, 0), edge) << twin.name;
    EXPECT_EQ(twin.run(nullptr, 0, 1.0f), 0u);
  }
}

TEST(Age, AllLengthsAndAlignmentsGiveTheSameBits) {
  Random random(20);
  for (float dt : kTimeSteps) {
    for (std::size_t rows = 0; rows <= 67; ++rows) {
      for (std::size_t misaligned = 0; misaligned < 16; ++misaligned) {
        const Bits life = misaligned % 2 == 0 ? random.Ordinary(rows) : random.Adversarial(rows);
        Bits expected(rows);
        for (std::size_t i = 0; i < rows; ++i) {
          expected[i] = OracleBits(OracleSum(FloatOf(life[i]), -dt));
        }
        for (const auto& twin : TwinsOf(&AgeFor)) {
          ASSERT_EQ(Aged(twin.run, life, dt, misaligned), expected) << twin.name << ", " << rows;
        }
      }
    }
  }
}

TEST(Age, CountsManyRows) {
  for (const auto& twin : TwinsOf(&AgeFor)) {
    for (std::size_t rows : {1'000, 65'537, 200'001}) {
      std::vector<float> life(rows, 1.0f);
      EXPECT_EQ(twin.run(life.data(), rows, 0.5f), 0u) << twin.name;
      life[rows - 1] = FloatOf(0xffc00001);
      EXPECT_EQ(twin.run(life.data(), rows, 0.25f), 1u) << twin.name;
      EXPECT_EQ(BitsOf(life[rows - 1]), kCanonicalNan);
      EXPECT_EQ(twin.run(life.data(), rows, 0.25f), rows) << twin.name;
    }
  }
}

#if defined(__unix__)
TEST(Integrate, TouchesNothingBeyondTheSpansOnEitherSide) {
  GuardedPage p, v, f, m;
  ASSERT_TRUE(p.usable() && v.usable() && f.usable() && m.usable());
  for (const Integrator& twin : Integrators()) {
    for (std::size_t rows = 0; rows <= 100; ++rows) {
      const std::size_t count = twin.axes * rows;
      for (bool at_end : {false, true}) {
        float* const position = at_end ? p.end() - count : p.begin();
        float* const velocity = at_end ? v.end() - count : v.begin();
        float* const force = at_end ? f.end() - count : f.begin();
        float* const mass = at_end ? m.end() - rows : m.begin();
        std::fill_n(position, count, 1.0f);
        std::fill_n(velocity, count, 2.0f);
        std::fill_n(force, count, 8.0f);
        std::fill_n(mass, rows, 0.25f);
        twin.run(position, velocity, force, mass, rows, 0.5f);
        ASSERT_EQ(std::count(velocity, velocity + count, 3.0f), count) << twin.name;
        ASSERT_EQ(std::count(position, position + count, 2.5f), count) << twin.name;
      }
    }
  }
}

TEST(Age, TouchesNothingBeyondTheSpanOnEitherSide) {
  GuardedPage page;
  ASSERT_TRUE(page.usable());
  for (const auto& twin : TwinsOf(&AgeFor)) {
    for (std::size_t rows = 0; rows <= 100; ++rows) {
      for (float* life : {page.begin(), page.end() - rows}) {
        std::fill_n(life, rows, 1.0f);
        ASSERT_EQ(twin.run(life, rows, 1.0f), rows) << twin.name;
        ASSERT_EQ(std::count(life, life + rows, 0.0f), rows) << twin.name;
      }
    }
  }
}

// The guards guard: a twin that is told one row too many dies.
TEST(IntegrateDeathTest, AStepBeyondTheSpansIsNoticed) {
  GuardedPage p, v, f, m;
  ASSERT_TRUE(p.usable() && v.usable() && f.usable() && m.usable());
  for (const Integrator& twin : Integrators()) {
    EXPECT_DEATH(twin.run(p.end() - 12 * twin.axes, v.begin(), f.begin(), m.begin(), 13, 1), "");
    EXPECT_DEATH(twin.run(p.begin(), v.end() - 12 * twin.axes, f.begin(), m.begin(), 13, 1), "");
    EXPECT_DEATH(twin.run(p.begin(), v.begin(), f.end() - 12 * twin.axes, m.begin(), 13, 1), "");
    EXPECT_DEATH(twin.run(p.begin(), v.begin(), f.begin(), m.end() - 12, 13, 1), "");
  }
}
#endif  // defined(__unix__)

TEST(ParticlesFor, GivesTheTwinsOfEachLevel) {
  EXPECT_EQ(IntegrateRowsFor(SimdLevel::kScalar), &IntegrateRowsScalar);
  EXPECT_EQ(IntegrateAxisFor(SimdLevel::kScalar), &IntegrateAxisScalar);
  EXPECT_EQ(AgeFor(SimdLevel::kScalar), &AgeScalar);
#if defined(__x86_64__)
  if (BestSimdLevel() >= SimdLevel::kAvx2) {
    EXPECT_EQ(IntegrateRowsFor(SimdLevel::kAvx2), &IntegrateRowsAvx2);
    EXPECT_EQ(IntegrateAxisFor(SimdLevel::kAvx2), &IntegrateAxisAvx2);
    EXPECT_EQ(AgeFor(SimdLevel::kAvx2), &AgeAvx2);
  }
  if (BestSimdLevel() >= SimdLevel::kAvx512) {
    EXPECT_EQ(IntegrateRowsFor(SimdLevel::kAvx512), &IntegrateRowsAvx512);
    EXPECT_EQ(IntegrateAxisFor(SimdLevel::kAvx512), &IntegrateAxisAvx512);
    EXPECT_EQ(AgeFor(SimdLevel::kAvx512), &AgeAvx512);
  }
#endif
}

}  // namespace
}  // namespace ashlar::inline v0::kernels
