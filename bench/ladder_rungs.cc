#include "bench/ladder_rungs.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <thread>

#include "ashlar/kernels/particles.h"
#include "bench/components.h"

namespace ashlar::bench {
namespace {

bool IsLiving(const Particle& p) { return p.life > 0; }

void StepOne(Particle& p, float dt) {
  for (int axis = 0; axis < 3; ++axis) {
    p.velocity[axis] += p.force[axis] * p.inverse_mass * dt;
    p.position[axis] += p.velocity[axis] * dt;
  }
  p.life -= dt;
}

// --- Objects, and a branch on whether they live ---

class ObjectArray : public Rung {
 public:
  explicit ObjectArray(std::span<const Particle> particles)
      : particles_(particles.begin(), particles.end()) {
    for (const Particle& p : particles_) {
      if (IsLiving(p)) living_.push_back(&p);
    }
  }
  void Step(float dt) override {
    for (Particle& p : particles_) {
      if (IsLiving(p)) StepOne(p, dt);
    }
  }
  Particle Living(std::size_t i) const override { return *living_[i]; }
  void Touch(TouchedLines* lines) const override {
    for (const Particle& p : particles_) {
      if (IsLiving(p)) {
        lines->Add(&p, sizeof p);
      } else {
        lines->Add(&p.life, sizeof p.life);
      }
    }
  }

 private:
  std::vector<Particle> particles_;
  std::vector<const Particle*> living_;
};

// Allocated one by one, and visited in random order.
class HeapObjects : public Rung {
 public:
  explicit HeapObjects(std::span<const Particle> particles) {
    for (const Particle& p : particles) {
      particles_.push_back(std::make_unique<Particle>(p));
      if (IsLiving(p)) living_.push_back(particles_.back().get());
    }
    Random(particles.size()).Shuffle(particles_);
  }
  void Step(float dt) override {
    for (const auto& p : particles_) {
      if (IsLiving(*p)) StepOne(*p, dt);
    }
  }
  Particle Living(std::size_t i) const override { return *living_[i]; }
  void Touch(TouchedLines* lines) const override {
    lines->Add(particles_.data(), particles_.size() * sizeof particles_[0]);
    for (const auto& p : particles_) {
      if (IsLiving(*p)) {
        lines->Add(p.get(), sizeof *p);
      } else {
        lines->Add(&p->life, sizeof p->life);
      }
    }
  }

 private:
  std::vector<std::unique_ptr<Particle>> particles_;
  std::vector<const Particle*> living_;
};

// --- An array for each field ---

class FieldArrays : public Rung {
 public:
  // `with_dead`: the dead ones stay among the living and are computed like them, for nothing.
  FieldArrays(std::span<const Particle> particles, bool with_dead) {
    for (const Particle& p : particles) {
      if (IsLiving(p)) living_.push_back(life_.size());
      if (IsLiving(p) || with_dead) Add(p);
    }
  }
  void Step(float dt) override {
    for (int axis = 0; axis < 3; ++axis) {
      StepAxis(position_[axis].data(), velocity_[axis].data(), force_[axis].data(), dt);
    }
    for (float& life : life_) life -= dt;
  }
  Particle Living(std::size_t i) const override {
    const std::size_t at = living_[i];
    Particle p{};
    for (int axis = 0; axis < 3; ++axis) {
      p.position[axis] = position_[axis][at];
      p.velocity[axis] = velocity_[axis][at];
      p.force[axis] = force_[axis][at];
    }
    p.inverse_mass = inverse_mass_[at];
    p.life = life_[at];
    return p;
  }
  void Touch(TouchedLines* lines) const override {
    const auto add = [lines](const std::vector<float>& field) {
      lines->Add(field.data(), field.size() * sizeof(float));
    };
    for (const auto& fields : {position_, velocity_, force_}) {
      for (const std::vector<float>& field : fields) add(field);
    }
    add(inverse_mass_);
    add(life_);
  }

 protected:
  using Axes = std::array<std::vector<float>, 3>;

  void Add(const Particle& p) {
    for (int axis = 0; axis < 3; ++axis) {
      position_[axis].push_back(p.position[axis]);
      velocity_[axis].push_back(p.velocity[axis]);
      force_[axis].push_back(p.force[axis]);
    }
    inverse_mass_.push_back(p.inverse_mass);
    life_.push_back(p.life);
  }
  // What a compiler makes of the plain loop.
  void StepAxis(float* __restrict position, float* __restrict velocity,
                const float* __restrict force, float dt) const {
    const float* __restrict const inverse_mass = inverse_mass_.data();
    for (std::size_t i = 0; i < life_.size(); ++i) {
      velocity[i] += force[i] * inverse_mass[i] * dt;
      position[i] += velocity[i] * dt;
    }
  }

  Axes position_, velocity_, force_;
  std::vector<float> inverse_mass_, life_;
  std::vector<std::size_t> living_;  // Where the living ones are.
};

// The same, without the dead, by the kernels of one level.
class FieldArraysByKernel : public FieldArrays {
 public:
  FieldArraysByKernel(std::span<const Particle> particles, SimdLevel level)
      : FieldArrays(particles, false),
        integrate_(kernels::IntegrateAxisFor(level)),
        age_(kernels::AgeFor(level)) {}
  void Step(float dt) override { StepRows(0, life_.size(), dt); }

 protected:
  void StepRows(std::size_t begin, std::size_t end, float dt) {
    for (int axis = 0; axis < 3; ++axis) {
      integrate_(position_[axis].data() + begin, velocity_[axis].data() + begin,
                 force_[axis].data() + begin, inverse_mass_.data() + begin, end - begin, dt);
    }
    dead_ += age_(life_.data() + begin, end - begin, dt);
  }

 private:
  kernels::IntegrateAxisFunction integrate_;
  kernels::AgeFunction age_;
  std::atomic<std::size_t> dead_{0};
};

// Two threads that stay: the caller, and one that waits for its half.
class FieldArraysByThreads : public FieldArraysByKernel {
 public:
  FieldArraysByThreads(std::span<const Particle> particles, SimdLevel level)
      : FieldArraysByKernel(particles, level), worker_([this] { Work(); }) {}
  ~FieldArraysByThreads() override {
    is_ending_ = true;
    together_.arrive_and_wait();
    worker_.join();
  }
  void Step(float dt) override {
    dt_ = dt;
    together_.arrive_and_wait();
    StepRows(0, Middle(), dt);
    together_.arrive_and_wait();
  }

 private:
  // On a line of its own, so that the two never write to the same one.
  std::size_t Middle() const { return life_.size() / 2 / 16 * 16; }
  void Work() {
    for (together_.arrive_and_wait(); !is_ending_; together_.arrive_and_wait()) {
      StepRows(Middle(), life_.size(), dt_);
      together_.arrive_and_wait();
    }
  }

  // What the caller writes before the barrier, the worker reads behind it.
  float dt_ = 0;
  bool is_ending_ = false;
  std::barrier<> together_{2};
  std::thread worker_;  // Last: it uses all of the above.
};

template <typename T, typename... Arguments>
RungMaker Maker(std::string name, Arguments... arguments) {
  return {std::move(name), [=](std::span<const Particle> particles) -> std::unique_ptr<Rung> {
            return std::make_unique<T>(particles, arguments...);
          }};
}

}  // namespace

std::vector<Particle> MakeParticles(std::size_t count) {
  Random random(count);
  std::vector<Particle> particles;
  for (std::size_t i = 0; i < count; ++i) {
    const Position p = PositionOf(i);
    const Velocity v = VelocityOf(i);
    const auto weight = static_cast<float>(i % 7 + 1);
    const float life = (random.Next() & 1) != 0 ? 100'000 : -1;
    particles.push_back({{p.x, p.y, p.z},
                         {v.x, v.y, v.z},
                         {weight, -0.25f * weight, 0.125f},
                         1 / (weight + 1),
                         life});
  }
  return particles;
}

std::size_t LivingOf(std::span<const Particle> particles) {
  return static_cast<std::size_t>(std::ranges::count_if(particles, IsLiving));
}

std::vector<RungMaker> LadderRungs() {
  std::vector<RungMaker> rungs = {Maker<ObjectArray>("objects"), Maker<HeapObjects>("heap_objects"),
                                  Maker<FieldArrays>("soa_with_dead", true),
                                  Maker<FieldArrays>("soa", false)};
  for (const SimdLevel level : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (level > BestSimdLevel()) continue;
    const std::string name = "soa_" + std::string(SimdLevelName(level));
    rungs.push_back(Maker<FieldArraysByKernel>(name, level));
    if (level != SimdLevel::kAvx2) continue;
    rungs.push_back(Maker<FieldArraysByThreads>(name + "_x2", level));
    rungs.back().is_threaded = true;
  }
  AddWorldRungs(&rungs);
  return rungs;
}

}  // namespace ashlar::bench
