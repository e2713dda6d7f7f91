// ComponentValue: a component and the value that it is to have, for one call.
#pragma once

#include <span>

#include "ashlar/core/ids.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/schema/typed_component.h"

namespace ashlar::inline v0 {

// Refers to the value; the value must live until the call that takes this returns.
class ComponentValue {
 public:
  // All bytes zero; the form for tags.
  explicit ComponentValue(ComponentId component) : component_(component) {}

  // `bytes` points to size_bytes bytes of the component, any alignment.
  ComponentValue(ComponentId component, const void* bytes)
      : component_(component), form_(Form::kBytes), bytes_(bytes) {}

  // A neutral value; converted and range-checked by the call.
  ComponentValue(ComponentId component, std::span<const Scalar> scalars)
      : component_(component), form_(Form::kScalars), scalars_(scalars) {}

  // A typed value; the call checks that the component has this type.
  template <typename T>
  ComponentValue(Component<T> component, const T& value)
      : component_(component.id()),
        form_(Form::kBytes),
        type_key_(TypeKeyOf<T>()),
        bytes_(&value) {}

  enum class Form : std::uint8_t { kZero, kBytes, kScalars };

  ComponentId component() const { return component_; }
  Form form() const { return form_; }
  TypeKey type_key() const { return type_key_; }  // Null: not typed.
  const void* bytes() const { return bytes_; }
  std::span<const Scalar> scalars() const { return scalars_; }

 private:
  ComponentId component_;
  Form form_ = Form::kZero;
  TypeKey type_key_ = nullptr;
  const void* bytes_ = nullptr;
  std::span<const Scalar> scalars_;
};

}  // namespace ashlar::inline v0
