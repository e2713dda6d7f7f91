#include "model/lockstep_operands.h"

#include <memory>
#include <utility>

namespace ashlar::model {

Scalar Operands::Resolve(const Scalar& scalar) const {
  if (scalar.kind != Scalar::Kind::kLabel) return scalar;
  return Scalar::EntityValue(bindings_->Resolve(static_cast<oplang::Label>(scalar.bits)));
}

NamedValue Operands::Resolve(const oplang::ComponentArg& arg) const {
  NamedValue named;
  ResolveInto(arg, &named);
  return named;
}

void Operands::ResolveInto(const oplang::ComponentArg& arg, NamedValue* named) const {
  named->component = arg.component;
  named->value.assign(arg.value.begin(), arg.value.end());
  for (Scalar& scalar : named->value) scalar = Resolve(scalar);
}

void Operands::EndObjects() {
  for (const Object& object : objects_) object.type->Destroy(object.at);
  objects_.clear();
}

ComponentValue Operands::ObjectValue(ComponentId id, const NamedValue& named,
                                     std::uint32_t choice) {
  const ComponentDescriptor& descriptor = (*schema_)[named.component];
  const TrackedType* type = schema_->Tracked(named.component);
  if (choice % 3 == 0 || !descriptor.CheckFit(named.value).ok()) {
    return ComponentValue(id, std::span<const Scalar>(named.value));
  }
  std::size_t space = type->size_bytes() + 1 + type->alignment_bytes();
  Object object{type, std::vector<std::byte>(space), nullptr};
  void* at = object.storage.data();
  object.at = static_cast<std::byte*>(
      std::align(type->alignment_bytes(), type->size_bytes() + 1, at, space));
  type->MakeFromScalars(object.at, named.value);
  objects_.push_back(std::move(object));
  std::byte* made = objects_.back().at;
  const bool is_copied = choice % 3 == 1 && type->ownership() != oplang::Ownership::kUnique;
  return is_copied ? ComponentValue(id, static_cast<const void*>(made))
                   : ComponentValue::Take(id, made);
}

void Operands::ResolveValues(std::span<const oplang::ComponentArg> args, std::uint32_t salt) {
  value_count_ = args.size();
  if (named_.size() < args.size()) named_.resize(args.size());
  if (packed_.size() < args.size()) packed_.resize(args.size());
  values_.clear();
  EndObjects();
  for (std::size_t i = 0; i < args.size(); ++i) {
    NamedValue& named = named_[i];
    ResolveInto(args[i], &named);
    const ComponentId id(named.component);
    const bool is_known = named.component < schema_->size();
    const bool as_bytes = (named.component + salt) % 2 == 1 && is_known;
    if (is_known && schema_->Tracked(named.component) != nullptr) {
      values_.push_back(ObjectValue(id, named, named.component + salt));
    } else if (named.value.empty()) {
      values_.emplace_back(id);
    } else if (as_bytes && (*schema_)[named.component].CheckFit(named.value).ok()) {
      const ComponentDescriptor& descriptor = (*schema_)[named.component];
      packed_[i].resize(descriptor.size_bytes());
      descriptor.Pack(named.value, packed_[i].data());
      values_.emplace_back(id, static_cast<const void*>(packed_[i].data()));
    } else {
      values_.emplace_back(id, std::span<const Scalar>(named.value));
    }
  }
}

// An object that cannot be copied is made from its scalars.
std::span<const ComponentValue> Operands::SharedValues() {
  shared_.clear();
  for (std::size_t i = 0; i < value_count_; ++i) {
    const std::uint16_t component = named_[i].component;
    const TrackedType* type = component < schema_->size() ? schema_->Tracked(component) : nullptr;
    const bool is_unique = type != nullptr && type->ownership() == oplang::Ownership::kUnique;
    shared_.push_back(
        is_unique ? ComponentValue(values_[i].component(), std::span<const Scalar>(named_[i].value))
                  : values_[i]);
  }
  return shared_;
}

std::span<const ComponentSpan> Operands::SpansOfValues() {
  spans_.clear();
  for (const ComponentValue& value : SharedValues()) spans_.push_back(ComponentSpan::Same(value));
  return spans_;
}

std::span<const ComponentId> Operands::ResolveComponents(
    std::span<const oplang::ComponentRef> components) {
  component_ids_.clear();
  for (oplang::ComponentRef component : components) component_ids_.emplace_back(component);
  return component_ids_;
}

}  // namespace ashlar::model
