// ComponentDescriptor on values: validation, equality, hash, and the way between bytes and neutral
// values.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "absl/strings/str_cat.h"
#include "ashlar/core/check.h"
#include "ashlar/core/status.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/schema/field_rule.h"
#include "ashlar/schema/text_view.h"

namespace ashlar::inline v0 {
namespace {

absl::Status Refused(std::string_view message) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueRefused, message);
}

absl::Status DoesNotFit(std::string_view message) {
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kValueDoesNotFit, message);
}

// A value where its validator may look at it. Aligned values stay where they are.
class AlignedValue {
 public:
  AlignedValue(const std::byte* value, std::size_t size_bytes, std::size_t alignment_bytes)
      : value_(value) {
    // SAFETY: the address is looked at as a number, never used.
    if (reinterpret_cast<std::uintptr_t>(value) % alignment_bytes == 0) return;
    std::size_t space = size_bytes + alignment_bytes;
    copy_ = std::make_unique<std::byte[]>(space);
    void* aligned = copy_.get();
    ASHLAR_CHECK(std::align(alignment_bytes, size_bytes, aligned, space) != nullptr);
    std::memcpy(aligned, value, size_bytes);
    value_ = aligned;
  }
  const void* get() const { return value_; }

 private:
  const void* value_;
  std::unique_ptr<std::byte[]> copy_;
};

// Writes `count` elements of a field, from `in` on, in the form that is hashed: little-endian, a
// bool as 0 or 1.
void WriteCanonical(ScalarType type, const std::byte* in, std::size_t count, std::byte* out) {
  const std::size_t size = ScalarSizeBytes(type);
  if (std::endian::native == std::endian::little && type != ScalarType::kBool) {
    std::memcpy(out, in, size * count);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = LoadScalar(type, in + i * size).bits;
    for (std::size_t b = 0; b < size; ++b) out[i * size + b] = std::byte(bits >> (8 * b));
  }
}

// Hashes the scalars of fields one after the other, as if they lay side by side: what XXH3 makes of
// all of them at once, however many there are.
class FieldHasher {
 public:
  void Add(const Field& field, const std::byte* value) {
    const std::size_t size = ScalarSizeBytes(field.type.scalar);
    const std::byte* in = value + field.offset_bytes;
    for (std::size_t left = field.type.count; left > 0;) {
      if (used_ + size > buffer_.size()) Flush();
      const std::size_t count = std::min(left, (buffer_.size() - used_) / size);
      WriteCanonical(field.type.scalar, in, count, buffer_.data() + used_);
      used_ += count * size;
      in += count * size;
      left -= count;
    }
  }

  std::uint64_t Finish() {
    if (!is_streaming_) return XXH3_64bits(buffer_.data(), used_);
    Flush();
    return XXH3_64bits_digest(&state_);
  }

 private:
  void Flush() {
    if (!is_streaming_) XXH3_64bits_reset(&state_);
    is_streaming_ = true;
    XXH3_64bits_update(&state_, buffer_.data(), used_);
    used_ = 0;
  }

  bool is_streaming_ = false;
  std::size_t used_ = 0;
  std::array<std::byte, 512> buffer_;
  XXH3_state_t state_;
};

bool BoolsEqual(const std::byte* a, const std::byte* b, std::size_t count) {
  return std::equal(a, a + count, b, [](std::byte x, std::byte y) {
    return (x == std::byte{}) == (y == std::byte{});
  });
}

}  // namespace

std::vector<std::byte> ComponentDescriptor::NeutralBytes(const std::byte* object) const {
  std::vector<Scalar> scalars;
  Unpack(object, &scalars);
  std::vector<std::byte> bytes(neutral_size_bytes_);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    StoreScalar(scalars_[i].type, scalars[i], bytes.data() + scalars_[i].offset_bytes);
  }
  return bytes;
}

absl::Status ComponentDescriptor::CheckRules(const std::byte* bytes) const {
  std::size_t first = 0;
  for (const Field& field : fields_) {
    const std::size_t end = first + field.type.count;
    if (!field.rule.empty()) {
      const RuleCheck check(field.type.scalar, field.rule);
      for (std::size_t i = first; i < end; ++i) {
        const Scalar scalar = LoadScalar(field.type.scalar, bytes + scalars_[i].offset_bytes);
        if (check.Accepts(scalar)) continue;
        return Refused(absl::StrCat(ScalarPath(i), ": ", ScalarText(scalar), " breaks the rule '",
                                    RuleText(field.type.scalar, field.rule), "'"));
      }
    }
    first = end;
  }
  return absl::OkStatus();
}

absl::Status ComponentDescriptor::Validate(const std::byte* value) const {
  if (has_rules_) {
    ASHLAR_RETURN_IF_ERROR(lifecycle() == nullptr ? CheckRules(value)
                                                  : CheckRules(NeutralBytes(value).data()));
  }
  if (validator_.function == nullptr) return absl::OkStatus();
  const AlignedValue aligned(value, size_bytes_, lifecycle() == nullptr ? alignment_bytes_ : 1);
  if (validator_.function(aligned.get(), validator_.context)) return absl::OkStatus();
  const bool has_text = validator_.text != nullptr && *validator_.text != '\0';
  return Refused(absl::StrCat(TextView(name_), ": ", Print(value), " is refused",
                              has_text ? ": " : "", has_text ? validator_.text : ""));
}

bool ComponentDescriptor::Equal(const std::byte* a, const std::byte* b) const {
  if (is_tag()) return true;
  if (lifecycle() == nullptr) return EqualBytes(a, b);
  return EqualBytes(NeutralBytes(a).data(), NeutralBytes(b).data());
}

std::uint64_t ComponentDescriptor::Hash(const std::byte* value) const {
  return lifecycle() == nullptr ? HashBytes(value) : HashBytes(NeutralBytes(value).data());
}

bool ComponentDescriptor::EqualBytes(const std::byte* a, const std::byte* b) const {
  if (neutral_size_bytes_ == 0) return true;
  if (is_dense_) return std::memcmp(a, b, neutral_size_bytes_) == 0;
  return std::all_of(fields_.begin(), fields_.end(), [&](const Field& field) {
    const std::byte* in_a = a + field.offset_bytes;
    const std::byte* in_b = b + field.offset_bytes;
    if (field.type.scalar == ScalarType::kBool) return BoolsEqual(in_a, in_b, field.type.count);
    return std::memcmp(in_a, in_b, ScalarSizeBytes(field.type.scalar) * field.type.count) == 0;
  });
}

std::uint64_t ComponentDescriptor::HashBytes(const std::byte* bytes) const {
  if (is_dense_ && std::endian::native == std::endian::little) {
    return XXH3_64bits(bytes, neutral_size_bytes_);
  }
  FieldHasher hasher;
  for (const Field& field : fields_) hasher.Add(field, bytes);
  return hasher.Finish();
}

std::string ComponentDescriptor::Print(const std::byte* value) const {
  std::vector<Scalar> neutral;
  Unpack(value, &neutral);
  return ValueText(*this, neutral);
}

absl::Status ComponentDescriptor::CheckFit(std::span<const Scalar> value) const {
  if (value.empty()) return absl::OkStatus();
  if (is_tag()) return DoesNotFit(absl::StrCat(TextView(name_), ": a tag takes no value"));
  if (scalars_.empty()) {
    return DoesNotFit(absl::StrCat(TextView(name_), ": its values have no neutral form"));
  }
  if (value.size() != scalars_.size()) {
    return DoesNotFit(absl::StrCat(TextView(name_), ": the value has ", value.size(),
                                   " scalars, not the ", scalars_.size(), " of ", TypeText()));
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    const ScalarType type = scalars_[i].type;
    if (FitScalar(type, value[i]).has_value()) continue;
    return DoesNotFit(absl::StrCat(ScalarPath(i), ": ", ScalarText(value[i]), " does not fit ",
                                   TextView(ScalarTypeName(type)), " ", ScalarRangeText(type)));
  }
  return absl::OkStatus();
}

void ComponentDescriptor::Pack(std::span<const Scalar> value, std::byte* out) const {
  const bool has_right_size = value.empty() || value.size() == scalars_.size();
  ASHLAR_CHECK(has_right_size && lifecycle() == nullptr);
  if (is_tag()) return;
  std::memset(out, 0, size_bytes_);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const ScalarSlot& slot = scalars_[i];
    const std::optional<Scalar> fitted = FitScalar(slot.type, value[i]);
    ASHLAR_CHECK(fitted.has_value());
    StoreScalar(slot.type, *fitted, out + slot.offset_bytes);
  }
}

void ComponentDescriptor::Unpack(const std::byte* value, std::vector<Scalar>* out) const {
  const std::size_t begin = out->size();
  out->resize(begin + scalars_.size());
  UnpackTo(value, std::span(*out).subspan(begin));
}

void ComponentDescriptor::UnpackTo(const std::byte* value, std::span<Scalar> out) const {
  ASHLAR_CHECK(out.size() == scalars_.size());
  if (scalars_.empty()) return;
  if (lifecycle() != nullptr) {
    lifecycle_.to_scalars(value, out, lifecycle_);
    return;
  }
  for (std::size_t i = 0; i < scalars_.size(); ++i) {
    out[i] = LoadScalar(scalars_[i].type, value + scalars_[i].offset_bytes);
  }
}

}  // namespace ashlar::inline v0
