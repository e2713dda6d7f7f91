// The buffer that a hook records into, when it was applied before.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

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

// Counts what it could record and what it could not.
struct Mourner {
  std::size_t recorded = 0;
  std::size_t refused = 0;

  static void OnRemoved(const HookCall& call, void* context) noexcept {
    auto* const self = static_cast<Mourner*>(context);
    const bool is_recorded = call.commands.Create().ok();
    ++(is_recorded ? self->recorded : self->refused);
  }
};

// A queue that grows while all entities end (flecs issue 1391) stays within the world's limit, and
// stops nothing.
TEST(HookBuffer, ReactionsToTheEndOfAllStayWithinTheLimit) {
  constexpr std::size_t kEntities = 100'000;
  constexpr std::uint64_t kLimitBytes = 10'000'000;
  auto world = *World::Make({.memory_limit_bytes = kLimitBytes});
  const Component<Disabled> mark = *world->Register(Describe<Disabled>("mark"));
  Mourner mourner;
  {
    CommandBuffer reactions(*world);
    const Hook hook{Mourner::OnRemoved, &mourner, &reactions};
    ASSERT_TRUE(SetHook(*world, mark.id(), HookEvent::kRemoved, hook).ok());
    std::vector<Entity> ids(kEntities);
    ASSERT_TRUE(world->CreateMany(ids, {ComponentSpan(mark.id())}).ok());
    ASSERT_TRUE(world->DestroyAll().ok());
    EXPECT_EQ(world->entity_count(), 0u);
    EXPECT_EQ(mourner.recorded + mourner.refused, kEntities);
    EXPECT_GT(mourner.recorded, 1000u);
    EXPECT_GT(mourner.refused, 1000u);
    EXPECT_EQ(reactions.size(), mourner.recorded);
    EXPECT_LE(world->memory_usage().total(), kLimitBytes);

    // Without them there is room again.
    reactions.Clear();
    ASSERT_TRUE(world->CreateMany(ids, {ComponentSpan(mark.id())}).ok());
  }
  // The end of a world tells nobody.
  mourner = {};
  world.reset();
  EXPECT_EQ(mourner.recorded + mourner.refused, 0u);
}

}  // namespace
}  // namespace ashlar
