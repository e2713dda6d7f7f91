// The rungs of the ladder that are worlds: whole components, and split ones.
#include "ashlar/kernels/particles.h"
#include "ashlar/world/visit_ahead.h"
#include "bench/fixtures.h"
#include "bench/ladder_rungs.h"

namespace ashlar::bench {
namespace {

constexpr std::size_t kViewsAhead = 4;  // As ParticleSystem, where the caches are too small.

struct Triple {
  float x, y, z;
};

// The dead are destroyed, so their rows are filled by others and no step sees them.
class WorldParticles : public Rung {
 public:
  WorldParticles(std::span<const Particle> particles, SimdLevel level, bool is_split)
      : world_(Require(World::Make())),
        position_(Register("position", 3, is_split)),
        velocity_(Register("velocity", 3, is_split)),
        force_(Register("force", 3, is_split)),
        inverse_mass_(Register("inverse_mass", 1, false)),
        life_(Register("life", 1, false)),
        query_(Require(world_->MakeQuery(QuerySpec()
                                             .Write(position_)
                                             .Write(velocity_)
                                             .Read(force_)
                                             .Read(inverse_mass_)
                                             .Write(life_)))),
        is_split_(is_split),
        integrate_rows_(kernels::IntegrateRowsFor(level)),
        integrate_axis_(kernels::IntegrateAxisFor(level)),
        age_(kernels::AgeFor(level)) {
    std::vector<Entity> dead;
    for (const Particle& p : particles) (p.life > 0 ? living_ : dead).push_back(Create(p));
    for (const Entity entity : dead) Require(world_->Destroy(entity));
  }

  void Step(float dt) override {
    const IterationScope scope = Require(world_->OpenScope(query_));
    const auto ask = [this](const ChunkView& later) {
      for (const ComponentId component : {position_, velocity_, force_, inverse_mass_, life_}) {
        later.Prefetch(component);
      }
    };
    VisitAhead(scope, kViewsAhead, ask, [&](const ChunkView& view) {
      const float* const inverse_mass = view.Read<float>(inverse_mass_).data();
      const std::size_t rows = view.row_count();
      if (is_split_) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          integrate_axis_(view.WriteField<float>(position_, axis).data(),
                          view.WriteField<float>(velocity_, axis).data(),
                          view.ReadField<float>(force_, axis).data(), inverse_mass, rows, dt);
        }
      } else {
        integrate_rows_(&view.Write<Triple>(position_).data()->x,
                        &view.Write<Triple>(velocity_).data()->x,
                        &view.Read<Triple>(force_).data()->x, inverse_mass, rows, dt);
      }
      dead_ += age_(view.Write<float>(life_).data(), rows, dt);
    });
  }

  Particle Living(std::size_t i) const override {
    Particle p{};
    Require(world_->GetValue(living_[i], position_, p.position));
    Require(world_->GetValue(living_[i], velocity_, p.velocity));
    Require(world_->GetValue(living_[i], force_, p.force));
    Require(world_->GetValue(living_[i], inverse_mass_, &p.inverse_mass));
    Require(world_->GetValue(living_[i], life_, &p.life));
    return p;
  }

  void Touch(TouchedLines* lines) const override {
    const IterationScope scope = Require(world_->OpenScope(query_));
    for (const ChunkView& view : scope) {
      for (const ComponentId component : {position_, velocity_, force_}) {
        for (std::size_t axis = 0; axis < (is_split_ ? 3 : 0); ++axis) {
          lines->Add(view.ReadField<float>(component, axis).data(), view.row_count() * 4);
        }
        if (!is_split_) lines->Add(view.ReadBytes(component), view.row_count() * 12);
      }
      lines->Add(view.ReadBytes(inverse_mass_), view.row_count() * 4);
      lines->Add(view.ReadBytes(life_), view.row_count() * 4);
    }
  }

 private:
  ComponentId Register(const char* name, std::uint32_t count, bool is_split) {
    TypeSpec floats;
    floats.fields.push_back({"", {ScalarType::kF32, count}, {}});
    ComponentDescriptor descriptor = Require(ComponentDescriptor::FromSpec(name, floats));
    return Require(world_->Register(descriptor.set_split(is_split)));
  }
  Entity Create(const Particle& p) {
    return Require(world_->Create(
        {ComponentValue(position_, p.position), ComponentValue(velocity_, p.velocity),
         ComponentValue(force_, p.force), ComponentValue(inverse_mass_, &p.inverse_mass),
         ComponentValue(life_, &p.life)}));
  }

  std::unique_ptr<World> world_;
  ComponentId position_, velocity_, force_, inverse_mass_, life_;
  QueryId query_;
  bool is_split_;
  kernels::IntegrateRowsFunction integrate_rows_;
  kernels::IntegrateAxisFunction integrate_axis_;
  kernels::AgeFunction age_;
  std::vector<Entity> living_;
  std::size_t dead_ = 0;
};

}  // namespace

void AddWorldRungs(std::vector<RungMaker>* rungs) {
  for (const bool is_split : {false, true}) {
    for (const SimdLevel level : kSimdLevels) {
      if (level > BestSimdLevel()) continue;
      rungs->push_back({(is_split ? "split_" : "world_") + std::string(SimdLevelName(level)),
                        [=](std::span<const Particle> particles) -> std::unique_ptr<Rung> {
                          return std::make_unique<WorldParticles>(particles, level, is_split);
                        }});
    }
  }
}

}  // namespace ashlar::bench
