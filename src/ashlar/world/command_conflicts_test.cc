// Every pair of commands about one entity, recorded in one buffer and applied: the table that
// ARCHITECTURE.md has under "Two commands, one entity". Each cell is also what World's two calls
// come to, one after the other.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ashlar/world/apply_commands.h"
#include "ashlar/world/command_buffer.h"
#include "ashlar/world/world_fixture.h"

namespace ashlar {
namespace {

enum class Kind { kDestroy, kAdd, kRemove, kSet, kPut, kExchange };
constexpr int kKindCount = 6;
constexpr const char* kKindNames[kKindCount] = {"destroy", "add", "remove",
                                                "set",     "put", "exchange"};

using Row = std::vector<std::string>;

// What the entity has in the end; or which of the two commands is refused, counted from 1, and why.
// Values: 1 from the first command, 2 from the second; exchange takes H off and puts V on.
const std::vector<Row>& TableWithoutHealth() {
  static const std::vector<Row> table = {
      {"2 not alive", "2 not alive", "2 not alive", "2 not alive", "2 not alive", "2 not alive"},
      {"dead", "2 present", "P", "P H=2", "P H=2", "P V"},
      {"1 absent", "1 absent", "1 absent", "1 absent", "1 absent", "1 absent"},
      {"1 absent", "1 absent", "1 absent", "1 absent", "1 absent", "1 absent"},
      {"dead", "2 present", "P", "P H=2", "P H=2", "P V"},
      {"1 absent", "1 absent", "1 absent", "1 absent", "1 absent", "1 absent"},
  };
  return table;
}
const std::vector<Row>& TableWithHealth() {
  static const std::vector<Row> table = {
      {"2 not alive", "2 not alive", "2 not alive", "2 not alive", "2 not alive", "2 not alive"},
      {"1 present", "1 present", "1 present", "1 present", "1 present", "1 present"},
      {"dead", "P H=2", "2 absent", "2 absent", "P H=2", "2 absent"},
      {"dead", "2 present", "P", "P H=2", "P H=2", "P V"},
      {"dead", "2 present", "P", "P H=2", "P H=2", "P V"},
      {"dead", "P H=2 V", "2 absent", "2 absent", "P H=2 V", "2 absent"},
  };
  return table;
}

// The second command where the first is the create, with P alone.
const Row& RowOfCreate() {
  static const Row row = {"dead", "P H=2", "2 absent", "2 absent", "P H=2", "2 absent"};
  return row;
}

std::string RefusalText(std::size_t command, const absl::Status& status) {
  const Reason reason = ReasonOf(status);
  const std::string number = std::to_string(command + 1);
  if (reason == Reason::kEntityNotAlive) return number + " not alive";
  if (reason == Reason::kComponentPresent) return number + " present";
  if (reason == Reason::kComponentAbsent) return number + " absent";
  return number + " " + std::string(ReasonName(reason));
}

class CommandConflictsTest : public WorldFixture {
 protected:
  absl::Status Record(CommandBuffer& buffer, Kind kind, CommandTarget target, int value) {
    const Health health{value};
    switch (kind) {
      case Kind::kDestroy:
        return buffer.Destroy(target);
      case Kind::kAdd:
        return buffer.Add(target, {H(health)});
      case Kind::kRemove:
        return buffer.Remove(target, {health_.id()});
      case Kind::kSet:
        return buffer.Set(target, {H(health)});
      case Kind::kPut:
        return buffer.Put(target, {H(health)});
      case Kind::kExchange:
        break;
    }
    return buffer.Exchange(target, {health_.id()}, {V({1, 1, 1})});
  }

  absl::Status Call(Kind kind, Entity entity, int value) {
    const Health health{value};
    switch (kind) {
      case Kind::kDestroy:
        return world_->Destroy(entity);
      case Kind::kAdd:
        return world_->Add(entity, {H(health)});
      case Kind::kRemove:
        return world_->Remove(entity, {health_.id()});
      case Kind::kSet:
        return world_->Set(entity, {H(health)});
      case Kind::kPut:
        return world_->Put(entity, {H(health)});
      case Kind::kExchange:
        break;
    }
    return world_->Exchange(entity, {health_.id()}, {V({1, 1, 1})});
  }

  Entity Make(bool with_health) {
    Reset({});
    const Entity entity = *world_->Create({P({1, 2, 3})});
    EXPECT_TRUE(!with_health || world_->Add(entity, {H({0})}).ok());
    return entity;
  }

  std::string StateText(Entity entity) {
    if (!world_->IsAlive(entity)) return "dead";
    std::string text = *world_->Has(entity, position_.id()) ? "P" : "";
    if (*world_->Has(entity, health_.id())) {
      text += " H=" + std::to_string((*world_->Get(entity, health_))->value);
    }
    if (*world_->Has(entity, velocity_.id())) text += " V";
    return text;
  }

  std::string ApplyText(CommandBuffer& buffer, Entity entity) {
    const std::string before = StateText(entity);
    const auto report = Apply(*world_, buffer);
    if (report.ok()) return StateText(entity);
    EXPECT_EQ(StateText(entity), before) << "refused, and yet changed";
    const auto place = RefusedCommand(report.status());
    EXPECT_TRUE(place.has_value());
    return RefusalText(place.value_or(CommandPlace()).command, report.status());
  }

  std::string InOneBuffer(Kind first, Kind second, bool with_health) {
    const Entity entity = Make(with_health);
    CommandBuffer buffer(*world_);
    EXPECT_TRUE(Record(buffer, first, entity, 1).ok());
    EXPECT_TRUE(Record(buffer, second, entity, 2).ok());
    return ApplyText(buffer, entity);
  }

  std::string OneByOne(Kind first, Kind second, bool with_health) {
    const Entity entity = Make(with_health);
    if (const absl::Status done = Call(first, entity, 1); !done.ok()) return RefusalText(0, done);
    if (const absl::Status done = Call(second, entity, 2); !done.ok()) return RefusalText(1, done);
    return StateText(entity);
  }

  void ExpectTable(const std::vector<Row>& table, bool with_health) {
    for (int first = 0; first < kKindCount; ++first) {
      for (int second = 0; second < kKindCount; ++second) {
        SCOPED_TRACE(std::string(kKindNames[first]) + ", then " + kKindNames[second]);
        const auto row = static_cast<std::size_t>(first);
        const auto column = static_cast<std::size_t>(second);
        const auto a = static_cast<Kind>(first);
        const auto b = static_cast<Kind>(second);
        EXPECT_EQ(InOneBuffer(a, b, with_health), table[row][column]);
        EXPECT_EQ(OneByOne(a, b, with_health), table[row][column]);
      }
    }
  }
};

TEST_F(CommandConflictsTest, PairsOnAnEntityWithoutTheComponent) {
  ExpectTable(TableWithoutHealth(), false);
}

TEST_F(CommandConflictsTest, PairsOnAnEntityWithTheComponent) {
  ExpectTable(TableWithHealth(), true);
}

TEST_F(CommandConflictsTest, PairsThatBeginWithTheCreate) {
  for (int second = 0; second < kKindCount; ++second) {
    SCOPED_TRACE(kKindNames[second]);
    Reset({});
    CommandBuffer buffer(*world_);
    const Placeholder made = *buffer.Create({P({1, 2, 3})});
    ASSERT_TRUE(Record(buffer, static_cast<Kind>(second), made, 2).ok());
    const Entity entity(0, 1);
    EXPECT_EQ(ApplyText(buffer, entity), RowOfCreate()[static_cast<std::size_t>(second)]);
    EXPECT_TRUE(!buffer.is_applied() || *buffer.Resolve(made) == entity);
  }
}

// Two creates are two entities, whatever they are made with.
TEST_F(CommandConflictsTest, TwoCreates) {
  CommandBuffer buffer(*world_);
  const Placeholder first = *buffer.Create({H({1})});
  const Placeholder second = *buffer.Create({H({1})});
  ASSERT_TRUE(Apply(*world_, buffer).ok());
  EXPECT_EQ(*buffer.Resolve(first), Entity(0, 1));
  EXPECT_EQ(*buffer.Resolve(second), Entity(1, 1));
}

// Where what is dead is skipped, the cells "not alive" are what the first command comes to.
TEST_F(CommandConflictsTest, WhatComesBehindADestroyMayBeSkipped) {
  for (int second = 0; second < kKindCount; ++second) {
    SCOPED_TRACE(kKindNames[second]);
    const Entity entity = Make(true);
    CommandBuffer buffer(*world_);
    ASSERT_TRUE(buffer.Destroy(entity).ok());
    ASSERT_TRUE(Record(buffer, static_cast<Kind>(second), entity, 2).ok());
    const auto report = Apply(*world_, buffer, DeadTargets::kSkip);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->commands, 1u);
    EXPECT_EQ(report->skipped, 1u);
    EXPECT_EQ(StateText(entity), "dead");
  }
}

}  // namespace
}  // namespace ashlar
