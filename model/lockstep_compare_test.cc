// A comparison that never says no proves nothing: here world and model are driven apart on purpose,
// in every way in which they can differ, and each difference must be found.

#include "model/lockstep_compare.h"

#include <memory>
#include <string>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "ashlar/schema/scalar.h"
#include "ashlar/world/world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace ashlar::model {
namespace {

using ::testing::HasSubstr;

constexpr std::uint16_t kHealth = 0;
constexpr std::uint16_t kBody = 1;
constexpr std::uint16_t kMark = 2;

std::vector<oplang::ComponentDeclaration> Declarations() {
  std::vector<oplang::ComponentDeclaration> declarations{
      {"health", {}}, {"body", {}}, {"mark", {}}};
  EXPECT_FALSE(ParseType("i32", &declarations[0].type).has_value());
  EXPECT_FALSE(ParseType("{alive: bool, mass: f64, of: entity, turn: i8[2]}", &declarations[1].type)
                   .has_value());
  return declarations;
}

NamedValue Health(int value) { return {kHealth, {Scalar::Int(value)}}; }

class LockstepCompareTest : public ::testing::Test {
 protected:
  LockstepCompareTest()
      : schema_(*SchemaOf(Declarations())),
        world_(*World::Make()),
        model_(oplang::Options(), schema_->ForModel()) {
    for (const ComponentDescriptor& descriptor : schema_->stored()) {
      EXPECT_TRUE(world_->Register(descriptor).ok());
    }
    all_rows_ = *world_->MakeQuery(QuerySpec());
    comparer_ = std::make_unique<StateComparer>(world_.get(), &model_, schema_.get(), &bindings_,
                                                all_rows_);
  }

  Entity InWorld(const std::vector<NamedValue>& values) {
    std::vector<ComponentValue> given;
    for (const NamedValue& value : values) {
      given.emplace_back(ComponentId(value.component), std::span<const Scalar>(value.value));
    }
    return *world_->Create(given);
  }

  Entity InModel(const std::vector<NamedValue>& values) {
    Entity entity;
    EXPECT_EQ(model_.Create(values, &entity), oplang::Outcome());
    return entity;
  }

  Entity InBoth(const std::vector<NamedValue>& values) {
    const Entity entity = InWorld(values);
    EXPECT_EQ(entity, InModel(values));
    return entity;
  }

  void BindQuery(std::vector<oplang::QueryTerm> terms, const QuerySpec& spec) {
    BoundQuery query{7, std::move(terms), *world_->MakeQuery(spec), QueryId::None()};
    query.write = query.read;
    bindings_.Bind(std::move(query));
  }

  void ExpectDifference(const std::string& text) {
    EXPECT_FALSE(comparer_->SameState());
    EXPECT_THAT(comparer_->difference(), HasSubstr(text));
  }

  std::shared_ptr<const Schema> schema_;
  std::unique_ptr<World> world_;
  ReferenceWorld model_;
  Bindings bindings_;
  QueryId all_rows_;
  std::unique_ptr<StateComparer> comparer_;
};

TEST_F(LockstepCompareTest, FindsNothingWhereStatesAgree) {
  InBoth({});
  InBoth({Health(80), {kMark, {}}});
  InBoth({{kBody,
           {Scalar::Bool(true), Scalar::F64(-0.0), Scalar::EntityValue(Entity(0, 1)),
            Scalar::Int(-1), Scalar::Int(127)}}});
  BindQuery({{oplang::TermKind::kAll, kHealth}}, QuerySpec().Read(ComponentId(kHealth)));
  EXPECT_TRUE(comparer_->SameState()) << comparer_->difference();
  EXPECT_EQ(comparer_->rows_compared(), 3u);
}

TEST_F(LockstepCompareTest, FindsAnEntityThatTheWorldLacks) {
  InModel({Health(1)});
  ExpectDifference("the world counts 0 live entities, the model 1");
}

TEST_F(LockstepCompareTest, FindsAnEntityThatTheModelLacks) {
  InWorld({Health(1)});
  ExpectDifference("the world counts 1 live entities, the model 0");
}

TEST_F(LockstepCompareTest, FindsAnotherGeneration) {
  const Entity entity = InBoth({});
  Entity placed;
  bindings_.Bind(3, entity);
  ASSERT_EQ(model_.PlaceGeneration(entity, 9, &placed), oplang::Outcome());
  ExpectDifference("0v9: alive in the model, not in the world");
}

TEST_F(LockstepCompareTest, FindsAComponentThatTheWorldLacks) {
  const Entity entity = InBoth({Health(1)});
  bindings_.Bind(3, entity);
  const std::vector<NamedValue> mark{{kMark, {}}};
  ASSERT_EQ(model_.Add(entity, mark), oplang::Outcome());
  ExpectDifference("e3 0v1: has mark in the model; in the world Has is false and Get NOT_FOUND");
}

TEST_F(LockstepCompareTest, FindsAComponentThatTheModelLacks) {
  const Entity entity = InBoth({Health(1)});
  ASSERT_TRUE(world_->Add(entity, {ComponentValue(ComponentId(kMark))}).ok());
  ExpectDifference("0v1: has 2 components in the world, 1 in the model");
}

TEST_F(LockstepCompareTest, FindsAnotherValue) {
  const Entity entity = InBoth({Health(80)});
  ASSERT_EQ(model_.SetScalar(entity, kHealth, 0, Scalar::Int(-80)), oplang::Outcome());
  ExpectDifference("health is 80 in the world, -80 in the model");
}

TEST_F(LockstepCompareTest, FindsAQueryThatVisitsTooMuch) {
  InBoth({Health(1)});
  InBoth({});
  BindQuery({{oplang::TermKind::kAll, kHealth}}, QuerySpec());
  ExpectDifference("q7 visits 0v1, 1v1 in the world, matches 0v1 in the model");
}

TEST_F(LockstepCompareTest, FindsAQueryThatVisitsTooLittle) {
  InBoth({Health(1)});
  InBoth({});
  BindQuery({}, QuerySpec().None(ComponentId(kHealth)));
  ExpectDifference("q7 visits 1v1 in the world, matches 0v1, 1v1 in the model");
}

TEST_F(LockstepCompareTest, FindsAVisitedValueThatIsAnother) {
  const Entity entity = InBoth({Health(80)});
  BindQuery({{oplang::TermKind::kAll, kHealth}}, QuerySpec().Read(ComponentId(kHealth)));
  const BoundQuery& query = bindings_.queries().front();
  {
    const auto scope = world_->OpenScope(query.read);
    ASSERT_TRUE(scope.ok());
    EXPECT_TRUE(comparer_->SameVisit(query, *scope)) << comparer_->difference();
  }
  ASSERT_EQ(model_.SetScalar(entity, kHealth, 0, Scalar::Int(79)), oplang::Outcome());
  const auto scope = world_->OpenScope(query.read);
  EXPECT_FALSE(comparer_->SameVisit(query, *scope));
  EXPECT_THAT(comparer_->difference(), HasSubstr("health is 80 in the world, 79 in the model"));
}

// Every scalar type: the bits as stored, and each single one of them changed.
TEST(HoldsBits, SeesEveryBitOfEveryType) {
  const struct {
    const char* type;
    Scalar value;
  } kCases[] = {
      {"f32", Scalar::F32Bits(0x7FC00001)},
      {"f64", Scalar::F64Bits(0xFFF8000000000003)},
      {"i8", Scalar::Int(-128)},
      {"i16", Scalar::Int(-2)},
      {"i32", Scalar::Int(-2147483648)},
      {"i64", Scalar::Int(-3)},
      {"u8", Scalar::Int(255)},
      {"u16", Scalar::Int(65535)},
      {"u32", Scalar::Int(4294967295)},
      {"u64", Scalar::Uint(18446744073709551615u)},
      {"entity", Scalar::EntityValue(Entity(4, 4294967295))},
  };
  for (const auto& c : kCases) {
    TypeSpec type;
    ASSERT_FALSE(ParseType(std::string(c.type) + "[2]", &type).has_value());
    const auto descriptor = ComponentDescriptor::FromSpec("x", type);
    ASSERT_TRUE(descriptor.ok());
    const Value value{c.value, c.value};
    std::vector<std::byte> bytes(descriptor->size_bytes());
    descriptor->Pack(value, bytes.data());
    EXPECT_TRUE(HoldsBits(*descriptor, bytes.data(), value)) << c.type;
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      EXPECT_FALSE(HoldsBits(*descriptor, bytes.data(), value)) << c.type << " bit " << bit;
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    }
  }
}

TEST(HoldsBits, ReadsAnyByteButZeroAsTrueAndLooksAtNoPadding) {
  TypeSpec type;
  ASSERT_FALSE(ParseType("{flag: bool, number: i32}", &type).has_value());
  const auto descriptor = ComponentDescriptor::FromSpec("x", type);
  ASSERT_TRUE(descriptor.ok());
  const Value value{Scalar::Bool(true), Scalar::Int(5)};
  std::vector<std::byte> bytes(descriptor->size_bytes());
  descriptor->Pack(value, bytes.data());
  bytes[0] = std::byte{0x80};
  bytes[1] = std::byte{0xFF};  // Padding.
  EXPECT_TRUE(HoldsBits(*descriptor, bytes.data(), value));
  bytes[0] = std::byte{0};
  EXPECT_FALSE(HoldsBits(*descriptor, bytes.data(), value));
  EXPECT_FALSE(HoldsBits(*descriptor, bytes.data(), Value{Scalar::Bool(false)}));
}

}  // namespace
}  // namespace ashlar::model
