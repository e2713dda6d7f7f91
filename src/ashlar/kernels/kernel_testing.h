// What the tests of kernels share: bits of floats, values that are chosen to hurt, and places from
// which a kernel that leaves its span is seen.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "ashlar/core/cpu.h"
#include "gtest/gtest.h"

#if defined(__unix__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ashlar::inline v0::kernels {

inline constexpr std::uint32_t kCanonicalNan = 0x7fc00000;

// Floats that are compared as bits, so that NaNs and signed zeros count.
using Bits = std::vector<std::uint32_t>;

inline float FloatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }
inline std::uint32_t BitsOf(float value) { return std::bit_cast<std::uint32_t>(value); }

// Oracles that round in their own way, whatever a compiler contracts. A double holds the exact
// product of two floats, and the sum of two floats rounded to double and then to float is the sum
// rounded once (53 >= 2 * 24 + 2).
inline float OracleProduct(float a, float b) {
  return static_cast<float>(static_cast<double>(a) * static_cast<double>(b));
}
inline float OracleSum(float a, float b) {
  return static_cast<float>(static_cast<double>(a) + static_cast<double>(b));
}
inline std::uint32_t OracleBits(float result) {
  return std::isnan(result) ? kCanonicalNan : BitsOf(result);
}

// The twins that this machine can run, by the kernel's function for a level.
template <typename Function>
struct Twin {
  std::string name;
  Function* run;
};

template <typename Function>
std::vector<Twin<Function>> TwinsOf(Function* (*twin_for)(SimdLevel)) {
  std::vector<Twin<Function>> twins;
  for (SimdLevel level : kSimdLevels) {
    if (level <= BestSimdLevel()) {
      twins.push_back({std::string(SimdLevelName(level)), twin_for(level)});
    }
  }
  return twins;
}

inline constexpr float kTimeSteps[] = {0.5f,
                                       -1.0f / 3.0f,
                                       1.0f + 0x1p-23f,
                                       0.0f,
                                       -0.0f,
                                       0x1p-149f,
                                       0x1p127f,
                                       std::numeric_limits<float>::infinity(),
                                       std::numeric_limits<float>::quiet_NaN()};

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

  Bits Adversarial(std::size_t count) {
    Bits bits(count);
    for (std::uint32_t& value : bits) value = AdversarialBits();
    return bits;
  }
  Bits Ordinary(std::size_t count) {
    Bits bits(count);
    for (std::uint32_t& value : bits) value = OrdinaryBits();
    return bits;
  }

 private:
  std::uint64_t state_;
};

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
#endif  // defined(__unix__)

}  // namespace ashlar::inline v0::kernels
