// The vector twins of the kernels against the scalar ones, bit by bit.
#include <bit>
#include <cstdint>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/kernels/movement.h"
#include "ashlar/systems/movement.h"
#include "props/property.h"

namespace ashlar::props {
namespace {

// Bit patterns as they hurt: NaNs with payloads, signalling ones, infinities, zeros of both signs,
// denormals, the largest finite numbers, and anything at all.
rc::Gen<std::uint32_t> AnyFloatBits() {
  return rc::gen::weightedOneOf<std::uint32_t>(
      {{2, rc::gen::arbitrary<std::uint32_t>()},
       {2, rc::gen::element<std::uint32_t>(0x7fc00000, 0x7fc00001, 0xffc12345, 0x7f800001,
                                           0xff800001, 0x7f800000, 0xff800000)},
       {2, rc::gen::element<std::uint32_t>(0x00000000, 0x80000000, 0x00000001, 0x80000001,
                                           0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff)},
       {3, rc::gen::map(rc::gen::inRange(-1000, 1000), [](int value) {
          return std::bit_cast<std::uint32_t>(static_cast<float>(value) / 8.0f);
        })}});
}

bool HasAvx2() { return BestSimdLevel() >= SimdLevel::kAvx2; }

TEST(SimdProperty, MovementTwinsGiveTheSameBits) {
  if (!HasAvx2()) GTEST_SKIP() << "this machine has no AVX2";
  Holds("scalar movement = AVX2 movement for every length, and nothing else is touched", [] {
    const auto count = *rc::gen::inRange<std::size_t>(0, 200);
    const auto offset = *rc::gen::inRange<std::size_t>(0, 8);
    const auto dt = std::bit_cast<float>(*AnyFloatBits());
    const auto bits =
        *rc::gen::container<std::vector<std::uint32_t>>(2 * count + 16, AnyFloatBits());
    std::vector<float> scalar(count + 16);
    std::vector<float> velocity(count + 16);
    for (std::size_t i = 0; i < count; ++i) {
      scalar[offset + i] = std::bit_cast<float>(bits[2 * i]);
      velocity[offset + i] = std::bit_cast<float>(bits[2 * i + 1]);
    }
    std::vector<float> vector = scalar;
    kernels::MovementScalar(scalar.data() + offset, velocity.data() + offset, count, dt);
    kernels::MovementFor(SimdLevel::kAvx2)(vector.data() + offset, velocity.data() + offset, count,
                                           dt);
    for (std::size_t i = 0; i < scalar.size(); ++i) {
      RC_ASSERT(std::bit_cast<std::uint32_t>(scalar[i]) == std::bit_cast<std::uint32_t>(vector[i]));
      const std::uint32_t result = std::bit_cast<std::uint32_t>(scalar[i]);
      if ((result & 0x7fffffffu) > 0x7f800000u) RC_ASSERT(result == 0x7fc00000u);
    }
  });
}

// A world of `count` entities, a third of them disabled, with these values.
std::unique_ptr<World> MakeWorld(const std::vector<std::uint32_t>& bits, std::uint32_t rows,
                                 std::size_t chunk_bytes) {
  auto world = *World::Make({.chunk_size_bytes = chunk_bytes, .rows_per_chunk_max = rows});
  for (auto [name, text] : {std::pair<const char*, const char*>{"position", "f32[3]"},
                            {"velocity", "f32[3]"},
                            {"disabled", "tag"},
                            {"health", "i32"}}) {
    TypeSpec spec;
    RC_ASSERT(!ParseType(text, &spec).has_value());
    RC_ASSERT(world->Register(*ComponentDescriptor::FromSpec(name, spec)).ok());
  }
  for (std::size_t i = 0; i + 6 <= bits.size(); i += 6) {
    std::vector<ComponentValue> values = {ComponentValue(ComponentId(0), &bits[i]),
                                          ComponentValue(ComponentId(1), &bits[i + 3])};
    if (i % 18 == 0) values.emplace_back(ComponentId(2));
    if (i % 12 == 0) values.emplace_back(ComponentId(3));
    RC_ASSERT(world->Create(values).ok());
  }
  return world;
}

TEST(SimdProperty, AWorldMovesAlikeAtEveryLevelAndChunkSize) {
  if (!HasAvx2()) GTEST_SKIP() << "this machine has no AVX2";
  Holds("the digest after some steps does not depend on SIMD level or chunk size", [] {
    const auto bits = *rc::gen::container<std::vector<std::uint32_t>>(
        6 * *rc::gen::inRange<std::size_t>(0, 150), AnyFloatBits());
    const auto dt = std::bit_cast<float>(*AnyFloatBits());
    const auto rows = *rc::gen::element<std::uint32_t>(0, 1, 2, 4);
    std::vector<std::uint64_t> digests;
    for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2}) {
      const std::size_t chunk_bytes = level == SimdLevel::kScalar ? 4096 : 16384;
      const auto world = MakeWorld(bits, rows, chunk_bytes);
      const auto system =
          MovementSystem::Make(*world, ComponentId(0), ComponentId(1), ComponentId(2), level);
      RC_ASSERT(system.ok());
      for (int step = 0; step < 3; ++step) RC_ASSERT(system->Step(*world, dt).ok());
      digests.push_back(Digest(*world));
    }
    RC_ASSERT(digests[0] == digests[1]);
  });
}

}  // namespace
}  // namespace ashlar::props
