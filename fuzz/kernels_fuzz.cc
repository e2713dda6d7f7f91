// kernels_fuzz: bytes -> spans -> every twin that this machine has, held against the scalar one.
//
//   header (8 bytes)                                   then floats, as they are
//   +0  kernel (mod 6): movement, fused movement,      each span takes its share of them, in turn;
//       rows of particles, an axis of particles,       as many rows as there are floats for
//       ageing, field sum
//   +1  the first span's distance from a cache line in floats (mod 16); the later ones' differ
//   +2  stride of the field sum: 1 + (mod 32); bit 7: 1. Bits 5 and 6: the floats are taken 1, 3, 9
//       or 17 times, for spans as long as those of large chunks. No number by which spans share
//       them: those would all be the same
//   +3  bit 0: fewer rows than there are floats for: rows mod (1 + the other bits)
//   +4  bits of dt, little-endian
//
// Results are compared as bits. Every span lies between canaries, its end at the end of its memory,
// so that AddressSanitizer sees what is read beyond it.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ashlar/core/cpu.h"
#include "ashlar/kernels/field_sum.h"
#include "ashlar/kernels/movement.h"
#include "ashlar/kernels/movement_fused.h"
#include "ashlar/kernels/particles.h"

namespace ashlar::fuzz {
namespace {

constexpr std::size_t kHeaderBytes = 8;
constexpr std::size_t kLineFloats = 16;
constexpr std::array<std::size_t, 4> kTimesTaken = {1, 3, 9, 17};
constexpr std::uint32_t kCanary = 0xA5A5A5A5;

struct Case {
  std::uint8_t kernel = 0;
  std::size_t misaligned = 0;
  std::size_t stride = 1;
  std::size_t rows_cap = 0;  // 0: none.
  float dt = 0;
  std::vector<std::uint32_t> floats;
};

Case Decode(std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, kHeaderBytes> header{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), kHeaderBytes), header.begin());
  Case decoded;
  decoded.kernel = header[0] % 6;
  decoded.misaligned = header[1] % kLineFloats;
  decoded.stride = (header[2] & 0x80) != 0 ? 1 : 1 + header[2] % 32;
  decoded.rows_cap = (header[3] & 1) != 0 ? 1 + header[3] / 2 : 0;
  std::memcpy(&decoded.dt, &header[4], sizeof(float));
  if (bytes.size() <= kHeaderBytes) return decoded;
  const std::size_t count = (bytes.size() - kHeaderBytes) / sizeof(float);
  if (count == 0) return decoded;
  decoded.floats.resize(count * kTimesTaken[header[2] / 32 % kTimesTaken.size()]);
  for (std::size_t i = 0; i < decoded.floats.size(); i += count) {
    std::memcpy(&decoded.floats[i], &bytes[kHeaderBytes], count * sizeof(float));
  }
  return decoded;
}

// The floats of one span, in memory of their own that ends with them.
class Span {
 public:
  Span(std::span<const std::uint32_t> bits, std::size_t misaligned)
      : before_(kLineFloats + misaligned), count_(bits.size()) {
    const std::size_t bytes = (before_ + count_) * sizeof(float);
    // SAFETY: floats are made by the copies below; the memory is aligned for 16 of them.
    floats_.reset(static_cast<float*>(::operator new(bytes, std::align_val_t{64})));
    std::fill_n(floats_.get(), before_, std::bit_cast<float>(kCanary));
    if (count_ != 0) std::memcpy(data(), bits.data(), count_ * sizeof(float));
  }

  float* data() { return floats_.get() + before_; }
  std::vector<std::uint32_t> bits() {
    std::vector<std::uint32_t> bits(count_);
    if (count_ != 0) std::memcpy(bits.data(), data(), count_ * sizeof(float));
    return bits;
  }
  bool CanaryIntact() const {
    return std::all_of(floats_.get(), floats_.get() + before_, [](const float& value) {
      return std::bit_cast<std::uint32_t>(value) == kCanary;
    });
  }

 private:
  struct Free {
    void operator()(float* floats) const { ::operator delete(floats, std::align_val_t{64}); }
  };
  std::size_t before_;
  std::size_t count_;
  std::unique_ptr<float, Free> floats_;
};

// What a twin made of a case: every span's bits afterwards, and the number that it returned.
struct Result {
  std::vector<std::vector<std::uint32_t>> spans;
  std::uint64_t returned = 0;
};

[[noreturn]] void Fail(const char* kernel, SimdLevel level, const Case& c, std::size_t rows,
                       const std::string& what) {
  std::fprintf(stderr,
               "kernels_fuzz: %s, %s: %s\n  %zu rows, stride %zu, misaligned by %zu, dt %08x\n",
               kernel, std::string(SimdLevelName(level)).c_str(), what.c_str(), rows, c.stride,
               c.misaligned, std::bit_cast<std::uint32_t>(c.dt));
  std::abort();
}

std::string Difference(const Result& scalar, const Result& vector) {
  char text[128];
  for (std::size_t s = 0; s < scalar.spans.size(); ++s) {
    for (std::size_t i = 0; i < scalar.spans[s].size(); ++i) {
      if (scalar.spans[s][i] == vector.spans[s][i]) continue;
      std::snprintf(text, sizeof text, "float %zu of span %zu is %08x, and %08x by the scalar twin",
                    i, s, vector.spans[s][i], scalar.spans[s][i]);
      return text;
    }
  }
  if (scalar.returned == vector.returned) return "";
  std::snprintf(text, sizeof text, "returns %llx, and the scalar twin %llx",
                static_cast<unsigned long long>(vector.returned),
                static_cast<unsigned long long>(scalar.returned));
  return text;
}

bool IsOtherNan(std::uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000 && bits != 0x7fc00000;
}

// Cuts the floats into spans of so many floats a row, and runs every twin on copies of them: `run`
// gets a level, the spans and the number of rows. The first `written` spans are the results.
template <typename Run>
void CheckTwins(const char* kernel, const Case& c, std::span<const std::size_t> floats_per_row,
                std::size_t written, Run run) {
  std::size_t row_floats = 0;
  for (std::size_t floats : floats_per_row) row_floats += floats;
  std::size_t rows = c.floats.size() / row_floats;
  if (c.rows_cap != 0) rows %= c.rows_cap;

  Result scalar;
  for (SimdLevel level : kSimdLevels) {
    if (level > BestSimdLevel()) break;
    std::vector<Span> spans;
    std::span<const std::uint32_t> rest = c.floats;
    for (std::size_t floats : floats_per_row) {
      spans.emplace_back(rest.first(floats * rows), (c.misaligned * (1 + spans.size())) % 16);
      rest = rest.subspan(floats * rows);
    }
    Result result;
    result.returned = run(level, spans, rows);
    rest = c.floats;
    for (std::size_t s = 0; s < spans.size(); ++s) {
      if (!spans[s].CanaryIntact()) Fail(kernel, level, c, rows, "wrote before a span");
      result.spans.push_back(spans[s].bits());
      const std::vector<std::uint32_t>& bits = result.spans.back();
      if (s < written) {
        if (std::ranges::any_of(bits, IsOtherNan)) Fail(kernel, level, c, rows, "left another NaN");
      } else if (!std::ranges::equal(bits, rest.first(bits.size()))) {
        Fail(kernel, level, c, rows, "wrote to a span that it only reads");
      }
      rest = rest.subspan(bits.size());
    }
    if (level == SimdLevel::kScalar) {
      scalar = result;
    } else if (const std::string difference = Difference(scalar, result); !difference.empty()) {
      Fail(kernel, level, c, rows, difference);
    }
  }
}

using Spans = std::vector<Span>;

// The twins with hints and for pairs, also where they do not pay.
#if defined(__x86_64__)
template <typename Function>
Function VectorTwin(SimdLevel level, Function avx2, Function avx512) {
  if (level == SimdLevel::kScalar) return nullptr;
  return level == SimdLevel::kAvx512 ? avx512 : avx2;
}
kernels::MovementAheadFunction Ahead(SimdLevel level) {
  return VectorTwin(level, &kernels::MovementAheadAvx2, &kernels::MovementAheadAvx512);
}
kernels::MovementPairFunction Pair(SimdLevel level) {
  return VectorTwin(level, &kernels::MovementPairAvx2, &kernels::MovementPairAvx512);
}
#else
kernels::MovementAheadFunction Ahead(SimdLevel level) { return kernels::MovementAheadFor(level); }
kernels::MovementPairFunction Pair(SimdLevel level) { return kernels::MovementPairFor(level); }
#endif

void CheckMovementInPairs(const Case& c) {
  constexpr std::array<std::size_t, 4> kShape = {1, 1, 1, 1};
  CheckTwins("movement in pairs", c, kShape, 2,
             [&c](SimdLevel level, Spans& spans, std::size_t rows) {
               float* const first = spans[0].data();
               float* const second = spans[1].data();
               const float* const velocity_of_first = spans[2].data();
               const float* const velocity_of_second = spans[3].data();
               if (const auto pair = Pair(level); pair != nullptr) {
                 pair(first, velocity_of_first, second, velocity_of_second, rows, c.dt);
               } else {
                 kernels::MovementFor(level)(first, velocity_of_first, rows, c.dt);
                 kernels::MovementFor(level)(second, velocity_of_second, rows, c.dt);
               }
               return std::uint64_t{0};
             });
}

void CheckMovement(const Case& c) {
  constexpr std::array<std::size_t, 2> kShape = {1, 1};
  CheckTwins("movement", c, kShape, 1, [&c](SimdLevel level, Spans& spans, std::size_t rows) {
    kernels::MovementFor(level)(spans[0].data(), spans[1].data(), rows, c.dt);
    return std::uint64_t{0};
  });
  CheckTwins("movement with hints", c, kShape, 1,
             [&c](SimdLevel level, Spans& spans, std::size_t rows) {
               float* const position = spans[0].data();
               float* const velocity = spans[1].data();
               if (const auto ahead = Ahead(level); ahead != nullptr) {
                 ahead(position, velocity, rows, c.dt, velocity, nullptr);
               } else {
                 kernels::MovementFor(level)(position, velocity, rows, c.dt);
               }
               return std::uint64_t{0};
             });
  CheckMovementInPairs(c);
}

void CheckFused(const Case& c) {
  constexpr std::array<std::size_t, 2> kShape = {1, 1};
  CheckTwins("fused movement", c, kShape, 1, [&c](SimdLevel level, Spans& spans, std::size_t rows) {
    kernels::MovementFusedFor(level)(spans[0].data(), spans[1].data(), rows, c.dt);
    return std::uint64_t{0};
  });
}

void CheckIntegration(const Case& c, bool is_rows) {
  constexpr std::array<std::size_t, 4> kRowsShape = {3, 3, 3, 1};
  constexpr std::array<std::size_t, 4> kAxisShape = {1, 1, 1, 1};
  CheckTwins(
      is_rows ? "rows of particles" : "an axis of particles", c, is_rows ? kRowsShape : kAxisShape,
      2, [&](SimdLevel level, Spans& spans, std::size_t rows) {
        const auto integrate =
            is_rows ? kernels::IntegrateRowsFor(level) : kernels::IntegrateAxisFor(level);
        integrate(spans[0].data(), spans[1].data(), spans[2].data(), spans[3].data(), rows, c.dt);
        return std::uint64_t{0};
      });
}

void CheckAge(const Case& c) {
  constexpr std::array<std::size_t, 1> kShape = {1};
  CheckTwins("ageing", c, kShape, 1, [&c](SimdLevel level, Spans& spans, std::size_t rows) {
    return std::uint64_t{kernels::AgeFor(level)(spans[0].data(), rows, c.dt)};
  });
}

void CheckFieldSum(const Case& c) {
  constexpr std::array<std::size_t, 1> kShape = {1};
  CheckTwins("field sum", c, kShape, 0, [&c](SimdLevel level, Spans& spans, std::size_t floats) {
    const std::size_t rows = (floats + c.stride - 1) / c.stride;
    const float sum = kernels::FieldSumFor(level)(spans[0].data(), rows, c.stride);
    const auto bits = std::bit_cast<std::uint32_t>(sum);
    if (IsOtherNan(bits)) Fail("field sum", level, c, rows, "returns another NaN");
    return std::uint64_t{bits};
  });
}

void CheckCase(const Case& c) {
  switch (c.kernel) {
    case 0:
      return CheckMovement(c);
    case 1:
      return CheckFused(c);
    case 2:
      return CheckIntegration(c, true);
    case 3:
      return CheckIntegration(c, false);
    case 4:
      return CheckAge(c);
    default:
      return CheckFieldSum(c);
  }
}

}  // namespace
}  // namespace ashlar::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ashlar::fuzz::CheckCase(ashlar::fuzz::Decode({data, size}));
  return 0;
}
