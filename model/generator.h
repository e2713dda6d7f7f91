// The generator: random programs under swarm weights.
//
// Per program a random subset of the operations is switched on, with random weights, so that mixes
// that a uniform choice never reaches (a deep free list, one archetype emptied many times) are
// common. Everything follows from the seed: the same seed gives the same program on every machine
// and compiler (own integer arithmetic only, no standard distributions).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ashlar/oplang/operation.h"

namespace ashlar::model {

// With more live rows a profile is large: more than one chunk of 4096 bytes holds of most
// signatures (122 of position and velocity).
inline constexpr std::uint32_t kSmallRowsMax = 64;

// What a program is drawn from.
struct Profile {
  std::uint32_t operation_count = 64;
  std::uint32_t live_rows_max = kSmallRowsMax;  // Above it, creates are drawn as destroys.
  std::uint32_t label_count = 24;  // Names in use; a small number makes collisions common.
  oplang::Options options;
};

// `numerator` times in `denominator`.
struct Odds {
  std::uint32_t numerator = 0;
  std::uint32_t denominator = 1;
};

// splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next();
  // Uniform in [0, bound). REQUIRES: bound > 0.
  std::uint64_t Below(std::uint64_t bound);
  bool Chance(std::uint32_t numerator, std::uint32_t denominator);

 private:
  std::uint64_t state_;
};

// Relative weight of each operation; 0 switches it off. Two come though they are off, so that a
// program does not stick: a destroy above live_rows_max, and a close inside a scope. An expect
// never comes.
using Weights = std::array<std::uint32_t, oplang::kOpCodeCount>;

// A random subset with random weights; create is always on.
Weights SwarmWeights(Random* random);

// A profile for random audits: chunk size, rows per chunk (1, 2, 4, natural), index limit, length;
// 2 % of profiles are large (more than 64 live rows, natural capacities).
Profile SwarmProfile(Random* random);

// A program over these components. REQUIRES: they are well formed (ComponentDescriptor::FromSpec),
// there is at least one, and label_count > 0. Cost: that of running it on the reference world.
oplang::Program Generate(std::span<const oplang::ComponentDeclaration> components,
                         const Profile& profile, const Weights& weights, Random* random);

// The whole of it from one seed, over SampleComponents().
oplang::Program GenerateFromSeed(std::uint64_t seed);

}  // namespace ashlar::model
