// The sample components are what they are for.

#include "model/sample_components.h"

#include <set>
#include <string>

#include "ashlar/schema/component_descriptor.h"
#include "gtest/gtest.h"
#include "model/lockstep_schema.h"
#include "model/reference_world.h"

namespace ashlar::model {
namespace {

class SampleComponentsTest : public ::testing::Test {
 protected:
  std::uint16_t Find(std::string_view name) const {
    for (std::size_t i = 0; i < schema->size(); ++i) {
      if ((*schema)[i].name() == name) return static_cast<std::uint16_t>(i);
    }
    ADD_FAILURE() << name;
    return 0;
  }

  const std::shared_ptr<const Schema> schema = SchemaOf(SampleComponents()).value();
};

// Seeds and fuzz corpora name components by their number.
TEST_F(SampleComponentsTest, KeepTheirOrder) {
  std::string names;
  for (const auto& declaration : SampleComponents()) names += declaration.name + " ";
  EXPECT_EQ(
      names,
      "position velocity health disabled target body mana matrix frozen score cell level mass "
      "cargo terrain links label anchor handle token ");
}

TEST_F(SampleComponentsTest, HaveEveryScalarTypeAPaddedOneTagsAndRules) {
  std::set<ScalarType> types;
  int tags = 0, padded = 0, rules = 0;
  for (const ComponentDescriptor& descriptor : schema->stored()) {
    std::size_t covered = 0;
    for (const ScalarSlot& slot : descriptor.scalars()) {
      types.insert(slot.type);
      covered += ScalarSizeBytes(slot.type);
    }
    tags += descriptor.is_tag() ? 1 : 0;
    padded += covered < descriptor.size_bytes() ? 1 : 0;
    rules += descriptor.has_validation() ? 1 : 0;
  }
  EXPECT_EQ(types.size(), static_cast<std::size_t>(kScalarTypeCount));
  EXPECT_EQ(tags, 2);
  EXPECT_GE(padded, 2);
  EXPECT_EQ(rules, 4);
}

TEST_F(SampleComponentsTest, TheTwoWideOnesFitASmallChunkOneAtATime) {
  EXPECT_EQ((*schema)[Find("cargo")].size_bytes(), 1504u);
  EXPECT_EQ((*schema)[Find("terrain")].size_bytes(), 2600u);
  for (std::uint32_t chunk_size_bytes : {4096u, 8192u}) {
    oplang::Options options;
    options.chunk_size_bytes = chunk_size_bytes;
    ReferenceWorld world(options, schema->ForModel());
    Entity e;
    const NamedValue cargo{Find("cargo"), {}}, terrain{Find("terrain"), {}};
    EXPECT_EQ(oplang::OutcomeText(world.Create(std::vector{cargo}, &e)), "OK");
    EXPECT_EQ(oplang::OutcomeText(world.Create(std::vector{terrain}, &e)), "OK");
    EXPECT_EQ(oplang::OutcomeText(world.Create(std::vector{cargo, terrain}, &e)),
              chunk_size_bytes == 4096 ? "INVALID_ARGUMENT row_too_large" : "OK");
  }
}

TEST_F(SampleComponentsTest, HealthTakesWhatPeopleWriteAndRefusesTheExtremes) {
  ReferenceWorld world({}, schema->ForModel());
  const auto create = [&](Scalar health) {
    Entity e;
    return oplang::OutcomeText(
        world.Create(std::vector<NamedValue>{{Find("health"), {health}}}, &e));
  };
  EXPECT_EQ(create(Scalar::Int(80)), "OK");
  EXPECT_EQ(create(Scalar::Int(-1000)), "OK");
  EXPECT_EQ(create(Scalar::Int(2147483647)), "INVALID_ARGUMENT value_refused");
  EXPECT_EQ(create(Scalar::Int(4294967296)), "INVALID_ARGUMENT value_does_not_fit");
}

}  // namespace
}  // namespace ashlar::model
