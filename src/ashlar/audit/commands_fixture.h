// For the tests of commands and bulk changes: worlds of a few components of each kind, random
// commands over them as data, and a twin in which every command is a call.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <memory_resource>
#include <string>
#include <utility>
#include <vector>

#include "ashlar/audit/batch_rows_fixture.h"
#include "ashlar/audit/world_objects_fixture.h"
#include "ashlar/core/draw_testing.h"
#include "ashlar/world/apply_commands.h"

namespace ashlar::commands_testing {

struct Point {
  float x, y, z;
};
struct Points {
  std::int32_t count;
};
struct Large {
  std::array<std::uint32_t, 500> words;  // Two of them do not fit a chunk of 4096 bytes.
};
struct Large2 {
  std::array<std::uint32_t, 500> words;
};
struct Mark {};

inline constexpr std::size_t kComponentCount = 6;
inline constexpr std::size_t kQueryCount = 6;

// A command as data: run against either world.
struct Step {
  enum class Verb { kCreate, kDestroy, kAdd, kRemove, kSet, kPut, kExchange };
  enum class Target { kEntity, kPlaceholder, kQuery };
  Verb verb = Verb::kCreate;
  Target target = Target::kEntity;
  Entity entity;
  std::size_t placeholder = 0;
  std::size_t query = 0;
  std::vector<std::size_t> removed;  // Components by number.
  std::vector<std::size_t> given;
  std::uint32_t value = 0;  // What the given ones are made of; 0 for the value without arguments.
};

// One world with its components and queries.
class Side {
 public:
  Side(std::uint32_t rows_per_chunk_max, std::uint64_t entity_index_limit,
       std::pmr::memory_resource* memory = nullptr) {
    world = *World::Make({.memory = memory,
                          .rows_per_chunk_max = rows_per_chunk_max,
                          .entity_index_limit = entity_index_limit});
    point = *world->Register(Describe<Point>("point")
                                 .Field("x", &Point::x)
                                 .Field("y", &Point::y)
                                 .Field("z", &Point::z)
                                 .Enableable());
    points = *world->Register(Describe<Points>("points").Field("", &Points::count).Split());
    watched = *world->Register(DescribeWatched<Plain>("watched").Enableable());
    mark = *world->Register(Describe<Mark>("mark").Enableable());
    large = *world->Register(Describe<Large>("large").Field("words", &Large::words));
    large2 = *world->Register(Describe<Large2>("large2").Field("words", &Large2::words));
    const QuerySpec specs[kQueryCount] = {
        QuerySpec().Read(point),
        QuerySpec().Read(points).None(point),
        QuerySpec().Read(watched).None(mark),
        QuerySpec().Any(point).Any(mark),
        QuerySpec().Read(mark).WithDisabled().None(points),
        QuerySpec(),
    };
    for (const QuerySpec& spec : specs) queries.push_back(*world->MakeQuery(spec));
  }

  ComponentId Id(std::size_t number) const {
    return ComponentId(static_cast<ComponentId::Rep>(number));
  }
  std::vector<ComponentId> Ids(const std::vector<std::size_t>& numbers) const {
    std::vector<ComponentId> ids;
    for (const std::size_t number : numbers) ids.push_back(Id(number));
    return ids;
  }

  // Values of a step. They live until the next one.
  std::vector<ComponentValue> Values(const Step& step) {
    point_value = {static_cast<float>(step.value), -0.0f, 0.5f};
    points_value = {static_cast<std::int32_t>(step.value)};
    watched_value.value = static_cast<std::int32_t>(step.value);
    large_value.words.fill(step.value);
    large2_value.words.fill(step.value);
    std::vector<ComponentValue> values;
    for (const std::size_t number : step.given) {
      if (step.value == 0 || number == mark.id().value()) {
        values.emplace_back(Id(number));
      } else if (number == point.id().value()) {
        values.emplace_back(point, point_value);
      } else if (number == points.id().value()) {
        values.emplace_back(points, points_value);
      } else if (number == watched.id().value()) {
        values.emplace_back(watched, std::as_const(watched_value));
      } else if (number == large.id().value()) {
        values.emplace_back(large, large_value);
      } else {
        values.emplace_back(large2, large2_value);
      }
    }
    return values;
  }

  // The step for one entity, by World's call.
  absl::Status Call(const Step& step, Entity entity) {
    const std::vector<ComponentValue> values = Values(step);
    switch (step.verb) {
      case Step::Verb::kCreate:
        break;
      case Step::Verb::kDestroy:
        return world->Destroy(entity);
      case Step::Verb::kAdd:
        return world->Add(entity, values);
      case Step::Verb::kRemove:
        return world->Remove(entity, Ids(step.removed));
      case Step::Verb::kSet:
        return world->Set(entity, values);
      case Step::Verb::kPut:
        return world->Put(entity, values);
      case Step::Verb::kExchange:
        return world->Exchange(entity, Ids(step.removed), values);
    }
    const auto created = world->Create(values);
    if (created.ok()) {
      made.push_back(*created);
      named.push_back(*created);
    }
    return created.status();
  }

  // The step for what it is about, one entity after the other.
  absl::Status CallAll(const Step& step) {
    if (step.verb == Step::Verb::kCreate) return Call(step, Entity());
    if (step.target != Step::Target::kQuery) {
      const Entity entity =
          step.target == Step::Target::kEntity ? step.entity : made[step.placeholder];
      if (world->IsAlive(entity)) Name({entity});
      return Call(step, entity);
    }
    std::vector<Entity> entities;
    {
      const IterationScope scope = *world->OpenScope(queries[step.query]);
      for (const ChunkView& view : scope) {
        entities.insert(entities.end(), view.entities().begin(), view.entities().end());
      }
    }
    Name(entities);
    std::ranges::sort(entities, {}, &Entity::index);
    if (step.verb == Step::Verb::kDestroy) std::ranges::reverse(entities);
    for (const Entity entity : entities) {
      if (absl::Status done = Call(step, entity); !done.ok()) return done;
    }
    return absl::OkStatus();
  }

  // Those that were not named yet come in the order of rows before the round.
  void Name(std::vector<Entity> entities) {
    std::erase_if(entities,
                  [&](Entity entity) { return std::ranges::find(named, entity) != named.end(); });
    std::ranges::sort(entities, {}, [&](Entity entity) {
      return std::ranges::find(order_before, entity) - order_before.begin();
    });
    named.insert(named.end(), entities.begin(), entities.end());
  }

  absl::Status Record(const Step& step, CommandBuffer& buffer, std::vector<Placeholder>* all) {
    const std::vector<ComponentValue> values = Values(step);
    const std::vector<ComponentId> removed = Ids(step.removed);
    if (step.verb == Step::Verb::kCreate) {
      const auto placeholder = buffer.Create(values);
      if (placeholder.ok()) all->push_back(*placeholder);
      return placeholder.status();
    }
    if (step.target == Step::Target::kQuery) {
      const QueryId query = queries[step.query];
      switch (step.verb) {
        case Step::Verb::kDestroy:
          return buffer.DestroyByQuery(query);
        case Step::Verb::kAdd:
          return buffer.AddByQuery(query, values);
        case Step::Verb::kRemove:
          return buffer.RemoveByQuery(query, removed);
        case Step::Verb::kSet:
          return buffer.SetByQuery(query, values);
        case Step::Verb::kPut:
          return buffer.PutByQuery(query, values);
        default:
          return buffer.ExchangeByQuery(query, removed, values);
      }
    }
    const CommandTarget target = step.target == Step::Target::kEntity
                                     ? CommandTarget(step.entity)
                                     : CommandTarget((*all)[step.placeholder]);
    switch (step.verb) {
      case Step::Verb::kDestroy:
        return buffer.Destroy(target);
      case Step::Verb::kAdd:
        return buffer.Add(target, values);
      case Step::Verb::kRemove:
        return buffer.Remove(target, removed);
      case Step::Verb::kSet:
        return buffer.Set(target, values);
      case Step::Verb::kPut:
        return buffer.Put(target, values);
      default:
        return buffer.Exchange(target, removed, values);
    }
  }

  std::unique_ptr<World> world;
  Component<Point> point;
  Component<Points> points;
  Component<Plain> watched;
  Component<Mark> mark;
  Component<Large> large;
  Component<Large2> large2;
  std::vector<QueryId> queries;
  std::vector<Entity> made;          // By the steps of the present round.
  std::vector<Entity> order_before;  // Rows before the round, of the world that is looked at.
  std::vector<Entity> named;         // Entities in the order in which the round named them.

 private:
  Point point_value{};
  Points points_value{};
  Plain watched_value;
  Large large_value{};
  Large2 large2_value{};
};

// A toggled bit between two rounds.
struct Toggle {
  Entity entity;
  std::size_t component;
  bool enabled;
};

struct Round {
  std::vector<Toggle> toggles;
  std::vector<Step> steps;
  bool skips = false;
};

struct Outcome {
  absl::Status status;
  std::size_t refused_step = 0;
  std::size_t skipped = 0;
};

inline Outcome PlayOneByOne(Side& side, const Round& round) {
  side.made.clear();
  side.named.clear();
  for (const Toggle& toggle : round.toggles) {
    (void)side.world->SetEnabled(toggle.entity, side.Id(toggle.component), toggle.enabled);
  }
  Outcome outcome;
  for (std::size_t i = 0; i < round.steps.size(); ++i) {
    absl::Status done = side.CallAll(round.steps[i]);
    if (done.ok()) continue;
    if (round.skips && ReasonOf(done) == Reason::kEntityNotAlive) {
      ++outcome.skipped;
      continue;
    }
    outcome.status = done;
    outcome.refused_step = i;
    break;
  }
  return outcome;
}

inline std::vector<std::size_t> DrawComponents(Draw& draw, std::size_t count_max) {
  std::vector<std::size_t> all(kComponentCount);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[draw.Below(i)]);
  // The large ones come seldom.
  std::erase_if(all, [&](std::size_t number) { return number >= 4 && !draw.Chance(6); });
  all.resize(std::min<std::size_t>(all.size(), draw.Below(count_max + 1)));
  return all;
}

// A round that makes up to that many entities, each of up to so many components.
inline Round DrawCreates(Draw& draw, std::size_t entity_count_max,
                         std::size_t component_count_max) {
  Round round;
  for (std::size_t i = draw.Below(entity_count_max + 1); i > 0; --i) {
    Step step;
    step.value = draw.Below(50);
    step.given = DrawComponents(draw, component_count_max);
    round.steps.push_back(step);
  }
  return round;
}

inline Step DrawStep(Draw& draw, const std::vector<Entity>& known, std::size_t* placeholders) {
  Step step;
  constexpr Step::Verb kVerbs[] = {Step::Verb::kCreate, Step::Verb::kCreate,  Step::Verb::kDestroy,
                                   Step::Verb::kAdd,    Step::Verb::kAdd,     Step::Verb::kRemove,
                                   Step::Verb::kRemove, Step::Verb::kSet,     Step::Verb::kPut,
                                   Step::Verb::kPut,    Step::Verb::kExchange};
  step.verb = kVerbs[draw.Below(std::size(kVerbs))];
  step.value = draw.Below(50);
  if (step.verb == Step::Verb::kCreate) {
    ++*placeholders;
  } else if (draw.Chance(8)) {
    step.target = Step::Target::kQuery;
    step.query = draw.Below(kQueryCount);
    if (step.verb == Step::Verb::kAdd && !draw.Chance(4)) step.verb = Step::Verb::kPut;
  } else if (*placeholders != 0 && (known.empty() || draw.Chance(3))) {
    step.target = Step::Target::kPlaceholder;
    step.placeholder = draw.Below(*placeholders);
  } else if (!known.empty()) {
    step.entity = known[draw.Below(known.size())];
  }
  const bool gives = step.verb != Step::Verb::kDestroy && step.verb != Step::Verb::kRemove;
  const bool takes = step.verb == Step::Verb::kRemove || step.verb == Step::Verb::kExchange;
  if (gives) step.given = DrawComponents(draw, step.verb == Step::Verb::kCreate ? 4 : 2);
  if (takes) step.removed = DrawComponents(draw, 2);
  return step;
}

// One of the verbs that there are in bulk.
inline Step DrawBulkStep(Draw& draw) {
  while (true) {
    std::size_t placeholders = 0;
    const Step step = DrawStep(draw, {}, &placeholders);
    if (step.verb != Step::Verb::kCreate && step.verb != Step::Verb::kExchange) return step;
  }
}

}  // namespace ashlar::commands_testing
