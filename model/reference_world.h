// The reference world: what a world must do, so simple that anybody can check it by reading.
//
// A map from entity to a map from component to value. No chunks, rows, archetypes or caches. It
// shares words and schema with the kernel (ids, field types, descriptors, neutral values) and no
// header of the storage; it predicts ids, outcomes and reasons by itself.
//
// Every call looks for errors in the same order: scope open, entity alive, components left to
// right, values left to right, the size of the row, ids. It works on a copy of the entity's
// components and puts that back as the last thing, so a call that is refused has changed nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ashlar/core/entity.h"
#include "ashlar/core/status.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "model/model_schema.h"
#include "model/reference_hooks.h"
#include "model/reference_ids.h"
#include "model/reference_queries.h"

namespace ashlar::model {

struct NamedValue {
  std::uint16_t component = 0;
  Value value;  // As an operation says it: may not fit; empty for "all zero".
};

struct Singleton {
  Value value;
  std::uint64_t version = 0;  // In which it was put.
};

class ReferenceWorld {
 public:
  // The descriptors must outlive the world.
  ReferenceWorld(const oplang::Options& options, std::span<const ComponentDescriptor> components)
      : ReferenceWorld(options, ModelSchema{components, {}}) {}
  ReferenceWorld(const oplang::Options& options, const ModelSchema& schema);

  // Each does what the World call of that name does, and returns its outcome. `created` is set only
  // when the outcome is OK.
  oplang::Outcome Create(std::span<const NamedValue> values, Entity* created);
  oplang::Outcome CreateMany(std::span<const NamedValue> values, std::uint32_t count,
                             std::vector<Entity>* created);
  oplang::Outcome Destroy(Entity entity);
  oplang::Outcome DestroyAll();
  oplang::Outcome Add(Entity entity, std::span<const NamedValue> values);
  oplang::Outcome Remove(Entity entity, std::span<const std::uint16_t> components);
  oplang::Outcome Exchange(Entity entity, std::span<const std::uint16_t> removed,
                           std::span<const NamedValue> added);
  oplang::Outcome Set(Entity entity, std::span<const NamedValue> values);
  oplang::Outcome Put(Entity entity, std::span<const NamedValue> values);
  oplang::Outcome SetScalar(Entity entity, std::uint16_t component, std::uint32_t scalar,
                            const Scalar& value);
  oplang::Outcome Get(Entity entity, std::uint16_t component, const Value** value) const;
  oplang::Outcome Has(Entity entity, std::uint16_t component, bool* has) const;

  oplang::Outcome SetEnabled(Entity entity, std::uint16_t component, bool enabled);
  oplang::Outcome IsEnabled(Entity entity, std::uint16_t component, bool* enabled) const;

  // Queries are kept by label in the caller; a query is its terms.
  oplang::Outcome CheckQuery(std::span<const oplang::QueryTerm> terms) const;
  std::vector<Entity> Match(std::span<const oplang::QueryTerm> terms) const;  // In order of ids.
  void Match(std::span<const oplang::QueryTerm> terms, std::vector<Entity>* appended) const;

  // Lets `write` change the row of every entity that matches. It is one change.
  void WriteEach(std::span<const oplang::QueryTerm> terms,
                 const std::function<void(Components*)>& write);
  oplang::Outcome Flip(std::span<const oplang::QueryTerm> terms, std::uint16_t component);

  // Values of which the world has one. A get's value lives until the next put or remove.
  oplang::Outcome PutSingle(const NamedValue& value);
  oplang::Outcome RemoveSingle(std::uint16_t component);
  oplang::Outcome GetSingle(std::uint16_t component, const Value** value) const;

  // Whether rows may be sorted, by that component or by entity; nothing for a query that is not
  // there. The model has no rows: where one moves, the caller sets the next version.
  oplang::Outcome CheckSort(const std::optional<std::vector<oplang::QueryTerm>>& terms,
                            std::optional<std::uint16_t> component) const;

  // Nothing takes the hook away. What hooks hear is what has been done in the order of doing.
  oplang::Outcome SetHook(std::uint16_t component, oplang::HookMoment moment,
                          std::optional<oplang::HookReaction> reaction);
  const ReferenceHooks& hooks() const { return hooks_; }
  std::vector<HeardEvent> TakeHeard() { return hooks_.TakeHeard(); }

  oplang::Outcome Trim() const;
  oplang::Outcome Mark() const { return Trim(); }  // What is marked is kept by the caller.
  oplang::Outcome CheckComponent(std::uint16_t component) const;
  oplang::Outcome PlaceGeneration(Entity entity, std::uint32_t generation, Entity* placed);
  oplang::Outcome PlaceIndex(std::uint64_t index);
  oplang::Outcome PlaceVersion(std::uint64_t version);

  // Closing does nothing when no scope is open.
  void OpenScope() { ++scope_depth_; }
  void CloseScope() { scope_depth_ -= scope_depth_ > 0 ? 1 : 0; }
  std::uint32_t scope_depth() const { return scope_depth_; }

  const ModelSchema& schema() const { return schema_; }

  // The whole state, for comparison.
  const std::map<Entity, Components>& entities() const { return entities_; }
  const std::map<std::uint16_t, Singleton>& singletons() const { return singletons_; }
  const std::set<std::uint16_t>& DisabledOf(Entity entity) const;
  bool SameRows(const ReferenceWorld& other) const;  // Who lives, with what, and what is disabled.
  bool IsAlive(Entity entity) const { return entities_.contains(entity); }
  std::uint64_t next_index() const { return ids_.next_index(); }
  std::uint64_t version() const { return version_; }
  void set_version(std::uint64_t version) { version_ = version; }  // Of several changes in one.

 private:
  // What the named components must be: on the entity, not on it, or either.
  enum class Need : std::uint8_t { kPresent, kAbsent, kEither };

  Reason CheckNames(const Components& row, std::span<const std::uint16_t> names, Need need) const;
  Reason Write(std::span<const NamedValue> values, Need need, Components* row) const;
  void Store(Entity entity, Components row, std::span<const std::uint16_t> written);

  std::uint64_t chunk_size_bytes_;
  ModelSchema schema_;  // A component's number is its place there.
  ReferenceIds ids_;

  std::map<Entity, Components> entities_;               // The live ones.
  std::map<Entity, std::set<std::uint16_t>> disabled_;  // What of them is switched off.
  std::map<std::uint16_t, Singleton> singletons_;
  ReferenceHooks hooks_;
  std::uint64_t version_ = 1;  // Counts changes of structure and of values.
  std::uint32_t scope_depth_ = 0;
};

}  // namespace ashlar::model
