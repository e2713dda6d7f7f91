// The ladder: one step of many particles, half of them dead, stored and computed in ever better
// ways. Each way is a rung.
//
//   velocity += (force * inverse_mass) * dt;  position += velocity * dt;  life -= dt
//
// (kernels/particles.h). Every rung gives the same bits for every living particle.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ashlar/core/cpu.h"
#include "bench/touched.h"

namespace ashlar::bench {

// As one would declare it. A particle lives while its life is above 0.
struct Particle {
  float position[3];
  float velocity[3];
  float force[3];
  float inverse_mass;
  float life;
};

// `count` particles, about half of them dead at random; the living ones live for longer than any
// measurement lasts.
std::vector<Particle> MakeParticles(std::size_t count);
std::size_t LivingOf(std::span<const Particle> particles);

class Rung {
 public:
  virtual ~Rung() = default;
  virtual void Step(float dt) = 0;
  // Living particle number i, in the order in which they were made.
  virtual Particle Living(std::size_t i) const = 0;
  // What one step uses.
  virtual void Touch(TouchedLines* lines) const = 0;
};

struct RungMaker {
  std::string name;
  std::function<std::unique_ptr<Rung>(std::span<const Particle> particles)> make;
  bool is_threaded = false;
};

// All rungs that this machine can stand on, the lowest first: those whose vector instructions it
// does not have are left out.
std::vector<RungMaker> LadderRungs();

// Those over a world.
void AddWorldRungs(std::vector<RungMaker>* rungs);

}  // namespace ashlar::bench
