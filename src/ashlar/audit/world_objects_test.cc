// Components that are more than their bytes: what they own is made once, moved along and ended
// once, and a constructor that throws leaves the world as it was.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/audit/world_objects_fixture.h"

namespace ashlar {
namespace {

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
  EXPECT_EQ(world_->version(), version + 1);
  CheckWorld();
}

TEST_F(ObjectsTest, ATypeWithoutADefaultMustBeGiven) {
  EXPECT_EQ(ReasonOf(world_->Create({ComponentValue(byte_.id())}).status()),
            Reason::kValueDoesNotFit);
  const Entity entity = *world_->Create({ComponentValue(byte_, Byte(200))});
  EXPECT_EQ((*world_->Get(entity, byte_))->value, 200);
  CheckWorld();
}

TEST_F(ObjectsTest, NoScalarsAreTheDefaultAndNoPointerIsNone) {
  Position position{1, 2, 3};
  const Entity entity = *world_->Create({ComponentValue::Take(position_.id(), &position),
                                         ComponentValue(plain_.id(), std::span<const Scalar>())});
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
  EXPECT_EQ(ValueOf(entity), 0);
  for (const ComponentValue& value :
       {ComponentValue(plain_.id(), nullptr), ComponentValue::Take(plain_.id(), nullptr)}) {
    EXPECT_EQ(ReasonOf(world_->Set(entity, {value})), Reason::kValueDoesNotFit);
  }
  EXPECT_EQ(Plain::live, 1);
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
