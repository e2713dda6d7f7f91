// The kernels alone, over plain arrays: every level that this machine has.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ashlar/kernels/field_sum.h"
#include "ashlar/kernels/movement.h"
#include "ashlar/kernels/particles.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

void CountEntities(benchmark::State& state, std::size_t count) {
  const auto entities = static_cast<std::int64_t>(count) * state.iterations();
  state.SetItemsProcessed(entities);
  state.counters["ns/entity"] =
      benchmark::Counter(static_cast<double>(entities) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void Movement(benchmark::State& state, SimdLevel level, bool with_nan) {
  const auto count = static_cast<std::size_t>(state.range(0));
  PlainArrays arrays(count, false);
  for (std::size_t i = 0; i < count; ++i) arrays.Set(i, PositionOf(i), VelocityOf(i));
  const kernels::MovementFunction move = kernels::MovementFor(level);
  if (with_nan) arrays.position()[0] = std::numeric_limits<float>::quiet_NaN();
  for (auto unused : state) {
    move(arrays.position(), arrays.velocity(), 3 * count, kTimeStep);
    benchmark::ClobberMemory();
  }
  CountEntities(state, count);
}

// The kernels of particles.h and field_sum.h. The values are zeros, which stay what they are.
struct ParticleArrays {
  explicit ParticleArrays(std::size_t rows)
      : position(3 * rows), velocity(3 * rows), force(3 * rows), inverse_mass(rows), life(rows) {}

  std::vector<float> position, velocity, force, inverse_mass, life;
};

void IntegrateRows(benchmark::State& state, SimdLevel level) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  ParticleArrays a(rows);
  const kernels::IntegrateRowsFunction integrate = kernels::IntegrateRowsFor(level);
  for (auto unused : state) {
    integrate(a.position.data(), a.velocity.data(), a.force.data(), a.inverse_mass.data(), rows,
              kTimeStep);
    benchmark::ClobberMemory();
  }
  CountEntities(state, rows);
}

// All three axes, each by itself.
void IntegrateAxes(benchmark::State& state, SimdLevel level) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  ParticleArrays a(rows);
  const kernels::IntegrateAxisFunction integrate = kernels::IntegrateAxisFor(level);
  for (auto unused : state) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      integrate(a.position.data() + axis * rows, a.velocity.data() + axis * rows,
                a.force.data() + axis * rows, a.inverse_mass.data(), rows, kTimeStep);
    }
    benchmark::ClobberMemory();
  }
  CountEntities(state, rows);
}

void Age(benchmark::State& state, SimdLevel level) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  ParticleArrays a(rows);
  const kernels::AgeFunction age = kernels::AgeFor(level);
  for (auto unused : state) benchmark::DoNotOptimize(age(a.life.data(), rows, kTimeStep));
  CountEntities(state, rows);
}

void FieldSum(benchmark::State& state, SimdLevel level, std::size_t stride) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  ParticleArrays a(rows);
  const kernels::FieldSumFunction sum = kernels::FieldSumFor(level);
  for (auto unused : state) benchmark::DoNotOptimize(sum(a.position.data(), rows, stride));
  CountEntities(state, rows);
}

// 122 and 112 rows are full chunks of 4096 bytes; 16 is a chunk of a world in many pieces.
void RegisterMovement(SimdLevel level, bool with_nan) {
  const std::string name =
      "movement/" + std::string(SimdLevelName(level)) + (with_nan ? "/one_nan" : "");
  benchmark::RegisterBenchmark(name.c_str(), Movement, level, with_nan)
      ->Arg(1)
      ->Arg(2)
      ->Arg(16)
      ->Arg(112)
      ->Arg(122)
      ->Arg(1'024)
      ->Arg(16'384)
      ->Arg(131'072)
      ->Arg(1'000'000);
}

// 76 rows are a full chunk of particles.
template <typename Function>
void RegisterParticles(const char* kernel, SimdLevel level, Function function) {
  const std::string name = std::string(kernel) + "/" + std::string(SimdLevelName(level));
  benchmark::RegisterBenchmark(name.c_str(), function)
      ->Arg(1)
      ->Arg(16)
      ->Arg(76)
      ->Arg(1'024)
      ->Arg(16'384)
      ->Arg(131'072)
      ->Arg(1'000'000);
}

}  // namespace
}  // namespace ashlar::bench

int main(int argc, char** argv) {
  using namespace ashlar::bench;
  for (const ashlar::SimdLevel level : ashlar::kSimdLevels) {
    if (level > ashlar::BestSimdLevel()) continue;
    RegisterMovement(level, false);
    RegisterMovement(level, true);
    RegisterParticles("integrate_rows", level, [=](auto& state) { IntegrateRows(state, level); });
    RegisterParticles("integrate_axes", level, [=](auto& state) { IntegrateAxes(state, level); });
    RegisterParticles("age", level, [=](auto& state) { Age(state, level); });
    RegisterParticles("field_sum", level, [=](auto& state) { FieldSum(state, level, 1); });
    RegisterParticles("field_sum_of_3", level, [=](auto& state) { FieldSum(state, level, 3); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
