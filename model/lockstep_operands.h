// Operands: what an operation says, with labels resolved, for the model and for the world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "ashlar/world/component_span.h"
#include "ashlar/world/component_value.h"
#include "model/lockstep_bindings.h"
#include "model/lockstep_schema.h"
#include "model/reference_world.h"

namespace ashlar::model {

// Keeps buffers from one operation to the next; what it hands out lives until the next call of the
// same function.
class Operands {
 public:
  // Both must outlive it.
  Operands(const Schema* schema, const Bindings* bindings) : schema_(schema), bindings_(bindings) {}
  ~Operands() { EndObjects(); }
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;

  Scalar Resolve(const Scalar& scalar) const;
  NamedValue Resolve(const oplang::ComponentArg& arg) const;

  // Values for both sides, in named() and values(). `salt` decides, with each component's number,
  // whether the world gets the value as bytes or as scalars; of a component that owns, as an object
  // to copy, as one to take, or as scalars.
  void ResolveValues(std::span<const oplang::ComponentArg> args, std::uint32_t salt);
  std::span<const NamedValue> named() const { return {named_.data(), value_count_}; }
  std::span<const ComponentValue> values() const { return values_; }

  // The last values as several entities may get them, and as spans, each the same for every entity.
  std::span<const ComponentValue> SharedValues();
  std::span<const ComponentSpan> SpansOfValues();

  // Ends the objects that were made for the last values.
  void EndObjects();

  std::span<const ComponentId> ResolveComponents(std::span<const oplang::ComponentRef> components);

 private:
  struct Object {
    const TrackedType* type;
    std::vector<std::byte> storage;
    std::byte* at;
  };

  // As one of the three, where the value fits; as scalars else.
  ComponentValue ObjectValue(ComponentId id, const NamedValue& named, std::uint32_t choice);
  void ResolveInto(const oplang::ComponentArg& arg, NamedValue* named) const;

  const Schema* schema_;
  const Bindings* bindings_;
  std::vector<NamedValue> named_;  // The first value_count_ of them are in use.
  std::size_t value_count_ = 0;
  std::vector<std::vector<std::byte>> packed_;
  std::vector<ComponentValue> values_;
  std::vector<ComponentValue> shared_;
  std::vector<ComponentSpan> spans_;
  std::vector<Object> objects_;
  std::vector<ComponentId> component_ids_;
};

}  // namespace ashlar::model
