// For the tests of world, audit and systems: a world with the components of the contract's
// examples.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/world/world.h"

namespace ashlar {

struct Position {
  float x, y, z;
  friend bool operator==(const Position&, const Position&) = default;
};
struct Velocity {
  float x, y, z;
  friend bool operator==(const Velocity&, const Velocity&) = default;
};
struct Health {
  std::int32_t value;
};
struct Disabled {};

// Position, velocity, health and disabled are components 0 to 3: masks 1, 2, 4, 8.
class WorldFixture : public ::testing::Test {
 protected:
  WorldFixture() { Reset({}); }

  void Reset(const WorldOptions& options) {
    world_ = *World::Make(options);
    position_ = *world_->Register(Describe<Position>("position")
                                      .Field("x", &Position::x)
                                      .Field("y", &Position::y)
                                      .Field("z", &Position::z));
    velocity_ = *world_->Register(Describe<Velocity>("velocity")
                                      .Field("x", &Velocity::x)
                                      .Field("y", &Velocity::y)
                                      .Field("z", &Velocity::z));
    health_ = *world_->Register(Describe<Health>("health").Field("", &Health::value));
    disabled_ = *world_->Register(Describe<Disabled>("disabled"));
  }

  ComponentValue P(const Position& value) { return {position_, value}; }
  ComponentValue V(const Velocity& value) { return {velocity_, value}; }
  ComponentValue H(const Health& value) { return {health_, value}; }
  ComponentValue D() { return ComponentValue(disabled_.id()); }

  // The ids in iteration order.
  std::vector<Entity> Rows(QueryId query) {
    std::vector<Entity> rows;
    auto scope = world_->OpenScope(query);
    EXPECT_TRUE(scope.ok()) << scope.status();
    for (const ChunkView& view : *scope) {
      rows.insert(rows.end(), view.entities().begin(), view.entities().end());
    }
    return rows;
  }

  std::unique_ptr<World> world_;
  Component<Position> position_;
  Component<Velocity> velocity_;
  Component<Health> health_;
  Component<Disabled> disabled_;
};

// Expects `status` (an absl::Status or StatusOr) to be refused with this code and reason.
#define EXPECT_REFUSED(expression, expected_code, expected_reason)                          \
  do {                                                                                      \
    const absl::Status refused_ = ::ashlar::StatusOf(expression);                           \
    EXPECT_EQ(refused_.code(), absl::StatusCode::expected_code) << refused_;                \
    EXPECT_EQ(::ashlar::ReasonOf(refused_), ::ashlar::Reason::expected_reason) << refused_; \
    EXPECT_FALSE(refused_.message().empty());                                               \
  } while (false)

inline absl::Status StatusOf(const absl::Status& status) { return status; }
template <typename T>
absl::Status StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

}  // namespace ashlar
