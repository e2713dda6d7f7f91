// References inside values to entities that are not alive.
#include "ashlar/audit/dangling_references.h"

#include <gtest/gtest.h>

#include <vector>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

// Two references in one value, with a number between them.
struct Links {
  Entity first;
  std::int32_t number = 0;
  Entity second[2];
};

class DanglingReferencesTest : public WorldFixture {
 protected:
  void SetUp() override {
    WorldFixture::SetUp();
    links_ = *world_->Register(Describe<Links>("links")
                                   .Field("first", &Links::first)
                                   .Field("number", &Links::number)
                                   .Field("second", &Links::second));
  }

  Entity Make(const Links& links) { return *world_->Create({ComponentValue(links_, links)}); }
  std::vector<DanglingReference> Find() { return *FindDanglingReferences(*world_); }

  Component<Links> links_;
};

TEST_F(DanglingReferencesTest, NullAndLivingOnesAreNone) {
  const Entity target = *world_->Create();
  Make({target, 7, {Entity(), target}});
  EXPECT_TRUE(Find().empty());
}

TEST_F(DanglingReferencesTest, EachIsFoundWhereItLies) {
  const Entity target = *world_->Create();
  const Entity other = *world_->Create();
  const Entity holder = Make({target, 7, {other, target}});
  const Entity holder_too = Make({other, 8, {Entity(), other}});
  ASSERT_TRUE(world_->Destroy(target).ok());
  const std::vector<DanglingReference> wanted = {{holder, links_.id(), 0, target},
                                                 {holder, links_.id(), 3, target}};
  EXPECT_EQ(Find(), wanted);
  EXPECT_EQ(DanglingReferenceText(*world_, wanted[0]), "entity 2v1 links.first -> entity 0v1");
  EXPECT_EQ(DanglingReferenceText(*world_, wanted[1]), "entity 2v1 links.second[1] -> entity 0v1");

  // The index lives again, under another generation: the old references stay dangling.
  ASSERT_EQ(world_->Create()->index(), target.index());
  EXPECT_EQ(Find(), wanted);
  ASSERT_TRUE(world_->Destroy(holder).ok());
  EXPECT_TRUE(Find().empty());
  ASSERT_TRUE(world_->Destroy(other).ok());
  EXPECT_EQ(Find().size(), 2u);
  EXPECT_EQ(Find()[0].holder, holder_too);
}

// Never issued by this world, or by any.
TEST_F(DanglingReferencesTest, SingletonsComeLastAndHaveNoHolder) {
  const Entity target = *world_->Create();
  const Entity other = *world_->Create();
  ASSERT_TRUE(PutSingleton(*world_, {links_, Links{other, 7, {target, Entity()}}}).ok());
  EXPECT_TRUE(Find().empty());
  const Entity holder = Make({target, 7, {other, other}});
  ASSERT_TRUE(world_->Destroy(target).ok());
  const std::vector<DanglingReference> wanted = {{holder, links_.id(), 0, target},
                                                 {Entity(), links_.id(), 2, target}};
  EXPECT_EQ(Find(), wanted);
  EXPECT_EQ(DanglingReferenceText(*world_, wanted[1]), "singleton links.second[0] -> entity 0v1");
  ASSERT_TRUE(RemoveSingleton(*world_, links_.id()).ok());
  EXPECT_EQ(Find().size(), 1u);
}

// Tags and values without references among the singletons, in a world without rows.
TEST_F(DanglingReferencesTest, SingletonsWithoutReferencesAreNone) {
  ASSERT_TRUE(PutSingleton(*world_, ComponentValue(disabled_)).ok());
  ASSERT_TRUE(PutSingleton(*world_, {health_, Health{1}}).ok());
  EXPECT_TRUE(Find().empty());
}

TEST_F(DanglingReferencesTest, ForgedOnesAreFound) {
  Make({Entity(1234, 1), 0, {Entity(0xFFFFFFFFu, 0xFFFFFFFFu), Entity(0, 2)}});
  EXPECT_EQ(Find().size(), 3u);
}

// A scope does not matter, and nothing is written.
TEST_F(DanglingReferencesTest, IsLegalInsideAScope) {
  Make({Entity(5, 1), 0, {}});
  const auto scope = world_->OpenScope(*world_->MakeQuery(QuerySpec().Read(links_)));
  ASSERT_TRUE(scope.ok());
  const std::uint64_t version = world_->version();
  EXPECT_EQ(Find().size(), 1u);
  EXPECT_EQ(world_->version(), version);
}

}  // namespace
}  // namespace ashlar
