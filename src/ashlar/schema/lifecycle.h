// Lifecycle: how values that are more than their bytes are made, moved and ended.
//
// A component without one is its bytes: it is copied with memcpy and forgotten. A component with
// one "owns": every value that the world stores was constructed once, is moved by Relocate, and is
// destroyed once, whatever happens in between.
//
// Only construction may throw. Relocation, taking and destruction are noexcept, so that a
// structural change that has begun can always be finished.
#pragma once

#include <cstddef>
#include <span>

#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0 {

// Functions over values of one component; `at` and `from` are aligned for it. Each gets the
// `context` that stands beside it.
struct Lifecycle {
  // Makes the value without arguments in raw memory. May throw. Null: there is no such value, and
  // every creation must say one.
  void (*make)(void* at, const Lifecycle& self) = nullptr;

  // Makes a copy in raw memory. May throw; `from` is not changed. Null: values can only be moved.
  void (*copy)(void* at, const void* from, const Lifecycle& self) = nullptr;

  // Makes a value in raw memory out of `from`, which stays a value that can be destroyed.
  void (*take)(void* at, void* from, const Lifecycle& self) noexcept = nullptr;

  // Moves a value to raw memory: afterwards `from` is raw memory. REQUIRES: at != from.
  void (*relocate)(void* at, void* from, const Lifecycle& self) noexcept = nullptr;

  // Ends a value.
  void (*destroy)(void* at, const Lifecycle& self) noexcept = nullptr;

  // The neutral form, one Scalar for each scalar of the component; null where it has none.
  // `from_scalars` gets fitted scalars (see FitScalar) and may throw.
  void (*from_scalars)(void* at, std::span<const Scalar> scalars, const Lifecycle& self) = nullptr;
  void (*to_scalars)(const void* value, std::span<Scalar> scalars,
                     const Lifecycle& self) noexcept = nullptr;

  // For the functions: not owned, must outlive every world that knows the component.
  const void* context = nullptr;
  void (*user_from_scalars)() = nullptr;
  void (*user_to_scalars)() = nullptr;
};

}  // namespace ashlar::inline v0
