// World's calls one by one: what they do, and every refusal with its reason.
#include "ashlar/world/world.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

using WorldTest = WorldFixture;

constexpr ComponentId kUnregistered{77};

TEST_F(WorldTest, OptionsOutOfRangeAreRefused) {
  for (std::size_t bytes :
       {std::size_t{0}, std::size_t{2048}, std::size_t{5000}, std::size_t{131072}}) {
    WorldOptions options;
    options.chunk_size_bytes = bytes;
    EXPECT_REFUSED(World::Make(options), kInvalidArgument, kOptionInvalid);
  }
  for (std::uint64_t limit : {std::uint64_t{0}, std::uint64_t{1} << 32}) {
    WorldOptions options;
    options.entity_index_limit = limit;
    EXPECT_REFUSED(World::Make(options), kInvalidArgument, kOptionInvalid);
  }
}

TEST_F(WorldTest, DeadIdsAreRefusedByEveryCall) {
  const Entity stale = *world_->Create({P({})});
  ASSERT_TRUE(world_->Destroy(stale).ok());
  const Entity alive = *world_->Create({P({1, 2, 3})});
  ASSERT_EQ(alive, Entity(0, 2));
  const std::array<Entity, 6> dead = {Entity(),     stale,        Entity(0, 3),
                                      Entity(1, 1), Entity(0, 0), Entity(0xFFFFFFFF, 0xFFFFFFFF)};
  for (Entity entity : dead) {
    EXPECT_FALSE(world_->IsAlive(entity));
    EXPECT_REFUSED(world_->Destroy(entity), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Add(entity, {H({1})}), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Remove(entity, {position_.id()}), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Exchange(entity, {position_.id()}, {H({1})}), kNotFound,
                   kEntityNotAlive);
    EXPECT_REFUSED(world_->Put(entity, {H({1})}), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Set(entity, {P({})}), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->SetField(entity, position_.id(), "x", Scalar::F32(1)), kNotFound,
                   kEntityNotAlive);
    EXPECT_REFUSED(world_->GetField(entity, position_.id(), "x"), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Get(entity, position_), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Get(entity, position_.id()), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Has(entity, position_.id()), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->Locate(entity), kNotFound, kEntityNotAlive);
    EXPECT_REFUSED(world_->PlaceGeneration(entity, 9), kNotFound, kEntityNotAlive);
    EXPECT_EQ(world_->TryGet(entity, position_), nullptr);
  }
  EXPECT_EQ(**world_->Get(alive, position_), (Position{1, 2, 3}));
}

TEST_F(WorldTest, ErrorsNameTheEntityAndTheComponent) {
  const Entity entity = *world_->Create({P({})});
  const std::string present = std::string(world_->Add(entity, {P({})}).message());
  EXPECT_NE(present.find("0v1"), std::string::npos) << present;
  EXPECT_NE(present.find("position"), std::string::npos) << present;
  EXPECT_NE(present.find("Put"), std::string::npos) << present;
  const std::string absent = std::string(world_->Remove(entity, {health_.id()}).message());
  EXPECT_NE(absent.find("health"), std::string::npos) << absent;
}

TEST_F(WorldTest, AddRefusesWhatIsThere) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  EXPECT_REFUSED(world_->Add(entity, {P({9, 9, 9})}), kAlreadyExists, kComponentPresent);
  EXPECT_REFUSED(world_->Add(entity, {H({1}), P({9, 9, 9})}), kAlreadyExists, kComponentPresent);
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
  EXPECT_FALSE(*world_->Has(entity, health_.id()));
}

TEST_F(WorldTest, ListsAreCheckedLeftToRight) {
  const Entity entity = *world_->Create({P({})});
  const ComponentValue unknown(kUnregistered);
  EXPECT_REFUSED(world_->Add(entity, {unknown, P({})}), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(world_->Add(entity, {P({}), unknown}), kAlreadyExists, kComponentPresent);
  EXPECT_REFUSED(world_->Add(entity, {H({}), H({}), unknown}), kInvalidArgument,
                 kComponentRepeated);
  EXPECT_REFUSED(world_->Remove(entity, {position_.id(), position_.id()}), kInvalidArgument,
                 kComponentRepeated);
  EXPECT_REFUSED(world_->Remove(entity, {health_.id(), kUnregistered}), kNotFound,
                 kComponentAbsent);
  EXPECT_REFUSED(world_->Create({H({}), H({})}), kInvalidArgument, kComponentRepeated);
  EXPECT_REFUSED(world_->Create({unknown}), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(world_->Set(entity, {P({}), P({})}), kInvalidArgument, kComponentRepeated);
  EXPECT_REFUSED(world_->Set(entity, {H({})}), kNotFound, kComponentAbsent);
  EXPECT_REFUSED(world_->Has(entity, kUnregistered), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(world_->Get(entity, kUnregistered), kInvalidArgument, kComponentUnknown);
  EXPECT_REFUSED(world_->Get(entity, health_), kNotFound, kComponentAbsent);
  EXPECT_REFUSED(world_->Get(entity, disabled_), kNotFound, kComponentAbsent);
}

TEST_F(WorldTest, ATypedHandleMustBeTheComponentsOwn) {
  const Entity entity = *world_->Create({P({})});
  const Component<Health> wrong(position_.id());
  const Health value{3};
  EXPECT_REFUSED(world_->Get(entity, wrong), kInvalidArgument, kComponentTypeMismatch);
  EXPECT_EQ(world_->TryGet(entity, wrong), nullptr);
  EXPECT_REFUSED(world_->Set(entity, {ComponentValue(wrong, value)}), kInvalidArgument,
                 kComponentTypeMismatch);
  EXPECT_REFUSED(world_->Create({ComponentValue(wrong, value)}), kInvalidArgument,
                 kComponentTypeMismatch);
  EXPECT_REFUSED(world_->Create({ComponentValue(position_.id(), nullptr)}), kInvalidArgument,
                 kValueDoesNotFit);
}

TEST_F(WorldTest, EmptyListsChangeNothing) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  const Location before = *world_->Locate(entity);
  const std::uint64_t version = world_->version();
  EXPECT_TRUE(world_->Add(entity, std::initializer_list<ComponentValue>{}).ok());
  EXPECT_TRUE(world_->Remove(entity, std::initializer_list<ComponentId>{}).ok());
  EXPECT_TRUE(world_->Set(entity, std::initializer_list<ComponentValue>{}).ok());
  EXPECT_TRUE(world_->Put(entity, std::initializer_list<ComponentValue>{}).ok());
  EXPECT_TRUE(world_->Exchange(entity, {}, {}).ok());
  EXPECT_EQ(*world_->Locate(entity), before);
  EXPECT_EQ(world_->version(), version);
}

TEST_F(WorldTest, ExchangeMovesOnce) {
  const Entity entity = *world_->Create({P({1, 2, 3}), H({7})});
  const std::uint64_t version = world_->version();
  ASSERT_TRUE(world_->Exchange(entity, {health_.id()}, {V({4, 5, 6}), D()}).ok());
  EXPECT_EQ(world_->version(), version + 1);
  EXPECT_FALSE(*world_->Has(entity, health_.id()));
  EXPECT_TRUE(*world_->Has(entity, disabled_.id()));
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
  EXPECT_EQ(**world_->Get(entity, velocity_), (Velocity{4, 5, 6}));
}

TEST_F(WorldTest, ExchangeToTheSameSignatureDoesNotMove) {
  const Entity entity = *world_->Create({P({1, 2, 3}), H({7})});
  *world_->Create({P({}), H({8})});
  const Location before = *world_->Locate(entity);
  const std::uint64_t version = world_->version();
  ASSERT_TRUE(world_->Exchange(entity, {health_.id()}, {H({70})}).ok());
  EXPECT_EQ(*world_->Locate(entity), before);
  EXPECT_EQ(world_->version(), version + 1) << "that of a value which was written";
  EXPECT_EQ((*world_->Get(entity, health_))->value, 70);
  EXPECT_REFUSED(world_->Exchange(entity, {}, {H({1})}), kAlreadyExists, kComponentPresent);
  EXPECT_REFUSED(world_->Exchange(entity, {velocity_.id()}, {}), kNotFound, kComponentAbsent);
  EXPECT_REFUSED(world_->Exchange(entity, {health_.id(), health_.id()}, {}), kInvalidArgument,
                 kComponentRepeated);
}

TEST_F(WorldTest, ExchangeReplacesAValueOnTheWay) {
  const Entity entity = *world_->Create({P({1, 2, 3}), H({7})});
  ASSERT_TRUE(world_->Exchange(entity, {position_.id(), health_.id()}, {H({70})}).ok());
  EXPECT_EQ((*world_->Get(entity, health_))->value, 70);
  EXPECT_FALSE(*world_->Has(entity, position_.id()));
}

TEST_F(WorldTest, PutAddsAndReplaces) {
  const Entity entity = *world_->Create({H({7})});
  ASSERT_TRUE(world_->Put(entity, {H({8}), P({1, 2, 3})}).ok());
  EXPECT_EQ((*world_->Get(entity, health_))->value, 8);
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
}

TEST_F(WorldTest, RulesAndValidatorsRefuseBeforeAnythingMoves) {
  FieldRule percent;
  percent.min = Scalar::Int(0);
  percent.max = Scalar::Int(100);
  struct Charge {
    std::int32_t value;
  };
  const auto charge =
      *world_->Register(Describe<Charge>("charge").Field("", &Charge::value, percent));
  struct Even {
    std::int32_t value;
  };
  const auto even =
      *world_->Register(Describe<Even>("even")
                            .Field("", &Even::value)
                            .Accepts(
                                [](const void* value, const void*) noexcept {
                                  return static_cast<const Even*>(value)->value % 2 == 0;
                                },
                                "must be even"));
  const Entity entity = *world_->Create({P({1, 2, 3})});
  for (std::int32_t value : {-1, 101}) {
    EXPECT_REFUSED(world_->Add(entity, {H({1}), ComponentValue(charge, Charge{value})}),
                   kInvalidArgument, kValueRefused);
  }
  EXPECT_REFUSED(world_->Add(entity, {ComponentValue(even, Even{3})}), kInvalidArgument,
                 kValueRefused);
  EXPECT_FALSE(*world_->Has(entity, health_.id()));
  const Charge full{100};
  const Even two{2};
  ASSERT_TRUE(world_->Add(entity, {ComponentValue(charge, full), ComponentValue(even, two)}).ok());
  const Even three{3};
  EXPECT_REFUSED(
      world_->Set(entity, {ComponentValue(charge, Charge{5}), ComponentValue(even, three)}),
      kInvalidArgument, kValueRefused);
  EXPECT_EQ((*world_->Get(entity, charge))->value, 100) << "a set is all or nothing";
  EXPECT_REFUSED(world_->SetField(entity, charge.id(), "", Scalar::Int(101)), kInvalidArgument,
                 kValueRefused);
  ASSERT_TRUE(world_->SetField(entity, charge.id(), "", Scalar::Int(55)).ok());
  EXPECT_EQ((*world_->Get(entity, charge))->value, 55);
}

TEST_F(WorldTest, FieldsAreSetAndReadByPath) {
  const Entity entity = *world_->Create({P({1, 2, 3})});
  ASSERT_TRUE(world_->SetField(entity, position_.id(), "y", Scalar::F32(5)).ok());
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 5, 3}));
  EXPECT_EQ(*world_->GetField(entity, position_.id(), "y"), Scalar::F32(5));
  EXPECT_REFUSED(world_->SetField(entity, position_.id(), "w", Scalar::F32(5)), kInvalidArgument,
                 kFieldUnknown);
  EXPECT_REFUSED(world_->SetScalar(entity, position_.id(), 3, Scalar::F32(5)), kInvalidArgument,
                 kFieldUnknown);
  EXPECT_REFUSED(world_->SetField(entity, position_.id(), "y", Scalar::Bool(true)),
                 kInvalidArgument, kValueDoesNotFit);
  EXPECT_REFUSED(world_->SetField(entity, health_.id(), "", Scalar::Int(1)), kNotFound,
                 kComponentAbsent);
  EXPECT_REFUSED(world_->SetField(entity, kUnregistered, "", Scalar::Int(1)), kInvalidArgument,
                 kComponentUnknown);
}

TEST_F(WorldTest, StoredBitsAreKept) {
  const Entity entity = *world_->Create({P({})});
  for (std::uint32_t bits : {0x7fc00001u, 0x7f800001u, 0xffc12345u, 0x80000000u, 0x00000001u}) {
    ASSERT_TRUE(world_->SetField(entity, position_.id(), "x", Scalar::F32Bits(bits)).ok());
    EXPECT_EQ(world_->GetField(entity, position_.id(), "x")->bits, bits);
    ASSERT_TRUE(world_->Add(entity, {H({1})}).ok());
    EXPECT_EQ(world_->GetField(entity, position_.id(), "x")->bits, bits);
    ASSERT_TRUE(world_->Remove(entity, {health_.id()}).ok());
  }
}

TEST_F(WorldTest, ValuesNotGivenAreZero) {
  // A chunk is reused; the bytes of its last owner must not show.
  const Entity old = *world_->Create({P({7, 7, 7}), H({7})});
  ASSERT_TRUE(world_->Destroy(old).ok());
  const Entity entity = *world_->Create(
      {ComponentValue(position_.id()), ComponentValue(health_.id(), std::span<const Scalar>())});
  EXPECT_EQ(**world_->Get(entity, position_), (Position{0, 0, 0}));
  EXPECT_EQ((*world_->Get(entity, health_))->value, 0);
}

TEST_F(WorldTest, TagsArePresenceAlone) {
  const Entity entity = *world_->Create({D()});
  EXPECT_TRUE(*world_->Has(entity, disabled_.id()));
  EXPECT_NE(*world_->Get(entity, disabled_), nullptr);
  EXPECT_EQ(*world_->Get(entity, disabled_.id()), nullptr);
  const Scalar one = Scalar::Int(1);
  EXPECT_REFUSED(world_->Put(entity, {ComponentValue(disabled_.id(), std::span(&one, 1))}),
                 kInvalidArgument, kValueDoesNotFit);
  ASSERT_TRUE(world_->Remove(entity, {disabled_.id()}).ok());
  EXPECT_TRUE(world_->IsAlive(entity));
}

TEST_F(WorldTest, AValueMayComeFromTheWorldItself) {
  WorldOptions options;
  options.rows_per_chunk_max = 1;
  Reset(options);
  const Entity a = *world_->Create({P({1, 2, 3})});
  const Entity b = *world_->Create({H({1})});
  ASSERT_TRUE(world_->Add(b, {ComponentValue(position_, **world_->Get(a, position_))}).ok());
  EXPECT_EQ(**world_->Get(b, position_), (Position{1, 2, 3}));
  ASSERT_TRUE(world_->Set(a, {ComponentValue(position_, **world_->Get(a, position_))}).ok());
  EXPECT_EQ(**world_->Get(a, position_), (Position{1, 2, 3}));
}

TEST_F(WorldTest, PointersMayBeTakenWhereAValueIsItsBytes) {
  Position position{1, 2, 3};
  const Entity entity = *world_->Create(
      {ComponentValue::Take(position_.id(), &position), ComponentValue(disabled_.id(), nullptr)});
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
  EXPECT_TRUE(*world_->Has(entity, disabled_.id()));
  EXPECT_REFUSED(world_->Set(entity, {ComponentValue::Take(position_.id(), nullptr)}),
                 kInvalidArgument, kValueDoesNotFit);
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
}

TEST_F(WorldTest, NamesAreTakenOnce) {
  EXPECT_REFUSED(world_->Register(Describe<Health>("health").Field("", &Health::value)),
                 kAlreadyExists, kComponentNameTaken);
  EXPECT_EQ(*world_->FindComponent("velocity"), velocity_.id());
  EXPECT_REFUSED(world_->FindComponent("Velocity"), kInvalidArgument, kComponentUnknown);
}

TEST_F(WorldTest, FiveHundredAndTwelveComponentTypes) {
  TypeSpec tag;
  for (int i = 4; i < 512; ++i) {
    ASSERT_TRUE(
        world_->Register(*ComponentDescriptor::FromSpec("t" + std::to_string(i), tag)).ok());
  }
  EXPECT_REFUSED(world_->Register(*ComponentDescriptor::FromSpec("one_more", tag)),
                 kResourceExhausted, kComponentLimit);
  const Entity entity = *world_->Create({P({1, 2, 3})});
  std::vector<ComponentValue> all;
  for (std::uint16_t i = 3; i < 512; ++i) all.emplace_back(ComponentId(i));
  ASSERT_TRUE(world_->Add(entity, all).ok());
  for (std::uint16_t i = 3; i < 512; ++i) EXPECT_TRUE(*world_->Has(entity, ComponentId(i)));
  EXPECT_FALSE(*world_->Has(entity, health_.id()));
  ASSERT_TRUE(world_->Remove(entity, {ComponentId(511)}).ok());
  EXPECT_FALSE(*world_->Has(entity, ComponentId(511)));
  EXPECT_TRUE(*world_->Has(entity, ComponentId(510)));
  EXPECT_EQ(**world_->Get(entity, position_), (Position{1, 2, 3}));
}

TEST_F(WorldTest, IdsRunOutAndComeBack) {
  WorldOptions options;
  options.entity_index_limit = 2;
  Reset(options);
  const Entity a = *world_->Create();
  const Entity b = *world_->Create({P({})});
  EXPECT_REFUSED(world_->Create({P({})}), kResourceExhausted, kIdsExhausted);
  EXPECT_EQ(world_->entity_count(), 2u);
  ASSERT_TRUE(world_->Destroy(a).ok());
  EXPECT_EQ(*world_->Create(), Entity(0, 2));
  const Entity last = *world_->PlaceGeneration(b, kGenerationLast);
  ASSERT_TRUE(world_->Destroy(last).ok());
  EXPECT_REFUSED(world_->Create(), kResourceExhausted, kIdsExhausted);
}

TEST_F(WorldTest, WorldsComeAndGo) {
  for (int i = 0; i < 2000; ++i) {
    Reset({});
    ASSERT_TRUE(world_->Create({P({})}).ok());
  }
}

}  // namespace
}  // namespace ashlar
