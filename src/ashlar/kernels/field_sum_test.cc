// The twins of the field sum against each other and against an oracle that adds in doubles, one
// addition at a time, in the order that the header gives.
#include "ashlar/kernels/field_sum.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "ashlar/kernels/kernel_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::inline v0::kernels {
namespace {

constexpr std::uint32_t kOne = 0x3f800000, kInfinity = 0x7f800000;

std::uint32_t OracleOf(const Bits& values, std::size_t rows, std::size_t stride) {
  std::array<float, 16> lane{};
  for (std::size_t row = 0; row < rows; ++row) {
    lane[row % 16] = OracleSum(lane[row % 16], FloatOf(values[row * stride]));
  }
  const auto pair = [&lane](std::size_t l) { return OracleSum(lane[l], lane[l + 8]); };
  const auto four = [&pair](std::size_t l) { return OracleSum(pair(l), pair(l + 4)); };
  const auto eight = [&four](std::size_t l) { return OracleSum(four(l), four(l + 2)); };
  return OracleBits(OracleSum(eight(0), eight(1)));
}

// The bits of a sum. What lies between the rows is in `values` too.
std::uint32_t SumOf(FieldSumFunction sum, const Bits& values, std::size_t rows, std::size_t stride,
                    std::size_t misaligned = 0) {
  Arena arena(values, misaligned);
  const float result = sum(arena.data(), rows, stride);
  EXPECT_TRUE(arena.CanariesIntact() && arena.values() == values) << "wrote";
  return BitsOf(result);
}

std::size_t FloatsOf(std::size_t rows, std::size_t stride) {
  return rows == 0 ? 0 : (rows - 1) * stride + 1;
}

TEST(FieldSum, AddsKnownValues) {
  std::vector<float> values(301);
  std::iota(values.begin(), values.end(), 0.0f);
  for (const auto& twin : TwinsOf(&FieldSumFor)) {
    EXPECT_EQ(twin.run(values.data(), 101, 1), 5050.0f) << twin.name;
    EXPECT_EQ(twin.run(values.data(), 101, 3), 15150.0f) << twin.name;
    EXPECT_EQ(twin.run(values.data() + 7, 1, 1), 7.0f) << twin.name;
    EXPECT_EQ(BitsOf(twin.run(nullptr, 0, 1)), 0u) << twin.name;
    EXPECT_EQ(BitsOf(twin.run(nullptr, 0, 3)), 0u) << twin.name;
  }
}

// 2^24 + 1 is no float: who meets whom shows in the sum.
TEST(FieldSum, AddsInTheOrderOfItsLanes) {
  const std::uint32_t big = BitsOf(0x1p24f), minus_big = BitsOf(-0x1p24f);
  struct Case {
    std::vector<std::pair<std::size_t, std::uint32_t>> values;  // By row; the others are +0.
    std::uint32_t sum;
  };
  const Case cases[] = {
      // One lane: row 16 comes after row 0 and is lost, then row 32 takes the big one away.
      {{{0, big}, {16, kOne}, {32, minus_big}}, 0},
      // Another order in the lane, and nothing is lost.
      {{{0, big}, {16, minus_big}, {32, kOne}}, kOne},
      // Lanes 0 and 8 meet first, 4 comes later, then 2, then 1.
      {{{0, big}, {8, minus_big}, {4, kOne}}, kOne},
      {{{0, big}, {8, kOne}, {4, minus_big}}, 0},
      {{{0, big}, {4, minus_big}, {2, kOne}}, kOne},
      {{{0, big}, {4, kOne}, {2, minus_big}}, 0},
      {{{0, big}, {2, minus_big}, {1, kOne}}, kOne},
      {{{0, big}, {2, kOne}, {1, minus_big}}, 0},
      {{{3, big}, {11, kOne}, {7, minus_big}}, 0},
      {{{15, big}, {7, minus_big}, {47, kOne}}, 0},
  };
  for (const Case& c : cases) {
    for (std::size_t stride : {1, 2, 3, 5}) {
      Bits values(48 * stride);
      for (const auto& [row, bits] : c.values) values[row * stride] = bits;
      for (const auto& twin : TwinsOf(&FieldSumFor)) {
        EXPECT_EQ(SumOf(twin.run, values, 48, stride), c.sum)
            << twin.name << ", case " << &c - cases << ", stride " << stride;
      }
    }
  }
}

TEST(FieldSum, SpecialValues) {
  for (const auto& twin : TwinsOf(&FieldSumFor)) {
    for (std::size_t stride : {1, 3}) {
      for (std::size_t rows : {1, 5, 8, 9, 16, 21, 24, 33}) {
        const auto all = [&](std::uint32_t bits) {
          return SumOf(twin.run, Bits(FloatsOf(rows, stride), bits), rows, stride);
        };
        EXPECT_EQ(all(0x80000000), 0u) << "lanes begin as +0";
        EXPECT_EQ(all(1), rows) << "denormals add up";
        EXPECT_EQ(all(kInfinity), kInfinity);
        EXPECT_EQ(all(0xff800000), 0xff800000u);
        EXPECT_EQ(all(0xffc12345), kCanonicalNan);
        EXPECT_EQ(all(0x7f800001), kCanonicalNan);
      }
      Bits values(FloatsOf(16, stride), kOne);
      values[0] = kInfinity;
      values[8 * stride] = 0xff800000;
      EXPECT_EQ(SumOf(twin.run, values, 16, stride), kCanonicalNan) << "infinities that cancel";
    }
  }
}

TEST(FieldSum, FindsASingleNanAtEveryPlace) {
  for (const auto& twin : TwinsOf(&FieldSumFor)) {
    for (std::size_t rows = 1; rows <= 70; ++rows) {
      for (std::size_t at = 0; at < rows; ++at) {
        Bits values(rows, kOne);
        values[at] = 0xffc54321;
        ASSERT_EQ(SumOf(twin.run, values, rows, 1), kCanonicalNan) << twin.name << ", " << rows;
      }
    }
  }
}

TEST(FieldSum, AllLengthsStridesAndAlignmentsGiveTheSameBits) {
  Random random(30);
  for (std::size_t stride : {1, 2, 3, 4, 16, 17}) {
    for (std::size_t rows = 0; rows <= 83; ++rows) {
      for (std::size_t misaligned = 0; misaligned < 16; ++misaligned) {
        // With special values most sums are NaN; with these few are.
        Bits values = random.Ordinary(FloatsOf(rows, stride));
        if (misaligned % 4 == 0) values = random.Adversarial(values.size());
        const std::uint32_t expected = OracleOf(values, rows, stride);
        for (const auto& twin : TwinsOf(&FieldSumFor)) {
          ASSERT_EQ(SumOf(twin.run, values, rows, stride, misaligned), expected)
              << twin.name << ", " << rows << " rows, stride " << stride;
        }
      }
    }
  }
}

TEST(FieldSum, LongSpansGiveTheSameBits) {
  Random random(31);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rows = 2000 + random.Next() % 100;
    for (std::size_t stride : {1, 3}) {
      const Bits values = random.Ordinary(FloatsOf(rows, stride));
      const std::uint32_t expected = OracleOf(values, rows, stride);
      for (const auto& twin : TwinsOf(&FieldSumFor)) {
        ASSERT_EQ(SumOf(twin.run, values, rows, stride), expected) << twin.name;
      }
    }
  }
}

#if defined(__unix__)
TEST(FieldSum, ReadsNothingBeyondTheSpanOnEitherSide) {
  GuardedPage page;
  ASSERT_TRUE(page.usable());
  std::fill(page.begin(), page.end(), 1.0f);
  for (const auto& twin : TwinsOf(&FieldSumFor)) {
    for (std::size_t stride : {1, 2, 3, 7}) {
      for (std::size_t rows = 0; rows <= 100; ++rows) {
        ASSERT_EQ(twin.run(page.begin(), rows, stride), static_cast<float>(rows)) << twin.name;
        ASSERT_EQ(twin.run(page.end() - FloatsOf(rows, stride), rows, stride),
                  static_cast<float>(rows))
            << twin.name;
      }
    }
    // The rows are read alone, not what lies between them.
    const std::size_t stride = 3 * page.floats();
    EXPECT_EQ(twin.run(page.begin(), 1, stride), 1.0f) << twin.name;
  }
}

// The guards guard.
TEST(FieldSumDeathTest, AStepBeyondTheSpanIsNoticed) {
  GuardedPage page;
  ASSERT_TRUE(page.usable());
  for (const auto& twin : TwinsOf(&FieldSumFor)) {
    for (std::size_t rows : {1, 9, 17, 25, 40}) {
      EXPECT_DEATH(twin.run(page.end() - rows + 1, rows, 1), "") << twin.name;
    }
  }
}
#endif  // defined(__unix__)

TEST(FieldSumFor, GivesTheTwinOfEachLevel) {
  EXPECT_EQ(FieldSumFor(SimdLevel::kScalar), &FieldSumScalar);
#if defined(__x86_64__)
  if (BestSimdLevel() >= SimdLevel::kAvx2) {
    EXPECT_EQ(FieldSumFor(SimdLevel::kAvx2), &FieldSumAvx2);
  }
  if (BestSimdLevel() >= SimdLevel::kAvx512) {
    EXPECT_EQ(FieldSumFor(SimdLevel::kAvx512), &FieldSumAvx512);
  }
#endif
}

TEST(FieldSum, SumsOfSpansAreAddedInOrder) {
  const std::vector<float> sums = {1e8f, 1, -1e8f, 3};
  EXPECT_EQ(AddFieldSums(0, sums.data(), 4), 3);  // 1e8f + 1 is 1e8f.
  EXPECT_EQ(AddFieldSums(AddFieldSums(0, sums.data(), 2), sums.data() + 2, 2), 3);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(AddFieldSums(0, nullptr, 0)), 0u);
  const float payload = std::bit_cast<float>(0xffc12345u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(AddFieldSums(0, &payload, 1)), 0x7fc00000u);
}

}  // namespace
}  // namespace ashlar::inline v0::kernels
