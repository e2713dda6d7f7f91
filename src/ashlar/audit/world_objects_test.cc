// Components that are more than their bytes: what they own is made once, moved along and ended
// once, and a constructor that throws leaves the world as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

// Counts its instances, knows where it lives, and throws when it is told to. `Padding` bytes and an
// alignment make it as large and as demanding as wanted.
template <std::size_t Alignment, std::size_t Padding>
struct alignas(Alignment) Watched {
  static inline int live = 0;
  static inline int constructions = 0;
  static inline int throw_at = 0;  // The n-th construction from now throws; 0: none.
  static inline int self_moves = 0;

  Watched() : Watched(0) {}
  explicit Watched(std::int32_t number) : value(number) { Begin(); }
  Watched(const Watched& other) : value(other.value) {
    EXPECT_TRUE(other.IsHere());
    Begin();
  }
  Watched(Watched&& other) noexcept : value(std::exchange(other.value, -1)) {
    self_moves += &other == this;
    EXPECT_TRUE(other.IsHere());
    ++live;
    here = this;
  }
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    EXPECT_TRUE(IsHere());
    here = nullptr;
    --live;
  }

  bool IsHere() const {
    return here == this && reinterpret_cast<std::uintptr_t>(this) % Alignment == 0;
  }

  const Watched* here = nullptr;
  std::int32_t value;
  std::array<std::byte, Padding> padding{};

 private:
  void Begin() {
    ++constructions;
    if (throw_at != 0 && --throw_at == 0) throw std::runtime_error("told to throw");
    ++live;
    here = this;
  }
};

using Plain = Watched<8, 1>;
using Wide = Watched<64, 1>;
// 4096 - 64 (header) - 64 (ids): one row a chunk.
using Huge = Watched<8, 4096 - 64 - 64 - 16>;
static_assert(sizeof(Huge) == 4096 - 64 - 64);

// An empty type that does something when it begins and ends.
struct Token {
  static inline int live = 0;
  Token() { ++live; }
  Token(const Token&) { ++live; }
  Token(Token&&) noexcept { ++live; }
  ~Token() { --live; }
};

struct Byte {
  static inline int live = 0;
  explicit Byte(std::uint8_t from) : value(from) { ++live; }
  Byte(const Byte& other) : value(other.value) { ++live; }
  Byte(Byte&& other) noexcept : value(other.value) { ++live; }
  ~Byte() { --live; }
  std::uint8_t value;
};
static_assert(sizeof(Byte) == 1 && !std::is_default_constructible_v<Byte>);

TypeSpec OneInteger() { return {{{"value", {ScalarType::kI32, 1}, {}}}}; }

template <typename T>
TypedDescriptor<T> DescribeWatched(std::string_view name) {
  return Describe<T>(name).Neutral(
      OneInteger(),
      [](const T& value, std::span<Scalar> out) noexcept { out[0] = Scalar::Int(value.value); },
      [](std::span<const Scalar> in) { return T(static_cast<std::int32_t>(in[0].bits)); });
}

class ObjectsTest : public WorldFixture {
 protected:
  ObjectsTest() {
    WorldOptions options;
    options.rows_per_chunk_max = 2;
    Reset(options);
    plain_ = *world_->Register(DescribeWatched<Plain>("plain"));
    wide_ = *world_->Register(DescribeWatched<Wide>("wide"));
    huge_ = *world_->Register(DescribeWatched<Huge>("huge"));
    name_ = *world_->Register(Describe<std::string>("name"));
    unique_ = *world_->Register(Describe<std::unique_ptr<int>>("unique"));
    token_ = *world_->Register(Describe<Token>("token"));
    byte_ = *world_->Register(Describe<Byte>("byte"));
    Plain::constructions = Plain::throw_at = 0;
  }

  ~ObjectsTest() override {
    world_.reset();
    EXPECT_EQ(Plain::live, 0);
    EXPECT_EQ(Wide::live, 0);
    EXPECT_EQ(Huge::live, 0);
    EXPECT_EQ(Token::live, 0);
    EXPECT_EQ(Byte::live, 0);
    EXPECT_EQ(Plain::self_moves + Wide::self_moves + Huge::self_moves, 0);
  }

  void CheckWorld() {
    const absl::Status status = CheckIntegrity(*world_);
    EXPECT_TRUE(status.ok()) << status;
  }

  std::int32_t ValueOf(Entity entity) { return (*world_->Get(entity, plain_))->value; }

  Component<Plain> plain_;
  Component<Wide> wide_;
  Component<Huge> huge_;
  Component<std::string> name_;
  Component<std::unique_ptr<int>> unique_;
  Component<Token> token_;
  Component<Byte> byte_;
};

TEST_F(ObjectsTest, LiveAsLongAsTheirRows) {
  std::vector<Entity> entities;
  for (std::int32_t i = 0; i < 7; ++i) {
    entities.push_back(*world_->Create({P({}), ComponentValue(plain_, Plain(i))}));
  }
  EXPECT_EQ(Plain::live, 7);
  EXPECT_TRUE(world_->Destroy(entities[1]).ok());
  EXPECT_TRUE(world_->Destroy(entities[6]).ok());
  EXPECT_EQ(Plain::live, 5);
  for (const std::int32_t i : {0, 2, 3, 4, 5}) {
    EXPECT_EQ(ValueOf(entities[i]), i);
    EXPECT_TRUE((*world_->Get(entities[i], plain_))->IsHere());
  }
  CheckWorld();
}

TEST_F(ObjectsTest, MoveWithTheirRowAndEndWhenTheyAreRemoved) {
  const Entity a = *world_->Create({ComponentValue(plain_, Plain(1)), ComponentValue(wide_)});
  const Entity b = *world_->Create({ComponentValue(plain_, Plain(2)), ComponentValue(wide_)});
  const Entity c = *world_->Create({ComponentValue(plain_, Plain(3)), ComponentValue(wide_)});
  EXPECT_TRUE(world_->Add(a, {H({80}), ComponentValue(token_)}).ok());
  EXPECT_EQ(Token::live, 1);
  EXPECT_EQ(ValueOf(a), 1);
  CheckWorld();
  EXPECT_TRUE(world_->Remove(b, {wide_.id()}).ok());
  EXPECT_EQ(Wide::live, 2);
  CheckWorld();
  EXPECT_TRUE(
      world_->Exchange(c, {wide_.id()}, {ComponentValue(name_, std::string(40, 'x'))}).ok());
  EXPECT_EQ(Wide::live, 1);
  EXPECT_EQ(**world_->Get(c, name_), std::string(40, 'x'));
  EXPECT_EQ(Plain::live, 3);
  CheckWorld();
  EXPECT_TRUE(world_->Remove(a, {token_.id(), plain_.id()}).ok());
  EXPECT_EQ(Token::live, 0);
  EXPECT_EQ(Plain::live, 2);
  CheckWorld();
}

TEST_F(ObjectsTest, NamedValuesAreCopiedOthersAreMoved) {
  const Plain value(7);
  const Entity entity = *world_->Create({ComponentValue(plain_, value)});
  EXPECT_EQ(value.value, 7);
  Plain other(8);
  EXPECT_TRUE(world_->Set(entity, {ComponentValue(plain_, std::move(other))}).ok());
  EXPECT_EQ(other.value, -1) << "moved from";
  EXPECT_EQ(ValueOf(entity), 8);
  EXPECT_EQ(Plain::live, 3);
  CheckWorld();
}

TEST_F(ObjectsTest, AMoveOnlyValueIsMovedOnlyWhenTheCallSucceeds) {
  auto number = std::make_unique<int>(5);
  EXPECT_FALSE(world_->Add(Entity(99, 1), {ComponentValue(unique_, std::move(number))}).ok());
  ASSERT_NE(number, nullptr);
  const Entity entity = *world_->Create({ComponentValue(unique_, std::move(number))});
  EXPECT_EQ(number, nullptr);
  EXPECT_EQ(***world_->Get(entity, unique_), 5);

  const auto held = std::make_unique<int>(6);
  const absl::Status refused =
      world_->Set(entity, {ComponentValue(unique_.id(), static_cast<const void*>(&held))});
  EXPECT_EQ(ReasonOf(refused), Reason::kValueDoesNotFit) << refused;
  EXPECT_EQ(***world_->Get(entity, unique_), 5);
}

TEST_F(ObjectsTest, AValueMayBeMovedOntoItself) {
  const Entity entity = *world_->Create({ComponentValue(name_, std::string(40, 'a'))});
  auto* stored = const_cast<std::string*>(*world_->Get(entity, name_));
  EXPECT_TRUE(world_->Set(entity, {ComponentValue(name_, std::move(*stored))}).ok());
  EXPECT_EQ(**world_->Get(entity, name_), std::string(40, 'a'));
  EXPECT_TRUE(world_->Set(entity, {ComponentValue(name_, **world_->Get(entity, name_))}).ok());
  EXPECT_EQ(**world_->Get(entity, name_), std::string(40, 'a'));
  EXPECT_TRUE(
      world_->Put(entity, {H({1}), ComponentValue(name_, **world_->Get(entity, name_))}).ok());
  EXPECT_EQ(**world_->Get(entity, name_), std::string(40, 'a'));
  CheckWorld();
}

TEST_F(ObjectsTest, PutReplacesWhatIsThereInTheSameMove) {
  const Entity entity = *world_->Create({ComponentValue(plain_, Plain(1)), ComponentValue(wide_)});
  EXPECT_TRUE(
      world_->Put(entity, {ComponentValue(plain_, Plain(2)), ComponentValue(token_), H({3})}).ok());
  EXPECT_EQ(ValueOf(entity), 2);
  EXPECT_EQ(Plain::live, 1);
  EXPECT_EQ(Wide::live, 1);
  EXPECT_EQ(Token::live, 1);
  CheckWorld();
}

TEST_F(ObjectsTest, ExchangeWithTheSameComponentReplacesInPlace) {
  const Entity entity = *world_->Create({ComponentValue(plain_, Plain(1))});
  const std::uint64_t version = world_->version();
  EXPECT_TRUE(world_->Exchange(entity, {plain_.id()}, {ComponentValue(plain_, Plain(2))}).ok());
  EXPECT_EQ(ValueOf(entity), 2);
  EXPECT_EQ(Plain::live, 1);
  EXPECT_EQ(world_->version(), version);
  CheckWorld();
}

TEST_F(ObjectsTest, ATypeWithoutADefaultMustBeGiven) {
  EXPECT_EQ(ReasonOf(world_->Create({ComponentValue(byte_.id())}).status()),
            Reason::kValueDoesNotFit);
  const Entity entity = *world_->Create({ComponentValue(byte_, Byte(200))});
  EXPECT_EQ((*world_->Get(entity, byte_))->value, 200);
  CheckWorld();
}

TEST_F(ObjectsTest, EveryAlignmentIsKept) {
  std::vector<Entity> entities;
  for (std::int32_t i = 0; i < 5; ++i) {
    entities.push_back(
        *world_->Create({ComponentValue(wide_, Wide(i)),
                         ComponentValue(byte_, Byte(static_cast<std::uint8_t>(i)))}));
  }
  EXPECT_TRUE(world_->Destroy(entities[0]).ok());
  for (std::int32_t i = 1; i < 5; ++i) {
    const Wide* wide = *world_->Get(entities[i], wide_);
    EXPECT_TRUE(wide->IsHere());
    EXPECT_EQ(wide->value, i);
    EXPECT_EQ((*world_->Get(entities[i], byte_))->value, i);
  }
  alignas(64) std::array<std::byte, 2 * sizeof(Wide)> bytes{};
  EXPECT_EQ(ReasonOf(world_->Set(entities[1], {ComponentValue(wide_.id(), bytes.data() + 8)})),
            Reason::kValueDoesNotFit)
      << "misaligned";
  CheckWorld();
}

TEST_F(ObjectsTest, OneValueMayFillAChunk) {
  const Entity a = *world_->Create({ComponentValue(huge_, Huge(1))});
  const Entity b = *world_->Create({ComponentValue(huge_, Huge(2))});
  EXPECT_EQ(ReasonOf(world_->Add(a, {H({1})})), Reason::kRowTooLarge);
  EXPECT_TRUE(world_->Destroy(a).ok());
  EXPECT_EQ((*world_->Get(b, huge_))->value, 2);
  CheckWorld();
}

TEST_F(ObjectsTest, HaveANeutralForm) {
  const Entity entity = *world_->Create({ComponentValue(plain_)});
  const std::vector<Scalar> five{Scalar::Int(5)};
  EXPECT_TRUE(world_->Set(entity, {ComponentValue(plain_.id(), five)}).ok());
  EXPECT_EQ(ValueOf(entity), 5);
  EXPECT_TRUE(world_->SetField(entity, plain_.id(), "value", Scalar::Int(6)).ok());
  EXPECT_EQ(*world_->GetField(entity, plain_.id(), "value"), Scalar::Int(6));
  EXPECT_EQ(ReasonOf(world_->SetField(entity, plain_.id(), "value", Scalar::F32(0.5f))),
            Reason::kValueDoesNotFit);
  const std::vector<Scalar> too_large{Scalar::Int(std::int64_t{1} << 31)};
  EXPECT_EQ(ReasonOf(world_->Set(entity, {ComponentValue(plain_.id(), too_large)})),
            Reason::kValueDoesNotFit);
  const ComponentDescriptor& descriptor = world_->registry()[plain_.id()];
  const auto* stored = *world_->Get(entity, plain_.id());
  EXPECT_EQ(descriptor.Print(stored), "6");
  const Plain six(6);
  EXPECT_TRUE(descriptor.Equal(stored, reinterpret_cast<const std::byte*>(&six)));
  EXPECT_EQ(descriptor.Hash(stored), descriptor.Hash(reinterpret_cast<const std::byte*>(&six)));
  EXPECT_EQ(ReasonOf(world_->Set(entity, {ComponentValue(name_.id(), five)})),
            Reason::kComponentAbsent);
  EXPECT_EQ(ReasonOf(world_->Add(entity, {ComponentValue(name_.id(), five)})),
            Reason::kValueDoesNotFit);
}

TEST_F(ObjectsTest, ValidatorsSeeTheObject) {
  const auto even = world_->Register(DescribeWatched<Plain>("even").Accepts(
      [](const void* value, const void*) noexcept {
        return static_cast<const Plain*>(value)->IsHere() &&
               static_cast<const Plain*>(value)->value % 2 == 0;
      },
      "must be even"));
  ASSERT_TRUE(even.ok());
  const Plain one(1);
  EXPECT_EQ(ReasonOf(world_->Create({ComponentValue(*even, one)}).status()), Reason::kValueRefused);
  EXPECT_EQ(ReasonOf(world_->Create({ComponentValue(*even, Plain(3))}).status()),
            Reason::kValueRefused);
  const std::vector<Scalar> five{Scalar::Int(5)};
  EXPECT_EQ(ReasonOf(world_->Create({ComponentValue(even->id(), five)}).status()),
            Reason::kValueRefused);
  EXPECT_EQ(Plain::live, 1);
  const Entity entity = *world_->Create({ComponentValue(*even, Plain(4))});
  EXPECT_EQ(ReasonOf(world_->SetField(entity, even->id(), "value", Scalar::Int(7))),
            Reason::kValueRefused);
  EXPECT_EQ((*world_->Get(entity, *even))->value, 4);
}

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

TEST(ObjectDescriptor, RefusesALifecycleThatCannotEndAValue) {
  Lifecycle lifecycle;
  EXPECT_EQ(
      ReasonOf(ComponentDescriptor::FromLifecycle("x", 8, 8, {}, lifecycle, nullptr, {}).status()),
      Reason::kComponentMalformed);
  lifecycle = internal::LifecycleOf<std::string>();
  EXPECT_EQ(
      ReasonOf(ComponentDescriptor::FromLifecycle("x", 0, 1, {}, lifecycle, nullptr, {}).status()),
      Reason::kComponentMalformed);
  EXPECT_EQ(
      ReasonOf(ComponentDescriptor::FromLifecycle("x", sizeof(std::string), alignof(std::string),
                                                  OneInteger(), lifecycle, nullptr, {})
                   .status()),
      Reason::kComponentMalformed)
      << "fields without a way to and from scalars";
  EXPECT_TRUE(ComponentDescriptor::FromLifecycle("x", sizeof(std::string), alignof(std::string), {},
                                                 lifecycle, nullptr, {})
                  .ok());
}

}  // namespace
}  // namespace ashlar
