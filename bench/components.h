// The components of the storage benchmarks, and random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ashlar::bench {

struct Position {
  float x, y, z;
};
struct Velocity {
  float x, y, z;
};
struct Health {
  std::int32_t points;
};

// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(Next() % bound); }

  template <typename T>
  void Shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[Below(i)]);
  }

 private:
  std::uint64_t state_;
};

// Values of entity number i: small numbers, all different, that stay normal over many steps.
inline Position PositionOf(std::size_t i) {
  const auto f = static_cast<float>(i % 4096);
  return {f, f + 0.25f, f + 0.5f};
}
inline Velocity VelocityOf(std::size_t i) {
  const auto f = static_cast<float>(i % 61 + 1);
  return {f, -f, 0.5f * f};
}

inline constexpr float kTimeStep = 1.0f / 1024;

}  // namespace ashlar::bench
