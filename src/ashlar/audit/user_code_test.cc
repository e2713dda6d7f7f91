// Code of the user's that runs inside a call and calls the world: it may read, and is refused where
// it would change the structure.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "ashlar/audit/integrity.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

// What each constructor, copy, move and destructor of a Caller does.
std::function<void()> on_call;
void Call() {
  if (on_call) on_call();
}

struct Caller {
  int value = 0;
  explicit Caller(int v = 0) : value(v) { Call(); }
  Caller(const Caller& other) : value(other.value) { Call(); }
  Caller(Caller&& other) noexcept : value(other.value) { Call(); }
  ~Caller() { Call(); }
};

class UserCodeTest : public WorldFixture {
 protected:
  void SetUp() override {
    WorldFixture::SetUp();
    WorldOptions options;
    options.rows_per_chunk_max = 2;
    Reset(options);
    caller_ = *world_->Register(
        Describe<Caller>("caller")
            .Neutral(
                TypeSpec{{{"", {ScalarType::kI32, 1}, {}}}},
                [](const Caller& caller, std::span<Scalar> scalars) noexcept {
                  scalars[0] = Scalar::Int(caller.value);
                },
                [](std::span<const Scalar> scalars) {
                  return Caller(static_cast<int>(static_cast<std::int64_t>(scalars[0].bits)));
                })
            .Accepts(
                [](const void*, const void*) noexcept {
                  Call();
                  return true;
                },
                "calls"));
    for (int i = 0; i < 5; ++i) {
      rows_.push_back(*world_->Create({P({}), ComponentValue(caller_, Caller(i))}));
    }
    other_ = *world_->Create({P({1, 2, 3})});
    on_call = [this] { TryEverything(); };
  }
  void TearDown() override {
    on_call = nullptr;
    WorldFixture::TearDown();
  }

  void TryEverything() {
    ++calls_;
    EXPECT_REFUSED(world_->Create({P({})}).status(), kFailedPrecondition, kScopeOpen);
    for (const Entity entity : {rows_[0], rows_[4], other_}) {
      EXPECT_REFUSED(world_->Destroy(entity), kFailedPrecondition, kScopeOpen);
      EXPECT_REFUSED(world_->Add(entity, {H({})}), kFailedPrecondition, kScopeOpen);
      EXPECT_REFUSED(world_->Remove(entity, {position_.id()}), kFailedPrecondition, kScopeOpen);
    }
    EXPECT_REFUSED(world_->Trim().status(), kFailedPrecondition, kScopeOpen);
    EXPECT_EQ((*world_->Get(other_, position_))->y, 2);
  }

  // The call succeeded, user's code ran in it, and nothing is left of the guard.
  void Done(const absl::Status& status) {
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_GT(calls_, 0);
    calls_ = 0;
    EXPECT_EQ(world_->scope_depth(), 0u);
    EXPECT_TRUE(CheckIntegrity(*world_).ok()) << CheckIntegrity(*world_);
  }

  Component<Caller> caller_;
  std::vector<Entity> rows_;
  Entity other_;
  int calls_ = 0;
};

TEST_F(UserCodeTest, IsRefusedWhereverItRuns) {
  const Scalar nine = Scalar::Int(9);
  const ComponentValue scalars(caller_.id(), std::span(&nine, 1));
  Done(world_->Create({scalars}).status());
  Done(world_->Add(other_, {ComponentValue(caller_)}));
  Done(world_->Set(rows_[1], {scalars}));
  Done(world_->SetField(rows_[1], caller_.id(), "", Scalar::Int(8)));
  Done(world_->Put(rows_[1], {scalars, H({1})}));
  Done(world_->Add(rows_[2], {H({1})}));
  Done(world_->Exchange(rows_[3], {position_.id()}, {H({1})}));
  Done(world_->Remove(rows_[3], {caller_.id()}));
  on_call = nullptr;
  const Caller named(7);
  on_call = [this] { TryEverything(); };
  Done(world_->Put(rows_[3], {ComponentValue(caller_, named)}));
  on_call = nullptr;
  EXPECT_EQ((*world_->Get(rows_[1], caller_))->value, 9);
  EXPECT_EQ((*world_->Get(rows_[3], caller_))->value, 7);
}

TEST_F(UserCodeTest, ADestroyedRowIsGoneForItsDestructor) {
  on_call = [this] {
    TryEverything();
    EXPECT_FALSE(world_->IsAlive(rows_[1]));
  };
  Done(world_->Destroy(rows_[1]));
}

}  // namespace
}  // namespace ashlar
