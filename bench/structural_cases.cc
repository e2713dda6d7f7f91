// Workloads that change structure: create, destroy_random, add_remove_h, churn. Each call of the
// world is checked and answers with a status; `bare` is the prototype, which checks nothing.
#include <algorithm>
#include <memory>
#include <numeric>

#include "bench/bare_prototype.h"
#include "bench/cases.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

// Small worlds are measured several at a time, so that a sample lasts long enough to be timed.
std::size_t WorldsFor(std::size_t count) { return std::max<std::size_t>(1, 65'536 / count); }

std::vector<std::uint32_t> Permutation(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  Random(seed).Shuffle(order);
  return order;
}

// --- create: a fresh world each time; making the world and its end are not counted. ---

double CreateInWorlds(std::size_t count, std::size_t worlds) {
  double nanoseconds = 0;
  for (std::size_t w = 0; w < worlds; ++w) {
    WorldFixture fixture;
    const Stopwatch watch;
    for (std::size_t i = 0; i < count; ++i) Keep(fixture.Create(i).ToBits());
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

double CreateInPrototypes(std::size_t count, std::size_t worlds) {
  double nanoseconds = 0;
  for (std::size_t w = 0; w < worlds; ++w) {
    BarePrototype bare;
    const Stopwatch watch;
    for (std::size_t i = 0; i < count; ++i) {
      Keep(bare.Create(PositionOf(i), VelocityOf(i)).index);
    }
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

Case CreateCase(std::size_t count) {
  const std::size_t worlds = WorldsFor(count);
  Case work;
  work.items = static_cast<double>(count * worlds);
  work.variants.push_back({"bare", [=] { return CreateInPrototypes(count, worlds); }});
  work.variants.push_back({"world", [=] { return CreateInWorlds(count, worlds); }});
  return work;
}

// --- destroy_random: all of them by id, in random order. ---

double DestroyInWorlds(const std::vector<std::uint32_t>& order, std::size_t worlds) {
  double nanoseconds = 0;
  for (std::size_t w = 0; w < worlds; ++w) {
    WorldFixture fixture;
    fixture.Fill(order.size());
    const Stopwatch watch;
    for (const std::uint32_t i : order) Require(fixture.world->Destroy(fixture.ids[i]));
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

double DestroyInPrototypes(const std::vector<std::uint32_t>& order, std::size_t worlds) {
  double nanoseconds = 0;
  for (std::size_t w = 0; w < worlds; ++w) {
    BarePrototype bare;
    std::vector<BarePrototype::Id> ids;
    for (std::size_t i = 0; i < order.size(); ++i) {
      ids.push_back(bare.Create(PositionOf(i), VelocityOf(i)));
    }
    const Stopwatch watch;
    for (const std::uint32_t i : order) bare.Destroy(ids[i]);
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

Case DestroyCase(std::size_t count) {
  const std::size_t worlds = WorldsFor(count);
  const std::vector<std::uint32_t> order = Permutation(count, count);
  Case work;
  work.items = static_cast<double>(count * worlds);
  work.variants.push_back({"bare", [=] { return DestroyInPrototypes(order, worlds); }});
  work.variants.push_back({"world", [=] { return DestroyInWorlds(order, worlds); }});
  return work;
}

// --- The others change one world and one prototype that stay. ---

struct Pair {
  explicit Pair(std::size_t count) : world_random(count), bare_random(count) {
    fixture.Fill(count);
    for (std::size_t i = 0; i < count; ++i) {
      bare_ids.push_back(bare.Create(PositionOf(i), VelocityOf(i)));
    }
    order = Permutation(count, 0);
    bare_order = order;
  }

  // After the same work both hold the same ids with the same values.
  std::string Verify() const {
    for (std::size_t i = 0; i < bare_ids.size(); ++i) {
      const Entity entity = fixture.ids[i];
      const Position* p = fixture.world->TryGet(entity, fixture.position);
      const Position* q = bare.Get(bare_ids[i]);
      const std::string number = " of entity number " + std::to_string(i);
      if (p == nullptr || q == nullptr || p->x != q->x || p->z != q->z) return "position" + number;
      if (entity.index() != bare_ids[i].index || entity.generation() != bare_ids[i].generation) {
        return "id" + number;
      }
    }
    return "";
  }

  WorldFixture fixture;
  BarePrototype bare;
  std::vector<BarePrototype::Id> bare_ids;
  Random world_random, bare_random;  // In step, each with its own variant.
  std::vector<std::uint32_t> order, bare_order;
};

// Adds health to each, then removes it from each, in the same order.
double AddRemoveInWorld(Pair& pair, std::size_t passes, bool random) {
  WorldFixture& fixture = pair.fixture;
  double nanoseconds = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    if (random) {
      pair.world_random.Shuffle(pair.order);
    } else {
      std::iota(pair.order.begin(), pair.order.end(), 0u);
    }
    const Stopwatch watch;
    for (const std::uint32_t i : pair.order) {
      const Health health{static_cast<std::int32_t>(i)};
      Require(fixture.world->Add(fixture.ids[i], {ComponentValue(fixture.health, health)}));
    }
    for (const std::uint32_t i : pair.order) {
      Require(fixture.world->Remove(fixture.ids[i], {fixture.health.id()}));
    }
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

double AddRemoveInPrototype(Pair& pair, std::size_t passes, bool random) {
  double nanoseconds = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    if (random) {
      pair.bare_random.Shuffle(pair.bare_order);
    } else {
      std::iota(pair.bare_order.begin(), pair.bare_order.end(), 0u);
    }
    const Stopwatch watch;
    for (const std::uint32_t i : pair.bare_order) {
      pair.bare.AddHealth(pair.bare_ids[i], {static_cast<std::int32_t>(i)});
    }
    for (const std::uint32_t i : pair.bare_order) pair.bare.RemoveHealth(pair.bare_ids[i]);
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

Case AddRemoveCase(std::size_t count, bool random) {
  auto pair = std::make_shared<Pair>(count);
  const std::size_t passes = WorldsFor(count);
  Case work;
  work.items = static_cast<double>(count * passes);
  work.variants.push_back({"bare", [=] { return AddRemoveInPrototype(*pair, passes, random); }});
  work.variants.push_back({"world", [=] { return AddRemoveInWorld(*pair, passes, random); }});
  work.verify = [=] { return pair->Verify(); };
  return work;
}

// Destroys one at random and creates one in its stead.
std::vector<std::uint32_t> Victims(Random& random, std::size_t count, std::size_t steps) {
  std::vector<std::uint32_t> victims(steps);
  for (std::uint32_t& victim : victims) victim = static_cast<std::uint32_t>(random.Below(count));
  return victims;
}

double ChurnWorld(Pair& pair, std::size_t steps) {
  WorldFixture& fixture = pair.fixture;
  const std::vector<std::uint32_t> victims = Victims(pair.world_random, fixture.ids.size(), steps);
  const Stopwatch watch;
  for (const std::uint32_t i : victims) {
    Require(fixture.world->Destroy(fixture.ids[i]));
    fixture.ids[i] = fixture.Create(i);
  }
  return watch.Nanoseconds();
}

double ChurnPrototype(Pair& pair, std::size_t steps) {
  const std::vector<std::uint32_t> victims = Victims(pair.bare_random, pair.bare_ids.size(), steps);
  const Stopwatch watch;
  for (const std::uint32_t i : victims) {
    pair.bare.Destroy(pair.bare_ids[i]);
    pair.bare_ids[i] = pair.bare.Create(PositionOf(i), VelocityOf(i));
  }
  return watch.Nanoseconds();
}

Case ChurnCase(std::size_t count) {
  auto pair = std::make_shared<Pair>(count);
  const std::size_t steps = 100'000;
  Case work;
  work.items = static_cast<double>(steps);
  work.variants.push_back({"bare", [=] { return ChurnPrototype(*pair, steps); }});
  work.variants.push_back({"world", [=] { return ChurnWorld(*pair, steps); }});
  work.verify = [=] { return pair->Verify(); };
  return work;
}

}  // namespace

void AddStructuralCases(std::vector<CaseMaker>* makers) {
  for (std::size_t n : kSizes) {
    makers->push_back({"create", n, "ns/entity", [=] { return CreateCase(n); }});
  }
  for (std::size_t n : kSizes) {
    makers->push_back({"destroy_random", n, "ns/entity", [=] { return DestroyCase(n); }});
  }
  for (std::size_t n : kSizes) {
    makers->push_back({"add_remove_h_seq", n, "ns/pair", [=] { return AddRemoveCase(n, false); }});
  }
  for (std::size_t n : kSizes) {
    makers->push_back(
        {"add_remove_h_random", n, "ns/pair", [=] { return AddRemoveCase(n, true); }});
  }
  for (std::size_t n : kSizes) {
    makers->push_back({"churn", n, "ns/pair", [=] { return ChurnCase(n); }});
  }
}

}  // namespace ashlar::bench
