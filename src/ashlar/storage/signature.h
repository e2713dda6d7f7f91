// Signature: the set of components of an archetype. Two archetypes are the same when these are.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "ashlar/core/ids.h"
#include "ashlar/core/limits.h"

namespace ashlar::inline v0 {

// One bit a component: 64 bytes, a cache line. REQUIRES for every ComponentId given to it: below
// kComponentCountMax.
class Signature {
 public:
  bool Contains(ComponentId id) const { return (words_[Word(id)] >> Bit(id)) & 1u; }
  void Insert(ComponentId id) { words_[Word(id)] |= Mask(id); }
  void Erase(ComponentId id) { words_[Word(id)] &= ~Mask(id); }

  bool empty() const {
    std::uint64_t any = 0;
    for (std::uint64_t word : words_) any |= word;
    return any == 0;
  }

  // Number of components.
  std::size_t size() const {
    std::size_t count = 0;
    for (std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }

  // Whether every component of `other` is in this one.
  bool Includes(const Signature& other) const {
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < kWords; ++i) missing |= other.words_[i] & ~words_[i];
    return missing == 0;
  }

  // Whether any component is in both.
  bool Intersects(const Signature& other) const {
    std::uint64_t common = 0;
    for (std::size_t i = 0; i < kWords; ++i) common |= other.words_[i] & words_[i];
    return common != 0;
  }

  // Calls visit(ComponentId) in rising order.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (std::size_t i = 0; i < kWords; ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(word));
        visit(ComponentId(static_cast<ComponentId::Rep>(i * 64 + bit)));
      }
    }
  }

  // Spreads the words over 64 bits; only ever a hint where to look, never an identity.
  std::size_t Hash() const {
    std::uint64_t hash = 0;
    for (std::uint64_t word : words_) {
      hash = (std::rotl(hash, 23) ^ word) * 0x9E3779B97F4A7C15ull;
    }
    return static_cast<std::size_t>(hash ^ (hash >> 32));
  }

  friend bool operator==(const Signature& a, const Signature& b) {
    std::uint64_t other = 0;
    for (std::size_t i = 0; i < kWords; ++i) other |= a.words_[i] ^ b.words_[i];
    return other == 0;
  }

 private:
  static constexpr std::size_t kWords = kComponentCountMax / 64;
  static std::size_t Word(ComponentId id) { return id.value() / 64u; }
  static unsigned Bit(ComponentId id) { return id.value() % 64u; }
  static std::uint64_t Mask(ComponentId id) { return std::uint64_t{1} << Bit(id); }

  std::array<std::uint64_t, kWords> words_{};
};

struct SignatureHash {
  std::size_t operator()(const Signature& signature) const { return signature.Hash(); }
};

}  // namespace ashlar::inline v0
