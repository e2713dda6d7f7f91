// BatchValue: a component that a batch names, and its value where it gives one.
#pragma once

#include <cstddef>

#include "ashlar/core/ids.h"

namespace ashlar::inline v0 {

struct BatchValue {
  ComponentId component;
  // The component's bytes, or an object of its type; null for zeros or the object that is made
  // without arguments, for a tag, and where a component is named to be removed.
  std::byte* value = nullptr;
};

}  // namespace ashlar::inline v0
