// For tests: random numbers that are the same on every machine, so that a failure comes again.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ashlar {

// SplitMix64.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint32_t Below(std::size_t bound) {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<std::uint32_t>((z ^ (z >> 31)) % bound);
  }
  bool Chance(std::size_t one_in) { return Below(one_in) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace ashlar
