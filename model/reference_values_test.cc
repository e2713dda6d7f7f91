// The rules that world and model share, continued: values, rows and queries.

#include <cstdint>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/reference_world_fixture.h"

namespace ashlar::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// --- Values ---

TEST_F(ReferenceWorldTest, NoValueIsAllZeroAndIsStillChecked) {
  const Entity e = Make({{kP, {}}, {kBody, {}}});
  EXPECT_EQ(ValueOf(e, kP), Floats(0, 0, 0));
  EXPECT_EQ(ValueOf(e, kBody),
            (Value{Scalar::Bool(false), Scalar::F64(0), Scalar::F32(0), Scalar::F32(0),
                   Scalar::F32(0), Scalar::EntityValue(Entity())}));
  EXPECT_EQ(Create({{kLevel, {}}}), "INVALID_ARGUMENT value_refused");
}

TEST_F(ReferenceWorldTest, ATagTakesNoValue) {
  EXPECT_EQ(Create({{kD, Int(0)}}), "INVALID_ARGUMENT value_does_not_fit");
  const Entity e = Make({{kD, {}}});
  EXPECT_EQ(ValueOf(e, kD), Value{});
  EXPECT_EQ(Text(world.SetScalar(e, kD, 0, Scalar::Int(1))), "INVALID_ARGUMENT field_unknown");
}

TEST_F(ReferenceWorldTest, ValuesThatDoNotFit) {
  EXPECT_EQ(Create({{kH, Int(4294967296)}}), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(Create({{kH, Int(2147483648)}}), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(Create({{kH, Int(2147483647)}}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Create({{kH, {Scalar::F32(1)}}}), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(Create({{kP, {Scalar::F32(1), Scalar::F32(2)}}}),
            "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(Create({{kP, {Scalar::F32(1), Scalar::F32(2), Scalar::F64(1e39)}}}),
            "INVALID_ARGUMENT value_does_not_fit");
}

TEST_F(ReferenceWorldTest, StoredValuesAreFittedAndKeepTheirBits) {
  const Scalar nan = Scalar::F32Bits(0xFFC00001u);
  const Entity e = Make({{kP, {Scalar::Int(3), Scalar::F64(0.5), nan}}});
  EXPECT_EQ(ValueOf(e, kP), (Value{Scalar::F32(3), Scalar::F32(0.5f), nan}));
}

TEST_F(ReferenceWorldTest, SetScalarLooksForErrorsInOrder) {
  const Entity e = Make({{kBody, {}}});
  const auto set = [&](Entity entity, std::uint16_t component, std::uint32_t scalar, Scalar value) {
    return Text(world.SetScalar(entity, component, scalar, value));
  };
  EXPECT_EQ(set(forged, kNone, 99, Scalar::Int(0)), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(set(e, kNone, 99, Scalar::Int(0)), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(set(e, kP, 99, Scalar::Int(0)), "NOT_FOUND component_absent");
  EXPECT_EQ(set(e, kBody, 6, Scalar::Int(0)), "INVALID_ARGUMENT field_unknown");
  EXPECT_EQ(set(e, kBody, 0, Scalar::Int(0)), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(set(e, kBody, 1, Scalar::F64(10.5)), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(set(e, kBody, 1, Scalar::F64(10)), "OK");
  EXPECT_EQ(set(e, kBody, 4, Scalar::F32(-0.0f)), "OK");
  EXPECT_EQ(set(e, kBody, 5, Scalar::EntityValue(forged)), "OK");
  EXPECT_EQ(ValueOf(e, kBody),
            (Value{Scalar::Bool(false), Scalar::F64(10), Scalar::F32(0), Scalar::F32(0),
                   Scalar::F32(-0.0f), Scalar::EntityValue(forged)}));
}

TEST_F(ReferenceWorldTest, GetAndHasLookForErrorsInOrder) {
  const Entity e = Make({{kH, Int(5)}});
  EXPECT_EQ(Get(forged, kNone), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(Get(e, kNone), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Get(e, kP), "NOT_FOUND component_absent");
  EXPECT_EQ(Has(forged, kNone), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(Has(e, kNone), "INVALID_ARGUMENT component_unknown");
  bool has = true;
  EXPECT_EQ(Text(world.Has(e, kP, &has)), "OK");
  EXPECT_FALSE(has);
  EXPECT_EQ(Text(world.Has(e, kH, &has)), "OK");
  EXPECT_TRUE(has);
}

// --- The size of a row ---

TEST(ReferenceWorldRowTest, ARowMayFillAChunkToTheLastByte) {
  const auto descriptors = Descriptors(
      {{"full", "u8[3968]"}, {"over", "u8[3969]"}, {"half", "u8[1984]"}, {"tag", "tag"}});
  Entity e;
  for (std::uint32_t chunk_size_bytes : {4096u, 8192u}) {
    oplang::Options options;
    options.chunk_size_bytes = chunk_size_bytes;
    ReferenceWorld world(options, descriptors);
    // 64 (header) + 64 (one id) + 3968 = 4096. Half is 31 lines of 64 bytes, and tags have none.
    const bool is_large = chunk_size_bytes == 8192;
    const std::string over = is_large ? "OK" : "INVALID_ARGUMENT row_too_large";
    EXPECT_EQ(Text(world.Create(Named{{0, {}}, {3, {}}}, &e)), "OK");
    EXPECT_EQ(Text(world.Create(Named{{1, {}}}, &e)), over);
    EXPECT_EQ(Text(world.Create(Named{{0, {}}, {2, {}}}, &e)), over);
    EXPECT_EQ(Text(world.Create(Named{{2, {}}}, &e)), "OK");
  }
}

// --- Queries ---

TEST_F(ReferenceWorldTest, QueryTermsAreCheckedLeftToRight) {
  EXPECT_EQ(Query({}), "OK");
  EXPECT_EQ(Query({{TermKind::kAll, kP}, {TermKind::kNone, kD}}), "OK");
  EXPECT_EQ(Query({{TermKind::kAll, kNone}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Query({{TermKind::kAll, kP}, {TermKind::kAll, kP}, {TermKind::kAll, kNone}}),
            "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Query({{TermKind::kAll, kNone}, {TermKind::kAll, kP}, {TermKind::kAll, kP}}),
            "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Query({{TermKind::kAny, kP}, {TermKind::kOptional, kP}}),
            "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Query({{TermKind::kNone, kP}, {TermKind::kNone, kP}}),
            "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Query({{TermKind::kAll, kP}, {TermKind::kNone, kP}}),
            "INVALID_ARGUMENT query_conflict");
  EXPECT_EQ(Query({{TermKind::kNone, kP}, {TermKind::kOptional, kP}}),
            "INVALID_ARGUMENT query_conflict");
}

// Masks P=1, V=2, H=4, D=8: required P|V and excluded D match 3 and 7, not 1 and 11.
TEST_F(ReferenceWorldTest, MasksOfTheContract) {
  const auto make = [&](unsigned mask) {
    Named values;
    for (std::uint16_t bit = 0; bit < 4; ++bit) {
      if ((mask >> bit & 1) != 0) values.push_back({bit, {}});
    }
    return Make(values);
  };
  const Entity with_3 = make(3), with_7 = make(7);
  make(1);
  make(11);
  make(0);
  const Terms terms = {{TermKind::kAll, kP}, {TermKind::kAll, kV}, {TermKind::kNone, kD}};
  EXPECT_THAT(world.Match(terms), ElementsAre(with_3, with_7));
}

TEST_F(ReferenceWorldTest, AnyTermsAskForOneOfThemAndOptionalForNothing) {
  const Entity none = Make();
  const Entity p = Make({{kP, {}}});
  const Entity v = Make({{kV, {}}});
  const Entity pv = Make({{kP, {}}, {kV, {}}});
  EXPECT_THAT(world.Match({}), ElementsAre(none, p, v, pv));
  EXPECT_THAT(world.Match(Terms{{TermKind::kAny, kP}, {TermKind::kAny, kV}}),
              ElementsAre(p, v, pv));
  EXPECT_THAT(world.Match(Terms{{TermKind::kAny, kH}}), IsEmpty());
  EXPECT_THAT(world.Match(Terms{{TermKind::kOptional, kH}}), ElementsAre(none, p, v, pv));
  EXPECT_THAT(world.Match(Terms{{TermKind::kAny, kP}, {TermKind::kNone, kV}}), ElementsAre(p));
}

TEST_F(ReferenceWorldTest, FillWritesEveryMatchingRowOrNone) {
  const Entity a = Make({{kH, Int(1)}});
  const Entity b = Make({{kH, Int(2)}, {kD, {}}});
  const Terms terms = {{TermKind::kAll, kH}, {TermKind::kNone, kD}, {TermKind::kOptional, kP}};
  EXPECT_EQ(Fill(terms, {kNone, {}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Fill(terms, {kP, Int(4294967296)}), "NOT_FOUND component_absent");
  EXPECT_EQ(Fill(terms, {kD, {}}), "NOT_FOUND component_absent");
  EXPECT_EQ(Fill(terms, {kV, {}}), "NOT_FOUND component_absent");
  EXPECT_EQ(Fill(terms, {kH, Int(4294967296)}), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(Fill(terms, {kH, Int(1001)}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(ValueOf(a, kH), Int(1));
  EXPECT_EQ(Fill(terms, {kH, Int(9)}), "OK");
  EXPECT_EQ(ValueOf(a, kH), Int(9));
  EXPECT_EQ(ValueOf(b, kH), Int(2));
}

}  // namespace
}  // namespace ashlar::model
