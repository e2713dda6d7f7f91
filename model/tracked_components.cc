// SAFETY: memory is read and written by memcpy alone, within size_bytes of an address that the
// caller gives, or within the plain value's bytes of a block that Begin has made.

#include "model/tracked_components.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/check.h"
#include "ashlar/core/limits.h"

namespace ashlar::model {
namespace {

constexpr std::uint64_t kAlive = 0xA11FE5A1E9B0C3D7u;
constexpr std::uint64_t kMovedFrom = 0x3A03EDF40311D5E9u;
constexpr int kDeadByte = 0xDD;
constexpr std::uint64_t kDead = 0xDDDDDDDDDDDDDDDDu;

// The first misuse that nobody has taken yet.
std::mutex misuse_mutex;
std::atomic<bool> has_misuse{false};
std::string& MisuseText() {
  static std::string& text = *new std::string();
  return text;
}

std::size_t RoundUp(std::size_t size, std::size_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

}  // namespace

std::string TakeMisuse() {
  if (!has_misuse.load(std::memory_order_relaxed)) return "";
  const std::lock_guard<std::mutex> lock(misuse_mutex);
  has_misuse.store(false, std::memory_order_relaxed);
  return std::exchange(MisuseText(), "");
}

struct TrackedType::Header {
  std::uint64_t magic = 0;
  const std::byte* self = nullptr;
  std::byte* block = nullptr;

  // In memory the magic is mixed with the address, so that bytes which were copied, or which a
  // Header has left somewhere else, are not taken for a value. Dead memory stays what it is.
  static std::uint64_t Mixed(std::uint64_t magic, const void* at) {
    return magic == kDead ? magic : magic ^ reinterpret_cast<std::uintptr_t>(at);
  }

  // Whether it lies at `at` as bytes of one that was made elsewhere, and says so itself.
  bool IsCopyAt(const std::byte* at) const {
    return self != nullptr && self != at && Mixed(Mixed(magic, at), self) == kAlive;
  }

  static Header Of(const std::byte* at) {
    Header header;
    std::memcpy(&header, at, sizeof(header));
    header.magic = Mixed(header.magic, at);
    return header;
  }
  void Write(std::byte* at) const {
    Header mixed = *this;
    mixed.magic = Mixed(magic, at);
    std::memcpy(at, &mixed, sizeof(mixed));
  }
};

TrackedType::TrackedType(ComponentDescriptor plain, oplang::Ownership ownership)
    : plain_(std::move(plain)), ownership_(ownership) {
  ASHLAR_CHECK(ownership != oplang::Ownership::kPlain);
  if (plain_.is_tag()) return;
  // Both the header and every plain value are content with 8.
  alignment_bytes_ =
      ownership == oplang::Ownership::kAligned ? kComponentAlignmentMax : alignof(Header);
  ASHLAR_CHECK(plain_.alignment_bytes() <= alignof(Header));
  size_bytes_ = RoundUp(sizeof(Header) + (is_inline() ? plain_.size_bytes() : 0), alignment_bytes_);
}

void TrackedType::Misuse(std::string_view what) const {
  const std::lock_guard<std::mutex> lock(misuse_mutex);
  if (has_misuse.load(std::memory_order_relaxed)) return;
  MisuseText() = absl::StrCat("misuse of a value of ", std::string(plain_.name()), " (as ",
                              std::string(OwnershipName(ownership_)), "): ", std::string(what));
  has_misuse.store(true, std::memory_order_relaxed);
}

void TrackedType::CheckPlace(const std::byte* at) const {
  if (reinterpret_cast<std::uintptr_t>(at) % alignment_bytes_ == 0) return;
  Misuse(absl::StrCat("its address is no multiple of ", alignment_bytes_));
}

void TrackedType::CheckFree(const std::byte* at) const {
  CheckPlace(at);
  const std::uint64_t magic = Header::Of(at).magic;
  if (magic == kAlive || magic == kMovedFrom) Misuse("made over one that was not destroyed");
}

std::byte* TrackedType::BytesOf(const std::byte* at, std::string_view what) const {
  CheckPlace(at);
  const Header header = Header::Of(at);
  const bool is_copy = header.IsCopyAt(at);
  if (header.magic != kAlive && !is_copy) {
    const char* state = header.magic == kMovedFrom ? "it was moved from"
                        : header.magic == kDead    ? "it was destroyed"
                                                   : "nothing was made there";
    Misuse(absl::StrCat(std::string(what), " after ", state));
    return nullptr;
  }
  if (is_copy || (ownership_ == oplang::Ownership::kSelf && header.self != at)) {
    Misuse(absl::StrCat(std::string(what),
                        " where it does not point at itself: its bytes were "
                        "copied"));
    return nullptr;
  }
  // What lies inside is found from outside too, in case its bytes were copied.
  return is_inline() ? const_cast<std::byte*>(at) + sizeof(Header) : header.block;
}

std::byte* TrackedType::Begin(std::byte* at) const {
  CheckFree(at);
  Header header;
  header.magic = kAlive;
  header.self = ownership_ == oplang::Ownership::kSelf ? at : nullptr;
  header.block = is_inline() ? at + sizeof(Header) : new std::byte[plain_.size_bytes()];
  header.Write(at);
  return header.block;
}

void TrackedType::MakeFromScalars(std::byte* at, std::span<const Scalar> scalars) const {
  ConstructionFault::CountConstruction();
  if (!plain_.is_tag()) plain_.Pack(scalars, Begin(at));
  live_count_.fetch_add(1, std::memory_order_relaxed);
}

void TrackedType::Copy(std::byte* at, const std::byte* from) const {
  ConstructionFault::CountConstruction();
  if (ownership_ == oplang::Ownership::kUnique) Misuse("copied, though it can only be moved");
  if (!plain_.is_tag()) {
    if (at == from) return Misuse("copied onto itself");
    const std::byte* bytes = BytesOf(from, "copied");
    std::byte* made = Begin(at);
    if (bytes != nullptr) {
      std::memcpy(made, bytes, plain_.size_bytes());
    } else {
      plain_.Pack({}, made);
    }
  }
  live_count_.fetch_add(1, std::memory_order_relaxed);
}

bool TrackedType::Take(std::byte* at, std::byte* from) const {
  std::byte* bytes = BytesOf(from, "moved");
  if (bytes == nullptr) {
    const bool was_counted = Header::Of(from).magic == kMovedFrom;
    plain_.Pack({}, Begin(at));
    return was_counted;
  }
  if (is_inline()) {
    std::memcpy(Begin(at), bytes, plain_.size_bytes());
    std::memset(bytes, kDeadByte, plain_.size_bytes());
  } else {
    CheckFree(at);
    Header::Of(from).Write(at);
  }
  Header left;
  left.magic = kMovedFrom;
  left.Write(from);
  return true;
}

void TrackedType::Move(std::byte* at, std::byte* from) const noexcept {
  if (!plain_.is_tag()) {
    if (at == from) return Misuse("moved onto itself");
    Take(at, from);
  }
  live_count_.fetch_add(1, std::memory_order_relaxed);
}

void TrackedType::Relocate(std::byte* at, std::byte* from) const noexcept {
  if (plain_.is_tag()) return;
  if (at == from) return Misuse("relocated onto itself");
  const bool was_counted = Take(at, from);
  std::memset(from, kDeadByte, size_bytes_);
  if (!was_counted) live_count_.fetch_add(1, std::memory_order_relaxed);
}

void TrackedType::Destroy(std::byte* at) const noexcept {
  if (!plain_.is_tag()) {
    const bool is_moved_from = Header::Of(at).magic == kMovedFrom;
    if (is_moved_from) {
      CheckPlace(at);
    } else {
      std::byte* bytes = BytesOf(at, "destroyed");
      const Header header = Header::Of(at);
      if (bytes == nullptr && header.magic != kAlive && !header.IsCopyAt(at)) return;
      if (!is_inline()) delete[] bytes;
    }
    std::memset(at, kDeadByte, size_bytes_);
  }
  if (live_count_.fetch_sub(1, std::memory_order_relaxed) <= 0) {
    Misuse("more were destroyed than made");
  }
}

void TrackedType::ToScalars(const std::byte* value, Scalar* out) const {
  if (plain_.is_tag()) return;
  const std::byte* bytes = BytesOf(value, "read");
  const std::byte zero[8] = {};
  for (const ScalarSlot& slot : plain_.scalars()) {
    *out++ = LoadScalar(slot.type, bytes != nullptr ? bytes + slot.offset_bytes : zero);
  }
}

}  // namespace ashlar::model
