// Workloads that change many entities at once, beside the same changes made one by one: a command
// buffer (its application; the recording is a variant of its own) and changes by query.
#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "ashlar/world/apply_commands.h"
#include "ashlar/world/bulk.h"
#include "bench/cases.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

constexpr std::size_t kBatchSizes[] = {1'024, 16'384, 100'000, 1'000'000};

// Small worlds are changed several times, so that a sample lasts long enough to be timed.
std::size_t PassesFor(std::size_t count) { return std::max<std::size_t>(1, 65'536 / count); }

// A world of its own for each variant.
struct BatchWorldFixture : WorldFixture {
  explicit BatchWorldFixture(std::size_t count) : random(count) {
    Fill(count);
    order.resize(count);
    std::iota(order.begin(), order.end(), 0u);
    query = Require(world->MakeQuery(QuerySpec().Read(position).Read(velocity)));
    tag = RegisterTag("tag");
  }

  ComponentValue HealthOf(std::uint32_t i) {
    points = Health{static_cast<std::int32_t>(i)};
    return {health, points};
  }

  Random random;
  std::vector<std::uint32_t> order;
  QueryId query;
  ComponentId tag;
  Health points{};
};

std::string SameEntities(const std::vector<std::shared_ptr<BatchWorldFixture>>& fixtures) {
  for (const auto& fixture : fixtures) {
    const BatchWorldFixture& first = *fixtures.front();
    for (std::size_t i = 0; i < first.ids.size(); ++i) {
      const Position* const p = first.world->TryGet(first.ids[i], first.position);
      const Position* const q = fixture->world->TryGet(fixture->ids[i], fixture->position);
      if (p == nullptr || q == nullptr || p->x != q->x) return "entity " + std::to_string(i);
    }
  }
  return "";
}

// --- commands: health for every entity in random order, then away again in that order. `apply`:
// each half is a buffer of its own, so that every row moves; `apply_folded`: both are in one
// buffer, and come to nothing. ---

double OneByOne(BatchWorldFixture& fixture) {
  double nanoseconds = 0;
  for (std::size_t pass = 0; pass < PassesFor(fixture.ids.size()); ++pass) {
    fixture.random.Shuffle(fixture.order);
    const Stopwatch watch;
    for (const std::uint32_t i : fixture.order) {
      Require(fixture.world->Add(fixture.ids[i], {fixture.HealthOf(i)}));
    }
    for (const std::uint32_t i : fixture.order) {
      Require(fixture.world->Remove(fixture.ids[i], {fixture.health.id()}));
    }
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

enum class Counted { kRecording, kApplying };

double ByBuffers(BatchWorldFixture& fixture, CommandBuffer& buffer, bool is_folded,
                 Counted counted) {
  double recording = 0;
  double applying = 0;
  for (std::size_t pass = 0; pass < PassesFor(fixture.ids.size()); ++pass) {
    fixture.random.Shuffle(fixture.order);
    buffer.Clear();
    for (const bool adds : {true, false}) {
      const Stopwatch record_watch;
      for (const std::uint32_t i : fixture.order) {
        Require(adds ? buffer.Add(fixture.ids[i], {fixture.HealthOf(i)})
                     : buffer.Remove(fixture.ids[i], {fixture.health.id()}));
      }
      recording += record_watch.Nanoseconds();
      if (adds && is_folded) continue;
      const Stopwatch apply_watch;
      Keep(Require(Apply(*fixture.world, buffer)).moved);
      applying += apply_watch.Nanoseconds();
      buffer.Clear();
    }
  }
  return counted == Counted::kRecording ? recording : applying;
}

Case CommandsCase(std::size_t count) {
  std::vector<std::shared_ptr<BatchWorldFixture>> fixtures;
  for (int i = 0; i < 4; ++i) fixtures.push_back(std::make_shared<BatchWorldFixture>(count));
  Case work;
  work.items = static_cast<double>(count * PassesFor(count));
  work.variants.push_back({"one_by_one", [=] { return OneByOne(*fixtures[0]); }});
  const auto add = [&](const char* name, std::size_t number, bool is_folded, Counted counted) {
    const std::shared_ptr<BatchWorldFixture>& fixture = fixtures[number];
    const auto buffer = std::make_shared<CommandBuffer>(*fixture->world);
    work.variants.push_back({name, [fixture, buffer, is_folded, counted] {
                               return ByBuffers(*fixture, *buffer, is_folded, counted);
                             }});
  };
  add("apply", 1, false, Counted::kApplying);
  add("apply_folded", 2, true, Counted::kApplying);
  add("record", 3, false, Counted::kRecording);
  work.verify = [=] { return SameEntities(fixtures); };
  return work;
}

// --- add_by_query, tag_by_query: a component for every entity; taking it away again is not
// counted.
// ---

template <typename Add>
double AddedBy(BatchWorldFixture& fixture, ComponentId component, Add add) {
  double nanoseconds = 0;
  for (std::size_t pass = 0; pass < PassesFor(fixture.ids.size()); ++pass) {
    const Stopwatch watch;
    add();
    nanoseconds += watch.Nanoseconds();
    Keep(Require(RemoveByQuery(*fixture.world, fixture.query, {component})));
  }
  return nanoseconds;
}

Case ByQueryCase(std::size_t count, bool is_tag) {
  std::vector<std::shared_ptr<BatchWorldFixture>> fixtures;
  for (int i = 0; i < 3; ++i) fixtures.push_back(std::make_shared<BatchWorldFixture>(count));
  const auto buffer = std::make_shared<CommandBuffer>(*fixtures[2]->world);
  const auto value = [is_tag](BatchWorldFixture& fixture, std::uint32_t i) {
    return is_tag ? ComponentValue(fixture.tag) : fixture.HealthOf(i);
  };
  const auto component = [is_tag](const BatchWorldFixture& fixture) {
    return is_tag ? fixture.tag : fixture.health.id();
  };
  Case work;
  work.items = static_cast<double>(count * PassesFor(count));
  work.variants.push_back({"one_by_one", [=] {
                             BatchWorldFixture& fixture = *fixtures[0];
                             return AddedBy(fixture, component(fixture), [&] {
                               for (const Entity entity : fixture.ids) {
                                 Require(fixture.world->Add(entity, {value(fixture, 7)}));
                               }
                             });
                           }});
  work.variants.push_back(
      {"by_query", [=] {
         BatchWorldFixture& fixture = *fixtures[1];
         return AddedBy(fixture, component(fixture), [&] {
           Keep(Require(AddByQuery(*fixture.world, fixture.query, {value(fixture, 7)})));
         });
       }});
  work.variants.push_back({"buffer", [=] {
                             BatchWorldFixture& fixture = *fixtures[2];
                             return AddedBy(fixture, component(fixture), [&] {
                               buffer->Clear();
                               Require(buffer->AddByQuery(fixture.query, {value(fixture, 7)}));
                               Keep(Require(Apply(*fixture.world, *buffer)).moved);
                             });
                           }});
  work.verify = [=] { return SameEntities(fixtures); };
  return work;
}

}  // namespace

void AddBatchCases(std::vector<CaseMaker>* makers) {
  for (std::size_t n : kBatchSizes) {
    makers->push_back({"commands", n, "ns/pair", [=] { return CommandsCase(n); }});
  }
  for (std::size_t n : kBatchSizes) {
    makers->push_back({"add_by_query", n, "ns/entity", [=] { return ByQueryCase(n, false); }});
  }
  for (std::size_t n : kBatchSizes) {
    makers->push_back({"tag_by_query", n, "ns/entity", [=] { return ByQueryCase(n, true); }});
  }
}

}  // namespace ashlar::bench
