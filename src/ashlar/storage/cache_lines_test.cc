#include "ashlar/storage/cache_lines.h"

#include <gtest/gtest.h>

#include <array>

namespace ashlar {
namespace {

constexpr std::array<std::uint32_t, 2> kHotColumns = {12, 12};

TEST(CacheLines, SixtyFourEntitiesOf64ByteRecords) {
  const CacheLineUse use = RecordLineUse(64, 64, 24);
  EXPECT_EQ(use.lines, 64u);
  EXPECT_EQ(use.bytes_touched, 4096u);
  EXPECT_EQ(use.bytes_useful, 1536u);
  EXPECT_DOUBLE_EQ(
      100.0 * static_cast<double>(use.bytes_useful) / static_cast<double>(use.bytes_touched), 37.5);
}

TEST(CacheLines, SixtyFourEntitiesInTwoColumns) {
  const std::array<std::uint32_t, 1> one_column = {12};
  EXPECT_EQ(ColumnLineUse(64, one_column).lines, 12u);
  const CacheLineUse use = ColumnLineUse(64, kHotColumns);
  EXPECT_EQ(use.lines, 12u + 12u);
  EXPECT_EQ(use.bytes_touched, 1536u);
  EXPECT_EQ(use.bytes_useful, 1536u);
}

TEST(CacheLines, OneEntityIsCheaperAsARecord) {
  EXPECT_EQ(RecordLineUse(1, 64, 24).lines, 1u);
  EXPECT_EQ(ColumnLineUse(1, kHotColumns).lines, 2u);
  EXPECT_EQ(ColumnLineUse(1, kHotColumns).bytes_touched, 128u);
}

TEST(CacheLines, SmallRecordsShareLines) {
  EXPECT_EQ(RecordLineUse(4, 16, 16).lines, 1u);
  EXPECT_EQ(RecordLineUse(5, 16, 16).lines, 2u);
  // 40-byte records: the second begins at 40 and its first 24 bytes end at 64.
  EXPECT_EQ(RecordLineUse(2, 40, 24).lines, 1u);
  EXPECT_EQ(RecordLineUse(2, 40, 25).lines, 2u);
}

TEST(CacheLines, Nothing) {
  EXPECT_EQ(RecordLineUse(0, 64, 24).lines, 0u);
  EXPECT_EQ(RecordLineUse(10, 64, 0).lines, 0u);
  EXPECT_EQ(ColumnLineUse(0, kHotColumns).lines, 0u);
}

}  // namespace
}  // namespace ashlar
