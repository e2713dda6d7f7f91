#include <regex>
#include <string>
#include <vector>

#include "cli/cli_testing.h"
#include "cli/particle_simulation.h"

namespace ashlar::cli {
namespace {

using ::testing::HasSubstr;

std::string ParticleChecksum(const Result& result) {
  std::smatch match;
  const bool is_found =
      std::regex_search(result.out, match, std::regex("checksum +(0x[0-9a-f]{16})\n"));
  EXPECT_TRUE(is_found) << result.out << result.err;
  return is_found ? match[1].str() : "";
}

Result SimulateParticles(std::vector<std::string> more) {
  const std::vector<std::string> base = {"simulate", "--particles", "1003", "--steps", "60"};
  more.insert(more.begin(), base.begin(), base.end());
  return RunAshlar(more);
}

TEST(SimulateParticles, HasOneChecksum) {
  const Result scalar = SimulateParticles({"--simd", "scalar"});
  EXPECT_EQ(scalar.status, 0) << scalar.err;
  EXPECT_THAT(scalar.out, HasSubstr("particles   1,003 alive; "));
  EXPECT_THAT(scalar.out, HasSubstr("60 of dt 0.015625, scalar, packed, chunks of 4096 bytes"));
  EXPECT_THAT(scalar.out, HasSubstr(" ns/particle"));
  const std::string checksum = ParticleChecksum(scalar);
  const Result split = SimulateParticles({"--layout", "split", "--simd", "scalar"});
  EXPECT_THAT(split.out, HasSubstr("scalar, split, chunks"));
  EXPECT_EQ(ParticleChecksum(split), checksum);
  EXPECT_EQ(ParticleChecksum(SimulateParticles({"--layout", "packed", "--seed", "1"})), checksum);
  EXPECT_EQ(ParticleChecksum(SimulateParticles({"--chunk-bytes", "16384"})), checksum);
  EXPECT_NE(ParticleChecksum(SimulateParticles({"--seed", "2"})), checksum);
  EXPECT_NE(ParticleChecksum(SimulateParticles({"--dt", "0.5"})), checksum);
  for (const std::string level : {"avx2", "avx512"}) {
    for (const std::string layout : {"packed", "split"}) {
      const Result vector = SimulateParticles({"--simd", level, "--layout", layout});
      if (vector.status == 0) {
        EXPECT_EQ(ParticleChecksum(vector), checksum) << level << ' ' << layout;
      } else {
        EXPECT_EQ(vector.status, 2) << "a machine without " << level << " refuses it";
      }
    }
  }
}

TEST(SimulateParticles, HoldsTheNumberAlive) {
  ParticleSimulationOptions options;
  options.particles = 5000;
  options.steps = 40;
  options.dt = 0.125f;
  int looks = 0;
  ParticleHooks hooks;
  hooks.progress = [&](const ParticleProgress& done) {
    ++looks;
    EXPECT_LE(done.emitted - done.removed, 5000u);
  };
  const auto result = RunParticleSimulation(options, hooks);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->alive, 5000u);
  EXPECT_EQ(result->done.steps_done, 40u);
  EXPECT_EQ(result->stepped, 200'000u);
  EXPECT_EQ(result->done.emitted, 5000 + result->done.removed);
  // Lives from 0.25 to 4.25 in steps of 0.125: all of the first ones have died, many of the others.
  EXPECT_GT(result->done.removed, 5000u);
  EXPECT_GE(looks, 42);

  // Stopped in the middle: what was done is told.
  hooks.progress = nullptr;
  int calls = 0;
  hooks.stop = [&calls] { return ++calls > 6; };
  const auto stopped = RunParticleSimulation(options, hooks);
  ASSERT_TRUE(stopped.ok());
  EXPECT_LT(stopped->done.steps_done, 40u);
  EXPECT_EQ(stopped->alive, stopped->done.emitted - stopped->done.removed);
}

TEST(SimulateParticles, RefusesFlagsThatDoNotFit) {
  ExpectUsageError({"simulate", "--particles", "0"}, "--particles");
  ExpectUsageError({"simulate", "--particles", "many"}, "'many' is not a whole number");
  ExpectUsageError({"simulate", "--particles", "5", "--entities", "5"}, "--entities");
  ExpectUsageError({"simulate", "--layout", "split"}, "--layout");
  ExpectUsageError({"simulate", "--seed", "5"}, "--seed");
  ExpectUsageError({"simulate", "--particles", "5", "--layout", "soa"},
                   "'soa' is neither packed nor split");
  ExpectUsageError({"simulate", "--particles", "5", "--seed", "-1"}, "--seed");
  ExpectUsageError({"simulate", "--particles", "5", "--chunk-bytes", "5000"}, "--chunk-bytes");
}

}  // namespace
}  // namespace ashlar::cli
