// A refusal is text, which comes from the global heap: where that has no memory either, a call
// still answers with a status, and nothing is thrown. The program replaces the heap, so it stands
// alone.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ashlar/world/apply_commands.h"
#include "ashlar/world/bulk.h"
#include "ashlar/world/command_buffer.h"
#include "ashlar/world/hooks.h"
#include "ashlar/world/singletons.h"
#include "ashlar/world/sort_rows.h"
#include "ashlar/world/world_fixture.h"

namespace {

constexpr long kNever = std::numeric_limits<long>::max();
long g_left = kNever;   // Allocations that succeed until one fails.
bool g_sticky = false;  // Whether all behind it fail too.
bool g_fired = false;

void* Allocate(std::size_t bytes, std::size_t alignment) {
  if (g_left == 0) {
    g_fired = true;
    if (!g_sticky) g_left = kNever;
    throw std::bad_alloc();
  }
  if (g_left != kNever) --g_left;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* block = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace

void* operator new(std::size_t bytes) { return Allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

namespace ashlar {
namespace {

// A call that is refused.
struct Refused {
  std::string name;
  std::function<absl::Status()> call;
};

class RefusalMemoryTest : public WorldFixture {
 protected:
  void SetUp() override {
    WorldFixture::SetUp();
    live_ = *world_->Create({P({1, 2, 3})});
    dead_ = *world_->Create();
    ASSERT_TRUE(world_->Destroy(dead_).ok());
    query_ = *world_->MakeQuery(QuerySpec().Write(position_));
  }

  // Fails the n-th allocation of the call, n = 1, 2, 3 ... until none is left to fail.
  void FailEach(const Refused& refused) {
    const absl::Status usual = refused.call();
    ASSERT_FALSE(usual.ok()) << refused.name;
    for (const bool sticky : {false, true}) {
      for (long nth = 0;; ++nth) {
        absl::Status status;
        bool has_thrown = false;
        g_sticky = sticky;
        g_fired = false;
        g_left = nth;
        try {
          status = refused.call();
        } catch (...) {
          has_thrown = true;
        }
        g_left = kNever;
        ASSERT_FALSE(has_thrown) << refused.name << ", allocation " << nth + 1;
        if (!g_fired) break;
        ++injected_;
        const bool is_usual = status == usual;
        EXPECT_TRUE(is_usual || status.code() == absl::StatusCode::kResourceExhausted)
            << refused.name << ", allocation " << nth + 1 << ": " << status.ToString();
      }
    }
  }

  void FailEach(const std::vector<Refused>& all) {
    for (const Refused& refused : all) FailEach(refused);
  }

  static constexpr ComponentId kUnknown{500};
  Entity live_;
  Entity dead_;
  QueryId query_{0};
  int injected_ = 0;
};

TEST_F(RefusalMemoryTest, CallsOfTheWorld) {
  World& world = *world_;
  const Position at{1, 2, 3};
  const Entity twice[] = {live_, live_};
  const ComponentValue unknown(kUnknown, &at);
  const QuerySpec bad_spec = QuerySpec().Read(kUnknown);
  WorldOptions bad_options;
  bad_options.chunk_size_bytes = 1000;
  const auto health_again = *Describe<Health>("health").Field("", &Health::value).Build();
  std::byte place[64];
  FailEach({
      {"Make", [&] { return World::Make(bad_options).status(); }},
      {"Register", [&] { return world.Register(health_again).status(); }},
      {"FindComponent", [&] { return world.FindComponent("a name that nobody has").status(); }},
      {"Create", [&] { return world.Create({unknown}).status(); }},
      {"Create, repeated", [&] { return world.Create({P(at), P(at)}).status(); }},
      {"Destroy", [&] { return world.Destroy(dead_); }},
      {"DestroyMany", [&] { return world.DestroyMany(twice); }},
      {"Add", [&] { return world.Add(dead_, {P(at)}); }},
      {"Add, present", [&] { return world.Add(live_, {P(at)}); }},
      {"Remove", [&] { return world.Remove(dead_, {position_.id()}); }},
      {"Remove, absent", [&] { return world.Remove(live_, {velocity_.id()}); }},
      {"Exchange", [&] { return world.Exchange(live_, {velocity_.id()}, {P(at)}); }},
      {"Put", [&] { return world.Put(live_, {unknown}); }},
      {"Set", [&] { return world.Set(live_, {H({1})}); }},
      {"SetEnabled", [&] { return world.SetEnabled(live_, position_.id(), false); }},
      {"IsEnabled", [&] { return world.IsEnabled(live_, velocity_.id()).status(); }},
      {"SetField", [&] { return world.SetField(live_, position_.id(), "w", Scalar::Int(1)); }},
      {"SetScalar", [&] { return world.SetScalar(live_, position_.id(), 9, Scalar::Int(1)); }},
      {"GetField", [&] { return world.GetField(live_, position_.id(), "w").status(); }},
      {"Get", [&] { return world.Get(live_, velocity_.id()).status(); }},
      {"Get, dead", [&] { return world.Get(dead_, position_).status(); }},
      {"GetValue", [&] { return world.GetValue(live_, kUnknown, place); }},
      {"Has", [&] { return world.Has(dead_, position_.id()).status(); }},
      {"Locate", [&] { return world.Locate(dead_).status(); }},
      {"MakeQuery", [&] { return world.MakeQuery(bad_spec).status(); }},
      {"OpenScope", [&] { return world.OpenScope(QueryId(99)).status(); }},
      {"CountRows", [&] { return world.CountRows(QueryId(99)).status(); }},
      {"PlaceGeneration", [&] { return world.PlaceGeneration(dead_, 1).status(); }},
      {"PlaceIndex", [&] { return world.PlaceIndex(0); }},
      {"PlaceVersion", [&] { return world.PlaceVersion(0); }},
  });
  EXPECT_GT(injected_, 100);
}

TEST_F(RefusalMemoryTest, CallsInAScope) {
  World& world = *world_;
  const Position at{1, 2, 3};
  Entity made[2];
  IterationScope scope = *world.OpenScope(query_);
  FailEach({
      {"Create", [&] { return world.Create({P(at)}).status(); }},
      {"CreateMany", [&] { return world.CreateMany(made, {}); }},
      {"DestroyAll", [&] { return world.DestroyAll(); }},
      {"Destroy", [&] { return world.Destroy(live_); }},
      {"Add", [&] { return world.Add(live_, {H({1})}); }},
      {"Remove", [&] { return world.Remove(live_, {position_.id()}); }},
      {"Trim", [&] { return world.Trim().status(); }},
      {"SortRowsByEntity", [&] { return SortRowsByEntity(world, query_); }},
      {"SetHook", [&] { return SetHook(world, position_.id(), HookEvent::kAdded, {}); }},
  });
}

TEST_F(RefusalMemoryTest, ManyAtOnce) {
  World& world = *world_;
  const Position at{1, 2, 3};
  const Position two[] = {at, at};
  const Entity twice[] = {live_, live_};
  const ComponentId positions[] = {position_.id()};
  const ComponentSpan spans[] = {{position_, std::span<const Position>(two)}};
  Entity made[3];
  FailEach({
      {"CreateMany", [&] { return world.CreateMany(made, spans); }},
      {"AddMany", [&] { return AddMany(world, twice, spans); }},
      {"PutMany", [&] { return PutMany(world, twice, spans); }},
      {"SetMany", [&] { return SetMany(world, twice, spans); }},
      {"RemoveMany", [&] { return RemoveMany(world, twice, positions); }},
      {"AddByQuery", [&] { return AddByQuery(world, query_, {P(at)}).status(); }},
      {"PutByQuery", [&] { return PutByQuery(world, QueryId(99), {P(at)}).status(); }},
      {"SetByQuery", [&] { return SetByQuery(world, query_, {H({1})}).status(); }},
      {"RemoveByQuery",
       [&] { return RemoveByQuery(world, query_, std::span(&kUnknown, 1)).status(); }},
      {"DestroyByQuery", [&] { return DestroyByQuery(world, QueryId(99)).status(); }},
      {"SortRows",
       [&] {
         return SortRows(world, query_, velocity_,
                         [](const Velocity& a, const Velocity& b) { return a.x < b.x; });
       }},
      {"SortRowsByEntity", [&] { return SortRowsByEntity(world, QueryId(99)); }},
      {"PutSingleton", [&] { return PutSingleton(world, ComponentValue(kUnknown)); }},
      {"RemoveSingleton", [&] { return RemoveSingleton(world, position_.id()); }},
      {"GetSingleton", [&] { return GetSingleton(world, position_.id()).status(); }},
      {"GetSingleton, typed", [&] { return GetSingleton(world, position_).status(); }},
      {"HasSingleton", [&] { return HasSingleton(world, kUnknown).status(); }},
      {"SingletonVersion", [&] { return SingletonVersion(world, kUnknown).status(); }},
      {"SetHook", [&] { return SetHook(world, kUnknown, HookEvent::kSet, {}); }},
  });
}

TEST_F(RefusalMemoryTest, Commands) {
  World& world = *world_;
  const Position at{1, 2, 3};
  CommandBuffer buffer(world);
  CommandBuffer refused(world);
  ASSERT_TRUE(refused.Add(live_, {H({1})}).ok());
  ASSERT_TRUE(refused.Add(dead_, {H({1})}).ok());
  CommandBuffer* const listed_twice[] = {&buffer, &buffer};
  FailEach({
      {"Create", [&] { return buffer.Create({P(at), P(at)}).status(); }},
      {"Destroy, placeholder", [&] { return buffer.Destroy(Placeholder()); }},
      {"Add, placeholder", [&] { return buffer.Add(Placeholder(), {P(at)}); }},
      {"Add", [&] { return buffer.Add(live_, {P(at), P(at)}); }},
      {"Remove", [&] { return buffer.Remove(live_, {kUnknown}); }},
      {"Set", [&] { return buffer.Set(live_, {ComponentValue(kUnknown)}); }},
      {"Put", [&] { return buffer.Put(live_, {ComponentValue(kUnknown)}); }},
      {"Exchange", [&] { return buffer.Exchange(live_, {kUnknown}, {P(at)}); }},
      {"AddByQuery", [&] { return buffer.AddByQuery(query_, {ComponentValue(kUnknown)}); }},
      {"Resolve", [&] { return buffer.Resolve(Placeholder()).status(); }},
      {"Apply", [&] { return Apply(world, refused).status(); }},
      {"Apply, the same twice", [&] { return Apply(world, listed_twice).status(); }},
  });
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(refused.size(), 2u);
  EXPECT_FALSE(*world.Has(live_, health_.id()));
}

}  // namespace
}  // namespace ashlar
