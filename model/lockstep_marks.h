// What `mark` remembers, and what has changed since in the model.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ashlar/world/iteration_scope.h"
#include "model/reference_world.h"

namespace ashlar::model {

class ChangeMark {
 public:
  // Which kind of chunks: with changed values, or with rows that came.
  enum class Kind : std::uint8_t { kChanged, kAdded };

  // What is since then is since now. `version` is the world's.
  void Place(const ReferenceWorld& model, std::uint64_t version);

  // The entity has got another id.
  void Rename(Entity from, Entity to);

  // The entities that lie in chunks of that kind; in the order of the visit.
  std::vector<Entity> Visit(const IterationScope& scope, std::uint16_t component, Kind kind) const;

  // An entity of the model that matches the terms and must be among those; the null entity where
  // none is left out.
  Entity FindLeftOut(const ReferenceWorld& model, std::span<const oplang::QueryTerm> terms,
                     std::uint16_t component, Kind kind, std::vector<Entity> visited) const;

 private:
  // What an entity had, and what of that was disabled.
  struct Row {
    Components components;
    std::set<std::uint16_t> disabled;
  };

  std::map<Entity, Row> entities_;
  std::uint64_t version_ = 0;
};

}  // namespace ashlar::model
