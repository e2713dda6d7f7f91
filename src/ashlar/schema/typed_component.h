// Typed components: a C++ type, described field by field.
//
//   struct Position { float x, y, z; };
//   auto position = world.Register(ashlar::Describe<Position>("position")
//                                      .Field("x", &Position::x)
//                                      .Field("y", &Position::y)
//                                      .Field("z", &Position::z));
//
// A field's C++ type is a scalar (float, double, std::intN_t, std::uintN_t, bool, Entity), a C
// array or a std::array of one. In this version T must be trivially copyable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

}  // namespace internal

// Builds the descriptor of T. Copies cost; build it once, at registration. Errors are reported by
// Build (and so by World::Register).
template <typename T>
class TypedDescriptor {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>,
                "ashlar: a component type must be trivially copyable in this version");
  static_assert(alignof(T) <= kComponentAlignmentMax,
                "ashlar: a component's alignment may be at most 64 bytes");
  static constexpr bool kIsTag = std::is_empty_v<T>;

 public:
  explicit TypedDescriptor(std::string_view name) : name_(name) {}

  // Adds the field at that member. The rule is checked for every value that is stored.
  template <typename F, typename C>
  TypedDescriptor& Field(std::string_view name, F C::* member, FieldRule rule = {}) {
    static_assert(std::is_base_of_v<C, T>, "ashlar: the member must be T's own");
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

  absl::StatusOr<ComponentDescriptor> Build() const {
    return ComponentDescriptor::FromFields(name_, kIsTag ? 0 : sizeof(T), kIsTag ? 1 : alignof(T),
                                           fields_, TypeKeyOf<T>(), validator_);
  }

 private:
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
  Validator validator_;
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
