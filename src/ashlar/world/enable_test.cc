// Enable bits: components switched off and on, and what queries see of it.
#include <gtest/gtest.h>

#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

struct Shield {
  std::int32_t strength;
};
struct Stunned {};

class EnableTest : public WorldFixture {
 protected:
  EnableTest() { Restart({}); }

  void Restart(const WorldOptions& options) {
    Reset(options);
    shield_ = *world_->Register(
        Describe<Shield>("shield").Field("strength", &Shield::strength).Enableable());
    stunned_ = *world_->Register(Describe<Stunned>("stunned").Enableable());
  }

  // Entities with position and shield, numbered by their shields.
  void Fill(int count) {
    for (int i = 0; i < count; ++i) {
      rows_.push_back(*world_->Create({P({}), {shield_, Shield{i}}}));
    }
  }
  ComponentValue Tag(Component<Stunned> tag) { return ComponentValue(tag.id()); }
  bool IsOn(Entity entity, ComponentId component) { return *world_->IsEnabled(entity, component); }

  // First rows and lengths of the views.
  std::vector<std::pair<std::uint32_t, std::size_t>> Runs(QueryId query) {
    std::vector<std::pair<std::uint32_t, std::size_t>> runs;
    const auto scope = *world_->OpenScope(query);
    for (const ChunkView& view : scope) runs.emplace_back(view.first_row(), view.row_count());
    return runs;
  }
  using List = std::vector<Entity>;
  using RunList = std::vector<std::pair<std::uint32_t, std::size_t>>;

  Component<Shield> shield_;
  Component<Stunned> stunned_;
  std::vector<Entity> rows_;
};

TEST_F(EnableTest, ComponentsComeSwitchedOnAndKeepTheirValueWhenOff) {
  Fill(1);
  EXPECT_TRUE(IsOn(rows_[0], shield_.id()));
  ASSERT_TRUE(world_->SetEnabled(rows_[0], shield_, false).ok());
  EXPECT_FALSE(IsOn(rows_[0], shield_.id()));
  EXPECT_TRUE(*world_->Has(rows_[0], shield_.id()));
  EXPECT_EQ((*world_->Get(rows_[0], shield_))->strength, 0);
  ASSERT_TRUE(world_->SetEnabled(rows_[0], shield_, true).ok());
  EXPECT_TRUE(IsOn(rows_[0], shield_.id()));
}

TEST_F(EnableTest, RefusesWhatCannotBeSwitched) {
  Fill(1);
  const Entity other = *world_->Create({P({})});
  const ComponentId unknown(99);
  EXPECT_REFUSED(world_->SetEnabled(Entity(), shield_, false), kNotFound, kEntityNotAlive);
  EXPECT_REFUSED(world_->SetEnabled(rows_[0], unknown, false), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(world_->SetEnabled(rows_[0], position_, false), kInvalidArgument,
                 kComponentNotEnableable);
  EXPECT_REFUSED(world_->SetEnabled(other, health_, false), kInvalidArgument,
                 kComponentNotEnableable);
  EXPECT_REFUSED(world_->SetEnabled(other, shield_, false), kNotFound, kComponentAbsent);
  EXPECT_REFUSED(world_->IsEnabled(Entity(), shield_.id()), kNotFound, kEntityNotAlive);
  EXPECT_REFUSED(world_->IsEnabled(rows_[0], position_.id()), kInvalidArgument,
                 kComponentNotEnableable);
  EXPECT_REFUSED(world_->IsEnabled(other, shield_.id()), kNotFound, kComponentAbsent);
}

TEST_F(EnableTest, MovesAndHolesKeepTheBits) {
  WorldOptions options;
  options.rows_per_chunk_max = 2;
  Restart(options);
  Fill(5);
  ASSERT_TRUE(world_->SetEnabled(rows_[1], shield_, false).ok());
  ASSERT_TRUE(world_->SetEnabled(rows_[4], shield_, false).ok());
  // The fifth fills the hole of the first, in another chunk.
  ASSERT_TRUE(world_->Destroy(rows_[0]).ok());
  EXPECT_EQ(*world_->Locate(rows_[4]),
            (Location{world_->Locate(rows_[1])->archetype, ChunkIndex(0), RowIndex(0)}));
  EXPECT_FALSE(IsOn(rows_[4], shield_.id()));
  // To another archetype and back; what comes new is on.
  ASSERT_TRUE(world_->Add(rows_[1], {Tag(stunned_), H({7})}).ok());
  EXPECT_FALSE(IsOn(rows_[1], shield_.id()));
  EXPECT_TRUE(IsOn(rows_[1], stunned_.id()));
  ASSERT_TRUE(world_->SetEnabled(rows_[1], stunned_, false).ok());
  ASSERT_TRUE(world_->Remove(rows_[1], {health_.id()}).ok());
  EXPECT_FALSE(IsOn(rows_[1], shield_.id()));
  EXPECT_FALSE(IsOn(rows_[1], stunned_.id()));
  // Taken off and put on again it is on.
  ASSERT_TRUE(world_->Remove(rows_[1], {shield_.id()}).ok());
  ASSERT_TRUE(world_->Add(rows_[1], {{shield_, Shield{1}}}).ok());
  EXPECT_TRUE(IsOn(rows_[1], shield_.id()));
  EXPECT_TRUE(IsOn(rows_[2], shield_.id()));
  EXPECT_TRUE(IsOn(rows_[3], shield_.id()));
}

TEST_F(EnableTest, WritesOfValuesDoNotSwitch) {
  Fill(1);
  ASSERT_TRUE(world_->SetEnabled(rows_[0], shield_, false).ok());
  ASSERT_TRUE(world_->Set(rows_[0], {{shield_, Shield{5}}}).ok());
  ASSERT_TRUE(world_->Put(rows_[0], {{shield_, Shield{6}}, H({1})}).ok());
  ASSERT_TRUE(world_->Exchange(rows_[0], {shield_.id()}, {{shield_, Shield{7}}}).ok());
  EXPECT_FALSE(IsOn(rows_[0], shield_.id()));
  EXPECT_EQ((*world_->Get(rows_[0], shield_))->strength, 7);
}

TEST_F(EnableTest, TermsSeeEnabledRowsUnlessAsked) {
  Fill(3);
  ASSERT_TRUE(world_->SetEnabled(rows_[1], shield_, false).ok());
  const Entity bare = *world_->Create({P({})});
  const auto make = [&](const QuerySpec& spec) { return *world_->MakeQuery(spec); };
  const QueryId all = make(QuerySpec().Read(shield_));
  const QueryId all_with = make(QuerySpec().Read(shield_).WithDisabled());
  const QueryId none = make(QuerySpec().Read(position_).None(shield_));
  const QueryId none_with = make(QuerySpec().Read(position_).None(shield_).WithDisabled());
  const QueryId optional = make(QuerySpec().Read(position_).Optional(shield_));
  const QueryId any = make(QuerySpec().Any(shield_).Any(stunned_));
  const QueryId any_plain = make(QuerySpec().Any(shield_).Any(position_));
  EXPECT_EQ(Rows(all), (List{rows_[0], rows_[2]}));
  EXPECT_EQ(Rows(all_with), (List{rows_[0], rows_[1], rows_[2]}));
  EXPECT_EQ(Rows(none), (List{rows_[1], bare}));
  EXPECT_EQ(Rows(none_with), List{bare});
  EXPECT_EQ(Rows(optional), (List{rows_[0], rows_[1], rows_[2], bare}));
  EXPECT_EQ(Rows(any), (List{rows_[0], rows_[2]}));
  EXPECT_EQ(Rows(any_plain), (List{rows_[0], rows_[1], rows_[2], bare}));
  for (QueryId query : {all, all_with, none, none_with, optional, any, any_plain}) {
    EXPECT_EQ(*world_->CountRows(query), Rows(query).size());
  }
  // A second any-term saves a row whose first is off.
  ASSERT_TRUE(world_->Add(rows_[1], {Tag(stunned_)}).ok());
  EXPECT_EQ(Rows(any), (List{rows_[0], rows_[2], rows_[1]}));
  ASSERT_TRUE(world_->SetEnabled(rows_[1], stunned_, false).ok());
  EXPECT_EQ(Rows(any), (List{rows_[0], rows_[2]}));
}

TEST_F(EnableTest, ViewsAreRunsOfRows) {
  Fill(85);  // More than one word of bits, in one chunk of 170.
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(shield_));
  EXPECT_EQ(Runs(query), (RunList{{0, 85}}));
  for (int off : {0, 10, 11, 63, 64, 84}) {
    ASSERT_TRUE(world_->SetEnabled(rows_[off], shield_, false).ok());
  }
  EXPECT_EQ(Runs(query), (RunList{{1, 9}, {12, 51}, {65, 19}}));
  EXPECT_EQ(*world_->CountRows(query), 79u);
  const auto scope = *world_->OpenScope(query);
  for (const ChunkView& view : scope) {
    const auto shields = view.Read(shield_);
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      EXPECT_EQ(shields[row].strength, static_cast<int>(view.first_row() + row));
      EXPECT_EQ(view.entities()[row], rows_[view.first_row() + row]);
    }
  }
}

// The masks say of each chunk what the runs say, in the scope and in its ranges.
TEST_F(EnableTest, MasksHaveTheRowsOfTheRuns) {
  for (const std::uint32_t rows_max : {0u, 1u, 3u, 64u, 65u}) {
    SCOPED_TRACE(rows_max);
    WorldOptions options;
    options.rows_per_chunk_max = rows_max;
    rows_.clear();
    Restart(options);
    Fill(500);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const bool is_on = i < 200 ? i * 7 % 3 != 0 : i < 300;  // Here and there; all; none.
      ASSERT_TRUE(world_->SetEnabled(rows_[i], shield_, is_on).ok());
    }
    const QueryId query = *world_->MakeQuery(QuerySpec().Read(shield_));
    List by_runs;
    List by_masks;
    const auto visit = [&by_masks](const ChunkView& view, const RowMask& mask) {
      EXPECT_EQ(view.first_row(), 0u);
      EXPECT_EQ(view.row_count(), mask.row_count());
      EXPECT_NE(mask.wanted_count(), 0u);
      std::size_t wanted = 0;
      for (std::size_t row = 0; row < mask.word_count() * RowMask::kWordRows; ++row) {
        if ((mask.word(row / 64) >> row % 64 & 1) == 0) continue;
        ASSERT_LT(row, view.row_count());
        by_masks.push_back(view.entities()[row]);
        ++wanted;
      }
      EXPECT_EQ(wanted, mask.wanted_count());
    };
    const IterationScope scope = *world_->OpenScope(query);
    for (const ChunkView& view : scope) {
      by_runs.insert(by_runs.end(), view.entities().begin(), view.entities().end());
    }
    scope.VisitMasked(visit);
    EXPECT_EQ(by_masks, by_runs);
    by_masks.clear();
    const ScopePartition ranges = scope.Partition(5);
    for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i].VisitMasked(visit);
    EXPECT_EQ(by_masks, by_runs);
  }
}

TEST_F(EnableTest, ChunksWithoutAnEnabledRowAreLeftOut) {
  WorldOptions options;
  options.rows_per_chunk_max = 2;
  Restart(options);
  Fill(6);
  ASSERT_TRUE(world_->SetEnabled(rows_[2], shield_, false).ok());
  ASSERT_TRUE(world_->SetEnabled(rows_[3], shield_, false).ok());
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(shield_));
  EXPECT_EQ(Runs(query), (RunList{{0, 2}, {0, 2}}));
  EXPECT_EQ(Rows(query), (List{rows_[0], rows_[1], rows_[4], rows_[5]}));
  for (Entity entity : rows_) ASSERT_TRUE(world_->SetEnabled(entity, shield_, false).ok());
  EXPECT_EQ(Runs(query), RunList());
  EXPECT_EQ(*world_->CountRows(query), 0u);
}

TEST_F(EnableTest, SwitchingIsLegalInsideAScopeAndMovesNothing) {
  Fill(4);
  const QueryId query = *world_->MakeQuery(QuerySpec().Write(shield_));
  const Location before = *world_->Locate(rows_[2]);
  std::vector<Entity> visited;
  {
    const auto scope = *world_->OpenScope(query);
    for (const ChunkView& view : scope) {
      visited.insert(visited.end(), view.entities().begin(), view.entities().end());
      view.SetEnabled(shield_.id(), 1, false);
      ASSERT_TRUE(world_->SetEnabled(rows_[3], shield_, false).ok());
      EXPECT_EQ(view.row_count(), 4u) << "a view keeps its rows";
      EXPECT_FALSE(view.IsEnabled(shield_.id(), 1));
    }
  }
  EXPECT_EQ(visited, rows_);
  EXPECT_EQ(Rows(query), (List{rows_[0], rows_[2]}));
  EXPECT_EQ(*world_->Locate(rows_[2]), before);
}

TEST_F(EnableTest, AChangeOfABitIsAWriteAndANoOpIsNone) {
  Fill(2);
  const QueryId query = *world_->MakeQuery(QuerySpec().Read(shield_).WithDisabled());
  const auto changed = [&](ComponentId component, std::uint64_t since) {
    const auto scope = *world_->OpenScope(query);
    bool found = false;
    for (const ChunkView& view : scope) found |= view.Changed(component, since);
    return found;
  };
  std::uint64_t since = world_->version();
  ASSERT_TRUE(world_->SetEnabled(rows_[0], shield_, true).ok());
  EXPECT_EQ(world_->version(), since);
  EXPECT_FALSE(changed(shield_.id(), since));
  ASSERT_TRUE(world_->SetEnabled(rows_[0], shield_, false).ok());
  EXPECT_EQ(world_->version(), since + 1);
  EXPECT_TRUE(changed(shield_.id(), since));
  EXPECT_FALSE(changed(position_.id(), since));
  since = world_->version();
  ASSERT_TRUE(world_->SetEnabled(rows_[0], shield_, false).ok());
  EXPECT_EQ(world_->version(), since);
  // A tag has no values, and its bits have a version all the same.
  ASSERT_TRUE(world_->Add(rows_[0], {Tag(stunned_)}).ok());
  since = world_->version();
  ASSERT_TRUE(world_->SetEnabled(rows_[0], stunned_, false).ok());
  EXPECT_TRUE(changed(stunned_.id(), since));
  EXPECT_FALSE(changed(shield_.id(), since));
}

TEST_F(EnableTest, TheTermThatIsAskedForDisabledOnesIsTheLast) {
  EXPECT_DEATH(QuerySpec().WithDisabled(), "");
}

}  // namespace
}  // namespace ashlar
