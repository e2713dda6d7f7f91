#include <cstring>

#include "bench/components.h"
#include "bench/ladder_rungs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::bench {
namespace {

using testing::Contains;
using testing::Field;

TEST(MakeParticles, HalfOfThemLive) {
  const std::vector<Particle> particles = MakeParticles(10'000);
  ASSERT_EQ(particles.size(), 10'000u);
  EXPECT_NEAR(static_cast<double>(LivingOf(particles)), 5'000, 200);
}

TEST(LadderRungs, BeginWithObjectsAndEndWithWorlds) {
  const std::vector<RungMaker> rungs = LadderRungs();
  EXPECT_EQ(rungs.front().name, "objects");
  EXPECT_THAT(rungs, Contains(Field(&RungMaker::name, "world_scalar")));
  EXPECT_THAT(rungs, Contains(Field(&RungMaker::name, "split_scalar")));
}

// The number is no multiple of a vector, a chunk or a half.
TEST(LadderRungs, AllGiveTheSameBits) {
  const std::vector<Particle> particles = MakeParticles(1'003);
  const std::size_t living = LivingOf(particles);
  std::vector<std::unique_ptr<Rung>> rungs;
  for (const RungMaker& maker : LadderRungs()) {
    rungs.push_back(maker.make(particles));
    for (int step = 0; step < 5; ++step) rungs.back()->Step(kTimeStep);
    for (std::size_t i = 0; i < living; ++i) {
      const Particle a = rungs.front()->Living(i), b = rungs.back()->Living(i);
      ASSERT_EQ(std::memcmp(&a, &b, sizeof a), 0) << maker.name << ", living particle " << i;
    }
  }
}

TEST(LadderRungs, AStepIsThatOfTheFormula) {
  const std::vector<Particle> particles = {{{1, 2, 3}, {4, 5, 6}, {8, 0, -8}, 0.5f, 10},
                                           {{1, 2, 3}, {4, 5, 6}, {8, 0, -8}, 0.5f, -1}};
  for (const RungMaker& maker : LadderRungs()) {
    const std::unique_ptr<Rung> rung = maker.make(particles);
    rung->Step(0.25f);
    const Particle p = rung->Living(0);
    EXPECT_EQ(p.velocity[0], 5) << maker.name;
    EXPECT_EQ(p.position[0], 2.25f) << maker.name;
    EXPECT_EQ(p.position[1], 3.25f) << maker.name;
    EXPECT_EQ(p.velocity[2], 5) << maker.name;
    EXPECT_EQ(p.life, 9.75f) << maker.name;
  }
}

TEST(LadderRungs, TouchNoLessThanTheyCompute) {
  const std::vector<Particle> particles = MakeParticles(2'000);
  const std::size_t living = LivingOf(particles);
  for (const RungMaker& maker : LadderRungs()) {
    TouchedLines lines;
    maker.make(particles)->Touch(&lines);
    EXPECT_GE(lines.Bytes(), living * sizeof(Particle)) << maker.name;
    EXPECT_LE(lines.Bytes(), living * 4 * sizeof(Particle)) << maker.name;
  }
}

}  // namespace
}  // namespace ashlar::bench
