#include "ashlar/systems/sum_field.h"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ashlar/kernels/field_sum.h"
#include "ashlar/systems/parallel_fixture.h"
#include "ashlar/world/world_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::inline v0 {
namespace {

using testing::HasSubstr;

class SumFieldTest : public WorldFixture {
 protected:
  void SetUp() override { query_ = *world_->MakeQuery(QuerySpec().Read(position_)); }

  void Restart(const WorldOptions& options) {
    Reset(options);
    SetUp();
  }
  void Fill(const std::vector<float>& values) {
    for (const float x : values) ASSERT_TRUE(world_->Create({P({0, x, -x})}).ok());
  }
  float Sum(std::size_t threads, std::size_t scalar = 1,
            std::optional<SimdLevel> level = std::nullopt) {
    const auto scope = *world_->OpenScope(query_);
    const auto executor = MakeExecutor(threads);
    return *SumField(*executor, *world_, scope, position_.id(), scalar, level);
  }
  absl::Status Error(ComponentId component, std::size_t scalar) {
    const auto scope = *world_->OpenScope(query_);
    SerialExecutor executor;
    return SumField(executor, *world_, scope, component, scalar).status();
  }

  QueryId query_;
};

TEST_F(SumFieldTest, NoRowsArePlusZero) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(Sum(4)), 0u);
  Fill({-0.0f});
  EXPECT_EQ(std::bit_cast<std::uint32_t>(Sum(4)), 0u);
}

// Lanes 0 and 2 meet before lane 1 comes, so nothing is lost.
TEST_F(SumFieldTest, RowsOfOneSpanMeetByLane) {
  Fill({1e8f, 1, -1e8f});
  for (const std::size_t threads : kThreadCounts) {
    EXPECT_EQ(Sum(threads), 1) << threads;
    EXPECT_EQ(Sum(threads, 2), -1) << threads;
    EXPECT_EQ(Sum(threads, 0), 0) << threads;
  }
}

// A span a row: in order, and 1e8f + 1 is 1e8f.
TEST_F(SumFieldTest, SpansAreAddedInOrder) {
  Restart({.rows_per_chunk_max = 1});
  Fill({1e8f, 1, -1e8f});
  for (const std::size_t threads : kThreadCounts) EXPECT_EQ(Sum(threads), 0) << threads;
  Fill({1});
  for (const std::size_t threads : kThreadCounts) EXPECT_EQ(Sum(threads), 1) << threads;
}

TEST_F(SumFieldTest, SameBitsForAnyThreadsAndLevels) {
  for (const std::uint32_t rows : {1u, 2u, 4u, 0u}) {
    Restart({.rows_per_chunk_max = rows});
    TestRandom random(rows);
    std::vector<float> values;
    for (int i = 0; i < 3000; ++i) {
      values.push_back((static_cast<float>(random.Below(1u << 24)) - (1 << 23)) *
                       (i % 5 == 0 ? 1e-6f : 1.0f));
    }
    Fill(values);
    // By the definition, view by view.
    float expected = 0;
    {
      const auto scope = *world_->OpenScope(query_);
      for (const ChunkView& view : scope) {
        expected =
            expected + kernels::FieldSumScalar(&view.Read(position_)[0].y, view.row_count(), 3);
      }
    }
    for (const std::size_t threads : kThreadCounts) {
      for (const SimdLevel level : kSimdLevels) {
        if (level > BestSimdLevel()) continue;
        EXPECT_EQ(std::bit_cast<std::uint32_t>(Sum(threads, 1, level)),
                  std::bit_cast<std::uint32_t>(expected))
            << threads << " threads, " << SimdLevelName(level) << ", rows " << rows;
      }
    }
  }
}

TEST_F(SumFieldTest, EveryNanIsTheOne) {
  Restart({.rows_per_chunk_max = 1});
  Fill({1, std::bit_cast<float>(0xffc12345u), 2});
  EXPECT_EQ(std::bit_cast<std::uint32_t>(Sum(2)), 0x7fc00000u);
  const float infinity = std::numeric_limits<float>::infinity();
  Restart({.rows_per_chunk_max = 1});
  Fill({infinity, 1, -infinity});
  EXPECT_EQ(std::bit_cast<std::uint32_t>(Sum(2)), 0x7fc00000u);
}

TEST_F(SumFieldTest, SplitComponentsAndThoseThatAreNotEverywhere) {
  const auto split = *world_->Register(Describe<Velocity>("fields")
                                           .Field("x", &Velocity::x)
                                           .Field("y", &Velocity::y)
                                           .Field("z", &Velocity::z)
                                           .Split());
  Fill({1, 2, 3});
  for (int i = 0; i < 4; ++i) {
    const float y = static_cast<float>(i);
    ASSERT_TRUE(world_->Create({P({}), ComponentValue(split, Velocity{1, y, -1})}).ok());
  }
  const auto scope = *world_->OpenScope(query_);
  const auto executor = MakeExecutor(2);
  EXPECT_EQ(*SumField(*executor, *world_, scope, split.id(), 0), 4);
  EXPECT_EQ(*SumField(*executor, *world_, scope, split.id(), 1), 6);
  EXPECT_EQ(*SumField(*executor, *world_, scope, split.id(), 2), -4);
}

TEST_F(SumFieldTest, RefusesWhatIsNoFloat) {
  EXPECT_REFUSED(Error(ComponentId(77), 0), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(Error(position_.id(), 3), kInvalidArgument, kFieldUnknown);
  EXPECT_REFUSED(Error(disabled_.id(), 0), kInvalidArgument, kFieldUnknown);
  EXPECT_REFUSED(Error(health_.id(), 0), kInvalidArgument, kComponentTypeMismatch);
  EXPECT_THAT(std::string(Error(health_.id(), 0).message()),
              HasSubstr("sum: scalar 0 of 'health', which is i32, is no f32"));
}

}  // namespace
}  // namespace ashlar::inline v0
