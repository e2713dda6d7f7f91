// Workloads that switch something of each entity off and on again: toggle by id in random order,
// toggle_all row by row in a scope.
//
// `world` switches the enable bit of a tag that every entity has, `world_tag` adds and removes
// another tag, which moves the row, and `bits` is the floor: one bit an entity in an array by
// itself, without any check.
#include <algorithm>
#include <memory>
#include <numeric>

#include "bench/cases.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

struct Switches {
  explicit Switches(std::size_t count)
      : active(fixture.RegisterTag("active", true)), bits(count / 64 + 1), random(count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Position p = PositionOf(i);
      const Velocity v = VelocityOf(i);
      fixture.ids.push_back(Require(
          fixture.world->Create({ComponentValue(fixture.position, p),
                                 ComponentValue(fixture.velocity, v), ComponentValue(active)})));
    }
    // Every row, whether its tag is on or off.
    rows = Require(fixture.world->MakeQuery(
        QuerySpec().Push(QueryTermKind::kAll, active, Access::kWrite).WithDisabled()));
    order.resize(count);
    std::iota(order.begin(), order.end(), 0u);
  }

  // Every switch ends as it began.
  std::string Verify() const {
    for (const Entity entity : fixture.ids) {
      if (!Require(fixture.world->IsEnabled(entity, active))) return "an enable bit that is off";
      if (Require(fixture.world->Has(entity, fixture.disabled))) return "a tag that is left";
    }
    const bool bits_left = std::ranges::any_of(bits, [](std::uint64_t word) { return word != 0; });
    return bits_left ? "a bit that is left" : "";
  }

  WorldFixture fixture;
  ComponentId active;
  QueryId rows;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint32_t> order;
  Random random;
};

// Goes through all entities twice in the same random order: `off` each, then `on` each.
template <typename Off, typename On>
double ToggleById(Switches& data, std::size_t passes, Off off, On on) {
  double nanoseconds = 0;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    data.random.Shuffle(data.order);
    const Stopwatch watch;
    for (const std::uint32_t i : data.order) off(i);
    for (const std::uint32_t i : data.order) on(i);
    nanoseconds += watch.Nanoseconds();
  }
  return nanoseconds;
}

Case ToggleCase(std::size_t count) {
  auto data = std::make_shared<Switches>(count);
  const std::size_t passes = std::max<std::size_t>(1, 65'536 / count);
  const auto flip = [=](std::uint32_t i) { data->bits[i / 64] ^= std::uint64_t{1} << i % 64; };
  Case work;
  work.items = static_cast<double>(2 * count * passes);
  work.variants.push_back({"bits", [=] { return ToggleById(*data, passes, flip, flip); }});
  work.variants.push_back({"world", [=] {
                             WorldFixture& fixture = data->fixture;
                             const auto set = [&](std::uint32_t i, bool on) {
                               Require(fixture.world->SetEnabled(fixture.ids[i], data->active, on));
                             };
                             return ToggleById(
                                 *data, passes, [&](std::uint32_t i) { set(i, false); },
                                 [&](std::uint32_t i) { set(i, true); });
                           }});
  work.variants.push_back(
      {"world_tag", [=] {
         WorldFixture& fixture = data->fixture;
         return ToggleById(
             *data, passes,
             [&](std::uint32_t i) {
               Require(fixture.world->Add(fixture.ids[i], {ComponentValue(fixture.disabled)}));
             },
             [&](std::uint32_t i) {
               Require(fixture.world->Remove(fixture.ids[i], {fixture.disabled}));
             });
       }});
  work.verify = [=] { return data->Verify(); };
  return work;
}

void SwitchRows(const Switches& data, bool on) {
  const IterationScope scope = Require(data.fixture.world->OpenScope(data.rows));
  for (const ChunkView& view : scope) {
    for (std::size_t row = 0; row < view.row_count(); ++row) {
      view.SetEnabled(data.active, row, on);
    }
  }
}

Case ToggleAllCase(std::size_t count) {
  auto data = std::make_shared<Switches>(count);
  const std::size_t passes = std::max<std::size_t>(1, 200'000 / count);
  Case work;
  work.items = static_cast<double>(2 * count * passes);
  work.variants.push_back({"bits", [=] {
                             const Stopwatch watch;
                             for (std::size_t pass = 0; pass < 2 * passes; ++pass) {
                               for (std::size_t i = 0; i < count; ++i) {
                                 data->bits[i / 64] ^= std::uint64_t{1} << i % 64;
                                 Keep(data->bits.data());  // Bit by bit, as the world's are.
                               }
                             }
                             return watch.Nanoseconds();
                           }});
  work.variants.push_back({"world", [=] {
                             const Stopwatch watch;
                             for (std::size_t pass = 0; pass < passes; ++pass) {
                               SwitchRows(*data, false);
                               SwitchRows(*data, true);
                             }
                             return watch.Nanoseconds();
                           }});
  work.verify = [=] { return data->Verify(); };
  return work;
}

}  // namespace

void AddToggleCases(std::vector<CaseMaker>* makers) {
  for (const std::size_t n : kSizes) {
    makers->push_back({"toggle", n, "ns/toggle", [=] { return ToggleCase(n); }});
  }
  for (const std::size_t n : kSizes) {
    makers->push_back({"toggle_all", n, "ns/toggle", [=] { return ToggleAllCase(n); }});
  }
}

}  // namespace ashlar::bench
