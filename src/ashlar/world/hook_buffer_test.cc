// The buffer that a hook records into, when it was applied before.
#include <gtest/gtest.h>

#include "ashlar/world/apply_commands.h"
#include "ashlar/world/command_buffer.h"
#include "ashlar/world/hooks.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

class HookBufferTest : public WorldFixture {};

// Resolves a placeholder of the buffer that it records into, then records where it is told to.
struct Resolver {
  Placeholder placeholder;
  bool records = false;
  absl::StatusOr<Entity> resolved = Entity();

  static void OnEvent(const HookCall& call, void* context) noexcept {
    auto* const self = static_cast<Resolver*>(context);
    self->resolved = call.commands.Resolve(self->placeholder);
    if (self->records) (void)call.commands.Destroy(call.entity);
  }
};

// A buffer of reactions that makes reactions itself: it is what it was until a hook records.
TEST_F(HookBufferTest, AnAppliedBufferBeginsAnewWhenAHookRecordsIntoIt) {
  World& world = *world_;
  CommandBuffer reactions(world);
  Resolver resolver;
  ASSERT_TRUE(
      SetHook(world, disabled_.id(), HookEvent::kAdded, {Resolver::OnEvent, &resolver, &reactions})
          .ok());
  resolver.placeholder = *reactions.Create({D()});
  ASSERT_TRUE(Apply(world, reactions).ok());
  ASSERT_TRUE(resolver.resolved.ok()) << resolver.resolved.status();
  EXPECT_TRUE(reactions.is_applied());
  EXPECT_EQ(*reactions.Resolve(resolver.placeholder), *resolver.resolved);
  EXPECT_EQ(ReasonOf(Apply(world, reactions).status()), Reason::kBufferApplied);

  reactions.Clear();
  resolver.records = true;
  resolver.placeholder = *reactions.Create({D()});
  ASSERT_TRUE(Apply(world, reactions).ok());
  ASSERT_TRUE(resolver.resolved.ok()) << resolver.resolved.status();
  EXPECT_FALSE(reactions.is_applied());
  EXPECT_EQ(reactions.size(), 1u);
  EXPECT_EQ(ReasonOf(reactions.Resolve(resolver.placeholder).status()),
            Reason::kPlaceholderUnknown);
  ASSERT_TRUE(Apply(world, reactions).ok());
  EXPECT_FALSE(world.IsAlive(*resolver.resolved));
  // Outside of a hook an applied buffer takes nothing.
  EXPECT_EQ(ReasonOf(reactions.Destroy(*resolver.resolved)), Reason::kBufferApplied);
}

// A sort key that a hook sets is one of what it records.
TEST_F(HookBufferTest, AHookMaySetASortKeyFirst) {
  World& world = *world_;
  CommandBuffer reactions(world);
  CommandBuffer other(world);
  ASSERT_TRUE(Apply(world, reactions).ok());
  const auto late = [](const HookCall& call, void*) noexcept {
    call.commands.set_sort_key(1);
    (void)call.commands.Destroy(call.entity);
  };
  ASSERT_TRUE(SetHook(world, disabled_.id(), HookEvent::kAdded, {late, nullptr, &reactions}).ok());
  const Entity entity = *world.Create({D()});
  ASSERT_TRUE(other.Add(entity, {H({1})}).ok());
  CommandBuffer* const both[] = {&reactions, &other};
  ASSERT_TRUE(Apply(world, both).ok());  // The other's command is first: the entity still lives.
  EXPECT_FALSE(world.IsAlive(entity));
}

}  // namespace
}  // namespace ashlar
