// Workloads that walk over everything: iterate_pv, exclude, exclude_bits, frag26, frag1024.
//
// All variants of a case call the same exact kernel. `plain` is one call over two arrays, `world`
// is MovementSystem::Step, `world_16k` and `world_64k` the same where chunks have so many bytes and
// not 4096, `bare` the prototype's chunks, `plain_huge` the arrays in huge pages, `plain_turned`
// the arrays in blocks of 16,384 entities, every second step from the last block to the first: the
// system turns too, over so many rows, where none is switched off.
#include <algorithm>
#include <cstring>
#include <memory>

#include "ashlar/systems/movement.h"
#include "bench/bare_prototype.h"
#include "bench/cases.h"
#include "bench/fixtures.h"

namespace ashlar::bench {
namespace {

// Steps in one sample: enough to be timed (0.3 ms or more), and for what the other variants have
// left in the caches not to matter.
std::size_t StepsFor(std::size_t count) { return std::max<std::size_t>(16, 2'000'000 / count); }

template <typename Step>
Sample SampleOf(std::size_t steps, Step step) {
  return [=]() {
    const Stopwatch watch;
    for (std::size_t i = 0; i < steps; ++i) step();
    return watch.Nanoseconds();
  };
}

MovementSystem SystemOf(const WorldFixture& fixture) {
  return Require(MovementSystem::Make(*fixture.world, fixture.position.id(), fixture.velocity.id(),
                                      fixture.disabled));
}

// The entities once more, in chunks of another size.
struct OtherChunks {
  OtherChunks(std::string variant, std::size_t chunk_size_bytes, std::size_t count)
      : name(std::move(variant)), fixture({.chunk_size_bytes = chunk_size_bytes}) {
    fixture.Fill(count);
  }

  std::string name;
  WorldFixture fixture;
  MovementSystem system = SystemOf(fixture);
};

// Everything that one case holds. Entity number i has the same values everywhere.
struct Data {
  kernels::MovementFunction kernel = kernels::MovementFor(BestSimdLevel());
  WorldFixture fixture;
  std::optional<MovementSystem> system;
  std::vector<std::unique_ptr<OtherChunks>> others;
  std::unique_ptr<BarePrototype> bare;
  std::unique_ptr<PlainArrays> plain;
  std::unique_ptr<PlainArrays> plain_huge;
  std::unique_ptr<PlainArrays> plain_turned;
  std::size_t turned_steps = 0;
  std::vector<Entity> matched;              // The entities that move, as the world names them,
  std::vector<BarePrototype::Id> bare_ids;  // as the prototype names them; plain: their order.
};

void StepBare(const Data& data, std::size_t archetype_count) {
  for (std::size_t i = 0; i < archetype_count; ++i) {
    const BarePrototype::Archetype& archetype = data.bare->archetypes()[i];
    for (std::size_t chunk = 0; chunk < archetype.chunks.size(); ++chunk) {
      std::byte* const base = archetype.chunks[chunk];
      data.kernel(reinterpret_cast<float*>(base + archetype.position),
                  reinterpret_cast<const float*>(base + archetype.velocity),
                  3 * archetype.RowsIn(chunk), kTimeStep);
    }
  }
}

void StepPlain(const Data& data, PlainArrays& arrays) {
  data.kernel(arrays.position(), arrays.velocity(), 3 * arrays.count(), kTimeStep);
}

void StepTurned(Data* data) {
  constexpr std::size_t kBlock = 16'384;
  PlainArrays& arrays = *data->plain_turned;
  const bool backwards = data->turned_steps++ % 2 != 0;
  const std::size_t blocks = (arrays.count() + kBlock - 1) / kBlock;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t first = (backwards ? blocks - 1 - i : i) * kBlock;
    const std::size_t count = std::min(kBlock, arrays.count() - first);
    data->kernel(arrays.position() + 3 * first, arrays.velocity() + 3 * first, 3 * count,
                 kTimeStep);
  }
}

// `position`: a Position, or three floats one behind the other; null is none.
bool SameBits(const void* expected, const void* position) {
  return position != nullptr && std::memcmp(expected, position, sizeof(Position)) == 0;
}

std::string Verify(const Data& data) {
  for (std::size_t i = 0; i < data.matched.size(); ++i) {
    const float* const expected = data.plain->position() + 3 * i;
    const std::string number = "position of moving entity number " + std::to_string(i);
    if (!SameBits(expected, data.fixture.world->TryGet(data.matched[i], data.fixture.position))) {
      return number + ", world";
    }
    if (!SameBits(expected, data.bare->Get(data.bare_ids[i]))) return number + ", bare";
    if (data.plain_turned != nullptr &&
        !SameBits(expected, data.plain_turned->position() + 3 * i)) {
      return number + ", plain_turned";
    }
    for (const auto& other : data.others) {
      const WorldFixture& fixture = other->fixture;
      if (!SameBits(expected, fixture.world->TryGet(fixture.ids[i], fixture.position))) {
        return number + ", " + other->name;
      }
    }
  }
  return "";
}

// The case over data whose world and prototype stand already. `bare_count`: how many of the
// prototype's archetypes move.
Case CaseOver(std::shared_ptr<Data> data, std::size_t bare_count) {
  const std::size_t count = data->matched.size();
  data->system = SystemOf(data->fixture);
  data->plain = std::make_unique<PlainArrays>(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const float* p = &data->fixture.world->TryGet(data->matched[i], data->fixture.position)->x;
    const float* v = &data->fixture.world->TryGet(data->matched[i], data->fixture.velocity)->x;
    data->plain->Set(i, {p[0], p[1], p[2]}, {v[0], v[1], v[2]});
  }
  const std::size_t steps = StepsFor(count);
  Case work;
  work.items = static_cast<double>(steps * count);
  work.variants.push_back({"plain", SampleOf(steps, [=] { StepPlain(*data, *data->plain); })});
  work.variants.push_back({"world", SampleOf(steps, [=] {
                             Require(data->system->Step(*data->fixture.world, kTimeStep));
                           })});
  for (const auto& other : data->others) {
    work.variants.push_back({other->name, SampleOf(steps, [data, moved = other.get()] {
                               Require(moved->system.Step(*moved->fixture.world, kTimeStep));
                             })});
  }
  work.variants.push_back({"bare", SampleOf(steps, [=] { StepBare(*data, bare_count); })});
  if (count >= 100'000) {
    data->plain_huge = std::make_unique<PlainArrays>(count, true);
    data->plain_turned = std::make_unique<PlainArrays>(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      data->plain_huge->Set(i, PositionOf(i), VelocityOf(i));
      data->plain_turned->Set(i, PositionOf(i), VelocityOf(i));
    }
    work.variants.push_back(
        {"plain_huge", SampleOf(steps, [=] { StepPlain(*data, *data->plain_huge); })});
    work.variants.push_back({"plain_turned", SampleOf(steps, [=] { StepTurned(data.get()); })});
  }
  work.verify = [=] { return Verify(*data); };
  return work;
}

Case IteratePv(std::size_t count) {
  auto data = std::make_shared<Data>();
  data->bare = std::make_unique<BarePrototype>();
  data->fixture.Fill(count);
  data->matched = data->fixture.ids;
  data->others.push_back(std::make_unique<OtherChunks>("world_16k", 16 * 1024, count));
  data->others.push_back(std::make_unique<OtherChunks>("world_64k", 64 * 1024, count));
  for (std::size_t i = 0; i < count; ++i) {
    data->bare_ids.push_back(data->bare->Create(PositionOf(i), VelocityOf(i)));
  }
  return CaseOver(std::move(data), 1);
}

// Half of the entities, at random, are disabled: they carry a tag, or, `by_bits`, all carry it and
// it is enabled in half of them.
Case Exclude(std::size_t count, bool by_bits) {
  auto data = std::make_shared<Data>();
  WorldFixture& fixture = data->fixture;
  data->bare = std::make_unique<BarePrototype>(2);
  if (by_bits) fixture.disabled = fixture.RegisterTag("switched_off", true);
  Random random(count);
  for (std::size_t i = 0; i < count; ++i) {
    const bool disabled = random.Next() & 1;
    const Entity entity = fixture.Create(i);
    if (disabled || by_bits) {
      Require(fixture.world->Add(entity, {ComponentValue(fixture.disabled)}));
    }
    if (by_bits) Require(fixture.world->SetEnabled(entity, fixture.disabled, disabled));
    const BarePrototype::Id id = data->bare->Create(PositionOf(i), VelocityOf(i), disabled ? 1 : 0);
    if (!disabled) {
      data->matched.push_back(entity);
      data->bare_ids.push_back(id);
    }
  }
  return CaseOver(std::move(data), 1);
}

// Entities spread at random over many archetypes: one of `tag_count` tags each, or any set of them.
Case Fragmented(std::size_t count, std::size_t tag_count, bool any_set) {
  auto data = std::make_shared<Data>();
  WorldFixture& fixture = data->fixture;
  const std::size_t archetype_count = any_set ? std::size_t{1} << tag_count : tag_count;
  data->bare = std::make_unique<BarePrototype>(static_cast<std::uint32_t>(archetype_count));
  std::vector<ComponentId> tags;
  for (std::size_t t = 0; t < tag_count; ++t) {
    tags.push_back(fixture.RegisterTag("tag" + std::to_string(t)));
  }
  Random random(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t archetype = random.Below(archetype_count);
    const Position p = PositionOf(i);
    const Velocity v = VelocityOf(i);
    std::vector<ComponentValue> values = {{fixture.position, p}, {fixture.velocity, v}};
    for (std::size_t t = 0; t < tag_count; ++t) {
      if (any_set ? (archetype >> t) & 1 : archetype == t) values.emplace_back(tags[t]);
    }
    data->matched.push_back(Require(fixture.world->Create(values)));
    data->bare_ids.push_back(data->bare->Create(p, v, static_cast<std::uint32_t>(archetype)));
  }
  return CaseOver(std::move(data), archetype_count);
}

}  // namespace

void AddIterateCases(std::vector<CaseMaker>* makers) {
  const std::string unit = "ns/entity";
  for (std::size_t count : kSizes) {
    makers->push_back({"iterate_pv", count, unit, [=] { return IteratePv(count); }});
  }
  for (std::size_t count : kSizes) {
    makers->push_back({"exclude", count, unit, [=] { return Exclude(count, false); }});
  }
  for (std::size_t count : kSizes) {
    makers->push_back({"exclude_bits", count, unit, [=] { return Exclude(count, true); }});
  }
  for (std::size_t count : kSizes) {
    makers->push_back({"frag26", count, unit, [=] { return Fragmented(count, 26, false); }});
  }
  for (std::size_t count : kSizes) {
    if (count < 10'000) continue;  // Fewer than ten rows an archetype measure the walk alone.
    makers->push_back({"frag1024", count, unit, [=] { return Fragmented(count, 10, true); }});
  }
}

}  // namespace ashlar::bench
