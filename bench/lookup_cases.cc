// Workloads that only look: get_checked, and the bytes that a world holds.
#include <cmath>
#include <memory>
#include <memory_resource>

#include "bench/bare_prototype.h"
#include "bench/cases.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

struct Lookups {
  WorldFixture fixture;
  BarePrototype bare;
  std::vector<BarePrototype::Id> bare_ids;
  double bare_sum = 0, get_sum = 0, try_sum = 0;
};

// Looks up position.x by each id in random order, `passes` times; `get` answers null for a dead id.
template <typename Ids, typename Get>
double SumOf(const Ids& ids, std::size_t passes, double* sum, Get get) {
  double total = 0;
  const Stopwatch watch;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    float part = 0;
    for (const auto id : ids) {
      if (const Position* position = get(id)) part += position->x;
    }
    total += static_cast<double>(part);
  }
  const double nanoseconds = watch.Nanoseconds();
  Keep(total);
  *sum = total;
  return nanoseconds;
}

Case GetChecked(std::size_t count) {
  auto data = std::make_shared<Lookups>();
  data->fixture.Fill(count);
  for (std::size_t i = 0; i < count; ++i) {
    data->bare_ids.push_back(data->bare.Create(PositionOf(i), VelocityOf(i)));
  }
  Random(count).Shuffle(data->fixture.ids);
  Random(count).Shuffle(data->bare_ids);
  const std::size_t passes = std::max<std::size_t>(1, 200'000 / count);

  Case work;
  work.items = static_cast<double>(count * passes);
  work.variants.push_back({"bare", [=] {
                             return SumOf(data->bare_ids, passes, &data->bare_sum,
                                          [&](BarePrototype::Id id) { return data->bare.Get(id); });
                           }});
  work.variants.push_back({"world_try_get", [=] {
                             const WorldFixture& fixture = data->fixture;
                             return SumOf(fixture.ids, passes, &data->try_sum, [&](Entity id) {
                               return fixture.world->TryGet(id, fixture.position);
                             });
                           }});
  work.variants.push_back({"world_get", [=] {
                             const WorldFixture& fixture = data->fixture;
                             return SumOf(fixture.ids, passes, &data->get_sum, [&](Entity id) {
                               const auto found = fixture.world->Get(id, fixture.position);
                               return found.ok() ? *found : nullptr;
                             });
                           }});
  work.verify = [=]() -> std::string {
    const bool same = data->bare_sum == data->try_sum && data->bare_sum == data->get_sum;
    return same ? "" : "sums of position.x";
  };
  return work;
}

// Counts the bytes that are held.
class CountingResource : public std::pmr::memory_resource {
 public:
  std::size_t bytes() const { return bytes_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* memory = std::pmr::new_delete_resource()->allocate(bytes, alignment);
    bytes_ += bytes;
    return memory;
  }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
    bytes_ -= bytes;
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::size_t bytes_ = 0;
};

// Not a time: the samples are bytes, the same in every round.
Case Memory(std::size_t count) {
  auto bare = std::make_shared<BarePrototype>();
  auto resource = std::make_shared<CountingResource>();
  auto fixture = std::make_shared<WorldFixture>(WorldOptions{.memory = resource.get()});
  for (std::size_t i = 0; i < count; ++i) {
    bare->Create(PositionOf(i), VelocityOf(i));
    fixture->Create(i);
  }
  Case work;
  work.items = static_cast<double>(count);
  work.variants.push_back({"bare", [=] { return static_cast<double>(bare->bytes()); }});
  // The fixture is captured after the resource, and so dies before it.
  work.variants.push_back(
      {"world", [resource, fixture] { return static_cast<double>(resource->bytes()); }});
  return work;
}

}  // namespace

void AddLookupCases(std::vector<CaseMaker>* makers) {
  for (std::size_t n : kSizes) {
    makers->push_back({"get_checked", n, "ns/look-up", [=] { return GetChecked(n); }});
  }
  makers->push_back({"memory", 1'000'000, "bytes/entity", [] { return Memory(1'000'000); }});
}

}  // namespace ashlar::bench
