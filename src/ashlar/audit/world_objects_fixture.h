// For the tests of components that are objects: types that notice what is done to them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "ashlar/audit/integrity.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {

// Counts its instances, knows where it lives, and throws when it is told to. `Padding` bytes and an
// alignment make it as large and as demanding as wanted.
template <std::size_t Alignment, std::size_t Padding>
struct alignas(Alignment) Watched {
  static inline int live = 0;
  static inline int constructions = 0;
  static inline int throw_at = 0;  // The n-th construction from now throws; 0: none.
  static inline int self_moves = 0;

  Watched() : Watched(0) {}
  explicit Watched(std::int32_t number) : value(number) { Begin(); }
  Watched(const Watched& other) : value(other.value) {
    EXPECT_TRUE(other.IsHere());
    Begin();
  }
  Watched(Watched&& other) noexcept : value(std::exchange(other.value, -1)) {
    self_moves += &other == this;
    EXPECT_TRUE(other.IsHere());
    ++live;
    here = this;
  }
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    EXPECT_TRUE(IsHere());
    here = nullptr;
    --live;
  }

  bool IsHere() const {
    return here == this && reinterpret_cast<std::uintptr_t>(this) % Alignment == 0;
  }

  const Watched* here = nullptr;
  std::int32_t value;
  std::array<std::byte, Padding> padding{};

 private:
  void Begin() {
    ++constructions;
    if (throw_at != 0 && --throw_at == 0) throw std::runtime_error("told to throw");
    ++live;
    here = this;
  }
};

using Plain = Watched<8, 1>;
using Wide = Watched<64, 1>;
// 4096 - 64 (header) - 64 (ids): one row a chunk.
using Huge = Watched<8, 4096 - 64 - 64 - 16>;
static_assert(sizeof(Huge) == 4096 - 64 - 64);

// An empty type that does something when it begins and ends.
struct Token {
  static inline int live = 0;
  Token() { ++live; }
  Token(const Token&) { ++live; }
  Token(Token&&) noexcept { ++live; }
  ~Token() { --live; }
};

struct Byte {
  static inline int live = 0;
  explicit Byte(std::uint8_t from) : value(from) { ++live; }
  Byte(const Byte& other) : value(other.value) { ++live; }
  Byte(Byte&& other) noexcept : value(other.value) { ++live; }
  ~Byte() { --live; }
  std::uint8_t value;
};
static_assert(sizeof(Byte) == 1 && !std::is_default_constructible_v<Byte>);

inline TypeSpec OneInteger() { return {{{"value", {ScalarType::kI32, 1}, {}}}}; }

template <typename T>
TypedDescriptor<T> DescribeWatched(std::string_view name) {
  return Describe<T>(name).Neutral(
      OneInteger(),
      [](const T& value, std::span<Scalar> out) noexcept { out[0] = Scalar::Int(value.value); },
      [](std::span<const Scalar> in) { return T(static_cast<std::int32_t>(in[0].bits)); });
}

class ObjectsTest : public WorldFixture {
 protected:
  ObjectsTest() {
    WorldOptions options;
    options.rows_per_chunk_max = 2;
    Reset(options);
    plain_ = *world_->Register(DescribeWatched<Plain>("plain"));
    wide_ = *world_->Register(DescribeWatched<Wide>("wide"));
    huge_ = *world_->Register(DescribeWatched<Huge>("huge"));
    name_ = *world_->Register(Describe<std::string>("name"));
    unique_ = *world_->Register(Describe<std::unique_ptr<int>>("unique"));
    token_ = *world_->Register(Describe<Token>("token"));
    byte_ = *world_->Register(Describe<Byte>("byte"));
    Plain::constructions = Plain::throw_at = 0;
  }

  ~ObjectsTest() override {
    world_.reset();
    EXPECT_EQ(Plain::live, 0);
    EXPECT_EQ(Wide::live, 0);
    EXPECT_EQ(Huge::live, 0);
    EXPECT_EQ(Token::live, 0);
    EXPECT_EQ(Byte::live, 0);
    EXPECT_EQ(Plain::self_moves + Wide::self_moves + Huge::self_moves, 0);
  }

  void CheckWorld() {
    const absl::Status status = CheckIntegrity(*world_);
    EXPECT_TRUE(status.ok()) << status;
  }

  std::int32_t ValueOf(Entity entity) { return (*world_->Get(entity, plain_))->value; }

  Component<Plain> plain_;
  Component<Wide> wide_;
  Component<Huge> huge_;
  Component<std::string> name_;
  Component<std::unique_ptr<int>> unique_;
  Component<Token> token_;
  Component<Byte> byte_;
};

}  // namespace ashlar
