// The kernels alone, over two plain 64-aligned arrays: every level that this machine has.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ashlar/kernels/movement.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

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
  const auto entities = static_cast<std::int64_t>(count) * state.iterations();
  state.SetItemsProcessed(entities);
  state.counters["ns/entity"] =
      benchmark::Counter(static_cast<double>(entities) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
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

}  // namespace
}  // namespace ashlar::bench

int main(int argc, char** argv) {
  for (ashlar::SimdLevel level : ashlar::kSimdLevels) {
    if (level > ashlar::BestSimdLevel()) continue;
    ashlar::bench::RegisterMovement(level, false);
    ashlar::bench::RegisterMovement(level, true);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
