// Iteration scopes: what they refuse, what they allow, and that they end.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "ashlar/core/limits.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class ScopeTest : public WorldFixture {
 protected:
  void SetUp() override {
    entity_ = *world_->Create({P({1, 2, 3}), V({4, 5, 6})});
    QuerySpec reads;
    reads.Read(position_);
    read_ = *world_->MakeQuery(reads);
    QuerySpec writes;
    writes.Write(position_).Optional(health_);
    write_ = *world_->MakeQuery(writes);
  }
  Entity entity_;
  QueryId read_;
  QueryId write_;
};

TEST_F(ScopeTest, StructuralChangeIsRefusedWhileAnyScopeIsOpen) {
  auto outer = *world_->OpenScope(read_);
  {
    auto inner = *world_->OpenScope(write_);
    EXPECT_EQ(world_->scope_depth(), 2u);
    EXPECT_REFUSED(world_->Create({P({})}), kFailedPrecondition, kScopeOpen);
  }
  const std::uint64_t version = world_->version();
  EXPECT_EQ(world_->scope_depth(), 1u);
  EXPECT_REFUSED(world_->Create(), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->Destroy(entity_), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->Destroy(Entity()), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->Add(entity_, {H({1})}), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->Remove(entity_, {position_.id()}), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->Exchange(entity_, {}, {}), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->Put(entity_, {H({1})}), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->MakeQuery(QuerySpec()), kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->Register(Describe<Health>("late").Field("", &Health::value)),
                 kFailedPrecondition, kScopeOpen);
  EXPECT_REFUSED(world_->PlaceGeneration(entity_, 5), kFailedPrecondition, kScopeOpen);
  EXPECT_EQ(world_->version(), version);
  EXPECT_EQ(world_->entity_count(), 1u);
  outer.Close();
  EXPECT_TRUE(world_->Add(entity_, {H({1})}).ok());
}

TEST_F(ScopeTest, ValuesMayBeWritten) {
  auto scope = *world_->OpenScope(read_);
  EXPECT_TRUE(world_->Set(entity_, {P({7, 8, 9})}).ok());
  EXPECT_TRUE(world_->Put(entity_, {P({7, 8, 10})}).ok());
  EXPECT_TRUE(world_->SetField(entity_, position_.id(), "x", Scalar::F32(1)).ok());
  EXPECT_EQ(**world_->Get(entity_, position_), (Position{1, 8, 10}));
}

TEST_F(ScopeTest, EndsHoweverTheBlockIsLeft) {
  try {
    auto scope = *world_->OpenScope(read_);
    for (const ChunkView& view : scope) {
      if (view.row_count() > 0) throw std::runtime_error("out of the loop");
    }
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(world_->scope_depth(), 0u);
  auto a = *world_->OpenScope(read_);
  auto b = std::move(a);
  EXPECT_FALSE(a.is_open());
  EXPECT_EQ(world_->scope_depth(), 1u);
  b = *world_->OpenScope(write_);
  EXPECT_EQ(world_->scope_depth(), 1u);
  b.Close();
  b.Close();
  EXPECT_EQ(world_->scope_depth(), 0u);
  EXPECT_EQ(b.begin(), b.end());
}

TEST_F(ScopeTest, AScopeThatIsAssignedToItselfStaysOpen) {
  auto scope = *world_->OpenScope(read_);
  IterationScope& same = scope;
  scope = std::move(same);
  EXPECT_TRUE(scope.is_open());
  EXPECT_EQ(world_->scope_depth(), 1u);
  EXPECT_EQ((*scope.begin()).row_count(), 1u);
}

TEST_F(ScopeTest, AsManyAsTheLimitAreOpenAtOnce) {
  std::vector<IterationScope> scopes;
  scopes.reserve(kScopeDepthMax);
  for (std::uint32_t i = 0; i < kScopeDepthMax; ++i) scopes.push_back(*world_->OpenScope(read_));
  EXPECT_EQ(world_->scope_depth(), 1u << 20);
  EXPECT_REFUSED(world_->OpenScope(read_), kResourceExhausted, kScopeLimit);
  EXPECT_EQ(world_->scope_depth(), 1u << 20);
  scopes.pop_back();
  EXPECT_TRUE(world_->OpenScope(read_).ok());
}

TEST_F(ScopeTest, OnlyAnOutermostWritingScopeAdvancesTheVersion) {
  const std::uint64_t version = world_->version();
  auto read = *world_->OpenScope(read_);
  EXPECT_EQ(world_->version(), version);
  auto outermost = *world_->OpenScope(write_);
  EXPECT_EQ(world_->version(), version + 1) << "the first that writes, though inside another";
  auto nested = *world_->OpenScope(write_);
  EXPECT_EQ(world_->version(), version + 1);
  outermost.Close();
  auto still_nested = *world_->OpenScope(write_);
  EXPECT_EQ(world_->version(), version + 1);
  nested.Close();
  still_nested.Close();
  read.Close();
  auto write = *world_->OpenScope(write_);
  EXPECT_EQ(world_->version(), version + 2);
}

TEST_F(ScopeTest, WritesThroughSpansAreSeenById) {
  {
    auto scope = *world_->OpenScope(write_);
    for (const ChunkView& view : scope) {
      for (Position& position : view.Write(position_)) position.y = 50;
      EXPECT_FALSE(view.Has(health_.id()));
    }
  }
  EXPECT_EQ(**world_->Get(entity_, position_), (Position{1, 50, 3}));
}

TEST_F(ScopeTest, UnknownQueriesAreRefused) {
  EXPECT_REFUSED(world_->OpenScope(QueryId()), kNotFound, kQueryUnknown);
  EXPECT_REFUSED(world_->OpenScope(QueryId(99)), kNotFound, kQueryUnknown);
  EXPECT_REFUSED(world_->CountRows(QueryId(99)), kNotFound, kQueryUnknown);
  EXPECT_EQ(world_->scope_depth(), 0u);
}

TEST_F(ScopeTest, EmptyArchetypesAreSkipped) {
  const Entity other = *world_->Create({P({}), H({1})});
  ASSERT_TRUE(world_->Destroy(entity_).ok());
  EXPECT_EQ(Rows(read_), std::vector<Entity>{other});
  ASSERT_TRUE(world_->Destroy(other).ok());
  EXPECT_EQ(Rows(read_), std::vector<Entity>{});
  EXPECT_EQ(*world_->CountRows(read_), 0u);
}

using ScopeDeathTest = ScopeTest;

TEST_F(ScopeDeathTest, WritingWhatTheQueryOnlyReadsIsABug) {
  auto scope = *world_->OpenScope(read_);
  const ChunkView view = *scope.begin();
  EXPECT_DEATH(view.Write(position_), "ASHLAR_CHECK");
  EXPECT_DEATH(view.Read(health_), "ASHLAR_CHECK");
}

TEST_F(ScopeDeathTest, ReadingAColumnAsAnotherTypeIsABug) {
  ASSERT_TRUE(world_->Add(entity_, {D()}).ok());
  auto scope = *world_->OpenScope(read_);
  const ChunkView view = *scope.begin();
  EXPECT_EQ(view.ReadBytes(disabled_.id()), nullptr);
  EXPECT_DEATH(view.Read(disabled_), "column != nullptr");
  EXPECT_DEATH(view.Read<Health>(position_.id()), "size_bytes == sizeof\\(T\\)");
}

TEST_F(ScopeDeathTest, AWorldMustOutliveItsScopes) {
  auto scope = *world_->OpenScope(read_);
  EXPECT_DEATH(world_.reset(), "ASHLAR_CHECK");
}

TEST_F(ScopeTest, QueryTermsAreChecked) {
  EXPECT_REFUSED(world_->MakeQuery(QuerySpec().Read(position_).None(position_)), kInvalidArgument,
                 kQueryConflict);
  EXPECT_REFUSED(world_->MakeQuery(QuerySpec().None(position_).Any(position_.id())),
                 kInvalidArgument, kQueryConflict);
  EXPECT_REFUSED(world_->MakeQuery(QuerySpec().Read(position_).Write(position_)), kInvalidArgument,
                 kComponentRepeated);
  EXPECT_REFUSED(world_->MakeQuery(QuerySpec().None(position_).None(position_)), kInvalidArgument,
                 kComponentRepeated);
  EXPECT_REFUSED(world_->MakeQuery(QuerySpec().Read(ComponentId(99))), kInvalidArgument,
                 kComponentUnknown);
  EXPECT_EQ(*world_->MakeQuery(QuerySpec().Read(position_)), read_) << "equal terms, one query";
}

TEST_F(ScopeTest, AQueryWithoutTermsSeesEverything) {
  const QueryId all = *world_->MakeQuery(QuerySpec());
  const Entity bare = *world_->Create();
  const Entity tagged = *world_->Create({D()});
  EXPECT_EQ(Rows(all), (std::vector<Entity>{entity_, bare, tagged}));
}

TEST_F(ScopeTest, AnyAndOptional) {
  const Entity h = *world_->Create({H({1})});
  const Entity d = *world_->Create({D()});
  const QueryId any =
      *world_->MakeQuery(QuerySpec().Any(health_).Any(disabled_).Optional(velocity_));
  EXPECT_EQ(Rows(any), (std::vector<Entity>{h, d}));
}

}  // namespace
}  // namespace ashlar
