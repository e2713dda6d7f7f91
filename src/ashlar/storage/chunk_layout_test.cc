#include "ashlar/storage/chunk_layout.h"

#include <gtest/gtest.h>

#include <array>

#include "ashlar/core/status.h"

namespace ashlar {
namespace {

constexpr std::array<std::uint32_t, 2> kPositionVelocity = {12, 12};
constexpr std::array<std::uint32_t, 3> kWithHealth = {12, 12, 4};

ChunkLayout Layout(std::span<const std::uint32_t> sizes, std::size_t chunk = 4096,
                   std::uint32_t rows_max = 0) {
  auto layout = ChunkLayout::Compute(sizes, chunk, rows_max);
  EXPECT_TRUE(layout.ok()) << layout.status();
  return *std::move(layout);
}

TEST(ChunkLayout, PositionVelocity) {
  const ChunkLayout layout = Layout(kPositionVelocity);
  EXPECT_EQ(layout.capacity(), 122u);
  EXPECT_EQ(layout.entities(), (ColumnExtent{64, 1040, 8}));
  ASSERT_EQ(layout.columns().size(), 2u);
  EXPECT_EQ(layout.columns()[0], (ColumnExtent{1088, 2552, 12}));
  EXPECT_EQ(layout.columns()[1], (ColumnExtent{2560, 4024, 12}));
  // Rows 1 and 2 of position.
  EXPECT_EQ(layout.columns()[0].begin_bytes + 1 * layout.columns()[0].stride_bytes, 1088u + 12u);
  EXPECT_EQ(layout.columns()[0].begin_bytes + 2 * layout.columns()[0].stride_bytes, 1088u + 24u);
}

// With 123 rows: entities [64,1048), position [1088,2564), velocity [2624,4100), four bytes beyond.
TEST(ChunkLayout, OneRowMoreWouldEndAt4100) {
  const std::uint32_t velocity_begin = (1088 + 123 * 12 + 63) / 64 * 64;
  EXPECT_EQ(velocity_begin + 123 * 12, 4100u);
}

TEST(ChunkLayout, WithHealthTheChunkIsExactlyFull) {
  const ChunkLayout layout = Layout(kWithHealth);
  EXPECT_EQ(layout.capacity(), 112u);
  EXPECT_EQ(layout.entities(), (ColumnExtent{64, 960, 8}));
  ASSERT_EQ(layout.columns().size(), 3u);
  EXPECT_EQ(layout.columns()[0], (ColumnExtent{960, 2304, 12}));
  EXPECT_EQ(layout.columns()[1], (ColumnExtent{2304, 3648, 12}));
  EXPECT_EQ(layout.columns()[2], (ColumnExtent{3648, 4096, 4}));
  int gaps = 0;
  layout.ForEachGap([&](std::uint32_t begin, std::uint32_t end) {
    EXPECT_EQ(begin, 0u);
    EXPECT_EQ(end, 64u);
    ++gaps;
  });
  EXPECT_EQ(gaps, 1) << "the header is the only byte range without rows";
}

TEST(ChunkLayout, NoColumnsHoldIdsAlone) {
  EXPECT_EQ(Layout({}).capacity(), 504u);
  EXPECT_EQ(Layout({}, 65536).capacity(), (65536u - 64u) / 8u);
}

TEST(ChunkLayout, CappedRowsHaveTheOffsetsOfSoManyRows) {
  const ChunkLayout layout = Layout(kPositionVelocity, 4096, 2);
  EXPECT_EQ(layout.capacity(), 2u);
  EXPECT_EQ(layout.entities(), (ColumnExtent{64, 80, 8}));
  EXPECT_EQ(layout.columns()[0], (ColumnExtent{128, 152, 12}));
  EXPECT_EQ(layout.columns()[1], (ColumnExtent{192, 216, 12}));
  EXPECT_EQ(Layout(kPositionVelocity, 4096, 1000).capacity(), 122u) << "a cap never adds rows";
}

TEST(ChunkLayout, GapsAreWhatNoColumnCovers) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> gaps;
  Layout(kPositionVelocity).ForEachGap([&](std::uint32_t begin, std::uint32_t end) {
    gaps.emplace_back(begin, end);
  });
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> expected = {
      {0, 64}, {1040, 1088}, {2552, 2560}, {4024, 4096}};
  EXPECT_EQ(gaps, expected);
}

TEST(ChunkLayout, ARowThatFillsTheChunkFits) {
  // 64 header, 64 for one id, the rest one value.
  const std::array<std::uint32_t, 1> most = {4096 - 128};
  EXPECT_EQ(Layout(most).capacity(), 1u);
  const std::array<std::uint32_t, 1> more = {4096 - 127};
  const auto refused = ChunkLayout::Compute(more, 4096);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonOf(refused.status()), Reason::kRowTooLarge);
}

TEST(ChunkLayout, RefusesSizesOutOfRange) {
  for (std::size_t chunk : {std::size_t{0}, std::size_t{64}, std::size_t{2048}, std::size_t{4097},
                            std::size_t{6144}, std::size_t{131072}, SIZE_MAX}) {
    const auto refused = ChunkLayout::Compute(kPositionVelocity, chunk);
    ASSERT_FALSE(refused.ok()) << chunk;
    EXPECT_EQ(ReasonOf(refused.status()), Reason::kOptionInvalid);
  }
  for (std::uint32_t size : {0u, 65537u, 0xFFFFFFFFu}) {
    const std::array<std::uint32_t, 1> sizes = {size};
    const auto refused = ChunkLayout::Compute(sizes, 4096);
    ASSERT_FALSE(refused.ok()) << size;
    EXPECT_EQ(ReasonOf(refused.status()), Reason::kOptionInvalid);
  }
}

TEST(ChunkLayout, EveryChunkSize) {
  const std::array<std::uint32_t, 5> capacities = {122, 250, 506, 1018, 2042};
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    const std::size_t bytes = std::size_t{4096} << i;
    const ChunkLayout layout = Layout(kPositionVelocity, bytes);
    EXPECT_LE(layout.columns()[1].end_bytes, bytes);
    EXPECT_GE(layout.capacity(), capacities[i]) << bytes;
  }
}

}  // namespace
}  // namespace ashlar
