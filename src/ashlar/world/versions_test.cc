// Change versions: what was written, and where rows came, since a version of the world.
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class VersionsTest : public WorldFixture {
 protected:
  void SetUp() override {
    WorldFixture::SetUp();
    WorldOptions options;
    options.rows_per_chunk_max = 2;
    Reset(options);
    read_ = *world_->MakeQuery(QuerySpec().Read(position_).Optional(velocity_));
    write_ = *world_->MakeQuery(QuerySpec().Write(position_).Optional(velocity_));
    for (float i = 0; i < 6; ++i) rows_.push_back(*world_->Create({P({i, i, i}), V({1, 1, 1})}));
    since_ = world_->version();
  }

  // The chunks of the query in which the component was changed since, by their place in the visit.
  std::set<int> Changed(ComponentId component) { return Chunks(component, false); }
  std::set<int> Added(ComponentId component) { return Chunks(component, true); }
  std::set<int> Chunks(ComponentId component, bool added) {
    const auto scope = *world_->OpenScope(read_);
    std::set<int> found;
    int place = 0;
    for (const ChunkView& view : scope) {
      const bool is = added ? view.Added(component, since_) : view.Changed(component, since_);
      if (is) found.insert(place);
      ++place;
    }
    return found;
  }
  std::set<int> Reordered() {
    const auto scope = *world_->OpenScope(read_);
    std::set<int> found;
    int place = 0;
    for (const ChunkView& view : scope) {
      if (view.OrderChanged(since_)) found.insert(place);
      ++place;
    }
    return found;
  }

  using Set = std::set<int>;
  std::vector<Entity> rows_;  // Three chunks of two rows.
  QueryId read_;
  QueryId write_;
  std::uint64_t since_ = 0;
};

TEST_F(VersionsTest, NothingThatReadsChangesAnything) {
  EXPECT_TRUE(world_->Get(rows_[0], position_).ok());
  EXPECT_TRUE(world_->Has(rows_[0], position_.id()).ok());
  EXPECT_TRUE(world_->GetField(rows_[0], position_.id(), "x").ok());
  {
    const auto scope = *world_->OpenScope(read_);
    for (const ChunkView& view : scope) view.Read(position_);
  }
  EXPECT_TRUE(world_->CountRows(read_).ok());
  EXPECT_TRUE(world_->StorageReport().ok());
  EXPECT_TRUE(world_->Trim().ok());
  EXPECT_FALSE(world_->Add(rows_[0], {P({})}).ok());
  EXPECT_FALSE(world_->Set(rows_[0], {H({})}).ok());
  EXPECT_TRUE(world_->Set(rows_[0], std::initializer_list<ComponentValue>{}).ok());
  EXPECT_EQ(world_->version(), since_);
  EXPECT_EQ(Changed(position_.id()), Set());
  EXPECT_EQ(Added(position_.id()), Set());
  EXPECT_EQ(Reordered(), Set());
}

TEST_F(VersionsTest, ASetChangesItsColumnInItsChunk) {
  ASSERT_TRUE(world_->Set(rows_[3], {P({9, 9, 9})}).ok());
  EXPECT_EQ(Changed(position_.id()), Set({1}));
  EXPECT_EQ(Changed(velocity_.id()), Set());
  ASSERT_TRUE(world_->SetField(rows_[4], velocity_.id(), "x", Scalar::F32(7)).ok());
  EXPECT_EQ(Changed(velocity_.id()), Set({2}));
  ASSERT_TRUE(world_->Put(rows_[0], {V({9, 9, 9})}).ok());
  EXPECT_EQ(Changed(velocity_.id()), Set({0, 2}));
  EXPECT_EQ(Added(position_.id()), Set());
  EXPECT_EQ(Reordered(), Set());
}

// A `since` that was taken right before, and then nothing but a set, inside a scope that reads too.
TEST_F(VersionsTest, ASetIsSeenFromTheVersionBeforeIt) {
  for (int i = 0; i < 3; ++i) {
    since_ = world_->version();
    ASSERT_TRUE(world_->Set(rows_[i], {P({1, 2, 3})}).ok());
    EXPECT_EQ(Changed(position_.id()), Set({i / 2}));
  }
  since_ = world_->version();
  const auto scope = *world_->OpenScope(read_);
  ASSERT_TRUE(world_->Set(rows_[5], {P({1, 2, 3})}).ok());
  EXPECT_EQ(Changed(position_.id()), Set({2}));
}

TEST_F(VersionsTest, ASpanForWritingChangesItsColumnEvenIfNothingIsStored) {
  {
    const auto scope = *world_->OpenScope(write_);
    int place = 0;
    for (const ChunkView& view : scope) {
      if (place++ == 1) view.Write(position_);
      view.Read(velocity_);
    }
  }
  EXPECT_EQ(Changed(position_.id()), Set({1}));
  EXPECT_EQ(Changed(velocity_.id()), Set());
}

TEST_F(VersionsTest, AScopeThatWritesInsideOneThatReadsIsSeen) {
  {
    const auto outer = *world_->OpenScope(read_);
    const auto inner = *world_->OpenScope(write_);
    for (const ChunkView& view : inner) view.Write(position_);
  }
  EXPECT_EQ(Changed(position_.id()), Set({0, 1, 2}));
  since_ = world_->version();
  EXPECT_EQ(Changed(position_.id()), Set());
}

// The last row fills the hole: its new chunk was written, its old one has another order.
TEST_F(VersionsTest, ADestroyTouchesTwoChunks) {
  ASSERT_TRUE(world_->Destroy(rows_[0]).ok());
  EXPECT_EQ(Changed(position_.id()), Set({0}));
  EXPECT_EQ(Added(position_.id()), Set({0}));
  EXPECT_EQ(Reordered(), Set({0, 2}));
  since_ = world_->version();
  ASSERT_TRUE(world_->Destroy(rows_[4]).ok()) << "the last one of its chunk";
  EXPECT_EQ(Changed(position_.id()), Set());
  EXPECT_EQ(Reordered(), Set());
}

TEST_F(VersionsTest, RowsThatComeAreAddedAndChanged) {
  rows_.push_back(*world_->Create({P({}), V({})}));
  EXPECT_EQ(Added(position_.id()), Set({3}));
  EXPECT_EQ(Changed(velocity_.id()), Set({3}));
  since_ = world_->version();
  ASSERT_TRUE(world_->Remove(rows_[0], {velocity_.id()}).ok());
  // Chunk 0 got the last row, whose chunk has gone; the new archetype's chunk stands behind.
  EXPECT_EQ(Added(position_.id()), Set({0, 3}));
  EXPECT_EQ(Added(velocity_.id()), Set({0})) << "the new archetype does not have it";
}

// A chunk that is given up and taken again has nothing of its former versions.
TEST_F(VersionsTest, AChunkThatComesBackIsNew) {
  ASSERT_TRUE(world_->Set(rows_[5], {P({9, 9, 9})}).ok());
  ASSERT_TRUE(world_->Destroy(rows_[5]).ok());
  ASSERT_TRUE(world_->Destroy(rows_[4]).ok());
  since_ = world_->version();
  EXPECT_EQ(Changed(position_.id()), Set());
  *world_->Create({P({}), V({})});
  EXPECT_EQ(Changed(position_.id()), Set({2}));
}

// A write to all chunks of an archetype is one of those that are there, and of the written column.
TEST_F(VersionsTest, AWriteToAWholeArchetypeIsOneOfEachOfItsChunks) {
  ASSERT_TRUE(world_->Create({P({})}).ok());  // A fourth chunk, of another archetype.
  const QueryId both = *world_->MakeQuery(QuerySpec().Write(position_).Write(velocity_));
  since_ = world_->version();
  {
    const auto scope = *world_->OpenScope(both);
    scope.VisitRuns([&](const ChunkRun& run) { (void)run.WriteBytes(position_.id()); });
  }
  EXPECT_EQ(Changed(position_.id()), Set({0, 1, 2}));
  EXPECT_EQ(Changed(velocity_.id()), Set());
  EXPECT_EQ(Added(position_.id()), Set());
  EXPECT_EQ(Reordered(), Set());
  since_ = world_->version();
  EXPECT_EQ(Changed(position_.id()), Set());
  ASSERT_TRUE(world_->Create({P({}), V({})}).ok());
  EXPECT_EQ(Changed(position_.id()), Set({3})) << "the chunk that came, and no other";
  since_ = world_->version();
  ASSERT_TRUE(world_->Set(rows_[2], {P({5, 5, 5})}).ok());
  EXPECT_EQ(Changed(position_.id()), Set({1}));
}

TEST_F(VersionsTest, AWriteToAWholeArchetypeIsForgottenWithItsLastChunk) {
  {
    const auto scope = *world_->OpenScope(write_);
    scope.VisitRuns([&](const ChunkRun& run) { (void)run.WriteBytes(position_.id()); });
  }
  for (const Entity entity : rows_) ASSERT_TRUE(world_->Destroy(entity).ok());
  since_ = world_->version();
  ASSERT_TRUE(world_->Create({P({}), V({})}).ok());
  EXPECT_EQ(Changed(position_.id()), Set({0}));
  since_ = world_->version();
  EXPECT_EQ(Changed(position_.id()), Set());
}

TEST_F(VersionsTest, TagsChangeWhenRowsCome) {
  ASSERT_TRUE(world_->Add(rows_[5], {D()}).ok());
  EXPECT_EQ(Changed(disabled_.id()), Set({3}));
  EXPECT_EQ(Added(disabled_.id()), Set({3}));
  since_ = world_->version();
  ASSERT_TRUE(world_->Set(rows_[5], {P({1, 1, 1})}).ok());
  EXPECT_EQ(Changed(disabled_.id()), Set());
}

TEST_F(VersionsTest, OfATagThatIsThereNothingIsWritten) {
  ASSERT_TRUE(world_->Add(rows_[5], {D()}).ok());
  const std::uint64_t version = world_->version();
  ASSERT_TRUE(world_->Set(rows_[5], {D()}).ok());
  ASSERT_TRUE(world_->Put(rows_[5], {D()}).ok());
  ASSERT_TRUE(world_->Exchange(rows_[5], {disabled_.id()}, {D()}).ok());
  ASSERT_TRUE(world_->Exchange(rows_[5], {}, {}).ok());
  EXPECT_EQ(world_->version(), version);
  ASSERT_TRUE(world_->Exchange(rows_[5], {position_.id()}, {P({1, 1, 1})}).ok());
  EXPECT_EQ(world_->version(), version + 1);  // A value is written, and seen as changed.
  ASSERT_TRUE(world_->Put(rows_[5], {D(), P({2, 2, 2})}).ok());
  EXPECT_EQ(world_->version(), version + 2);
}

}  // namespace
}  // namespace ashlar
