// Worlds and plain arrays for the storage benchmarks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/world/world.h"
#include "bench/components.h"

namespace ashlar::bench {

// Ends the program with a message when a call that cannot fail has failed.
void Require(const absl::Status& status);
template <typename T>
T Require(absl::StatusOr<T> value) {
  Require(value.status());
  return *std::move(value);
}

// A world with the components of components.h and the tag `disabled`.
struct WorldFixture {
  explicit WorldFixture(const WorldOptions& options = {});

  // Entity number i.
  Entity Create(std::size_t i) {
    return Require(world->Create(
        {ComponentValue(position, PositionOf(i)), ComponentValue(velocity, VelocityOf(i))}));
  }
  // Entities number 0 to count - 1.
  void Fill(std::size_t count);
  ComponentId RegisterTag(const std::string& name, bool enableable = false);

  std::unique_ptr<World> world;
  Component<Position> position;
  Component<Velocity> velocity;
  Component<Health> health;
  ComponentId disabled;
  std::vector<Entity> ids;
};

// Two arrays of three floats an entity, each 64-aligned; with huge pages where asked for.
class PlainArrays {
 public:
  PlainArrays(std::size_t count, bool huge_pages);
  ~PlainArrays();
  PlainArrays(const PlainArrays&) = delete;
  PlainArrays& operator=(const PlainArrays&) = delete;

  void Set(std::size_t i, const Position& p, const Velocity& v);
  std::size_t count() const { return count_; }
  float* position() { return position_; }
  const float* velocity() const { return velocity_; }

 private:
  float* Allocate(std::size_t bytes, bool huge_pages) const;

  std::size_t count_;
  std::size_t alignment_;
  float* position_;
  float* velocity_;
};

}  // namespace ashlar::bench
