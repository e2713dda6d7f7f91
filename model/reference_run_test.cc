// What labels stand for in the course of a program.

#include "model/reference_run.h"

#include <string>
#include <string_view>

#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"
#include "model/lockstep_schema.h"

namespace ashlar::model {
namespace {

// Runs a trace and says, line by line, what its operations came to.
class ReferenceRunTest : public ::testing::Test {
 protected:
  static constexpr std::string_view kComponents =
      "component position f32[3]\n"
      "component health i32 in [0,100]\n"
      "component target entity\n";

  std::string Outcomes(std::string_view operations) {
    const auto program =
        oplang::ParseTrace(std::string(kComponents) + std::string(operations), "t");
    EXPECT_TRUE(program.ok()) << program.status();
    if (!program.ok()) return "";
    schema_ = SchemaOf(program->components).value();
    run_.emplace(program->options, schema_->ForModel());
    std::string text;
    for (const oplang::Operation& operation : program->operations) {
      text += oplang::OutcomeText(run_->Apply(operation.action)) + "\n";
    }
    return text;
  }

  std::shared_ptr<const Schema> schema_;
  std::optional<ReferenceRun> run_;
};

TEST_F(ReferenceRunTest, ALabelThatNothingBoundIsNull) {
  EXPECT_EQ(Outcomes("destroy e9 -> any\nget null health -> any\n"),
            "NOT_FOUND entity_not_alive\nNOT_FOUND entity_not_alive\n");
  EXPECT_TRUE(run_->EntityOf(9).is_null());
}

TEST_F(ReferenceRunTest, ACreateThatIsRefusedLeavesItsLabelNull) {
  EXPECT_EQ(Outcomes("create e1\ncreate e1 health=101 -> any\ndestroy e1 -> any\n"),
            "OK\nINVALID_ARGUMENT value_refused\nNOT_FOUND entity_not_alive\n");
  EXPECT_TRUE(run_->world().IsAlive(Entity(0, 1)));
}

TEST_F(ReferenceRunTest, ACreateBindsItsLabelAnew) {
  EXPECT_EQ(Outcomes("create e1\ncreate e1 health=5\nget e1 health\ndestroy 0v1\n"),
            "OK\nOK\nOK\nOK\n");
  EXPECT_EQ(run_->EntityOf(1), Entity(1, 1));
}

TEST_F(ReferenceRunTest, EveryLabelFollowsAPlacedGeneration) {
  EXPECT_EQ(
      Outcomes("create e1 health=5\nplace_generation e1 7\nget e1 health\nget 0v1 health -> any\n"),
      "OK\nOK\nOK\nNOT_FOUND entity_not_alive\n");
  EXPECT_EQ(run_->EntityOf(1), Entity(0, 7));
}

TEST_F(ReferenceRunTest, EntityValuesMayBeLabels) {
  EXPECT_EQ(Outcomes("create e1\ncreate e2 target=e1\nset e2 target=e9\nsetfield e2 target=e1\n"),
            "OK\nOK\nOK\nOK\n");
  EXPECT_EQ(run_->world().entities().at(Entity(1, 1)).at(2),
            Value{Scalar::EntityValue(Entity(0, 1))});
}

TEST_F(ReferenceRunTest, AQueryThatIsRefusedLeavesItsLabelWithout) {
  EXPECT_EQ(Outcomes("iterate q1 -> any\nquery q1 all(health)\niterate q1\nfill q1 health=5\n"
                     "query q1 all(health) none(health) -> any\niterate q1 -> any\n"
                     "fill q1 health=5 -> any\nopen q1 -> any\ncreate e1\n"),
            "NOT_FOUND query_unknown\nOK\nOK\nOK\n"
            "INVALID_ARGUMENT query_conflict\nNOT_FOUND query_unknown\n"
            "NOT_FOUND query_unknown\nNOT_FOUND query_unknown\nOK\n");
}

TEST_F(ReferenceRunTest, ScopesNestAndCloseMayBeOneTooMany) {
  EXPECT_EQ(
      Outcomes("query q1\nopen q1\nopen q1\nclose\ncreate e1 -> any\nclose\nclose\ncreate e1\n"),
      "OK\nOK\nOK\nOK\nFAILED_PRECONDITION scope_open\nOK\nOK\nOK\n");
}

TEST_F(ReferenceRunTest, EveryOperationReachesTheWorld) {
  EXPECT_EQ(Outcomes("nop\ncreate e1 position=(1,2,3)\nadd e1 health=5\nput e1 health=6\n"
                     "exchange e1 remove position add target=e1\nset e1 health=7\nhas e1 health\n"
                     "get e1 health\nremove e1 target\nmove dt=0.5 -> any\nexpect e1 health=7\n"),
            "OK\nOK\nOK\nOK\nOK\nOK\nOK\nOK\nOK\nINVALID_ARGUMENT component_unknown\nOK\n");
  EXPECT_EQ(run_->world().entities().at(Entity(0, 1)),
            (Components{{std::uint16_t{1}, Value{Scalar::Int(7)}}}));
}

}  // namespace
}  // namespace ashlar::model
