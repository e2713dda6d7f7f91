// 160 entities under 300 random additions and removals, and the state around refused calls.
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/world/world.h"
#include "props/property.h"

namespace ashlar::props {
namespace {

// position f32[3] = 0, health i32 in [-1000,1000] = 1, frozen tag = 2.
std::unique_ptr<World> MakeWorld(std::uint32_t rows_per_chunk) {
  auto world = *World::Make({.rows_per_chunk_max = rows_per_chunk});
  for (auto [name, text] : {std::pair<const char*, const char*>{"position", "f32[3]"},
                            {"health", "i32 in [-1000,1000]"},
                            {"frozen", "tag"}}) {
    TypeSpec spec;
    RC_ASSERT(!ParseType(text, &spec).has_value());
    RC_ASSERT(world->Register(*ComponentDescriptor::FromSpec(name, spec)).ok());
  }
  return world;
}

constexpr ComponentId kPosition{0};
constexpr ComponentId kHealth{1};
constexpr ComponentId kFrozen{2};

TEST(ChangesProperty, HundredAndSixtyEntitiesThreeHundredChanges) {
  Holds("additions and removals leave every value with its entity", [] {
    const auto world = MakeWorld(*rc::gen::element<std::uint32_t>(0, 1, 2, 4));
    std::vector<Entity> entities;
    std::map<std::uint64_t, std::optional<std::int32_t>> health;
    for (int i = 0; i < 160; ++i) {
      const std::array<float, 3> position = {static_cast<float>(i), static_cast<float>(-i), 0.5f};
      entities.push_back(*world->Create({ComponentValue(kPosition, position.data())}));
      health[entities.back().ToBits()] = std::nullopt;
    }
    for (int step = 0; step < 300; ++step) {
      const Entity entity = entities[*rc::gen::inRange<std::size_t>(0, entities.size())];
      auto& expected = health[entity.ToBits()];
      if (expected.has_value()) {
        RC_ASSERT(world->Remove(entity, {kHealth}).ok());
        expected.reset();
      } else {
        const std::int32_t value = step;
        RC_ASSERT(world->Add(entity, {ComponentValue(kHealth, &value)}).ok());
        expected = value;
      }
      for (std::size_t i = 0; i < entities.size(); ++i) {
        const auto stored = world->GetField(entities[i], kPosition, "[0]");
        RC_ASSERT(stored.ok());
        RC_ASSERT(*stored == Scalar::F32(static_cast<float>(i)));
        const auto& wanted = health[entities[i].ToBits()];
        RC_ASSERT(*world->Has(entities[i], kHealth) == wanted.has_value());
        if (wanted.has_value()) {
          RC_ASSERT(*world->GetField(entities[i], kHealth, "") == Scalar::Int(*wanted));
        }
      }
    }
    RC_ASSERT(CheckIntegrity(*world).ok());
  });
}

// Everything that a refused call must leave alone, the order of rows and archetypes included.
std::vector<std::uint64_t> Fingerprint(const World& world) {
  std::vector<std::uint64_t> words = {Digest(world),          world.version(),
                                      world.entity_count(),   world.directory().slot_count(),
                                      world.queries().size(), world.registry().size(),
                                      world.scope_depth()};
  for (const Archetype* archetype : world.archetypes().numbered()) {
    words.push_back(archetype->row_count());
    for (std::uint32_t chunk = 0; chunk < archetype->chunk_count(); ++chunk) {
      for (std::uint32_t row = 0; row < archetype->RowsInChunk(ChunkIndex(chunk)); ++row) {
        words.push_back(archetype->EntityAt(ChunkIndex(chunk), RowIndex(row)).ToBits());
      }
    }
  }
  return words;
}

Entity AnyEntity(const std::vector<Entity>& issued) {
  if (issued.empty() || *rc::gen::inRange(0, 6) == 0) {
    return Entity(*rc::gen::inRange<std::uint32_t>(0, 12), *rc::gen::inRange<std::uint32_t>(0, 4));
  }
  return issued[*rc::gen::inRange<std::size_t>(0, issued.size())];
}

// One random call, often a wrong one.
absl::Status AnyCall(World& world, std::vector<Entity>* issued) {
  const Entity entity = AnyEntity(*issued);
  const std::array<std::int32_t, 2> numbers = {*rc::gen::inRange(-1500, 1500), 0};
  const std::array<float, 3> floats = {1, 2, 3};
  const std::array<ComponentValue, 4> values = {
      ComponentValue(kPosition, floats.data()), ComponentValue(kHealth, &numbers[0]),
      ComponentValue(kFrozen), ComponentValue(ComponentId(9))};
  std::vector<ComponentValue> list;
  std::vector<ComponentId> names;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    list.push_back(
        values[*rc::gen::weightedElement<std::size_t>({{3, 0}, {3, 1}, {3, 2}, {1, 3}})]);
    names.push_back(list.back().component());
  }
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
    case 1: {
      const auto created = world.Create(list);
      if (created.ok()) issued->push_back(*created);
      return created.status();
    }
    case 2:
      return world.Destroy(entity);
    case 3:
      return world.Add(entity, list);
    case 4:
      return world.Remove(entity, names);
    case 5:
      return world.Exchange(entity, std::span(names).first(names.size() / 2), list);
    case 6:
      return world.Put(entity, list);
    default:
      return world.Set(entity, list);
  }
}

TEST(ChangesProperty, ARefusedCallChangesNothing) {
  int refused = 0;
  int accepted = 0;
  Holds("a call that is refused leaves rows, order, ids and versions as they were", [&] {
    const auto world = MakeWorld(*rc::gen::element<std::uint32_t>(0, 1, 2, 4));
    RC_ASSERT(world->MakeQuery(QuerySpec().Read(kPosition)).ok());
    const QueryId query = *world->MakeQuery(QuerySpec().Write(kHealth));
    std::vector<Entity> issued;
    for (int step = 0; step < 60; ++step) {
      const bool in_scope = *rc::gen::inRange(0, 5) == 0;
      auto scope = *world->OpenScope(query);
      if (!in_scope) scope.Close();
      const auto before = Fingerprint(*world);
      const absl::Status status = AnyCall(*world, &issued);
      ++(status.ok() ? accepted : refused);
      if (!status.ok()) RC_ASSERT(Fingerprint(*world) == before);
      RC_ASSERT(CheckIntegrity(*world, in_scope ? 1 : 0).ok());
    }
  });
  EXPECT_GT(refused, 1000) << "the mix must refuse";
  EXPECT_GT(accepted, 1000) << "and accept";
}

}  // namespace
}  // namespace ashlar::props
