// What hooks hear on the reference world alone.
#include "model/reference_hooks.h"

#include <vector>

#include "gtest/gtest.h"
#include "model/reference_world_fixture.h"

namespace ashlar::model {
namespace {

using oplang::HookMoment;
using oplang::HookReaction;
using Events = std::vector<HeardEvent>;

class ReferenceHooksTest : public ReferenceWorldTest {
 protected:
  std::string SetHook(std::uint16_t component, HookMoment moment) {
    return Text(world.SetHook(component, moment, HookReaction::kNone));
  }
};

TEST_F(ReferenceHooksTest, GoneThenComeThenSetEachByNumber) {
  for (const std::uint16_t component : {kLevel, kH, kP}) {
    for (const HookMoment moment : {HookMoment::kSet, HookMoment::kAdded, HookMoment::kRemoved}) {
      EXPECT_EQ(SetHook(component, moment), "OK");
    }
  }
  const Entity e = Make({{kLevel, Int(1)}, {kP, Floats(1, 2, 3)}, {kV, Floats(1, 2, 3)}});
  EXPECT_EQ(world.TakeHeard(),
            (Events{{HookMoment::kAdded, e, kP}, {HookMoment::kAdded, e, kLevel}}));
  EXPECT_EQ(Exchange(e, {kLevel, kP, kV}, {{kLevel, Int(2)}, {kH, Int(1)}}), "OK");
  EXPECT_EQ(world.TakeHeard(), (Events{{HookMoment::kRemoved, e, kP},
                                       {HookMoment::kAdded, e, kH},
                                       {HookMoment::kSet, e, kLevel}}));
  EXPECT_EQ(Put(e, {{kLevel, Int(3)}, {kP, Floats(0, 0, 0)}}), "OK");
  EXPECT_EQ(world.TakeHeard(),
            (Events{{HookMoment::kAdded, e, kP}, {HookMoment::kSet, e, kLevel}}));
  EXPECT_EQ(Text(world.SetScalar(e, kP, 1, Scalar::F32(5.0f))), "OK");
  EXPECT_EQ(world.TakeHeard(), (Events{{HookMoment::kSet, e, kP}}));
  EXPECT_EQ(Text(world.Destroy(e)), "OK");
  EXPECT_EQ(world.TakeHeard(), (Events{{HookMoment::kRemoved, e, kP},
                                       {HookMoment::kRemoved, e, kH},
                                       {HookMoment::kRemoved, e, kLevel}}));
  EXPECT_EQ(world.TakeHeard(), Events());
}

TEST_F(ReferenceHooksTest, WhatIsRefusedIsNotHeard) {
  EXPECT_EQ(SetHook(kH, HookMoment::kSet), "OK");
  EXPECT_EQ(SetHook(kH, HookMoment::kAdded), "OK");
  const Entity e = Make({{kH, Int(1)}});
  (void)world.TakeHeard();
  EXPECT_NE(Set(e, {{kH, Int(1)}, {kV, {}}}), "OK");
  EXPECT_NE(Set(e, {{kH, Int(5000)}}), "OK");
  EXPECT_EQ(Fill({{TermKind::kAll, kH}}, {kH, Int(4)}), "OK");
  EXPECT_EQ(world.TakeHeard(), Events());
}

TEST_F(ReferenceHooksTest, AHookTakesThePlaceOfTheOneBefore) {
  EXPECT_EQ(world.hooks().ReactionTo(kH, HookMoment::kSet), HookReaction::kNone);
  EXPECT_EQ(Text(world.SetHook(kH, HookMoment::kSet, HookReaction::kRemove)), "OK");
  EXPECT_EQ(Text(world.SetHook(kH, HookMoment::kSet, HookReaction::kDestroy)), "OK");
  EXPECT_EQ(world.hooks().ReactionTo(kH, HookMoment::kSet), HookReaction::kDestroy);
  EXPECT_EQ(Text(world.SetHook(kH, HookMoment::kSet, std::nullopt)), "OK");
  EXPECT_EQ(world.hooks().ReactionTo(kH, HookMoment::kSet), HookReaction::kNone);
  const Entity e = Make({{kH, Int(1)}});
  EXPECT_EQ(Set(e, {{kH, Int(2)}}), "OK");
  EXPECT_EQ(world.TakeHeard(), Events());
}

TEST_F(ReferenceHooksTest, AreRefusedInAScopeAndForNoComponent) {
  EXPECT_EQ(SetHook(kNone, HookMoment::kSet), "INVALID_ARGUMENT component_unknown");
  world.OpenScope();
  EXPECT_EQ(SetHook(kNone, HookMoment::kSet), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Text(world.SetHook(kH, HookMoment::kSet, std::nullopt)),
            "FAILED_PRECONDITION scope_open");
}

TEST_F(ReferenceHooksTest, AllThatEndHearFromTheHighestIndex) {
  EXPECT_EQ(SetHook(kH, HookMoment::kRemoved), "OK");
  std::vector<Entity> made;
  EXPECT_EQ(Text(world.CreateMany(Named{{kH, Int(1)}}, 3, &made)), "OK");
  EXPECT_EQ(Text(world.DestroyAll()), "OK");
  EXPECT_EQ(world.TakeHeard(), (Events{{HookMoment::kRemoved, made[2], kH},
                                       {HookMoment::kRemoved, made[1], kH},
                                       {HookMoment::kRemoved, made[0], kH}}));
}

}  // namespace
}  // namespace ashlar::model
