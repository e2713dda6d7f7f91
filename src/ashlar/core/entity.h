// Entity: the stable name of a row, which survives every move of that row.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace ashlar::inline v0 {

// A 32-bit slot index and the 32-bit generation of that slot. Generations start at 1, so
// `Entity{}` (index 0, generation 0) names nothing and is never issued. A slot whose generation
// 2^32-1 has been destroyed is retired, never wrapped, so no two entities of a world's life have
// the same 64 bits. Trivially copyable, 8 bytes; stored as it is in the first column of a chunk.
class Entity {
 public:
  constexpr Entity() = default;
  constexpr Entity(std::uint32_t index, std::uint32_t generation)
      : index_(index), generation_(generation) {}

  // The generation in the high half, the index in the low half. `FromBits` accepts every value;
  // the world refuses those that it did not issue.
  static constexpr Entity FromBits(std::uint64_t bits) {
    return Entity(static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32));
  }
  constexpr std::uint64_t ToBits() const {
    return (static_cast<std::uint64_t>(generation_) << 32) | index_;
  }

  constexpr std::uint32_t index() const { return index_; }
  constexpr std::uint32_t generation() const { return generation_; }
  constexpr bool is_null() const { return index_ == 0 && generation_ == 0; }

  friend constexpr bool operator==(Entity, Entity) = default;
  friend constexpr auto operator<=>(Entity a, Entity b) { return a.ToBits() <=> b.ToBits(); }

 private:
  std::uint32_t index_ = 0;
  std::uint32_t generation_ = 0;
};

static_assert(sizeof(Entity) == 8 && alignof(Entity) == 4);

inline constexpr std::uint32_t kGenerationFirst = 1;
inline constexpr std::uint32_t kGenerationLast = 0xFFFFFFFFu;

}  // namespace ashlar::inline v0

template <>
struct std::hash<ashlar::Entity> {
  std::size_t operator()(ashlar::Entity entity) const noexcept {
    return static_cast<std::size_t>(entity.ToBits() * 0x9E3779B97F4A7C15ull);
  }
};
