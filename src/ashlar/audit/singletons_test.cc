// One value for the whole world, by the descriptors of components.
#include "ashlar/world/singletons.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ashlar/audit/digest.h"
#include "ashlar/audit/world_objects_fixture.h"

namespace ashlar {
namespace {

class SingletonsTest : public ObjectsTest {};

TEST_F(SingletonsTest, IsPutReadReplacedAndRemoved) {
  EXPECT_FALSE(*HasSingleton(*world_, position_.id()));
  EXPECT_REFUSED(GetSingleton(*world_, position_), kNotFound, kComponentAbsent);
  EXPECT_EQ(*SingletonVersion(*world_, position_.id()), 0u);
  const std::uint64_t before = world_->version();
  ASSERT_TRUE(PutSingleton(*world_, {position_, Position{1, 2, 3}}).ok());
  EXPECT_EQ(**GetSingleton(*world_, position_), (Position{1, 2, 3}));
  EXPECT_GT(*SingletonVersion(*world_, position_.id()), before);
  const std::uint64_t since = world_->version();
  ASSERT_TRUE(PutSingleton(*world_, {position_, Position{4, 5, 6}}).ok());
  EXPECT_EQ(**GetSingleton(*world_, position_), (Position{4, 5, 6}));
  EXPECT_GT(*SingletonVersion(*world_, position_.id()), since);
  ASSERT_TRUE(RemoveSingleton(*world_, position_.id()).ok());
  EXPECT_FALSE(*HasSingleton(*world_, position_.id()));
  EXPECT_REFUSED(RemoveSingleton(*world_, position_.id()), kNotFound, kComponentAbsent);
  EXPECT_EQ(world_->entity_count(), 0u);
}

TEST_F(SingletonsTest, HasNothingToDoWithEntities) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  ASSERT_TRUE(PutSingleton(*world_, {position_, Position{7, 8, 9}}).ok());
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
  ASSERT_TRUE(world_->DestroyAll().ok());
  EXPECT_EQ(**GetSingleton(*world_, position_), (Position{7, 8, 9}));
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
}

TEST_F(SingletonsTest, WrongValuesAreRefusedAndChangeNothing) {
  ASSERT_TRUE(PutSingleton(*world_, {health_, Health{80}}).ok());
  const Scalar big[] = {Scalar::Int(4294967296)};
  EXPECT_REFUSED(PutSingleton(*world_, ComponentValue(health_.id(), std::span(big))),
                 kInvalidArgument, kValueDoesNotFit);
  EXPECT_REFUSED(PutSingleton(*world_, ComponentValue(ComponentId(99))), kInvalidArgument,
                 kComponentUnknown);
  EXPECT_REFUSED(PutSingleton(*world_, {Component<Position>(health_.id()), Position{}}),
                 kInvalidArgument, kComponentTypeMismatch);
  EXPECT_REFUSED(GetSingleton(*world_, Component<Position>(health_.id())), kInvalidArgument,
                 kComponentTypeMismatch);
  EXPECT_REFUSED(GetSingleton(*world_, ComponentId(99)), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(GetSingleton(*world_, Component<Position>(ComponentId(99))), kInvalidArgument,
                 kComponentUnknown);
  EXPECT_REFUSED(HasSingleton(*world_, ComponentId(99)), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(SingletonVersion(*world_, ComponentId(99)), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(RemoveSingleton(*world_, ComponentId(99)), kInvalidArgument, kComponentUnknown);
  EXPECT_EQ((*GetSingleton(*world_, health_))->value, 80);
}

TEST_F(SingletonsTest, TagsAreThereOrNot) {
  ASSERT_TRUE(PutSingleton(*world_, ComponentValue(disabled_)).ok());
  EXPECT_TRUE(*HasSingleton(*world_, disabled_.id()));
  EXPECT_EQ(*GetSingleton(*world_, disabled_.id()), nullptr);
  ASSERT_TRUE(RemoveSingleton(*world_, disabled_.id()).ok());
  EXPECT_FALSE(*HasSingleton(*world_, disabled_.id()));
}

TEST_F(SingletonsTest, ObjectsLiveOnceAndEndWithTheWorld) {
  const auto watched = *world_->Register(DescribeWatched<Wide>("watched_singleton"));
  const int before = Wide::live;
  const Wide value(5);
  ASSERT_TRUE(PutSingleton(*world_, {watched, value}).ok());
  EXPECT_EQ((*GetSingleton(*world_, watched))->value, 5);
  EXPECT_TRUE((*GetSingleton(*world_, watched))->IsHere());
  EXPECT_EQ(Wide::live, before + 2);

  // What throws leaves the one that is there.
  Wide::throw_at = 1;
  EXPECT_THROW((void)PutSingleton(*world_, {watched, value}), std::runtime_error);
  Wide::throw_at = 0;
  EXPECT_EQ(Wide::live, before + 2);
  EXPECT_EQ((*GetSingleton(*world_, watched))->value, 5);

  ASSERT_TRUE(PutSingleton(*world_, {watched, Wide(6)}).ok());  // Taken.
  EXPECT_EQ((*GetSingleton(*world_, watched))->value, 6);
  EXPECT_EQ(Wide::live, before + 2);
  EXPECT_TRUE(CheckIntegrity(*world_).ok());
  world_.reset();
  EXPECT_EQ(Wide::live, before + 1);
}

TEST_F(SingletonsTest, TheDigestCountsThem) {
  const std::uint64_t empty = Digest(*world_);
  ASSERT_TRUE(PutSingleton(*world_, {health_, Health{1}}).ok());
  const std::uint64_t one = Digest(*world_);
  EXPECT_NE(one, empty);
  ASSERT_TRUE(PutSingleton(*world_, {health_, Health{2}}).ok());
  EXPECT_NE(Digest(*world_), one);
  ASSERT_TRUE(RemoveSingleton(*world_, health_.id()).ok());
  EXPECT_EQ(Digest(*world_), empty);
}

TEST_F(SingletonsTest, IsLegalInAScope) {
  const QueryId query = *world_->MakeQuery(QuerySpec().Write(position_));
  const IterationScope scope = *world_->OpenScope(query);
  ASSERT_TRUE(PutSingleton(*world_, {health_, Health{1}}).ok());
  EXPECT_EQ(*SingletonVersion(*world_, health_.id()), world_->version());
}

}  // namespace
}  // namespace ashlar
