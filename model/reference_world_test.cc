// The rules that world and model share, one test a rule, with the answers written out: ids, the
// order of errors, exchange, put and scopes. The model is the judge of the kernel, so nothing here
// is computed by the model itself.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/reference_world_fixture.h"

namespace ashlar::model {
namespace {

using ::testing::IsEmpty;

// --- Ids ---

TEST_F(ReferenceWorldTest, FreshIndicesInOrderThenTheLastFreedFirst) {
  EXPECT_EQ(Make(), Entity(0, 1));
  EXPECT_EQ(Make(), Entity(1, 1));
  EXPECT_EQ(Make(), Entity(2, 1));
  EXPECT_EQ(Text(world.Destroy(Entity(0, 1))), "OK");
  EXPECT_EQ(Text(world.Destroy(Entity(2, 1))), "OK");
  EXPECT_EQ(Make(), Entity(2, 2));
  EXPECT_EQ(Make(), Entity(0, 2));
  EXPECT_EQ(Make(), Entity(3, 1));
}

TEST_F(ReferenceWorldTest, WhoDoesNotLiveIsNotFound) {
  const Entity e = Make();
  for (Entity dead : {Entity(), forged, Entity(0, 2), Entity(0, 0)}) {
    EXPECT_EQ(Text(world.Destroy(dead)), "NOT_FOUND entity_not_alive");
  }
  EXPECT_EQ(Text(world.Destroy(e)), "OK");
  EXPECT_EQ(Text(world.Destroy(e)), "NOT_FOUND entity_not_alive");
  EXPECT_THAT(world.entities(), IsEmpty());
}

TEST_F(ReferenceWorldTest, ASlotWithoutGenerationsLeftIsRetired) {
  const Entity e = Make({{kH, Int(7)}});
  Entity placed;
  EXPECT_EQ(Text(world.PlaceGeneration(e, 4294967294u, &placed)), "OK");
  EXPECT_EQ(placed, Entity(0, 4294967294u));
  EXPECT_FALSE(world.IsAlive(e));
  EXPECT_EQ(ValueOf(placed, kH), Int(7));
  EXPECT_EQ(Text(world.Destroy(placed)), "OK");
  EXPECT_EQ(Make(), Entity(0, 4294967295u));
  EXPECT_EQ(Text(world.Destroy(Entity(0, 4294967295u))), "OK");
  EXPECT_EQ(Make(), Entity(1, 1));
}

TEST_F(ReferenceWorldTest, PlaceGenerationRefusesTheDeadThenZero) {
  const Entity e = Make();
  EXPECT_EQ(Place(forged, 0), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(Place(e, 0), "INVALID_ARGUMENT option_invalid");
  world.OpenScope();
  EXPECT_EQ(Place(forged, 0), "FAILED_PRECONDITION scope_open");
}

TEST(ReferenceWorldLimitTest, AnIndexLimitOfTwoIssuesTwoIndices) {
  oplang::Options options;
  options.entity_index_limit = 2;
  ReferenceWorld world(options, Sample());
  Entity a, b, c;
  EXPECT_EQ(Text(world.Create({}, &a)), "OK");
  EXPECT_EQ(Text(world.Create({}, &b)), "OK");
  EXPECT_EQ(Text(world.Create({}, &c)), "RESOURCE_EXHAUSTED ids_exhausted");
  EXPECT_EQ(c, Entity());
  EXPECT_EQ(Text(world.Destroy(a)), "OK");
  EXPECT_EQ(Text(world.Create({}, &c)), "OK");
  EXPECT_EQ(c, Entity(0, 2));
  // A retired slot still counts as issued.
  EXPECT_EQ(Text(world.PlaceGeneration(c, kGenerationLast, &c)), "OK");
  EXPECT_EQ(Text(world.Destroy(c)), "OK");
  EXPECT_EQ(Text(world.Create({}, &c)), "RESOURCE_EXHAUSTED ids_exhausted");
}

// --- Which error comes first ---

TEST_F(ReferenceWorldTest, CreateLooksForErrorsInOrder) {
  oplang::Options options;
  options.entity_index_limit = 1;
  world = ReferenceWorld(options, Sample());
  Make();
  // Ids come last: every list below would also find none left.
  EXPECT_EQ(Create({}), "RESOURCE_EXHAUSTED ids_exhausted");
  EXPECT_EQ(Create({{kCargo, {}}, {kTerrain, {}}}), "INVALID_ARGUMENT row_too_large");
  EXPECT_EQ(Create({{kCargo, {}}, {kTerrain, {}}, {kH, Int(1001)}}),
            "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Create({{kH, Int(1001)}, {kLevel, Int(65536)}}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Create({{kLevel, Int(65536)}, {kH, Int(1001)}}), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(Create({{kH, Int(1001)}, {kNone, {}}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Create({{kH, Int(1001)}, {kH, Int(1)}, {kNone, {}}}),
            "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Create({{kNone, {}}, {kH, Int(1001)}, {kH, Int(1)}}),
            "INVALID_ARGUMENT component_unknown");
  world.OpenScope();
  EXPECT_EQ(Create({{kNone, {}}}), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(world.entities().size(), 1u);
}

TEST_F(ReferenceWorldTest, AddLooksForErrorsInOrder) {
  const Entity e = Make({{kH, Int(5)}, {kTerrain, {}}});
  EXPECT_EQ(Add(e, {{kCargo, {}}}), "INVALID_ARGUMENT row_too_large");
  EXPECT_EQ(Add(e, {{kCargo, {}}, {kLevel, Int(0)}}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Add(e, {{kLevel, Int(0)}, {kH, Int(6)}}), "ALREADY_EXISTS component_present");
  EXPECT_EQ(Add(e, {{kH, Int(6)}, {kNone, {}}}), "ALREADY_EXISTS component_present");
  EXPECT_EQ(Add(e, {{kNone, {}}, {kH, Int(6)}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Add(e, {{kD, {}}, {kD, {}}, {kH, Int(6)}}), "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Add(forged, {{kNone, {}}}), "NOT_FOUND entity_not_alive");
  world.OpenScope();
  EXPECT_EQ(Add(forged, {{kNone, {}}}), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(NamesOf(e), (Names{kH, kTerrain}));
  EXPECT_EQ(ValueOf(e, kH), Int(5));
}

TEST_F(ReferenceWorldTest, RemoveLooksForErrorsInOrder) {
  const Entity e = Make({{kH, Int(5)}});
  EXPECT_EQ(Remove(e, {kH, kP}), "NOT_FOUND component_absent");
  EXPECT_EQ(Remove(e, {kP, kNone}), "NOT_FOUND component_absent");
  EXPECT_EQ(Remove(e, {kNone, kP}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Remove(e, {kH, kH, kP}), "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Remove(forged, {kNone}), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(NamesOf(e), Names{kH});
  EXPECT_EQ(Remove(e, {kH}), "OK");
  EXPECT_EQ(NamesOf(e), Names{});
  world.OpenScope();
  EXPECT_EQ(Remove(forged, {kNone}), "FAILED_PRECONDITION scope_open");
}

TEST_F(ReferenceWorldTest, SetLooksForErrorsInOrderAndWritesAllOrNone) {
  const Entity e = Make({{kH, Int(5)}, {kLevel, Int(9)}});
  EXPECT_EQ(Set(e, {{kH, Int(6)}, {kLevel, Int(101)}}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Set(e, {{kH, Int(6)}, {kLevel, Int(-1)}}), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(Set(e, {{kH, Int(1001)}, {kP, {}}}), "NOT_FOUND component_absent");
  EXPECT_EQ(Set(e, {{kH, Int(6)}, {kH, Int(7)}}), "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Set(e, {{kNone, {}}, {kP, {}}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Set(forged, {{kNone, {}}}), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(ValueOf(e, kH), Int(5));
  EXPECT_EQ(Set(e, {{kLevel, Int(100)}, {kH, Int(-1000)}}), "OK");
  EXPECT_EQ(ValueOf(e, kH), Int(-1000));
  EXPECT_EQ(ValueOf(e, kLevel), Int(100));
}

TEST_F(ReferenceWorldTest, EmptyListsChangeNothingAndAreFine) {
  const Entity e = Make({{kH, Int(5)}});
  EXPECT_EQ(Add(e, {}), "OK");
  EXPECT_EQ(Remove(e, {}), "OK");
  EXPECT_EQ(Exchange(e, {}, {}), "OK");
  EXPECT_EQ(Set(e, {}), "OK");
  EXPECT_EQ(Put(e, {}), "OK");
  EXPECT_EQ(NamesOf(e), Names{kH});
  for (Entity dead : {forged, Entity()}) {
    EXPECT_EQ(Add(dead, {}), "NOT_FOUND entity_not_alive");
    EXPECT_EQ(Set(dead, {}), "NOT_FOUND entity_not_alive");
    EXPECT_EQ(Put(dead, {}), "NOT_FOUND entity_not_alive");
  }
  world.OpenScope();
  EXPECT_EQ(Add(e, {}), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Remove(e, {}), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Exchange(e, {}, {}), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Set(e, {}), "OK");
  EXPECT_EQ(Put(e, {}), "OK");
}

// --- Exchange and put ---

TEST_F(ReferenceWorldTest, ExchangeLooksAtTheRemovedListFirst) {
  const Entity e = Make({{kH, Int(5)}, {kD, {}}});
  EXPECT_EQ(Exchange(e, {kP}, {{kNone, {}}}), "NOT_FOUND component_absent");
  EXPECT_EQ(Exchange(e, {kH, kH}, {{kNone, {}}}), "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Exchange(e, {kNone}, {{kD, {}}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Exchange(e, {kH}, {{kNone, {}}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Exchange(e, {kH}, {{kP, {}}, {kP, {}}}), "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Exchange(e, {kH}, {{kD, {}}}), "ALREADY_EXISTS component_present");
  EXPECT_EQ(Exchange(e, {kH}, {{kLevel, {}}}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Exchange(e, {kH}, {{kCargo, {}}, {kTerrain, {}}}), "INVALID_ARGUMENT row_too_large");
  EXPECT_EQ(Exchange(forged, {kNone}, {}), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(NamesOf(e), (Names{kH, kD}));
  EXPECT_EQ(ValueOf(e, kH), Int(5));
  EXPECT_EQ(Exchange(e, {kH}, {{kP, Floats(1, 2, 3)}}), "OK");
  EXPECT_EQ(NamesOf(e), (Names{kP, kD}));
}

TEST_F(ReferenceWorldTest, ExchangedForItselfAComponentTakesTheNewValue) {
  const Entity e = Make({{kH, Int(5)}, {kLevel, Int(9)}});
  EXPECT_EQ(Exchange(e, {kH}, {{kH, Int(6)}}), "OK");
  EXPECT_EQ(ValueOf(e, kH), Int(6));
  EXPECT_EQ(Exchange(e, {kH, kLevel}, {{kH, {}}}), "OK");
  EXPECT_EQ(NamesOf(e), Names{kH});
  EXPECT_EQ(ValueOf(e, kH), Int(0));
}

TEST_F(ReferenceWorldTest, ExchangeMaySwapWhatWouldNotFitTogether) {
  const Entity e = Make({{kCargo, {}}});
  EXPECT_EQ(Exchange(e, {}, {{kTerrain, {}}}), "INVALID_ARGUMENT row_too_large");
  EXPECT_EQ(Exchange(e, {kCargo}, {{kTerrain, {}}}), "OK");
  EXPECT_EQ(NamesOf(e), Names{kTerrain});
}

TEST_F(ReferenceWorldTest, PutAddsWhatIsAbsentAndReplacesWhatIsThere) {
  const Entity e = Make({{kH, Int(5)}});
  EXPECT_EQ(Put(e, {{kH, Int(6)}, {kD, {}}}), "OK");
  EXPECT_EQ(NamesOf(e), (Names{kH, kD}));
  EXPECT_EQ(ValueOf(e, kH), Int(6));
  EXPECT_EQ(Put(e, {{kH, Int(7)}, {kLevel, Int(0)}}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Put(e, {{kH, Int(7)}, {kH, Int(8)}}), "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Put(e, {{kNone, {}}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(ValueOf(e, kH), Int(6));
}

TEST_F(ReferenceWorldTest, PutInsideAScopeIsRefusedOnlyWhereSomethingIsAbsent) {
  const Entity e = Make({{kH, Int(5)}});
  world.OpenScope();
  EXPECT_EQ(Put(e, {{kH, Int(6)}}), "OK");
  EXPECT_EQ(Put(e, {{kH, Int(1001)}}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(Put(e, {{kH, Int(1001)}, {kD, {}}}), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Put(e, {{kD, {}}, {kNone, {}}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Put(e, {{kD, {}}, {kD, {}}}), "INVALID_ARGUMENT component_repeated");
  EXPECT_EQ(Put(forged, {{kD, {}}}), "NOT_FOUND entity_not_alive");
  EXPECT_EQ(ValueOf(e, kH), Int(6));
}

// --- Scopes ---

TEST_F(ReferenceWorldTest, InsideAScopeValuesMayBeReadAndWritten) {
  const Entity e = Make({{kP, {}}, {kV, Floats(1, 1, 1)}, {kH, Int(5)}});
  const Terms all_h = {{TermKind::kAll, kH}};
  world.OpenScope();
  world.OpenScope();
  EXPECT_EQ(Text(world.Destroy(e)), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Text(world.Destroy(forged)), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Query({{TermKind::kAll, kNone}}), "FAILED_PRECONDITION scope_open");
  EXPECT_EQ(Set(e, {{kH, Int(6)}}), "OK");
  EXPECT_EQ(Text(world.SetScalar(e, kP, 0, Scalar::F32(4))), "OK");
  EXPECT_EQ(Get(e, kH), "OK");
  EXPECT_EQ(Has(e, kD), "OK");
  EXPECT_EQ(Fill(all_h, {kH, Int(7)}), "OK");
  EXPECT_EQ(Text(Move(&world, 1.0f)), "OK");
  EXPECT_EQ(ValueOf(e, kH), Int(7));
  EXPECT_EQ(ValueOf(e, kP), Floats(5, 1, 1));
  world.CloseScope();
  EXPECT_EQ(Text(world.Destroy(e)), "FAILED_PRECONDITION scope_open");
  world.CloseScope();
  world.CloseScope();  // None is open: nothing.
  EXPECT_EQ(world.scope_depth(), 0u);
  EXPECT_EQ(Text(world.Destroy(e)), "OK");
}

}  // namespace
}  // namespace ashlar::model
