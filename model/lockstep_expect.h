// Expect statements: what the writer of a trace says about the state, held against world and model.
#pragma once

#include <string>

#include "ashlar/oplang/operation.h"
#include "ashlar/world/world.h"
#include "model/lockstep_bindings.h"
#include "model/lockstep_compare.h"
#include "model/lockstep_marks.h"
#include "model/lockstep_schema.h"
#include "model/reference_world.h"

namespace ashlar::model {

// Looks at world and model, each by itself, so a statement also holds them together where states
// are not compared after every operation.
class ExpectChecker {
 public:
  ExpectChecker(World* world, const ReferenceWorld* model, const Schema* schema,
                const Bindings* bindings, const ChangeMark* mark)
      : world_(world), model_(model), schema_(schema), bindings_(bindings), mark_(mark) {}

  // Empty when the statement holds; else what is so instead: "world: health is 79, not 80".
  std::string Check(const oplang::ExpectOp& expect);

 private:
  std::string CheckEntity(const oplang::ExpectOp& expect, Entity entity);
  std::string CheckComponents(const oplang::ExpectOp& expect, Entity entity,
                              const Components& components);
  std::string CheckComponent(const oplang::ComponentArg& arg, Entity entity,
                             const Components& components);
  std::string CheckNothingElse(const oplang::ExpectOp& expect, Entity entity,
                               const Components& components);
  std::string CheckWithout(const oplang::ExpectOp& expect, Entity entity,
                           const Components& components);
  std::string CheckEnabled(const oplang::ExpectOp& expect, Entity entity);
  std::string CheckDead(Entity entity);
  std::string CheckId(const oplang::ExpectOp& expect, Entity entity);
  std::string CheckRow(const oplang::ExpectOp& expect, Entity entity);
  std::string CheckQuery(const oplang::ExpectOp& expect);
  std::string CheckSince(const oplang::ExpectOp& expect);
  std::string CheckLive(const oplang::ExpectOp& expect);

  bool IsComponent(oplang::ComponentRef component) const { return component < schema_->size(); }
  std::string ListText(std::span<const Entity> entities) const;

  World* world_;
  const ReferenceWorld* model_;
  const Schema* schema_;
  const Bindings* bindings_;
  const ChangeMark* mark_;
};

}  // namespace ashlar::model
