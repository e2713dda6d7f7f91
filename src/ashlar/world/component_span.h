// ComponentSpan: a component and its values for many entities, for one call.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "ashlar/world/component_value.h"

namespace ashlar::inline v0 {

// Refers to the values; they must live until the call that takes this returns. Objects (see
// schema/lifecycle.h) are copied.
class ComponentSpan {
 public:
  // Zero for each entity, or the object that is made without arguments; the form for tags.
  explicit ComponentSpan(ComponentId component) : same_(component) {}
  template <typename T>
  explicit ComponentSpan(Component<T> component) : same_(component) {}

  // `count` values of size_bytes bytes each (or objects of the component's type), the first at
  // `first`, one every `stride_bytes`; 0 for one behind the other.
  ComponentSpan(ComponentId component, const void* first, std::size_t count,
                std::size_t stride_bytes = 0)
      : same_(component),
        has_values_(true),
        first_(static_cast<const std::byte*>(first)),
        count_(count),
        stride_bytes_(stride_bytes) {}

  // Typed values; the call checks that the component has this type.
  template <typename T>
  ComponentSpan(Component<T> component, std::span<const std::type_identity_t<T>> values)
      : ComponentSpan(component.id(), values.data(), values.size(), sizeof(T)) {
    same_ = ComponentValue(component);
  }

  // This value for each entity. An object that may be taken is copied all the same.
  static ComponentSpan Same(const ComponentValue& value) {
    ComponentSpan span(value.component());
    span.same_ = value.Untaken();
    return span;
  }

  ComponentId component() const { return same_.component(); }
  TypeKey type_key() const { return same_.type_key(); }  // Null: not typed.
  bool has_values() const { return has_values_; }        // Else one for all, or zeros.
  std::size_t count() const { return count_; }
  const ComponentValue& same() const { return same_; }

  // Whether it is bytes that are there, or zeros: what fits every component without rules.
  bool is_plain() const { return has_values_ ? first_ != nullptr : same_.is_plain(); }

  // Bytes from one value to the next. `size_bytes` is that of the component, here and below.
  std::size_t StrideBytes(std::size_t size_bytes) const {
    return stride_bytes_ != 0 ? stride_bytes_ : size_bytes;
  }

  // REQUIRES: has_values(), and i is below count().
  const std::byte* At(std::size_t i, std::size_t size_bytes) const {
    return first_ + i * StrideBytes(size_bytes);
  }

  // The value of entity i.
  ComponentValue ValueAt(std::size_t i, std::size_t size_bytes) const {
    if (!has_values_) return same_;
    return {component(), first_ == nullptr ? nullptr : static_cast<const void*>(At(i, size_bytes))};
  }

 private:
  ComponentValue same_;  // Where the span has values it says the component and its type.
  bool has_values_ = false;
  const std::byte* first_ = nullptr;
  std::size_t count_ = 0;
  std::size_t stride_bytes_ = 0;
};

}  // namespace ashlar::inline v0
