// Workloads of one call for all entities: create_bulk, destroy_all. `bare` creates them one by one
// in the prototype, from the same arrays; it ends all of them by giving back every chunk and taking
// every index to its next generation.
#include <algorithm>
#include <memory>

#include "bench/bare_prototype.h"
#include "bench/cases.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

// Small stores are measured several at a time, so that a sample lasts long enough to be timed.
std::size_t FreshStoresFor(std::size_t count) { return std::max<std::size_t>(1, 131'072 / count); }

// The values, and the ids that come back.
struct Columns {
  explicit Columns(std::size_t count) : ids(count) {
    for (std::size_t i = 0; i < count; ++i) {
      positions.push_back(PositionOf(i));
      velocities.push_back(VelocityOf(i));
    }
  }

  void CreateIn(WorldFixture& fixture) {
    Require(fixture.world->CreateMany(ids, {ComponentSpan(fixture.position, positions),
                                            ComponentSpan(fixture.velocity, velocities)}));
  }
  void CreateIn(BarePrototype& bare) const {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      Keep(bare.Create(positions[i], velocities[i]).index);
    }
  }

  std::vector<Position> positions;
  std::vector<Velocity> velocities;
  std::vector<Entity> ids;
};

// Times one step of the short life of several worlds, or prototypes.
template <typename Store, typename Prepare, typename Timed>
double InFreshStores(std::size_t count, Prepare prepare, Timed timed) {
  double nanoseconds = 0;
  for (std::size_t w = 0; w < FreshStoresFor(count); ++w) {
    Store store;
    prepare(store);
    const Stopwatch watch;
    timed(store);
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

// The last entity is there with its values.
std::string VerifyCreated(Columns& columns) {
  WorldFixture fixture;
  columns.CreateIn(fixture);
  const std::size_t last = columns.ids.size() - 1;
  const Position* const p = fixture.world->TryGet(columns.ids[last], fixture.position);
  const bool same = p != nullptr && p->x == PositionOf(last).x && p->z == PositionOf(last).z;
  return same && fixture.world->entity_count() == last + 1 ? "" : "the entities that were created";
}

Case CreateBulk(std::size_t count) {
  const auto columns = std::make_shared<Columns>(count);
  const auto nothing = [](auto&) {};
  const auto create = [=](auto& store) { columns->CreateIn(store); };
  Case work;
  work.items = static_cast<double>(count * FreshStoresFor(count));
  work.variants.push_back(
      {"bare", [=] { return InFreshStores<BarePrototype>(count, nothing, create); }});
  work.variants.push_back(
      {"world", [=] { return InFreshStores<WorldFixture>(count, nothing, create); }});
  work.verify = [=] { return VerifyCreated(*columns); };
  return work;
}

Case DestroyAll(std::size_t count) {
  const auto columns = std::make_shared<Columns>(count);
  const auto create = [=](auto& store) { columns->CreateIn(store); };
  Case work;
  work.items = static_cast<double>(count * FreshStoresFor(count));
  work.variants.push_back({"bare", [=] {
                             return InFreshStores<BarePrototype>(
                                 count, create, [](BarePrototype& bare) { bare.DestroyAll(); });
                           }});
  work.variants.push_back({"world", [=] {
                             return InFreshStores<WorldFixture>(
                                 count, create, [](WorldFixture& fixture) {
                                   Require(fixture.world->DestroyAll());
                                   Keep(fixture.world->entity_count());
                                 });
                           }});
  return work;
}

}  // namespace

void AddManyCases(std::vector<CaseMaker>* makers) {
  for (const std::size_t n : kSizes) {
    makers->push_back({"create_bulk", n, "ns/entity", [=] { return CreateBulk(n); }});
  }
  for (const std::size_t n : kSizes) {
    makers->push_back({"destroy_all", n, "ns/entity", [=] { return DestroyAll(n); }});
  }
}

}  // namespace ashlar::bench
