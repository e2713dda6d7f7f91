#include "ashlar/storage/cache_lines.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

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

TEST(CacheLines, HotBytesMayLieAnywhereInTheRecord) {
  // Two ranges of a 128-byte record, in its first and its second line.
  const std::array<RecordBytes, 2> both = {{{0, 4}, {100, 104}}};
  EXPECT_EQ(RecordLineUse(10, 128, both).lines, 20u);
  EXPECT_EQ(RecordLineUse(10, 128, both).bytes_useful, 80u);
  // The last four bytes of 40: at 36, 76, 116, 156, ...: lines 0, 1, 1, 2, 3.
  const std::array<RecordBytes, 1> last = {{{36, 40}}};
  EXPECT_EQ(RecordLineUse(5, 40, last).lines, 4u);
}

// Against a set of lines, record by record.
TEST(CacheLines, ManyRecordsAreSoManyTimesTheFirst) {
  for (std::uint64_t record : {1u, 12u, 24u, 40u, 64u, 72u, 100u, 129u}) {
    const std::array<RecordBytes, 2> hot = {{{0, record / 3}, {record / 2, record}}};
    std::set<std::uint64_t> lines;
    for (std::uint64_t count = 1; count <= 300; ++count) {
      for (const RecordBytes& bytes : hot) {
        for (std::uint64_t i = bytes.begin; i < bytes.end; ++i) {
          lines.insert(((count - 1) * record + i) / 64);
        }
      }
      ASSERT_EQ(RecordLineUse(count, record, hot).lines, lines.size()) << record << ' ' << count;
    }
  }
}

TEST(CacheLines, Nothing) {
  EXPECT_EQ(RecordLineUse(0, 64, 24).lines, 0u);
  EXPECT_EQ(RecordLineUse(10, 64, 0).lines, 0u);
  EXPECT_EQ(RecordLineUse(10, 0, 0).lines, 0u);
  EXPECT_EQ(ColumnLineUse(0, kHotColumns).lines, 0u);
}

}  // namespace
}  // namespace ashlar
