#include "model/lockstep_operands.h"

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

void Operands::ResolveValues(std::span<const oplang::ComponentArg> args, std::uint32_t salt) {
  value_count_ = args.size();
  if (named_.size() < args.size()) named_.resize(args.size());
  if (packed_.size() < args.size()) packed_.resize(args.size());
  values_.clear();
  for (std::size_t i = 0; i < args.size(); ++i) {
    NamedValue& named = named_[i];
    ResolveInto(args[i], &named);
    const ComponentId id(named.component);
    const bool as_bytes = (named.component + salt) % 2 == 1 && named.component < schema_->size();
    if (named.value.empty()) {
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

std::span<const ComponentId> Operands::ResolveComponents(
    std::span<const oplang::ComponentRef> components) {
  component_ids_.clear();
  for (oplang::ComponentRef component : components) component_ids_.emplace_back(component);
  return component_ids_;
}

}  // namespace ashlar::model
