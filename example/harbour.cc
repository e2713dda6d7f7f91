// A harbour: ships move, some dock, one is refused. Shows the whole path of a user's program:
// typed components, entities, a query, a scope, a refusal, a system, and the world's own check.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ashlar/ashlar.h"

namespace {

struct Position {
  float x, y, z;
};
struct Velocity {
  float x, y, z;
};
struct Cargo {
  std::int32_t tonnes;
  std::array<std::uint8_t, 4> berth;
};
struct Docked {};

// Every call of Ashlar answers with a status; in a program this small, an unexpected one ends it.
void Must(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "harbour: %s\n", std::string(status.message()).c_str());
  std::exit(1);
}
template <typename T>
T Must(absl::StatusOr<T> result) {
  Must(result.status());
  return std::move(*result);
}

struct Components {
  ashlar::Component<Position> position;
  ashlar::Component<Velocity> velocity;
  ashlar::Component<Cargo> cargo;
  ashlar::Component<Docked> docked;
};

Components RegisterAll(ashlar::World& world) {
  Components c;
  c.position = Must(world.Register(ashlar::Describe<Position>("position")
                                       .Field("x", &Position::x)
                                       .Field("y", &Position::y)
                                       .Field("z", &Position::z)));
  c.velocity = Must(world.Register(ashlar::Describe<Velocity>("velocity")
                                       .Field("x", &Velocity::x)
                                       .Field("y", &Velocity::y)
                                       .Field("z", &Velocity::z)));
  ashlar::FieldRule load;
  load.min = ashlar::Scalar::Int(0);
  load.max = ashlar::Scalar::Int(500);
  c.cargo = Must(world.Register(ashlar::Describe<Cargo>("cargo")
                                    .Field("tonnes", &Cargo::tonnes, load)
                                    .Field("berth", &Cargo::berth)));
  c.docked = Must(world.Register(ashlar::Describe<Docked>("docked")));
  return c;
}

// 300 ships in a row, sailing north; each third one carries cargo.
std::vector<ashlar::Entity> Launch(ashlar::World& world, const Components& c) {
  std::vector<ashlar::Entity> ships;
  for (int i = 0; i < 300; ++i) {
    const Position position{static_cast<float>(i), 0, 0};
    const Velocity velocity{0, 2, 0};
    ships.push_back(Must(world.Create({{c.position, position}, {c.velocity, velocity}})));
    if (i % 3 == 0) {
      Must(world.Add(ships.back(), {{c.cargo, Cargo{i, {1, 2, 3, 4}}}}));
    }
  }
  return ships;
}

std::size_t CountCargo(ashlar::World& world, ashlar::QueryId query, const Components& c,
                       std::int64_t* tonnes) {
  std::size_t rows = 0;
  *tonnes = 0;
  const ashlar::IterationScope scope = Must(world.OpenScope(query));
  for (const ashlar::ChunkView& view : scope) {
    rows += view.row_count();
    for (const Cargo& cargo : view.Read(c.cargo)) *tonnes += cargo.tonnes;
  }
  return rows;
}

}  // namespace

int main() {
  const std::unique_ptr<ashlar::World> world = Must(ashlar::World::Make());
  const Components c = RegisterAll(*world);
  const std::vector<ashlar::Entity> ships = Launch(*world, c);
  std::printf("ships %zu\n", world->entity_count());

  // A value outside its rule is refused, and the world stays as it was.
  const std::uint64_t before = ashlar::Digest(*world);
  const absl::Status refused = world->Set(ships[0], {{c.cargo, Cargo{501, {}}}});
  const std::string_view reason = ashlar::ReasonName(ashlar::ReasonOf(refused));
  std::printf("overload %.*s, digest %s\n", static_cast<int>(reason.size()), reason.data(),
              before == ashlar::Digest(*world) ? "unchanged" : "CHANGED");

  // Docked ships do not move; the others go 2 * 0.5 north in each of ten steps.
  for (std::size_t i = 0; i < 100; ++i) {
    Must(world->Add(ships[i], {ashlar::ComponentValue(c.docked.id())}));
  }
  const auto movement =
      Must(ashlar::MovementSystem::Make(*world, c.position.id(), c.velocity.id(), c.docked.id()));
  for (int step = 0; step < 10; ++step) Must(movement.Step(*world, 0.5f));
  std::printf("first %g, last %g\n", double{world->TryGet(ships.front(), c.position)->y},
              double{world->TryGet(ships.back(), c.position)->y});

  ashlar::QuerySpec laden;
  laden.Read(c.cargo).None(c.docked);
  const ashlar::QueryId query = Must(world->MakeQuery(laden));
  std::int64_t tonnes = 0;
  const std::size_t rows = CountCargo(*world, query, c, &tonnes);
  std::printf("at sea with cargo %zu, tonnes %lld\n", rows, static_cast<long long>(tonnes));

  for (const ashlar::Entity ship : ships) Must(world->Destroy(ship));
  Must(ashlar::CheckIntegrity(*world));
  std::printf("afloat %zu, integrity ok, ashlar %s\n", world->entity_count(),
              ASHLAR_VERSION_STRING);
  return 0;
}
