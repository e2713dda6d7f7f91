// Typed components: a C++ type, described field by field.
//
//   struct Position { float x, y, z; };
//   auto position = world.Register(ashlar::Describe<Position>("position")
//                                      .Field("x", &Position::x)
//                                      .Field("y", &Position::y)
//                                      .Field("z", &Position::z));
//
// A field's C++ type is a scalar (float, double, std::intN_t, std::uintN_t, bool, Entity), a C
// array or a std::array of one.
//
// A type that is not trivially copyable is stored as objects (see lifecycle.h). It has no fields at
// members; its neutral form, if it is to be compared, hashed and printed, is described instead:
//
//   struct Name { std::string text; std::int32_t rank; };
//   const ashlar::TypeSpec neutral{{{"length", {ashlar::ScalarType::kU32, 1}, {}},
//                                   {"rank", {ashlar::ScalarType::kI32, 1}, {}}}};
//   ashlar::Describe<Name>("name").Neutral(
//       neutral,
//       [](const Name& name, std::span<ashlar::Scalar> out) noexcept { ... },
//       [](std::span<const ashlar::Scalar> in) { return Name{...}; });
//
// Its move constructor and its destructor must be noexcept: a structural change that has begun is
// always finished. Its other constructors may throw.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/limits.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::inline v0 {

namespace internal {

// Not defined for types that an element of a field cannot have.
template <typename F>
struct ScalarTypeOf;
template <>
struct ScalarTypeOf<float> {
  static constexpr ScalarType value = ScalarType::kF32;
};
template <>
struct ScalarTypeOf<double> {
  static constexpr ScalarType value = ScalarType::kF64;
};
template <>
struct ScalarTypeOf<bool> {
  static constexpr ScalarType value = ScalarType::kBool;
};
template <>
struct ScalarTypeOf<Entity> {
  static constexpr ScalarType value = ScalarType::kEntity;
};
template <typename F>
  requires(std::is_integral_v<F> && !std::is_same_v<F, bool> && sizeof(F) <= 8)
struct ScalarTypeOf<F> {
  static constexpr ScalarType Pick() {
    constexpr bool is_signed = std::is_signed_v<F>;
    switch (sizeof(F)) {
      case 1:
        return is_signed ? ScalarType::kI8 : ScalarType::kU8;
      case 2:
        return is_signed ? ScalarType::kI16 : ScalarType::kU16;
      case 4:
        return is_signed ? ScalarType::kI32 : ScalarType::kU32;
      default:
        return is_signed ? ScalarType::kI64 : ScalarType::kU64;
    }
  }
  static constexpr ScalarType value = Pick();
};

// A scalar, or one dimension of them: arrays of arrays are not defined.
template <typename F>
struct FieldTypeOf {
  static constexpr FieldType value{ScalarTypeOf<F>::value, 1};
};
template <typename E, std::size_t N>
struct FieldTypeOf<E[N]> {
  static_assert(N <= kArrayCountMax, "ashlar: an array field may have at most 65536 elements");
  static constexpr FieldType value{ScalarTypeOf<E>::value, static_cast<std::uint32_t>(N)};
};
template <typename E, std::size_t N>
struct FieldTypeOf<std::array<E, N>> : FieldTypeOf<E[N]> {};

// Whether values of T are their bytes.
template <typename T>
inline constexpr bool kIsBytes =
    std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;

// The lifecycle of a C++ type. Relocation constructs before it destroys.
template <typename T>
Lifecycle LifecycleOf() {
  // SAFETY: `at` is raw memory of a T, and `from` points to a T; see lifecycle.h.
  Lifecycle lifecycle;
  if constexpr (std::is_default_constructible_v<T>) {
    lifecycle.make = [](void* at, const Lifecycle&) { new (at) T(); };
  }
  if constexpr (std::is_copy_constructible_v<T>) {
    lifecycle.copy = [](void* at, const void* from, const Lifecycle&) {
      new (at) T(*static_cast<const T*>(from));
    };
  }
  lifecycle.take = [](void* at, void* from, const Lifecycle&) noexcept {
    new (at) T(std::move(*static_cast<T*>(from)));
  };
  lifecycle.relocate = [](void* at, void* from, const Lifecycle&) noexcept {
    new (at) T(std::move(*static_cast<T*>(from)));
    std::destroy_at(static_cast<T*>(from));
  };
  lifecycle.destroy = [](void* at, const Lifecycle&) noexcept {
    std::destroy_at(static_cast<T*>(at));
  };
  return lifecycle;
}

}  // namespace internal

// Builds the descriptor of T. Copies cost; build it once, at registration. Errors are reported by
// Build (and so by World::Register).
template <typename T>
class TypedDescriptor {
  static_assert(std::is_object_v<T> && !std::is_array_v<T> &&
                    std::is_same_v<T, std::remove_cv_t<T>>,
                "ashlar: a component type is a class, a scalar or an enumeration, without const");
  static_assert(std::is_nothrow_destructible_v<T>,
                "ashlar: a component's destructor must be noexcept");
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "ashlar: a component's move constructor must be noexcept");
  static_assert(alignof(T) <= kComponentAlignmentMax,
                "ashlar: a component's alignment may be at most 64 bytes");
  static constexpr bool kIsTag = std::is_empty_v<T> && internal::kIsBytes<T>;

 public:
  // Writes the scalars of a value; makes a value from fitted scalars, and may throw.
  using ToScalars = void (*)(const T& value, std::span<Scalar> scalars) noexcept;
  using FromScalars = T (*)(std::span<const Scalar> scalars);

  explicit TypedDescriptor(std::string_view name) : name_(name) {}

  // Adds the field at that member. The rule is checked for every value that is stored.
  template <typename F, typename C>
  TypedDescriptor& Field(std::string_view name, F C::* member, FieldRule rule = {}) {
    static_assert(std::is_base_of_v<C, T>, "ashlar: the member must be T's own");
    static_assert(
        internal::kIsBytes<T>,
        "ashlar: a type that is not trivially copyable has no fields at members; describe "
        "its neutral form with Neutral()");
    ashlar::Field field;
    field.name = name;
    field.type = internal::FieldTypeOf<F>::value;
    field.offset_bytes = OffsetOf(member);
    field.rule = rule;
    fields_.push_back(std::move(field));
    return *this;
  }

  // Adds a function that says which values are accepted; asked after the fields' rules. One only:
  // a second call replaces the first.
  TypedDescriptor& Accepts(ValidatorFunction function, const char* text,
                           const void* context = nullptr) {
    validator_ = {function, context, text};
    return *this;
  }

  // Each entity's component can be switched off and on (see World::SetEnabled).
  TypedDescriptor& Enableable() {
    is_enableable_ = true;
    return *this;
  }

  // Each scalar gets a column of its own (see ComponentDescriptor::is_split).
  TypedDescriptor& Split() {
    static_assert(internal::kIsBytes<T> && !kIsTag,
                  "ashlar: only a trivially copyable type with fields can be split");
    is_split_ = true;
    return *this;
  }

  // Says the neutral form of an object: its type, and the way there and back.
  TypedDescriptor& Neutral(TypeSpec spec, ToScalars to_scalars, FromScalars from_scalars) {
    static_assert(!internal::kIsBytes<T>,
                  "ashlar: a trivially copyable type is described field by field");
    neutral_ = std::move(spec);
    to_scalars_ = to_scalars;
    from_scalars_ = from_scalars;
    return *this;
  }

  absl::StatusOr<ComponentDescriptor> Build() const {
    auto descriptor = BuildForm();
    if (descriptor.ok()) descriptor->set_enableable(is_enableable_).set_split(is_split_);
    return descriptor;
  }

 private:
  absl::StatusOr<ComponentDescriptor> BuildForm() const {
    if constexpr (!internal::kIsBytes<T>) return BuildObject();
    return ComponentDescriptor::FromFields(name_, kIsTag ? 0 : sizeof(T), kIsTag ? 1 : alignof(T),
                                           fields_, TypeKeyOf<T>(), validator_);
  }
  absl::StatusOr<ComponentDescriptor> BuildObject() const {
    Lifecycle lifecycle = internal::LifecycleOf<T>();
    if (to_scalars_ != nullptr && from_scalars_ != nullptr) {
      lifecycle.user_to_scalars = reinterpret_cast<void (*)()>(to_scalars_);
      lifecycle.user_from_scalars = reinterpret_cast<void (*)()>(from_scalars_);
      lifecycle.to_scalars = [](const void* value, std::span<Scalar> scalars,
                                const Lifecycle& self) noexcept {
        reinterpret_cast<ToScalars>(self.user_to_scalars)(*static_cast<const T*>(value), scalars);
      };
      lifecycle.from_scalars = [](void* at, std::span<const Scalar> scalars,
                                  const Lifecycle& self) {
        new (at) T(reinterpret_cast<FromScalars>(self.user_from_scalars)(scalars));
      };
    }
    return ComponentDescriptor::FromLifecycle(name_, sizeof(T), alignof(T), neutral_, lifecycle,
                                              TypeKeyOf<T>(), validator_);
  }

  // The distance of a member from the start of T, found on raw storage that is never read.
  template <typename F, typename C>
  static std::uint32_t OffsetOf(F C::* member) {
    // SAFETY: only the address of the member is formed; T is trivially copyable, so the storage
    // may stand in for an object of it.
    alignas(T) static unsigned char storage[sizeof(T)];
    const T* object = reinterpret_cast<const T*>(storage);
    const auto* at = reinterpret_cast<const unsigned char*>(&(object->*member));
    return static_cast<std::uint32_t>(at - storage);
  }

  std::string name_;
  std::vector<ashlar::Field> fields_;
  TypeSpec neutral_;
  ToScalars to_scalars_ = nullptr;
  FromScalars from_scalars_ = nullptr;
  Validator validator_;
  bool is_enableable_ = false;
  bool is_split_ = false;
};

template <typename T>
TypedDescriptor<T> Describe(std::string_view name) {
  return TypedDescriptor<T>(name);
}

// A registered component with its C++ type; the world hands it out. Plain data, valid as long as
// its world; a call on another world finds a type that does not match, or a component of the same
// type.
template <typename T>
class Component {
 public:
  Component() = default;
  explicit Component(ComponentId id) : id_(id) {}
  ComponentId id() const { return id_; }

 private:
  ComponentId id_;
};

}  // namespace ashlar::inline v0
