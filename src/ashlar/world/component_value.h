// ComponentValue: a component and the value that it is to have, for one call.
#pragma once

#include <span>
#include <type_traits>

#include "ashlar/core/ids.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/schema/typed_component.h"

namespace ashlar::inline v0 {

// Refers to the value; the value must live until the call that takes this returns. Where a
// component is stored as objects (schema/lifecycle.h), a value that is named is copied, and one
// that may be moved is moved, but only when the call succeeds: a refused call leaves it as it was.
class ComponentValue {
 public:
  // All bytes zero, or the object that is made without arguments; the form for tags.
  explicit ComponentValue(ComponentId component) : component_(component) {}
  template <typename T>
  explicit ComponentValue(Component<T> component)
      : component_(component.id()), type_key_(TypeKeyOf<T>()) {}

  // `bytes` points to size_bytes bytes of the component, any alignment; or to an object of the
  // component's type, which is copied.
  ComponentValue(ComponentId component, const void* bytes)
      : component_(component), form_(Form::kBytes), bytes_(bytes) {}

  // A neutral value; converted and range-checked by the call.
  ComponentValue(ComponentId component, std::span<const Scalar> scalars)
      : component_(component), form_(Form::kScalars), scalars_(scalars) {}

  // An array of scalars would be taken for bytes; say std::span.
  template <typename T>
    requires std::is_same_v<T, Scalar>
  ComponentValue(ComponentId component, const T* scalars) = delete;

  // A typed value; the call checks that the component has this type.
  template <typename T>
  ComponentValue(Component<T> component, const T& value)
      : component_(component.id()),
        form_(Form::kBytes),
        type_key_(TypeKeyOf<T>()),
        bytes_(&value) {}
  template <typename T>
  ComponentValue(Component<T> component, T&& value)
      : component_(component.id()),
        form_(internal::kIsBytes<T> ? Form::kBytes : Form::kTake),
        type_key_(TypeKeyOf<T>()),
        bytes_(&value) {}

  // An object of the component's type, to be moved from.
  static ComponentValue Take(ComponentId component, void* object) {
    ComponentValue value(component, object);
    value.form_ = Form::kTake;
    return value;
  }

  // The same value, to be copied if it is an object.
  ComponentValue Untaken() const {
    ComponentValue value = *this;
    if (form_ == Form::kTake) value.form_ = Form::kBytes;
    return value;
  }

  enum class Form : std::uint8_t { kZero, kBytes, kScalars, kTake };

  ComponentId component() const { return component_; }
  Form form() const { return form_; }
  TypeKey type_key() const { return type_key_; }  // Null: not typed.

  // Whether it is bytes that are there, or zeros: what fits every component without rules.
  bool is_plain() const {
    return form_ == Form::kZero || (form_ != Form::kScalars && bytes_ != nullptr);
  }
  const void* bytes() const { return bytes_; }

  // REQUIRES: form() is kTake.
  void* object() const {
    // SAFETY: it came as a pointer or reference without const.
    return const_cast<void*>(bytes_);
  }
  std::span<const Scalar> scalars() const { return scalars_; }

 private:
  ComponentId component_;
  Form form_ = Form::kZero;
  TypeKey type_key_ = nullptr;
  const void* bytes_ = nullptr;
  std::span<const Scalar> scalars_;
};

}  // namespace ashlar::inline v0
