// ComponentDescriptor: all that the kernel knows of a component type.
//
// A component is `size_bytes` bytes with fields inside. Bytes that no field covers are padding:
// they are never compared, hashed, printed or saved. A component of no bytes is a tag.
//
// A component with a Lifecycle is an object instead: its bytes mean nothing by themselves, and its
// fields are those of its neutral form, which its Lifecycle makes. An empty C++ type whose
// constructor or destructor does something is such an object, of one byte, and not a tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/core/ids.h"
#include "ashlar/schema/field_type.h"
#include "ashlar/schema/lifecycle.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0 {

// Says whether a value may be stored. It must be a pure function of the value and must not throw.
// `value` points to size_bytes bytes (or to the object), aligned for the component, and dies when
// the call returns.
using ValidatorFunction = bool (*)(const void* value, const void* context) noexcept;

struct Validator {
  ValidatorFunction function = nullptr;
  const void* context = nullptr;  // Not owned; must outlive the world.
  const char* text = "";          // What it demands, for messages: "must be normalised".
};

// Identifies a C++ type within one program; null for a component without one.
using TypeKey = const void*;

namespace internal {
template <typename T>
inline constexpr char kTypeKeyAnchor = 0;
}  // namespace internal

template <typename T>
constexpr TypeKey TypeKeyOf() {
  return &internal::kTypeKeyAnchor<T>;
}

// One field: where it is, what it is, and what values it takes.
struct Field {
  using allocator_type = std::pmr::polymorphic_allocator<>;

  Field() = default;
  explicit Field(const allocator_type& allocator) : name(allocator) {}
  Field(const Field& other, const allocator_type& allocator)
      : name(other.name, allocator),
        type(other.type),
        offset_bytes(other.offset_bytes),
        rule(other.rule) {}
  Field(Field&& other, const allocator_type& allocator)
      : name(std::move(other.name), allocator),
        type(other.type),
        offset_bytes(other.offset_bytes),
        rule(other.rule) {}
  Field(const Field&) = default;
  Field(Field&&) noexcept = default;
  Field& operator=(const Field&) = default;
  // Between memory resources the name is copied, which may throw.
  Field& operator=(Field&&) = default;  // NOLINT(performance-noexcept-move-constructor)

  std::pmr::string name;
  FieldType type;
  std::uint32_t offset_bytes = 0;
  FieldRule rule;
};

// One scalar of a component, when its fields and their elements are laid in a row.
struct ScalarSlot {
  ScalarType type = ScalarType::kF32;
  std::uint32_t offset_bytes = 0;  // In the value; in the packed neutral form of an object.
  std::uint32_t field = 0;         // Index of its field.
  std::uint32_t element = 0;       // Index inside that field.
};

class ComponentDescriptor {
 public:
  using allocator_type = std::pmr::polymorphic_allocator<>;

  // A run-time component laid out by the C rules: each field at the next multiple of its scalar's
  // alignment, the size a multiple of the largest alignment. Errors (kComponentMalformed): a bad
  // name (see IsName), a field without a name that is not alone, a repeated field name, more than
  // kFieldCountMax fields, a count outside 1..kArrayCountMax, a size above kComponentSizeBytesMax,
  // a rule on bool or entity fields, an empty range, a bound that is NaN or does not fit its field.
  // Throws std::bad_alloc.
  static absl::StatusOr<ComponentDescriptor> FromSpec(std::string_view name, const TypeSpec& spec,
                                                      allocator_type allocator = {});

  // A component described field by field at given offsets (the typed form uses it; see
  // typed_component.h). Further errors: fields that overlap, leave the value, or are misaligned; an
  // alignment that is no power of two or above kComponentAlignmentMax; a size that is no multiple
  // of the alignment; bytes without any field.
  static absl::StatusOr<ComponentDescriptor> FromFields(std::string_view name,
                                                        std::size_t size_bytes,
                                                        std::size_t alignment_bytes,
                                                        std::span<const Field> fields,
                                                        TypeKey type_key, Validator validator,
                                                        allocator_type allocator = {});

  // A component whose values are objects; `neutral` is the type of their neutral form, which may
  // have no fields: then values are not compared, hashed or printed. Further errors: a size of 0, a
  // Lifecycle without take, relocate or destroy, or without the two functions that fields need.
  static absl::StatusOr<ComponentDescriptor> FromLifecycle(
      std::string_view name, std::size_t size_bytes, std::size_t alignment_bytes,
      const TypeSpec& neutral, const Lifecycle& lifecycle, TypeKey type_key, Validator validator,
      allocator_type allocator = {});

  ComponentDescriptor(const ComponentDescriptor& other, const allocator_type& allocator);
  ComponentDescriptor(ComponentDescriptor&& other, const allocator_type& allocator);
  ComponentDescriptor(const ComponentDescriptor&) = default;
  ComponentDescriptor(ComponentDescriptor&&) noexcept = default;
  ComponentDescriptor& operator=(const ComponentDescriptor&) = default;
  ComponentDescriptor& operator=(ComponentDescriptor&&) = default;

  std::string_view name() const { return name_; }
  std::size_t size_bytes() const { return size_bytes_; }
  std::size_t alignment_bytes() const { return alignment_bytes_; }  // 1 for a tag.
  bool is_tag() const { return size_bytes_ == 0; }
  TypeKey type_key() const { return type_key_; }

  // Whether each entity's component can be switched off and on without being removed (see
  // World::SetEnabled). Set before the component is registered.
  bool is_enableable() const { return is_enableable_; }
  ComponentDescriptor& set_enableable(bool enableable) {
    is_enableable_ = enableable;
    return *this;
  }

  // How values are made and ended; null for a component that is its bytes.
  const Lifecycle* lifecycle() const {
    return lifecycle_.destroy != nullptr ? &lifecycle_ : nullptr;
  }
  std::span<const Field> fields() const { return fields_; }

  // Whether each scalar of the component gets a column of its own, so that a loop over one of them
  // reads nothing else. Else (packed) the values lie one behind the other. Set before the component
  // is registered, and only for one that is its bytes and has some.
  bool is_split() const { return is_split_; }
  ComponentDescriptor& set_split(bool split) {
    is_split_ = split;
    return *this;
  }

  // The scalars in field order, then element order. A neutral value of this component is one
  // Scalar for each of these.
  std::span<const ScalarSlot> scalars() const { return scalars_; }

  // "position", "body.mass", "body.axis[2]": a scalar for messages.
  std::string ScalarPath(std::size_t scalar_index) const;

  // The scalar at a path inside the component: "mass", "axis[2]", "[2]" for an array without a
  // name, "" for a single nameless scalar. Error: kFieldUnknown, listing what there is.
  absl::StatusOr<std::size_t> FindScalar(std::string_view path) const;

  // The type as text, canonical (see field_type.h).
  std::string TypeText() const;

  // --- Values as stored. `value` points to size_bytes() bytes of this component, or to the
  // object. ---

  // OK, or kValueRefused naming field, value and rule: the fields' rules left to right, then the
  // validator. `value` may have any alignment; a misaligned one is copied before the validator sees
  // it. Cost: O(scalars with a rule).
  absl::Status Validate(const std::byte* value) const;
  bool has_validation() const { return has_rules_ || validator_.function != nullptr; }

  // By fields and by bits: -0.0 differs from 0.0, a NaN equals the same NaN. Padding is ignored.
  // Bools compare as bool.
  bool Equal(const std::byte* a, const std::byte* b) const;

  // Equal values hash alike, on every machine: XXH3 over the scalars in order, without padding, in
  // little-endian form. Components that list the same scalars elsewhere in memory hash alike too.
  std::uint64_t Hash(const std::byte* value) const;

  // "(1.0,2.0,3.0)", "80", "(1.0,(2.0,3.0),4v1)": the text of a value; "" for a tag.
  std::string Print(const std::byte* value) const;

  // --- Neutral values: scalars().size() scalars, or none at all for "all zero". ---

  // OK, or the first scalar that does not fit (kValueDoesNotFit, naming field, value and range;
  // also for a wrong number of scalars). Rules and validator are not asked.
  absl::Status CheckFit(std::span<const Scalar> value) const;

  // Writes the bytes; padding becomes zero. REQUIRES: CheckFit(value).ok(); no lifecycle.
  void Pack(std::span<const Scalar> value, std::byte* out) const;

  // Reads them back, fitted (see FitScalar), appending to `out`.
  void Unpack(const std::byte* value, std::vector<Scalar>* out) const;

  // The same in place. REQUIRES: room for exactly the scalars of the component.
  void UnpackTo(const std::byte* value, std::span<Scalar> out) const;

 private:
  explicit ComponentDescriptor(const allocator_type& allocator);

  // The packed neutral form of an object.
  std::vector<std::byte> NeutralBytes(const std::byte* object) const;

  // Of values as their bytes, or of the packed neutral forms of objects.
  absl::Status CheckRules(const std::byte* bytes) const;
  bool EqualBytes(const std::byte* a, const std::byte* b) const;
  std::uint64_t HashBytes(const std::byte* bytes) const;

  std::pmr::string name_;
  std::size_t size_bytes_ = 0;
  std::size_t alignment_bytes_ = 1;
  TypeKey type_key_ = nullptr;
  Validator validator_;
  Lifecycle lifecycle_;                 // All null for a component that is its bytes.
  std::size_t neutral_size_bytes_ = 0;  // Of the bytes that fields lie in.
  bool has_rules_ = false;
  bool is_enableable_ = false;
  bool is_split_ = false;
  bool is_dense_ = false;  // Fields in order cover every byte and none is bool: compare bytes.
  std::pmr::vector<Field> fields_;
  std::pmr::vector<ScalarSlot> scalars_;
};

// --- Text of neutral values (schema/value_text.cc) ---

// Reads the value of one component from the start of `text`: "80", "(1,2,3)", "(1,(2,3),e4)"; inner
// parentheses may be left out or put around array fields; a value of one scalar may have
// parentheses or not. Spaces may stand inside the parentheses. Every scalar is checked for form,
// not for fit (see ParseScalar). The number of scalars must be right; a tag has the empty text as
// its value. Returns the error, or nothing; `consumed` is where the value ended. On an error
// `value` and `consumed` are left as they were. Cost: O(text that is read), in time and memory.
std::optional<TextError> ParseValuePrefix(const ComponentDescriptor& descriptor,
                                          std::string_view text, std::vector<Scalar>* value,
                                          std::size_t* consumed);

// The text of a neutral value, as Print writes it; zeros for an empty one. For array fields inside
// a component of several fields, inner parentheses are written. A value with the wrong number of
// scalars is written flat.
std::string ValueText(const ComponentDescriptor& descriptor, std::span<const Scalar> value);

}  // namespace ashlar::inline v0
