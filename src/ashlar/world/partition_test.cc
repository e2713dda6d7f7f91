// Scopes cut into ranges: where the borders are, and that nothing is lost or visited twice.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>
#include <tuple>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

using Views = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::size_t>>;

// Archetype, chunk, first row and rows of a view.
Views::value_type FactsOf(const ChunkView& view) {
  return {view.archetype().value(), view.chunk().value(), view.first_row(), view.row_count()};
}

template <typename Chunks>
Views ViewsOf(const Chunks& chunks) {
  Views views;
  for (const ChunkView& view : chunks) views.push_back(FactsOf(view));
  return views;
}

Views ViewsOf(const ScopePartition& partition) {
  Views views;
  for (std::size_t range = 0; range < partition.size(); ++range) {
    const Views more = ViewsOf(partition[range]);
    views.insert(views.end(), more.begin(), more.end());
  }
  return views;
}

std::vector<std::size_t> ChunkCounts(const ScopePartition& partition) {
  std::vector<std::size_t> counts;
  for (std::size_t range = 0; range < partition.size(); ++range) {
    counts.push_back(partition[range].chunk_count());
  }
  return counts;
}

class PartitionTest : public WorldFixture {
 protected:
  // Two rows a chunk: chunks of 2 2 1 rows, then none, then 1, then 2 2.
  void SetUp() override {
    Reset({.rows_per_chunk_max = 2});
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(world_->Create({P({0, 0, 0})}).ok());
    const Entity gone = *world_->Create({P({0, 0, 0}), D()});
    EXPECT_TRUE(world_->Destroy(gone).ok());
    EXPECT_TRUE(world_->Create({P({0, 0, 0}), V({0, 0, 0})}).ok());
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(world_->Create({P({0, 0, 0}), H({1})}).ok());
    query_ = *world_->MakeQuery(QuerySpec().Write(position_));
  }

  QueryId query_;
};

TEST_F(PartitionTest, BordersAreArithmetic) {
  const auto scope = *world_->OpenScope(query_);
  using Counts = std::vector<std::size_t>;
  EXPECT_EQ(ChunkCounts(scope.Partition(0)), (Counts{6}));
  EXPECT_EQ(ChunkCounts(scope.Partition(1)), (Counts{6}));
  EXPECT_EQ(ChunkCounts(scope.Partition(2)), (Counts{3, 3}));
  EXPECT_EQ(ChunkCounts(scope.Partition(4)), (Counts{1, 2, 1, 2}));
  EXPECT_EQ(ChunkCounts(scope.Partition(5)), (Counts{1, 1, 1, 1, 2}));
  EXPECT_EQ(ChunkCounts(scope.Partition(6)), (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(ChunkCounts(scope.Partition(1000)), (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(scope.Partition(4).chunk_count(), 6u);
}

TEST_F(PartitionTest, RangesGiveTheViewsOfTheScopeInItsOrder) {
  const auto scope = *world_->OpenScope(query_);
  const Views views = ViewsOf(scope);
  EXPECT_EQ(views.size(), 6u);
  for (const std::size_t max : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
    EXPECT_EQ(ViewsOf(scope.Partition(max)), views) << max;
  }
}

TEST_F(PartitionTest, AChunkIsInOneRangeAndStartsALine) {
  const auto scope = *world_->OpenScope(query_);
  const ScopePartition partition = scope.Partition(4);
  std::set<std::uintptr_t> lines;
  std::size_t line_count = 0;
  for (std::size_t range = 0; range < partition.size(); ++range) {
    for (const ChunkView& view : partition[range]) {
      // Ids are the first column, behind a header of a line.
      const auto first = reinterpret_cast<std::uintptr_t>(view.entities().data()) - 64;
      EXPECT_EQ(first % 64, 0u);
      for (std::uintptr_t line = first; line < first + 4096; line += 64) lines.insert(line);
      line_count += 64;
    }
  }
  EXPECT_EQ(line_count, 6u * 64u);
  EXPECT_EQ(lines.size(), line_count);
}

TEST_F(PartitionTest, AWorldWithoutMatchesHasNoRange) {
  const QueryId none = *world_->MakeQuery(QuerySpec().Read(velocity_).Read(health_));
  const auto scope = *world_->OpenScope(none);
  EXPECT_EQ(scope.Partition(8).size(), 0u);
  EXPECT_EQ(scope.Partition(8).chunk_count(), 0u);
}

TEST_F(PartitionTest, AMovedFromScopeHasNoRange) {
  auto scope = *world_->OpenScope(query_);
  const IterationScope other = std::move(scope);
  EXPECT_EQ(scope.Partition(8).size(), 0u);
  EXPECT_EQ(other.Partition(8).size(), 6u);
}

TEST_F(PartitionTest, AtMost256) {
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(world_->Create({P({0, 0, 0})}).ok());
  const auto scope = *world_->OpenScope(query_);
  EXPECT_EQ(scope.Partition(1'000'000).size(), 256u);
  EXPECT_EQ(ViewsOf(scope.Partition(1'000'000)), ViewsOf(scope));
}

TEST_F(PartitionTest, WritesBearTheVersionOfTheScope) {
  const std::uint64_t since = world_->version();
  {
    const auto scope = *world_->OpenScope(query_);
    const ScopePartition partition = scope.Partition(3);
    for (const ChunkView& view : partition[1]) view.Write(position_);
  }
  EXPECT_EQ(world_->version(), since + 1);
  const auto scope = *world_->OpenScope(*world_->MakeQuery(QuerySpec().Read(position_)));
  std::vector<bool> changed;
  for (const ChunkView& view : scope) changed.push_back(view.Changed(position_.id(), since));
  EXPECT_EQ(changed, (std::vector<bool>{false, false, true, true, false, false}));
}

// The chunks of all runs as views would give them.
template <typename Chunks>
Views RunsOf(const Chunks& chunks) {
  Views views;
  chunks.VisitRuns([&](const ChunkRun& run) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      const auto chunk = run.first_chunk().value() + static_cast<std::uint32_t>(i);
      views.emplace_back(run.archetype().value(), chunk, 0, run.row_count(i));
    }
  });
  return views;
}

TEST_F(PartitionTest, RunsAreTheChunksInTheirOrder) {
  const auto scope = *world_->OpenScope(query_);
  EXPECT_EQ(RunsOf(scope), ViewsOf(scope));
  std::vector<std::size_t> sizes;
  scope.VisitRuns([&](const ChunkRun& run) { sizes.push_back(run.size()); });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 1, 2}));  // One for each archetype with a row.
  for (const std::size_t max : {1u, 2u, 3u, 4u, 6u}) {
    const ScopePartition partition = scope.Partition(max);
    for (std::size_t range = 0; range < partition.size(); ++range) {
      EXPECT_EQ(RunsOf(partition[range]), ViewsOf(partition[range])) << range << " of " << max;
    }
  }
}

// The runs, each as its first chunk and how many there are, in the order in which they are visited.
struct ChunkRunFacts {
  std::uint32_t archetype, first_chunk;
  std::size_t size;
  bool operator==(const ChunkRunFacts&) const = default;
};
template <typename Chunks>
std::vector<ChunkRunFacts> VisitedRunsOf(const Chunks& chunks, RunOrder order) {
  std::vector<ChunkRunFacts> runs;
  const auto visit = [&](const ChunkRun& run) {
    runs.push_back({run.archetype().value(), run.first_chunk().value(), run.size()});
  };
  chunks.VisitRuns(visit, order);
  return runs;
}
template <typename Chunks>
std::vector<ChunkRunFacts> BackwardRunsOf(const Chunks& chunks) {
  return VisitedRunsOf(chunks, RunOrder::kBackwards);
}
// What BackwardRunsOf is to give.
template <typename Chunks>
std::vector<ChunkRunFacts> ReversedRunsOf(const Chunks& chunks) {
  std::vector<ChunkRunFacts> runs = VisitedRunsOf(chunks, RunOrder::kForwards);
  std::ranges::reverse(runs);
  return runs;
}

TEST_F(PartitionTest, BackwardsTheSameRunsComeFromTheLastToTheFirst) {
  {
    const auto scope = *world_->OpenScope(query_);
    std::vector<std::size_t> sizes;
    for (const ChunkRunFacts& run : BackwardRunsOf(scope)) sizes.push_back(run.size);
    EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1, 3}));
    EXPECT_EQ(BackwardRunsOf(scope), ReversedRunsOf(scope));
    for (const std::size_t max : {1u, 2u, 3u, 4u, 6u}) {
      const ScopePartition partition = scope.Partition(max);
      for (std::size_t range = 0; range < partition.size(); ++range) {
        EXPECT_EQ(BackwardRunsOf(partition[range]), ReversedRunsOf(partition[range]))
            << range << " of " << max;
      }
    }
  }
  auto closed = *world_->OpenScope(query_);
  closed.Close();
  EXPECT_EQ(BackwardRunsOf(closed), std::vector<ChunkRunFacts>{});
}

TEST_F(PartitionTest, ARunGivesTheAddressesOfItsViews) {
  const auto scope = *world_->OpenScope(query_);
  std::vector<const std::byte*> by_view, by_run;
  for (const ChunkView& view : scope) by_view.push_back(view.ReadBytes(position_.id()));
  scope.VisitRuns([&](const ChunkRun& run) {
    EXPECT_TRUE(run.Has(position_.id()));
    const auto read = run.ReadBytes(position_.id());
    const auto written = run.WriteBytes(position_.id());
    for (std::size_t i = 0; i < run.size(); ++i) {
      by_run.push_back(read[i]);
      EXPECT_EQ(written[i], read[i]);
    }
  });
  EXPECT_EQ(by_run, by_view);
}

TEST_F(PartitionTest, AWriteOfARunChangesItsChunksAndNoOther) {
  for (const RunOrder order : {RunOrder::kForwards, RunOrder::kBackwards}) {
    const std::uint64_t since = world_->version();
    {
      const auto scope = *world_->OpenScope(query_);
      const ScopePartition partition = scope.Partition(4);  // Chunks 0 | 1 2 | 3 | 4 5.
      const auto read = [&](const ChunkRun& run) { (void)run.ReadBytes(position_.id()); };
      const auto write = [&](const ChunkRun& run) { (void)run.WriteBytes(position_.id()); };
      partition[0].VisitRuns(read, order);
      partition[1].VisitRuns(write, order);
      partition[2].VisitRuns(read, order);
    }
    const auto scope = *world_->OpenScope(*world_->MakeQuery(QuerySpec().Read(position_)));
    std::vector<bool> changed;
    for (const ChunkView& view : scope) changed.push_back(view.Changed(position_.id(), since));
    EXPECT_EQ(changed, (std::vector<bool>{false, true, true, false, false, false}));
  }
}

TEST_F(PartitionTest, AVisitorOfRunsNeedsNoCopy) {
  const auto scope = *world_->OpenScope(query_);
  const ScopePartition partition = scope.Partition(1);
  std::size_t chunks = 0;
  for (const RunOrder order : {RunOrder::kForwards, RunOrder::kBackwards}) {
    scope.VisitRuns([&chunks, one = std::make_unique<std::size_t>(1)](
                        const ChunkRun& run) { chunks += *one * run.size(); },
                    order);
    partition[0].VisitRuns([&chunks, one = std::make_unique<std::size_t>(1)](
                               const ChunkRun& run) { chunks += *one * run.size(); },
                           order);
  }
  EXPECT_EQ(chunks, 4 * 6u);
}

TEST_F(PartitionTest, RunsOfAScopeAreWrittenInItsVersionInEitherOrder) {
  for (const RunOrder order : {RunOrder::kForwards, RunOrder::kBackwards}) {
    const std::uint64_t since = world_->version();
    {
      const auto scope = *world_->OpenScope(query_);
      scope.VisitRuns([&](const ChunkRun& run) { (void)run.WriteBytes(position_.id()); }, order);
    }
    EXPECT_EQ(world_->version(), since + 1);
    const auto scope = *world_->OpenScope(query_);
    for (const ChunkView& view : scope) {
      EXPECT_TRUE(view.Changed(position_.id(), since))
          << "archetype " << view.archetype().value() << ", chunk " << view.chunk().value()
          << (order == RunOrder::kForwards ? ", forwards" : ", backwards");
    }
  }
}

TEST_F(PartitionTest, AClosedScopeHasNoRun) {
  auto scope = *world_->OpenScope(query_);
  scope.Close();
  EXPECT_EQ(RunsOf(scope), Views{});
}

TEST_F(PartitionTest, ARunIsNotWrittenThroughAQueryThatReads) {
  const auto scope = *world_->OpenScope(*world_->MakeQuery(QuerySpec().Read(position_)));
  EXPECT_DEATH(scope.VisitRuns([&](const ChunkRun& run) { (void)run.WriteBytes(position_.id()); }),
               "");
}

TEST_F(PartitionTest, ARunHasNoColumnForATagOrAnAbsentComponent) {
  ASSERT_TRUE(world_->Create({P({0, 0, 0}), D()}).ok());
  const QueryId tagged = *world_->MakeQuery(QuerySpec().Write(position_).Read(disabled_.id()));
  const auto scope = *world_->OpenScope(tagged);
  const auto read = [&](ComponentId component) {
    scope.VisitRuns([&](const ChunkRun& run) { (void)run.ReadBytes(component); });
  };
  read(position_.id());
  EXPECT_DEATH(read(disabled_.id()), "");
  EXPECT_DEATH(read(velocity_.id()), "");
  EXPECT_DEATH(read(ComponentId(4000)), "");
  scope.VisitRuns([&](const ChunkRun& run) {
    EXPECT_TRUE(run.Has(disabled_.id()));
    EXPECT_FALSE(run.Has(velocity_.id()) || run.Has(ComponentId(4000)));
  });
}

struct Cover {};

// Twelve rows, four a chunk, with a shield that can be off: it is in rows 1, 4 to 7, 8 and 11.
class PartitionOfBitsTest : public WorldFixture {
 protected:
  void SetUp() override {
    Reset({.rows_per_chunk_max = 4});
    shield_ = *world_->Register(Describe<Cover>("shield").Enableable());
    for (int i = 0; i < 12; ++i) {
      const float x = static_cast<float>(i);
      rows_.push_back(*world_->Create({P({x, 0, 0}), ComponentValue(shield_.id())}));
    }
    for (const int off : {1, 4, 5, 6, 7, 8, 11}) {
      EXPECT_TRUE(world_->SetEnabled(rows_[off], shield_, false).ok());
    }
    query_ = *world_->MakeQuery(QuerySpec().Write(position_).Write(shield_));
  }

  Component<Cover> shield_;
  std::vector<Entity> rows_;
  QueryId query_;
};

TEST_F(PartitionOfBitsTest, AChunkGivesAllItsRunsToOneRange) {
  const auto scope = *world_->OpenScope(query_);
  const ScopePartition partition = scope.Partition(3);
  ASSERT_EQ(partition.size(), 3u);
  const std::uint32_t archetype = (*scope.begin()).archetype().value();
  EXPECT_EQ(ViewsOf(partition[0]), (Views{{archetype, 0, 0, 1}, {archetype, 0, 2, 2}}));
  EXPECT_EQ(ViewsOf(partition[1]), (Views{}));
  EXPECT_EQ(ViewsOf(partition[2]), (Views{{archetype, 2, 1, 2}}));
  for (const std::size_t max : {1u, 2u, 3u}) {
    EXPECT_EQ(ViewsOf(scope.Partition(max)), ViewsOf(scope)) << max;
  }
}

TEST_F(PartitionOfBitsTest, RunsDoNotLookAtBits) {
  const auto scope = *world_->OpenScope(query_);
  std::size_t rows = 0;
  scope.VisitRuns([&](const ChunkRun& run) {
    for (std::size_t i = 0; i < run.size(); ++i) rows += run.row_count(i);
  });
  EXPECT_EQ(rows, 12u);
}

// Each thread switches bits of its own chunks while the other looks for runs in its own.
TEST_F(PartitionOfBitsTest, RangesMaySwitchBitsAtTheSameTime) {
  constexpr int kRows = 400;
  for (int i = 12; i < kRows; ++i) {
    rows_.push_back(*world_->Create({P({0, 0, 0}), ComponentValue(shield_.id())}));
  }
  {
    const auto scope = *world_->OpenScope(query_);
    const ScopePartition partition = scope.Partition(2);
    ASSERT_EQ(partition.size(), 2u);
    const auto switch_odd_rows = [&](std::size_t range) {
      for (const ChunkView& view : partition[range]) {
        for (std::size_t row = 0; row < view.row_count(); ++row) {
          view.Write(position_)[row].y += 1;
          if ((view.first_row() + row) % 2 != 0) view.SetEnabled(shield_.id(), row, false);
        }
      }
    };
    std::thread first(switch_odd_rows, 0);
    std::thread second(switch_odd_rows, 1);
    first.join();
    second.join();
  }
  // Of the first twelve rows 0, 2, 3, 9 and 10 had a shield; 3 and 9 lost it.
  EXPECT_EQ(*world_->CountRows(query_), 3u + (kRows - 12) / 2u);
  EXPECT_EQ((*world_->Get(rows_[1], position_))->y, 0);
  EXPECT_EQ((*world_->Get(rows_[3], position_))->y, 1);
  EXPECT_EQ((*world_->Get(rows_[399], position_))->y, 1);
}

}  // namespace
}  // namespace ashlar
