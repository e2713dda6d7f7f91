// The vector twins of the kernels against the scalar ones, bit by bit.
#include <bit>
#include <cstdint>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/kernels/field_sum.h"
#include "ashlar/kernels/movement.h"
#include "ashlar/kernels/movement_fused.h"
#include "ashlar/kernels/particles.h"
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

std::vector<SimdLevel> Levels() {
  std::vector<SimdLevel> levels;
  for (const SimdLevel level : kSimdLevels) {
    if (level <= BestSimdLevel()) levels.push_back(level);
  }
  return levels;
}

// Spans of any floats, of so many each, one behind the other with some floats between them: what is
// beyond a span is compared too.
class AnySpans {
 public:
  explicit AnySpans(const std::vector<std::size_t>& counts) {
    for (const std::size_t count : counts) {
      begins_.push_back(floats_.size() + *rc::gen::inRange<std::size_t>(1, 17));
      for (std::size_t end = begins_.back() + count; floats_.size() < end + 16;) {
        floats_.push_back(1);
      }
      const auto bits = *rc::gen::container<std::vector<std::uint32_t>>(count, AnyFloatBits());
      for (std::size_t i = 0; i < count; ++i) {
        floats_[begins_.back() + i] = std::bit_cast<float>(bits[i]);
      }
    }
  }

  float* operator[](std::size_t span) { return floats_.data() + begins_[span]; }

  std::vector<std::uint32_t> bits() const {
    std::vector<std::uint32_t> bits;
    for (const float value : floats_) bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
  }

 private:
  std::vector<float> floats_;
  std::vector<std::size_t> begins_;
};

// Runs every twin on its own copy; all must leave the same bits, and return the same.
template <typename Run>
void TwinsAgree(const AnySpans& spans, Run run) {
  AnySpans scalar = spans;
  const std::uint64_t returned = run(SimdLevel::kScalar, scalar);
  for (const SimdLevel level : Levels()) {
    AnySpans vector = spans;
    RC_ASSERT(run(level, vector) == returned);
    RC_ASSERT(vector.bits() == scalar.bits());
  }
}

void OnlyTheOneNan(const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    if ((bits & 0x7fffffffu) > 0x7f800000u) RC_ASSERT(bits == 0x7fc00000u);
  }
}

TEST(SimdProperty, MovementTwinsGiveTheSameBits) {
  Holds("every twin of movement is the scalar one, for every length, and touches nothing else", [] {
    // Blocks of 16 lines begin at 256 floats, of 32 at 512; from 1,024 on spans are long ones.
    const auto blocks = *rc::gen::weightedElement<std::size_t>(
        {{9, 0}, {1, 256}, {1, 512}, {1, 896}, {1, 1024}, {1, 2048}});
    const auto count = blocks + *rc::gen::inRange<std::size_t>(0, 200);
    const auto dt = std::bit_cast<float>(*AnyFloatBits());
    const bool fused = *rc::gen::arbitrary<bool>();
    TwinsAgree(AnySpans({count, count}), [&](SimdLevel level, AnySpans& spans) {
      const auto move = fused ? kernels::MovementFusedFor(level) : kernels::MovementFor(level);
      move(spans[0], spans[1], count, dt);
      OnlyTheOneNan(spans[0], count);
      return 0;
    });
  });
}

TEST(SimdProperty, ParticleTwinsGiveTheSameBits) {
  Holds("every twin of the particle kernels is the scalar one", [] {
    const auto rows = *rc::gen::inRange<std::size_t>(0, 70);
    const auto dt = std::bit_cast<float>(*AnyFloatBits());
    const bool by_rows = *rc::gen::arbitrary<bool>();
    const std::size_t count = by_rows ? 3 * rows : rows;
    TwinsAgree(AnySpans({count, count, count, rows}), [&](SimdLevel level, AnySpans& spans) {
      const auto integrate =
          by_rows ? kernels::IntegrateRowsFor(level) : kernels::IntegrateAxisFor(level);
      integrate(spans[0], spans[1], spans[2], spans[3], rows, dt);
      OnlyTheOneNan(spans[0], count);
      OnlyTheOneNan(spans[1], count);
      return 0;
    });
    TwinsAgree(AnySpans({rows}), [&](SimdLevel level, AnySpans& spans) {
      const std::size_t dead = kernels::AgeFor(level)(spans[0], rows, dt);
      OnlyTheOneNan(spans[0], rows);
      return dead;
    });
  });
}

TEST(SimdProperty, FieldSumTwinsGiveTheSameBits) {
  Holds("every twin of the field sum is the scalar one, for every stride", [] {
    const auto rows = *rc::gen::inRange<std::size_t>(0, 100);
    const auto stride = *rc::gen::weightedElement<std::size_t>({{3, 1}, {1, 2}, {2, 3}, {1, 7}});
    TwinsAgree(AnySpans({rows * stride}), [&](SimdLevel level, AnySpans& spans) {
      const float sum = kernels::FieldSumFor(level)(spans[0], rows, stride);
      OnlyTheOneNan(&sum, 1);
      return std::bit_cast<std::uint32_t>(sum);
    });
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
  Holds("the digest after some steps does not depend on SIMD level or chunk size", [] {
    const auto bits = *rc::gen::container<std::vector<std::uint32_t>>(
        6 * *rc::gen::inRange<std::size_t>(0, 150), AnyFloatBits());
    const auto dt = std::bit_cast<float>(*AnyFloatBits());
    const auto rows = *rc::gen::element<std::uint32_t>(0, 1, 2, 4);
    std::vector<std::uint64_t> digests;
    for (const SimdLevel level : Levels()) {
      const std::size_t chunk_bytes = level == SimdLevel::kScalar ? 4096 : 16384;
      const auto world = MakeWorld(bits, rows, chunk_bytes);
      const auto system =
          MovementSystem::Make(*world, ComponentId(0), ComponentId(1), ComponentId(2), level);
      RC_ASSERT(system.ok());
      for (int step = 0; step < 3; ++step) RC_ASSERT(system->Step(*world, dt).ok());
      digests.push_back(Digest(*world));
    }
    for (const std::uint64_t digest : digests) RC_ASSERT(digest == digests[0]);
  });
}

}  // namespace
}  // namespace ashlar::props
