#include "fuzz/corpus_mapping.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ashlar/schema/scalar.h"
#include "model/operation_parts.h"
#include "model/sample_components.h"

namespace ashlar::fuzz {
namespace {

using oplang::ComponentArg;
using oplang::ComponentDeclaration;
using oplang::ComponentRef;

using Shape = std::vector<ScalarType>;  // The scalars of a component, in order.

Shape ShapeOf(const TypeSpec& type) {
  Shape shape;
  for (const FieldSpec& field : type.fields) {
    shape.insert(shape.end(), field.type.count, field.type.scalar);
  }
  return shape;
}

std::size_t SizeOf(const Shape& shape) {
  std::size_t bytes = 0;
  for (ScalarType type : shape) bytes += ScalarSizeBytes(type);
  return bytes;
}

struct Component {
  std::string name;
  Shape shape;
  oplang::Ownership ownership;
  bool is_enableable;
};

std::vector<Component> ComponentsOf(std::span<const ComponentDeclaration> declarations) {
  std::vector<Component> components;
  for (const ComponentDeclaration& declaration : declarations) {
    components.push_back({declaration.name, ShapeOf(declaration.type), declaration.ownership,
                          declaration.is_enableable});
  }
  return components;
}

class Mapping {
 public:
  explicit Mapping(const oplang::Program& program)
      : from_(ComponentsOf(program.components)), to_(ComponentsOf(model::SampleComponents())) {
    std::vector<bool> is_used(to_.size(), false);
    targets_.resize(from_.size(), to_.size());
    for (int closeness = 0; closeness < 3; ++closeness) {
      for (std::size_t i = 0; i < from_.size(); ++i) {
        if (targets_[i] == to_.size()) targets_[i] = Find(from_[i], closeness, &is_used);
      }
    }
  }

  // Numbers past the declared components stay past the declared ones.
  ComponentRef Target(ComponentRef component) const {
    if (component < targets_.size()) return static_cast<ComponentRef>(targets_[component]);
    return static_cast<ComponentRef>(to_.size() + (component - targets_.size()));
  }

  void Map(ComponentArg* arg) const {
    if (arg->component < targets_.size() && !arg->value.empty()) {
      const Shape& shape = to_[targets_[arg->component]].shape;
      if (shape != from_[arg->component].shape) Reshape(shape, &arg->value);
    }
    arg->component = Target(arg->component);
  }

  void Map(oplang::SetFieldOp* op) const {
    if (op->component < targets_.size()) {
      const Shape& old_shape = from_[op->component].shape;
      const Shape& shape = to_[targets_[op->component]].shape;
      if (op->scalar >= old_shape.size() || shape.empty()) {
        op->scalar = static_cast<std::uint32_t>(shape.size());
      } else if (shape != old_shape) {
        op->scalar = static_cast<std::uint32_t>(op->scalar % shape.size());
        op->value = Carry(shape[op->scalar], op->value);
      }
    }
    op->component = Target(op->component);
  }

 private:
  // Closeness 0: same name and scalars; 1: same scalars; 2: nearest size. The number of sample
  // components where there is none.
  std::size_t Find(const Component& component, int closeness, std::vector<bool>* is_used) const {
    std::size_t best = to_.size();
    for (std::size_t i = 0; i < to_.size(); ++i) {
      const bool is_candidate =
          closeness == 2 ||
          (to_[i].shape == component.shape && to_[i].ownership == component.ownership &&
           (closeness == 1 || to_[i].name == component.name) &&
           (to_[i].is_enableable || !component.is_enableable));
      if (!is_candidate || (*is_used)[i]) continue;
      if (best == to_.size() || Distance(component, i) < Distance(component, best)) best = i;
    }
    if (best == to_.size() && closeness == 2) best = NearestOfAll(component);
    if (best != to_.size()) (*is_used)[best] = true;
    return best;
  }

  std::size_t NearestOfAll(const Component& component) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < to_.size(); ++i) {
      if (Distance(component, i) < Distance(component, best)) best = i;
    }
    return best;
  }

  // In bytes; a tag is far from everything that is none, values that own from those that do not,
  // and what must be enableable from what is not.
  std::size_t Distance(const Component& component, std::size_t target) const {
    const std::size_t a = SizeOf(component.shape);
    const std::size_t b = SizeOf(to_[target].shape);
    const std::size_t distance = a < b ? b - a : a - b;
    const bool is_alike = (a == 0) == (b == 0) && to_[target].ownership == component.ownership &&
                          (to_[target].is_enableable || !component.is_enableable);
    return is_alike ? distance : distance + 100'000;
  }

  static Scalar Zero(ScalarType type) {
    if (type == ScalarType::kBool) return Scalar::Bool(false);
    if (type == ScalarType::kEntity) return Scalar::EntityValue(Entity());
    return *FitScalar(type, Scalar::Int(0));
  }

  // A scalar for another type: the same number where it fits, else zero. A label is an entity.
  static Scalar Carry(ScalarType type, const Scalar& scalar) {
    if (type == ScalarType::kEntity && scalar.kind == Scalar::Kind::kLabel) return scalar;
    return FitScalar(type, scalar).value_or(Zero(type));
  }

  static void Reshape(const Shape& shape, std::vector<Scalar>* value) {
    std::vector<Scalar> reshaped;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      reshaped.push_back(i < value->size() ? Carry(shape[i], (*value)[i]) : Zero(shape[i]));
    }
    *value = std::move(reshaped);
  }

  std::vector<Component> from_;
  std::vector<Component> to_;
  std::vector<std::size_t> targets_;  // By component of the program.
};

void MapParts(const Mapping& mapping, oplang::Action* action) {
  if (auto* set_field = std::get_if<oplang::SetFieldOp>(action)) return mapping.Map(set_field);
  const auto map_ref = [&](ComponentRef& component) { component = mapping.Target(component); };
  model::VisitParts(*action, model::Overloaded{
                                 [&](std::vector<ComponentArg>& args) {
                                   for (ComponentArg& arg : args) mapping.Map(&arg);
                                 },
                                 [&](ComponentArg& arg) { mapping.Map(&arg); },
                                 [&](std::vector<ComponentRef>& components) {
                                   for (ComponentRef& component : components) map_ref(component);
                                 },
                                 [&](ComponentRef& component) { map_ref(component); },
                                 [&](std::vector<oplang::QueryTerm>& terms) {
                                   for (oplang::QueryTerm& term : terms) map_ref(term.component);
                                 },
                                 [](std::vector<oplang::EntityRef>&) {},
                                 [](Scalar&) {},
                                 [](std::uint32_t&) {},
                                 [](std::uint64_t&) {},
                                 [](const model::FloatBits&) {},
                                 [](const model::Ordinal&) {},
                                 [](model::CommandBufferNumber) {},
                                 [](bool&) {},
                                 [](oplang::HookReaction&) {},
                             });
}

}  // namespace

oplang::Program OverSampleComponents(const oplang::Program& program) {
  const Mapping mapping(program);
  oplang::Program mapped = program;
  const auto samples = model::SampleComponents();
  mapped.components.assign(samples.begin(), samples.end());
  for (oplang::Operation& operation : mapped.operations) MapParts(mapping, &operation.action);
  return mapped;
}

}  // namespace ashlar::fuzz
