// Commands on the reference world alone, without any kernel.

#include "model/reference_commands.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"
#include "model/lockstep_schema.h"
#include "model/reference_ids.h"
#include "model/reference_run.h"

namespace ashlar::model {
namespace {

using oplang::CommandVerb;
using oplang::Outcome;

// health i32 = 0, mana i32 = 1, off tag = 2 (enableable), handle i64 = 3 (cannot be copied).
class ReferenceCommandsTest : public ::testing::Test {
 protected:
  ReferenceCommandsTest() {
    const auto program = oplang::ParseTrace(
        "component health i32 in [0,100]\ncomponent mana i32\ncomponent off tag enableable\n"
        "component handle i64 as unique\n",
        "t");
    EXPECT_TRUE(program.ok()) << program.status();
    schema_ = SchemaOf(program->components).value();
    world_.emplace(program->options, schema_->ForModel());
    EXPECT_EQ(world_->Create(std::vector<NamedValue>{Named(0, 1)}, &first_), kDone);
    EXPECT_EQ(world_->Create({}, &second_), kDone);
  }

  static NamedValue Named(std::uint16_t component, std::int64_t value) {
    return {component, {Scalar::Int(value)}};
  }
  static ReferenceCommand For(Entity entity, const ReferenceChange& change) {
    return {change, false, {}, {}, entity};
  }
  Outcome Record(const ReferenceCommand& command) {
    return commands_.Record(world_->schema(), command);
  }
  Outcome Apply(bool skip_dead = false) {
    report_ = {};
    return commands_.Apply(&*world_, skip_dead, &report_);
  }
  const Components& RowOf(Entity entity) { return world_->entities().at(entity); }

  std::shared_ptr<const Schema> schema_;
  std::optional<ReferenceWorld> world_;
  ReferenceCommands commands_;
  ReferenceReport report_;
  Entity first_;
  Entity second_;
};

TEST_F(ReferenceCommandsTest, RunInRecordedOrderAsOneChange) {
  const std::uint64_t version = world_->version();
  EXPECT_EQ(Record({{CommandVerb::kCreate, {}, {Named(1, 5)}}, false, {}, {}, {}}), kDone);
  EXPECT_EQ(Record({{CommandVerb::kAdd, {}, {Named(0, 9)}}, false, {}, 0, {}}), kDone);
  EXPECT_EQ(Record(For(first_, {CommandVerb::kExchange, {0}, {Named(1, 2)}})), kDone);
  EXPECT_EQ(Record(For(second_, {CommandVerb::kDestroy, {}, {}})), kDone);
  EXPECT_EQ(commands_.size(), 4u);
  EXPECT_EQ(commands_.made_count(), 1u);
  EXPECT_EQ(commands_.CountValues(1), 2u);
  EXPECT_EQ(world_->entities().size(), 2u) << "recording changes nothing";

  EXPECT_EQ(Apply(), kDone);
  EXPECT_EQ(world_->version(), version + 1);
  EXPECT_EQ(report_.made, std::vector<Entity>{Entity(2, 1)});
  EXPECT_EQ(RowOf(Entity(2, 1)), (Components{{std::uint16_t{0}, {Scalar::Int(9)}},
                                             {std::uint16_t{1}, {Scalar::Int(5)}}}));
  EXPECT_EQ(RowOf(first_), (Components{{std::uint16_t{1}, {Scalar::Int(2)}}}));
  EXPECT_FALSE(world_->IsAlive(second_));
  EXPECT_EQ(commands_.size(), 0u);
  EXPECT_EQ(commands_.made_count(), 0u);
}

TEST_F(ReferenceCommandsTest, TheFirstThatIsRefusedIsNamedAndNothingIsDone) {
  EXPECT_EQ(Record(For(first_, {CommandVerb::kSet, {}, {Named(0, 50)}})), kDone);
  EXPECT_EQ(Record(For(second_, {CommandVerb::kSet, {}, {Named(0, 50)}})), kDone);
  EXPECT_EQ(Record(For(Entity(9, 9), {CommandVerb::kDestroy, {}, {}})), kDone);
  EXPECT_EQ(Apply(), Refused(Reason::kComponentAbsent));
  EXPECT_EQ(report_.refused, 1u);
  EXPECT_EQ(RowOf(first_), (Components{{std::uint16_t{0}, {Scalar::Int(1)}}}));
  EXPECT_EQ(commands_.size(), 3u);

  EXPECT_EQ(world_->Add(second_, std::vector<NamedValue>{Named(0, 2)}), kDone);
  EXPECT_EQ(Apply(), Refused(Reason::kEntityNotAlive));
  EXPECT_EQ(report_.refused, 2u);
  EXPECT_EQ(Apply(true), kDone);
  EXPECT_EQ(report_.skipped, 1u);
  EXPECT_EQ(RowOf(second_), (Components{{std::uint16_t{0}, {Scalar::Int(50)}}}));
}

// The late ones last; of the others buffer 0 first, whatever was recorded when.
TEST_F(ReferenceCommandsTest, BuffersRunInTheirOrder) {
  const auto set = [&](int value, std::uint8_t buffer, bool is_late) {
    ReferenceCommand command = For(first_, {CommandVerb::kSet, {}, {Named(0, value)}});
    command.buffer = buffer;
    command.is_late = is_late;
    EXPECT_EQ(Record(command), kDone);
  };
  set(10, 0, true);
  set(11, 2, false);
  set(12, 1, false);
  set(13, 0, false);
  EXPECT_EQ(commands_.size(), 4u);
  EXPECT_EQ(commands_.SizeOf(0), 2u);
  EXPECT_EQ(commands_.NumberOf(0, 1), 3u);
  EXPECT_EQ(commands_.NumberOf(2, 0), 1u);
  EXPECT_EQ(commands_.NumberOf(2, 1), std::nullopt);
  EXPECT_EQ(Apply(), kDone);
  EXPECT_EQ(RowOf(first_), (Components{{std::uint16_t{0}, {Scalar::Int(10)}}}));
  set(14, 1, false);
  set(15, 0, false);
  EXPECT_EQ(Apply(), kDone);
  EXPECT_EQ(RowOf(first_), (Components{{std::uint16_t{0}, {Scalar::Int(14)}}}));
}

TEST_F(ReferenceCommandsTest, WhatIsMadeIsOfItsBufferAndOfItsTime) {
  ReferenceCommand create{{CommandVerb::kCreate, {}, {}}, false, {}, {}, {}};
  create.buffer = 1;
  create.is_late = true;
  EXPECT_EQ(Record(create), kDone);
  ReferenceCommand destroy{{CommandVerb::kDestroy, {}, {}}, false, {}, 0, {}};
  EXPECT_EQ(Record(destroy), Refused(Reason::kPlaceholderUnknown));
  destroy.buffer = 1;
  EXPECT_EQ(Record(destroy), kDone);
  EXPECT_EQ(Apply(), Refused(Reason::kEntityNotAlive));
  EXPECT_EQ(report_.refused, 1u);
  EXPECT_EQ(Apply(true), kDone);
  EXPECT_EQ(report_.skipped, 1u);
  EXPECT_TRUE(world_->IsAlive(report_.made.at(0)));
}

TEST_F(ReferenceCommandsTest, IdsThatRunOutNameNoCommand) {
  ASSERT_EQ(world_->PlaceIndex(1000), kDone);
  oplang::Options options;
  options.entity_index_limit = 1;
  world_.emplace(options, schema_->ForModel());
  const ReferenceCommand create{{CommandVerb::kCreate, {}, {}}, false, {}, {}, {}};
  EXPECT_EQ(Record(create), kDone);
  EXPECT_EQ(Record(create), kDone);
  EXPECT_EQ(Apply(), Refused(Reason::kIdsExhausted));
  EXPECT_FALSE(report_.refused.has_value());
  EXPECT_TRUE(world_->entities().empty());
}

TEST_F(ReferenceCommandsTest, WhatDoesNotDependOnEntitiesIsRefusedAtOnce) {
  const auto record = [&](std::vector<std::uint16_t> removed, std::vector<NamedValue> values,
                          bool by_query = false) {
    return Record({{CommandVerb::kExchange, removed, values}, by_query, {}, {}, Entity(9, 9)})
        .reason;
  };
  EXPECT_EQ(record({7}, {Named(0, 101)}), Reason::kComponentUnknown);
  EXPECT_EQ(record({0, 0}, {}), Reason::kComponentRepeated);
  EXPECT_EQ(record({0}, {Named(0, 1), Named(0, 2)}), Reason::kComponentRepeated);
  EXPECT_EQ(record({}, {Named(0, 101)}), Reason::kValueRefused);
  EXPECT_EQ(record({}, {Named(1, 4294967296)}), Reason::kValueDoesNotFit);
  EXPECT_EQ(record({}, {Named(3, 1)}), Reason::kNone);
  EXPECT_EQ(record({}, {Named(3, 1)}, true), Reason::kValueDoesNotFit);
  EXPECT_EQ(commands_.size(), 1u);
  world_->OpenScope();
  EXPECT_EQ(record({0}, {}), Reason::kNone) << "recording is legal inside a scope";
  EXPECT_EQ(Apply(), Refused(Reason::kScopeOpen));
  EXPECT_FALSE(report_.refused.has_value());
}

TEST_F(ReferenceCommandsTest, AQueryIsForEachThatMatchesWhenItsTurnComes) {
  const ReferenceTerms with_health = {{oplang::TermKind::kAll, 0}};
  EXPECT_EQ(Record(For(second_, {CommandVerb::kAdd, {}, {Named(0, 3)}})), kDone);
  EXPECT_EQ(Record({{CommandVerb::kAdd, {}, {Named(1, 4)}}, true, with_health, {}, {}}), kDone);
  EXPECT_EQ(Apply(), kDone);
  for (const Entity entity : {first_, second_}) EXPECT_EQ(RowOf(entity).size(), 2u);

  EXPECT_EQ(Record({{CommandVerb::kDestroy, {}, {}}, true, with_health, {}, {}}), kDone);
  EXPECT_EQ(Apply(), kDone);
  Entity next;
  EXPECT_EQ(world_->Create({}, &next), kDone);
  EXPECT_EQ(next, Entity(0, 2)) << "the lowest index ended last";

  EXPECT_EQ(Record({{CommandVerb::kDestroy, {}, {}}, true, std::nullopt, {}, {}}), kDone);
  EXPECT_EQ(Apply(true), Refused(Reason::kQueryUnknown));
  EXPECT_EQ(report_.refused, 0u);
}

TEST_F(ReferenceCommandsTest, ManyAreAllOrNone) {
  const ReferenceChange put{CommandVerb::kPut, {}, {Named(1, 7)}};
  const std::vector<Entity> twice = {first_, second_, first_};
  EXPECT_EQ(ChangeMany(&*world_, twice, put), Refused(Reason::kEntityRepeated));
  const std::vector<Entity> dead = {first_, Entity()};
  EXPECT_EQ(ChangeMany(&*world_, dead, put), Refused(Reason::kEntityNotAlive));
  const std::vector<Entity> both = {first_, second_};
  const ReferenceChange set{CommandVerb::kSet, {}, {Named(0, 7)}};
  EXPECT_EQ(ChangeMany(&*world_, both, set), Refused(Reason::kComponentAbsent));
  EXPECT_EQ(RowOf(first_), (Components{{std::uint16_t{0}, {Scalar::Int(1)}}}));
  EXPECT_EQ(ChangeMany(&*world_, both, put), kDone);
  EXPECT_TRUE(RowOf(second_).contains(1));
  EXPECT_EQ(ChangeMany(&*world_, both, {CommandVerb::kDestroy, {}, {}}), kDone);
  EXPECT_TRUE(world_->entities().empty());
}

TEST_F(ReferenceCommandsTest, ByQueryIsAllOrNoneAndCounts) {
  std::size_t count = 99;
  const ReferenceTerms all = {};
  const ReferenceChange remove{CommandVerb::kRemove, {0}, {}};
  EXPECT_EQ(ChangeByQuery(&*world_, all, remove, &count), Refused(Reason::kComponentAbsent));
  EXPECT_EQ(count, 99u);
  EXPECT_TRUE(RowOf(first_).contains(0));
  EXPECT_EQ(ChangeByQuery(&*world_, std::nullopt, remove, &count), Refused(Reason::kQueryUnknown));
  EXPECT_EQ(ChangeByQuery(&*world_, all, {CommandVerb::kPut, {}, {Named(0, 8)}}, &count), kDone);
  EXPECT_EQ(count, 2u);
  world_->OpenScope();
  EXPECT_EQ(ChangeByQuery(&*world_, all, remove, &count), Refused(Reason::kScopeOpen));
  EXPECT_EQ(ChangeByQuery(&*world_, all, {CommandVerb::kSet, {}, {Named(0, 9)}}, &count), kDone);
}

// A tag that is set, or that comes and goes, leaves no trace unless its bit was off; nor does a
// value that was written and is gone again.
TEST_F(ReferenceCommandsTest, AVersionIsForWhatHasChanged) {
  const std::uint64_t version = world_->version();
  EXPECT_EQ(Apply(), kDone);
  EXPECT_EQ(world_->version(), version);
  const NamedValue off{2, {}};
  const std::vector<Entity> one = {first_};
  EXPECT_EQ(ChangeMany(&*world_, one, {CommandVerb::kPut, {}, {off}}), kDone);
  EXPECT_EQ(world_->version(), version + 1);
  EXPECT_EQ(ChangeMany(&*world_, one, {CommandVerb::kSet, {}, {off}}), kDone);
  EXPECT_EQ(world_->version(), version + 1);
  for (const std::uint64_t expected : {version + 1, version + 3}) {
    EXPECT_EQ(Record(For(first_, {CommandVerb::kRemove, {2}, {}})), kDone);
    EXPECT_EQ(Record(For(first_, {CommandVerb::kAdd, {}, {off}})), kDone);
    EXPECT_EQ(Apply(), kDone);
    EXPECT_EQ(world_->version(), expected);
    EXPECT_EQ(world_->SetEnabled(first_, 2, false), kDone);
  }
  EXPECT_EQ(Record(For(second_, {CommandVerb::kAdd, {}, {Named(1, 7)}})), kDone);
  EXPECT_EQ(Record(For(second_, {CommandVerb::kRemove, {1}, {}})), kDone);
  const std::uint64_t before = world_->version();
  EXPECT_EQ(Apply(), kDone);
  EXPECT_EQ(world_->version(), before);
}

}  // namespace
}  // namespace ashlar::model
