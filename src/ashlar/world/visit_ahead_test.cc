#include "ashlar/world/visit_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class VisitAheadTest : public WorldFixture {
 protected:
  struct Step {
    bool is_asked;
    std::uint32_t chunk;
    friend bool operator==(const Step&, const Step&) = default;
  };

  // What is asked for and visited, in order, in a world with chunks of two rows.
  std::vector<Step> Steps(int rows, std::size_t views_ahead) {
    Reset({.rows_per_chunk_max = 2});
    for (int i = 0; i < rows; ++i) EXPECT_TRUE(world_->Create({H({i})}).ok());
    const QueryId query = *world_->MakeQuery(QuerySpec().Read(health_).Optional(position_));
    const IterationScope scope = *world_->OpenScope(query);
    std::vector<Step> steps;
    const auto step = [&](bool is_asked) {
      return [&steps, is_asked, this](const ChunkView& view) {
        if (is_asked) view.Prefetch(health_.id());
        steps.push_back({is_asked, static_cast<std::uint32_t>(view.Read(health_)[0].value / 2)});
      };
    };
    VisitAhead(scope, views_ahead, step(true), step(false));
    return steps;
  }
};

TEST_F(VisitAheadTest, AsksForEachViewThatIsSoFarAhead) {
  EXPECT_EQ(Steps(5, 1),
            (std::vector<Step>{{true, 1}, {false, 0}, {true, 2}, {false, 1}, {false, 2}}));
  EXPECT_EQ(Steps(5, 2), (std::vector<Step>{{true, 2}, {false, 0}, {false, 1}, {false, 2}}));
}

TEST_F(VisitAheadTest, AsksForNothingBehindTheEnd) {
  const std::vector<Step> all = {{false, 0}, {false, 1}, {false, 2}};
  EXPECT_EQ(Steps(5, 3), all);
  EXPECT_EQ(Steps(5, 1'000), all);
  EXPECT_EQ(Steps(5, 0), all);
  EXPECT_EQ(Steps(0, 4), std::vector<Step>());
}

// A hint is no access, whatever the column looks like.
TEST_F(VisitAheadTest, HintsLeaveNoTrace) {
  const auto split = *world_->Register(Describe<Velocity>("split")
                                           .Field("x", &Velocity::x)
                                           .Field("y", &Velocity::y)
                                           .Field("z", &Velocity::z)
                                           .Split());
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(world_->Create({P({}), D(), {split, Velocity{1, 2, 3}}}).ok());
  }
  const QueryId query =
      *world_->MakeQuery(QuerySpec().Write(position_).Write(split).Read(disabled_));
  const std::uint64_t since = world_->version();
  const IterationScope scope = *world_->OpenScope(query);
  for (const ChunkView& view : scope) {
    for (const ComponentId component : {position_.id(), split.id(), disabled_.id()}) {
      view.Prefetch(component);
      EXPECT_FALSE(view.Changed(component, since));
    }
  }
}

}  // namespace
}  // namespace ashlar
