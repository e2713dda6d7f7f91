// Drawn values are what they are aimed to be, and survive the text of a trace.

#include "model/generator_values.h"

#include <optional>
#include <set>
#include <string>

#include "ashlar/schema/component_descriptor.h"
#include "ashlar/schema/field_rule.h"
#include "gtest/gtest.h"
#include "model/lockstep_schema.h"
#include "model/sample_components.h"

namespace ashlar::model {
namespace {

FieldSpec Field(const std::string& text) {
  TypeSpec type;
  EXPECT_FALSE(ParseType(text, &type).has_value()) << text;
  return type.fields.at(0);
}

// How many of 1000 draws are refused, and how.
struct Tally {
  int fits = 0, breaks_rule = 0, does_not_fit = 0, unreadable = 0;
};

Tally Draw(const FieldSpec& field, ValueAim aim) {
  Random random(11);
  Tally tally;
  for (int i = 0; i < 1000; ++i) {
    const Scalar scalar = DrawScalar(field, aim, 24, &random);
    if (ParseScalar(field.type.scalar, ScalarText(scalar)) != std::optional(scalar)) {
      ++tally.unreadable;
    }
    const Scalar resolved =
        scalar.kind == Scalar::Kind::kLabel ? Scalar::EntityValue(Entity(1, 1)) : scalar;
    const std::optional<Scalar> fitted = FitScalar(field.type.scalar, resolved);
    if (!fitted.has_value()) {
      ++tally.does_not_fit;
    } else if (!field.rule.empty() && !RuleCheck(field.type.scalar, field.rule).Accepts(*fitted)) {
      ++tally.breaks_rule;
    } else {
      ++tally.fits;
    }
  }
  return tally;
}

constexpr const char* kPlain[] = {"f32", "f64", "i8",  "i16", "i32",  "i64",
                                  "u8",  "u16", "u32", "u64", "bool", "entity"};
constexpr const char* kRuled[] = {
    "f32 finite",   "f64 in [0.0,1.0]", "i32 in [-1000,1000000]", "u16 in [1,100]",
    "i8 in [-5,5]", "u64 in [3,4]",     "f32 in [-2.0,50.0]",     "i64 in [-3,9000]"};

TEST(GeneratorValuesTest, AimsAreMet) {
  for (const char* text : kPlain) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Draw(Field(text), ValueAim::kFits).fits, 1000);
    EXPECT_EQ(Draw(Field(text), ValueAim::kBreaksRule).fits, 1000);
    EXPECT_EQ(Draw(Field(text), ValueAim::kDoesNotFit).does_not_fit, 1000);
  }
  for (const char* text : kRuled) {
    SCOPED_TRACE(text);
    EXPECT_GE(Draw(Field(text), ValueAim::kFits).fits, 950);
    EXPECT_GE(Draw(Field(text), ValueAim::kBreaksRule).breaks_rule, 950);
    EXPECT_EQ(Draw(Field(text), ValueAim::kDoesNotFit).does_not_fit, 1000);
  }
}

TEST(GeneratorValuesTest, EveryScalarCanBeWrittenAndRead) {
  for (const char* text : kPlain) {
    for (ValueAim aim : {ValueAim::kFits, ValueAim::kDoesNotFit}) {
      EXPECT_EQ(Draw(Field(text), aim).unreadable, 0) << text;
    }
  }
}

TEST(GeneratorValuesTest, TheEdgesOfATypeAreDrawn) {
  std::set<std::int64_t> drawn;
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    drawn.insert(
        static_cast<std::int64_t>(DrawScalar(Field("i8"), ValueAim::kFits, 1, &random).bits));
  }
  for (std::int64_t edge : {-128, -1, 0, 1, 127}) EXPECT_TRUE(drawn.contains(edge)) << edge;
  std::set<std::uint32_t> bits;
  for (int i = 0; i < 2000; ++i) bits.insert(DrawF32Bits(&random));
  for (std::uint32_t edge : {0x80000000u, 0x00000001u, 0x7F800000u, 0x7FC00000u, 0x7F800001u}) {
    EXPECT_TRUE(bits.contains(edge)) << edge;
  }
}

// A value misses its aim in one scalar only, so that the others were accepted before.
TEST(GeneratorValuesTest, WholeValuesAreWhatTheyAreAimedToBe) {
  Random random(3);
  const auto schema = SchemaOf(SampleComponents()).value();
  for (std::size_t i = 0; i < schema->size(); ++i) {
    const ComponentDescriptor& descriptor = schema->ForModel().descriptors[i];
    const TypeSpec& type = SampleComponents()[i].type;
    ASSERT_EQ(ScalarCount(type), descriptor.scalars().size());
    for (int n = 0; n < 50; ++n) {
      for (ValueAim aim : {ValueAim::kFits, ValueAim::kDoesNotFit}) {
        std::vector<Scalar> value = DrawValue(type, aim, 24, &random);
        ASSERT_TRUE(value.empty() || value.size() == descriptor.scalars().size());
        int misfits = 0;
        for (std::size_t s = 0; s < value.size(); ++s) {
          if (value[s].kind == Scalar::Kind::kLabel) value[s] = Scalar::EntityValue(Entity(1, 1));
          misfits += FitScalar(descriptor.scalars()[s].type, value[s]).has_value() ? 0 : 1;
        }
        const bool can_miss = !descriptor.is_tag();
        EXPECT_EQ(misfits, aim == ValueAim::kDoesNotFit && can_miss ? 1 : 0) << descriptor.name();
      }
    }
  }
}

TEST(GeneratorValuesTest, ScalarsAreCountedAndFoundAcrossFields) {
  TypeSpec type;
  ASSERT_FALSE(ParseType("{a: bool, b: f32[3], c: i8}", &type).has_value());
  EXPECT_EQ(ScalarCount(type), 5u);
  EXPECT_EQ(FieldOf(type, 0).name, "a");
  EXPECT_EQ(FieldOf(type, 1).name, "b");
  EXPECT_EQ(FieldOf(type, 3).name, "b");
  EXPECT_EQ(FieldOf(type, 4).name, "c");
  EXPECT_EQ(ScalarCount(TypeSpec{}), 0u);
}

}  // namespace
}  // namespace ashlar::model
