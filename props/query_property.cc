// Queries against testing every entity's components one by one.
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "ashlar/world/world.h"
#include "props/property.h"

namespace ashlar::props {
namespace {

using Set = std::set<std::uint16_t>;

// 300 tags and a value: numbers below 64, above 64 and above 256, so that every word of a signature
// is used. Drawn from a few, so that sets overlap often.
constexpr std::uint16_t kComponentCount = 300;

rc::Gen<std::uint16_t> AnyComponent() {
  return rc::gen::weightedOneOf<std::uint16_t>(
      {{4, rc::gen::element<std::uint16_t>(0, 1, 2, 63, 64, 65, 127, 128, 255, 256, 257, 299)},
       {1, rc::gen::inRange<std::uint16_t>(0, kComponentCount)}});
}

rc::Gen<Set> AnySet(std::size_t most) {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, most + 1), [](std::size_t size) {
    return rc::gen::map(
        rc::gen::container<std::vector<std::uint16_t>>(size, AnyComponent()),
        [](const std::vector<std::uint16_t>& ids) { return Set(ids.begin(), ids.end()); });
  });
}

struct Terms {
  Set all, any, none, optional;
};

Terms AnyTerms() {
  Terms terms;
  Set used;
  for (Set* part : {&terms.all, &terms.any, &terms.none, &terms.optional}) {
    for (std::uint16_t id : *AnySet(part == &terms.none ? 3 : 2)) {
      if (used.insert(id).second) part->insert(id);
    }
  }
  return terms;
}

bool Matches(const Terms& terms, const Set& components) {
  for (std::uint16_t id : terms.all) {
    if (components.count(id) == 0) return false;
  }
  for (std::uint16_t id : terms.none) {
    if (components.count(id) != 0) return false;
  }
  bool any = terms.any.empty();
  for (std::uint16_t id : terms.any) any = any || components.count(id) != 0;
  return any;
}

class QueryWorld {
 public:
  QueryWorld() : world_(*World::Make({.rows_per_chunk_max = 2})) {
    TypeSpec number;
    number.fields.push_back({"", {ScalarType::kI32, 1}, {}});
    for (std::uint16_t i = 0; i < kComponentCount; ++i) {
      const auto descriptor =
          ComponentDescriptor::FromSpec("c" + std::to_string(i), i == 64 ? number : TypeSpec());
      RC_ASSERT(world_->Register(*descriptor).ok());
    }
  }

  void AddQuery(const Terms& terms) {
    QuerySpec spec;
    for (std::uint16_t id : terms.all) spec.Read(ComponentId(id));
    for (std::uint16_t id : terms.any) spec.Any(ComponentId(id));
    for (std::uint16_t id : terms.none) spec.None(ComponentId(id));
    for (std::uint16_t id : terms.optional) spec.Optional(ComponentId(id));
    const auto query = world_->MakeQuery(spec);
    RC_ASSERT(query.ok());
    queries_.emplace_back(*query, terms);
  }

  // Creates an entity with these components, or makes an old one have them.
  void Step(const Set& components, bool is_new) {
    std::vector<ComponentValue> added;
    if (is_new || entities_.empty()) {
      for (std::uint16_t id : components) added.emplace_back(ComponentId(id));
      const auto entity = world_->Create(added);
      RC_ASSERT(entity.ok());
      entities_[entity->ToBits()] = components;
      return;
    }
    auto& [bits, before] = *entities_.begin();
    std::vector<ComponentId> removed;
    for (std::uint16_t id : before) {
      if (components.count(id) == 0) removed.emplace_back(id);
    }
    for (std::uint16_t id : components) {
      if (before.count(id) == 0) added.emplace_back(ComponentId(id));
    }
    RC_ASSERT(world_->Exchange(Entity::FromBits(bits), removed, added).ok());
    before = components;
  }

  void CheckAll() {
    for (const auto& [query, terms] : queries_) {
      std::set<std::uint64_t> expected;
      for (const auto& [bits, components] : entities_) {
        if (Matches(terms, components)) expected.insert(bits);
      }
      std::set<std::uint64_t> found;
      std::size_t rows = 0;
      auto scope = world_->OpenScope(query);
      RC_ASSERT(scope.ok());
      for (const ChunkView& view : *scope) {
        rows += view.row_count();
        for (Entity entity : view.entities()) found.insert(entity.ToBits());
        for (std::uint16_t id : terms.all) RC_ASSERT(view.Has(ComponentId(id)));
      }
      RC_ASSERT(found == expected);
      RC_ASSERT(rows == expected.size());
      RC_ASSERT(*world_->CountRows(query) == rows);
    }
  }

 private:
  std::unique_ptr<World> world_;
  std::vector<std::pair<QueryId, Terms>> queries_;
  std::map<std::uint64_t, Set> entities_;
};

TEST(QueryProperty, EqualsTestingEveryEntity) {
  Holds("queries made before and after entities see the same, and nothing else", [] {
    QueryWorld world;
    const int steps = *rc::gen::inRange(1, 20);
    for (int step = 0; step < steps; ++step) {
      if (*rc::gen::inRange(0, 3) == 0) world.AddQuery(AnyTerms());
      world.Step(*AnySet(5), *rc::gen::inRange(0, 4) != 0);
      world.CheckAll();
    }
    world.AddQuery({});
    world.AddQuery(AnyTerms());
    world.CheckAll();
  });
}

}  // namespace
}  // namespace ashlar::props
