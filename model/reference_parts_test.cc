// The reference world's smaller parts: singletons, what may be sorted, and the order of values.
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "model/reference_order.h"
#include "model/reference_world_fixture.h"

namespace ashlar::model {
namespace {

using Scalars = std::vector<Scalar>;

TEST(ReferenceOrder, NumbersAreNumbers) {
  const std::vector<Scalars> rising = {{Scalar::Int(std::numeric_limits<std::int64_t>::min())},
                                       {Scalar::Int(-1)},
                                       {Scalar::Int(0)},
                                       {Scalar::Int(7)},
                                       {Scalar::Int(std::numeric_limits<std::int64_t>::max())}};
  for (std::size_t a = 0; a < rising.size(); ++a) {
    for (std::size_t b = 0; b < rising.size(); ++b) {
      EXPECT_EQ(ComesBefore(rising[a], rising[b]), a < b) << a << " " << b;
    }
  }
  EXPECT_TRUE(ComesBefore(Scalars{Scalar::Uint(7)}, Scalars{Scalar::Uint(~std::uint64_t{0})}));
  EXPECT_TRUE(ComesBefore(Scalars{Scalar::Bool(false)}, Scalars{Scalar::Bool(true)}));
}

// Every float has a place, so that no order contradicts itself.
TEST(ReferenceOrder, FloatsAreInTheirTotalOrder) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<Scalars> rising = {{Scalar::F32Bits(0xFFC00000u)},
                                       {Scalar::F32Bits(0xFF800001u)},
                                       {Scalar::F32(-kInfinity)},
                                       {Scalar::F32(-2.0f)},
                                       {Scalar::F32Bits(0x80000001u)},
                                       {Scalar::F32(-0.0f)},
                                       {Scalar::F32(0.0f)},
                                       {Scalar::F32(1.5f)},
                                       {Scalar::F32(kInfinity)},
                                       {Scalar::F32Bits(0x7F800001u)},
                                       {Scalar::F32Bits(0x7FC00000u)}};
  for (std::size_t a = 0; a < rising.size(); ++a) {
    for (std::size_t b = 0; b < rising.size(); ++b) {
      EXPECT_EQ(ComesBefore(rising[a], rising[b]), a < b) << a << " " << b;
    }
  }
  const Scalars minus{Scalar::F64(-1.0)};
  const Scalars plus{Scalar::F64(1.0)};
  const Scalars nan{Scalar::F64(std::numeric_limits<double>::quiet_NaN())};
  EXPECT_TRUE(ComesBefore(minus, plus) && ComesBefore(plus, nan));
  EXPECT_FALSE(ComesBefore(plus, minus) || ComesBefore(nan, nan));
}

TEST(ReferenceOrder, TheFirstDifferenceDecides) {
  const Scalars a{Scalar::Int(1), Scalar::Int(9)};
  const Scalars b{Scalar::Int(2), Scalar::Int(0)};
  const Scalars c{Scalar::Int(2), Scalar::Int(1)};
  EXPECT_TRUE(ComesBefore(a, b) && ComesBefore(b, c) && ComesBefore(a, c));
  EXPECT_FALSE(ComesBefore(b, a) || ComesBefore(c, b) || ComesBefore(a, a));
  EXPECT_FALSE(ComesBefore({}, {}));
}

// --- Singletons ---

class ReferencePartsTest : public ReferenceWorldTest {
 protected:
  std::string PutSingle(const NamedValue& value) { return Text(world.PutSingle(value)); }
  std::string RemoveSingle(std::uint16_t component) { return Text(world.RemoveSingle(component)); }
  std::string GetSingle(std::uint16_t component) {
    const Value* value = nullptr;
    return Text(world.GetSingle(component, &value));
  }
  std::string CheckSort(const Terms& terms, std::uint16_t component) {
    return Text(world.CheckSort(terms, component));
  }
};

TEST_F(ReferencePartsTest, ASingletonIsOfTheWorldAlone) {
  EXPECT_EQ(GetSingle(kH), "NOT_FOUND component_absent");
  EXPECT_EQ(RemoveSingle(kH), "NOT_FOUND component_absent");
  const Entity e = Make({{kH, Int(1)}});
  const std::uint64_t version = world.version();
  EXPECT_EQ(PutSingle({kH, Int(7)}), "OK");
  EXPECT_EQ(world.singletons().at(kH).value, Int(7));
  EXPECT_EQ(world.singletons().at(kH).version, version + 1);
  EXPECT_EQ(ValueOf(e, kH), Int(1));
  EXPECT_EQ(PutSingle({kH, Int(8)}), "OK");
  EXPECT_EQ(world.singletons().at(kH).version, version + 2);
  world.OpenScope();
  EXPECT_EQ(PutSingle({kD, {}}), "OK");
  EXPECT_EQ(GetSingle(kD), "OK");
  EXPECT_EQ(RemoveSingle(kD), "OK");
  world.CloseScope();
  EXPECT_EQ(Text(world.DestroyAll()), "OK");
  EXPECT_EQ(GetSingle(kH), "OK");
}

TEST_F(ReferencePartsTest, ASingletonThatIsRefusedLeavesTheOneBefore) {
  EXPECT_EQ(PutSingle({kH, Int(7)}), "OK");
  const std::uint64_t version = world.version();
  EXPECT_EQ(PutSingle({kH, Int(1001)}), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(PutSingle({kH, Int(std::int64_t{1} << 40)}), "INVALID_ARGUMENT value_does_not_fit");
  EXPECT_EQ(PutSingle({kNone, {}}), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(GetSingle(kNone), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(RemoveSingle(kNone), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(world.singletons().at(kH).value, Int(7));
  EXPECT_EQ(world.version(), version);
}

// --- What may be sorted ---

TEST_F(ReferencePartsTest, RowsAreSortedByWhatAllOfThemHave) {
  const Terms all;
  const Terms of_health{{TermKind::kAll, kH}};
  EXPECT_EQ(CheckSort(all, kH), "OK");  // There is nobody who has it not.
  Make({{kH, Int(1)}, {kD, {}}});
  EXPECT_EQ(CheckSort(all, kH), "OK");
  const Entity other = Make({{kD, {}}});
  EXPECT_EQ(CheckSort(all, kH), "NOT_FOUND component_absent");
  EXPECT_EQ(CheckSort(of_health, kH), "OK");
  EXPECT_EQ(CheckSort(of_health, kP), "NOT_FOUND component_absent");
  EXPECT_EQ(CheckSort(all, kNone), "INVALID_ARGUMENT component_unknown");
  EXPECT_EQ(Text(world.CheckSort(std::nullopt, kH)), "NOT_FOUND query_unknown");
  EXPECT_EQ(Text(world.CheckSort(all, std::nullopt)), "OK");
  EXPECT_EQ(Text(world.Destroy(other)), "OK");
  EXPECT_EQ(CheckSort(all, kH), "OK");
  world.OpenScope();
  EXPECT_EQ(Text(world.CheckSort(std::nullopt, kNone)), "FAILED_PRECONDITION scope_open");
}

}  // namespace
}  // namespace ashlar::model
