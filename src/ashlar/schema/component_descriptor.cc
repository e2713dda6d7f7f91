// Making descriptors, and what is asked of them about their shape. What is done with values is in
// descriptor_values.cc and value_text.cc.
#include "ashlar/schema/component_descriptor.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "ashlar/core/check.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"
#include "ashlar/schema/field_rule.h"
#include "ashlar/schema/text_cursor.h"
#include "ashlar/schema/text_view.h"

namespace ashlar::inline v0 {
namespace {

std::size_t RoundUp(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

std::size_t FieldSizeBytes(const FieldType& type) {
  return ScalarSizeBytes(type.scalar) * type.count;
}

absl::Status Malformed(std::string_view component, std::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentMalformed,
                   absl::StrCat("component ", Quoted(component), ": ", TextView(what)));
}

absl::Status MalformedField(std::string_view component, const Field& field, std::string_view what) {
  return Malformed(component, absl::StrCat("field ", Quoted(field.name), ": ", TextView(what)));
}

absl::Status CheckShape(std::string_view name, std::size_t size_bytes, std::size_t alignment_bytes,
                        std::size_t field_count) {
  if (!IsName(name)) {
    return Malformed(name, absl::StrCat("a name is 1 to ", kNameLengthMax,
                                        " letters, digits and '_', not a digit first"));
  }
  if (!std::has_single_bit(alignment_bytes) || alignment_bytes > kComponentAlignmentMax) {
    return Malformed(name, absl::StrCat("alignment ", alignment_bytes, " is no power of two up to ",
                                        kComponentAlignmentMax));
  }
  if (size_bytes > kComponentSizeBytesMax) {
    return Malformed(
        name, absl::StrCat("its size, ", size_bytes, " bytes, is above ", kComponentSizeBytesMax));
  }
  if (size_bytes % alignment_bytes != 0) {
    return Malformed(
        name, absl::StrCat("its size, ", size_bytes, " bytes, is no multiple of its alignment, ",
                           alignment_bytes));
  }
  if (field_count > kFieldCountMax) {
    return Malformed(name, absl::StrCat("more than ", kFieldCountMax, " fields"));
  }
  if (size_bytes != 0 && field_count == 0) {
    return Malformed(name, absl::StrCat("no field says what its ", size_bytes, " bytes are"));
  }
  return absl::OkStatus();
}

absl::Status CheckField(std::string_view component, std::size_t size_bytes,
                        std::size_t alignment_bytes, const Field& field, bool is_alone) {
  const bool may_be_nameless = field.name.empty() && is_alone;
  if (!may_be_nameless && !IsName(field.name)) {
    return MalformedField(component, field,
                          absl::StrCat("a name is 1 to ", kNameLengthMax,
                                       " letters, digits and '_', not a digit first"));
  }
  if (field.type.count < 1 || field.type.count > kArrayCountMax) {
    return MalformedField(
        component, field,
        absl::StrCat("an array has 1 to ", kArrayCountMax, " elements, not ", field.type.count));
  }
  if (FieldSizeBytes(field.type) > size_bytes ||
      field.offset_bytes > size_bytes - FieldSizeBytes(field.type)) {
    return MalformedField(
        component, field,
        absl::StrCat(FieldSizeBytes(field.type), " bytes at offset ", field.offset_bytes,
                     " leave a value of ", size_bytes, " bytes"));
  }
  const std::size_t alignment = ScalarAlignmentBytes(field.type.scalar);
  if (field.offset_bytes % alignment != 0 || alignment_bytes % alignment != 0) {
    return MalformedField(component, field,
                          absl::StrCat("at offset ", field.offset_bytes, " of a value aligned to ",
                                       alignment_bytes, " it is not aligned to ", alignment));
  }
  if (const auto error = RuleError(field.type.scalar, field.rule)) {
    return MalformedField(component, field, *error);
  }
  return absl::OkStatus();
}

// Quadratic, over kFieldCountMax fields at most; it needs no memory.
absl::Status CheckPairs(std::string_view component, std::span<const Field> fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& a = fields[i];
    for (std::size_t j = 0; j < i; ++j) {
      const Field& b = fields[j];
      if (a.name == b.name)
        return MalformedField(component, a, "there are two fields of this name");
      if (a.offset_bytes < b.offset_bytes + FieldSizeBytes(b.type) &&
          b.offset_bytes < a.offset_bytes + FieldSizeBytes(a.type)) {
        return MalformedField(component, a, absl::StrCat("it overlaps field ", Quoted(b.name)));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckFields(std::string_view component, std::size_t size_bytes,
                         std::size_t alignment_bytes, std::span<const Field> fields) {
  for (const Field& field : fields) {
    ASHLAR_RETURN_IF_ERROR(
        CheckField(component, size_bytes, alignment_bytes, field, fields.size() == 1));
  }
  return CheckPairs(component, fields);
}

// Whether two values are equal exactly when their bytes are, and the bytes in order are the scalars
// in order.
bool IsDense(std::size_t size_bytes, std::span<const Field> fields) {
  std::size_t end = 0;
  for (const Field& field : fields) {
    if (field.offset_bytes != end || field.type.scalar == ScalarType::kBool) return false;
    end += FieldSizeBytes(field.type);
  }
  return end == size_bytes;
}

// A path inside a component, taken apart: "axis[2]" is "axis" and 2.
struct Path {
  std::string_view name;
  std::optional<std::uint32_t> element;
};

std::optional<Path> ParsePath(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return Path{text, std::nullopt};
  const std::string_view digits = text.substr(open + 1);
  std::uint32_t element = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), element);
  if (error != std::errc() || std::string_view(stop, digits.data() + digits.size()) != "]")
    return std::nullopt;
  return Path{text.substr(0, open), element};
}

// "pos[0..2], mass, target": what a path may name, the first few of it.
std::string ListScalars(std::span<const Field> fields) {
  constexpr std::size_t kShownMax = 16;
  std::string list;
  for (const Field& field : fields.first(std::min(fields.size(), kShownMax))) {
    if (!list.empty()) list += ", ";
    list += field.name.empty() && field.type.count == 1 ? "one nameless scalar" : field.name;
    if (field.type.count > 1) absl::StrAppend(&list, "[0..", field.type.count - 1, "]");
  }
  if (fields.size() > kShownMax) list += ", ...";
  return list.empty() ? "no fields" : list;
}

}  // namespace

ComponentDescriptor::ComponentDescriptor(const allocator_type& allocator)
    : name_(allocator), fields_(allocator), scalars_(allocator) {}

ComponentDescriptor::ComponentDescriptor(const ComponentDescriptor& other,
                                         const allocator_type& allocator)
    : name_(other.name_, allocator),
      size_bytes_(other.size_bytes_),
      alignment_bytes_(other.alignment_bytes_),
      type_key_(other.type_key_),
      validator_(other.validator_),
      lifecycle_(other.lifecycle_),
      neutral_size_bytes_(other.neutral_size_bytes_),
      has_rules_(other.has_rules_),
      is_enableable_(other.is_enableable_),
      is_split_(other.is_split_),
      is_dense_(other.is_dense_),
      fields_(other.fields_, allocator),
      scalars_(other.scalars_, allocator) {}

ComponentDescriptor::ComponentDescriptor(ComponentDescriptor&& other,
                                         const allocator_type& allocator)
    : name_(std::move(other.name_), allocator),
      size_bytes_(other.size_bytes_),
      alignment_bytes_(other.alignment_bytes_),
      type_key_(other.type_key_),
      validator_(other.validator_),
      lifecycle_(other.lifecycle_),
      neutral_size_bytes_(other.neutral_size_bytes_),
      has_rules_(other.has_rules_),
      is_enableable_(other.is_enableable_),
      is_split_(other.is_split_),
      is_dense_(other.is_dense_),
      fields_(std::move(other.fields_), allocator),
      scalars_(std::move(other.scalars_), allocator) {}

absl::StatusOr<ComponentDescriptor> ComponentDescriptor::FromSpec(std::string_view name,
                                                                  const TypeSpec& spec,
                                                                  allocator_type allocator) {
  // The count first, so that a spec of any size needs no more memory than a good one.
  ASHLAR_RETURN_IF_ERROR(CheckShape(name, 0, 1, spec.fields.size()));
  std::pmr::vector<Field> fields(allocator);
  fields.reserve(spec.fields.size());
  std::size_t end = 0;
  std::size_t alignment = 1;
  for (const FieldSpec& from : spec.fields) {
    const std::size_t field_alignment = ScalarAlignmentBytes(from.type.scalar);
    const std::size_t offset = RoundUp(end, field_alignment);
    // Beyond the largest component the offset may wrap; the size is refused before it is looked at.
    Field& field = fields.emplace_back();
    field.name = from.name;
    field.type = from.type;
    field.offset_bytes = static_cast<std::uint32_t>(offset);
    field.rule = from.rule;
    end = offset + FieldSizeBytes(from.type);
    alignment = std::max(alignment, field_alignment);
  }
  return FromFields(name, RoundUp(end, alignment), alignment, fields, nullptr, Validator(),
                    allocator);
}

absl::StatusOr<ComponentDescriptor> ComponentDescriptor::FromFields(
    std::string_view name, std::size_t size_bytes, std::size_t alignment_bytes,
    std::span<const Field> fields, TypeKey type_key, Validator validator,
    allocator_type allocator) {
  ASHLAR_RETURN_IF_ERROR(CheckShape(name, size_bytes, alignment_bytes, fields.size()));
  ASHLAR_RETURN_IF_ERROR(CheckFields(name, size_bytes, alignment_bytes, fields));
  ComponentDescriptor descriptor(allocator);
  descriptor.name_ = name;
  descriptor.size_bytes_ = size_bytes;
  descriptor.neutral_size_bytes_ = size_bytes;
  descriptor.alignment_bytes_ = size_bytes == 0 ? 1 : alignment_bytes;
  descriptor.type_key_ = type_key;
  descriptor.validator_ = validator;
  descriptor.fields_.assign(fields.begin(), fields.end());
  descriptor.is_dense_ = IsDense(size_bytes, fields);
  std::size_t scalar_count = 0;
  for (const Field& field : fields) {
    descriptor.has_rules_ = descriptor.has_rules_ || !field.rule.empty();
    scalar_count += field.type.count;
  }
  descriptor.scalars_.reserve(scalar_count);
  for (std::uint32_t f = 0; f < fields.size(); ++f) {
    const FieldType type = fields[f].type;
    const auto step = static_cast<std::uint32_t>(ScalarSizeBytes(type.scalar));
    for (std::uint32_t e = 0; e < type.count; ++e) {
      descriptor.scalars_.push_back({type.scalar, fields[f].offset_bytes + e * step, f, e});
    }
  }
  return descriptor;
}

absl::StatusOr<ComponentDescriptor> ComponentDescriptor::FromLifecycle(
    std::string_view name, std::size_t size_bytes, std::size_t alignment_bytes,
    const TypeSpec& neutral, const Lifecycle& lifecycle, TypeKey type_key, Validator validator,
    allocator_type allocator) {
  ASHLAR_RETURN_IF_ERROR(CheckShape(name, size_bytes, alignment_bytes, 1));
  if (size_bytes == 0) return Malformed(name, "an object has at least one byte");
  if (lifecycle.take == nullptr || lifecycle.relocate == nullptr || lifecycle.destroy == nullptr) {
    return Malformed(name, "its lifecycle must take, relocate and destroy");
  }
  const bool has_neutral_form =
      lifecycle.from_scalars != nullptr && lifecycle.to_scalars != nullptr;
  if (!neutral.fields.empty() && !has_neutral_form) {
    return Malformed(name, "fields need a lifecycle that makes values from scalars and back");
  }
  auto descriptor = FromSpec(name, neutral, allocator);
  if (!descriptor.ok()) return descriptor;
  descriptor->size_bytes_ = size_bytes;
  descriptor->alignment_bytes_ = alignment_bytes;
  descriptor->lifecycle_ = lifecycle;
  descriptor->type_key_ = type_key;
  descriptor->validator_ = validator;
  return descriptor;
}

std::string ComponentDescriptor::ScalarPath(std::size_t scalar_index) const {
  ASHLAR_CHECK(scalar_index < scalars_.size());
  const ScalarSlot& slot = scalars_[scalar_index];
  const Field& field = fields_[slot.field];
  std::string path(name_);
  if (!field.name.empty()) absl::StrAppend(&path, ".", TextView(field.name));
  if (field.type.count > 1) absl::StrAppend(&path, "[", slot.element, "]");
  return path;
}

absl::StatusOr<std::size_t> ComponentDescriptor::FindScalar(std::string_view path) const {
  if (const std::optional<Path> parsed = ParsePath(path)) {
    std::size_t first = 0;
    for (const Field& field : fields_) {
      const bool is_array = field.type.count > 1;
      if (field.name == parsed->name && is_array == parsed->element.has_value() &&
          parsed->element.value_or(0) < field.type.count) {
        return first + parsed->element.value_or(0);
      }
      first += field.type.count;
    }
  }
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kFieldUnknown,
                   absl::StrCat(TextView(name_), " has no scalar ", Quoted(path), "; it has ",
                                ListScalars(fields_)));
}

std::string ComponentDescriptor::TypeText() const {
  TypeSpec spec;
  for (const Field& field : fields_) {
    spec.fields.push_back({std::string(field.name), field.type, field.rule});
  }
  return ashlar::TypeText(spec);
}

}  // namespace ashlar::inline v0
