// A constructor of the user's that throws leaves the world as it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/audit/world_objects_fixture.h"

namespace ashlar {
namespace {

// Every call that constructs, with the n-th construction throwing, for every n until it succeeds.
TEST_F(ObjectsTest, AConstructorThatThrowsChangesNothing) {
  const auto second = *world_->Register(DescribeWatched<Plain>("second"));
  const auto third = *world_->Register(DescribeWatched<Plain>("third"));
  const Entity entity = *world_->Create({ComponentValue(plain_, Plain(1)), P({1, 2, 3})});
  *world_->Create({ComponentValue(plain_, Plain(9)), P({})});
  const Plain a(2), b(3), c(4);
  const std::vector<Scalar> five{Scalar::Int(5)};

  const auto try_all = [&](std::string_view what, int constructions, auto call) {
    int thrown = 0;
    for (int n = 1;; ++n) {
      const std::uint64_t digest = Digest(*world_);
      const std::uint64_t version = world_->version();
      const int live = Plain::live;
      Plain::throw_at = n;
      try {
        EXPECT_TRUE(call().ok()) << what;
        Plain::throw_at = 0;
        break;
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "told to throw");
      }
      ++thrown;
      EXPECT_EQ(Digest(*world_), digest) << what << " " << n;
      EXPECT_EQ(world_->version(), version) << what << " " << n;
      EXPECT_EQ(Plain::live, live) << what << " " << n;
      CheckWorld();
    }
    EXPECT_EQ(thrown, constructions) << what;
    CheckWorld();
  };
  try_all("create", 3, [&] {
    return world_
        ->Create({ComponentValue(plain_, a), ComponentValue(second, b), ComponentValue(third, c)})
        .status();
  });
  try_all("create in a new chunk", 2, [&] {
    return world_->Create({ComponentValue(plain_.id(), five), ComponentValue(second)}).status();
  });
  try_all("add", 2, [&] {
    return world_->Add(entity,
                       {ComponentValue(second, a), H({1}), ComponentValue(third.id(), five)});
  });
  try_all("set", 3, [&] {
    return world_->Set(entity, {ComponentValue(plain_, b), ComponentValue(second, c), H({2}),
                                ComponentValue(third.id(), five)});
  });
  try_all("set field", 1,
          [&] { return world_->SetField(entity, second.id(), "value", Scalar::Int(11)); });
  try_all("exchange", 1, [&] {
    return world_->Exchange(
        entity, {second.id(), health_.id()},
        {ComponentValue(wide_), ComponentValue(second, a), V({}), ComponentValue(token_)});
  });
  try_all("exchange in place", 2, [&] {
    return world_->Exchange(entity, {third.id(), second.id()},
                            {ComponentValue(third, b), ComponentValue(second, c)});
  });
  try_all("put", 2, [&] {
    return world_->Put(entity, {D(), ComponentValue(plain_, c), ComponentValue(second.id(), five)});
  });
  EXPECT_EQ(ValueOf(entity), 4);
}

TEST_F(ObjectsTest, AValueToBeMovedIsKeptWhereAnotherThrows) {
  const Entity entity =
      *world_->Create({ComponentValue(name_, std::string("old")), ComponentValue(plain_)});
  std::string name = "new";
  const Plain value(1);
  Plain::throw_at = 1;
  EXPECT_THROW((void)world_->Set(
                   entity, {ComponentValue(name_, std::move(name)), ComponentValue(plain_, value)}),
               std::runtime_error);
  EXPECT_EQ(name, "new");
  EXPECT_EQ(**world_->Get(entity, name_), "old");
  EXPECT_EQ(ValueOf(entity), 0);
  CheckWorld();
}

// A std::bad_alloc of the user's own is theirs, not a failed allocation of the world.
struct Greedy {
  Greedy() = default;
  Greedy(const Greedy&) { throw std::bad_alloc(); }
  Greedy(Greedy&&) noexcept {}
  ~Greedy() {}
};

TEST_F(ObjectsTest, TheUsersBadAllocPassesThrough) {
  const auto greedy = *world_->Register(Describe<Greedy>("greedy"));
  const Greedy value;
  EXPECT_THROW((void)world_->Create({ComponentValue(greedy, value)}), std::bad_alloc);
  const Entity entity = *world_->Create({ComponentValue(greedy)});
  EXPECT_THROW((void)world_->Set(entity, {ComponentValue(greedy, value)}), std::bad_alloc);
  EXPECT_EQ(world_->entity_count(), 1u);
  CheckWorld();
}

// Also through a call that makes another one do the work.
TEST_F(ObjectsTest, TheUsersBadAllocPassesThroughSetField) {
  const auto greedy = *world_->Register(Describe<Greedy>("greedy").Neutral(
      OneInteger(), [](const Greedy&, std::span<Scalar> out) noexcept { out[0] = Scalar::Int(0); },
      [](std::span<const Scalar>) -> Greedy { throw std::bad_alloc(); }));
  const Entity entity = *world_->Create({ComponentValue(greedy)});
  EXPECT_THROW((void)world_->SetField(entity, greedy.id(), "value", Scalar::Int(1)),
               std::bad_alloc);
  EXPECT_EQ(*world_->GetField(entity, greedy.id(), "value"), Scalar::Int(0));
  CheckWorld();
}

}  // namespace
}  // namespace ashlar
