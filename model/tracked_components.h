// Tracked components: values that own, count themselves and notice when they are misused.
//
// A component that a program declares `as owned`, `self`, `unique` or `aligned` has values of a
// TrackedType. Outside, such a value is its scalars, as a plain one; in memory it is
//
//   +0   magic   alive, moved from, or (the whole value filled with 0xDD) dead
//   +8   self    its own address                                  self; else null
//   +16  block   where its bytes are: an own block of the heap    owned, unique
//                                     its own place behind        self, aligned
//   +24  bytes   the plain value, inline                          self, aligned
//
// The magic and the pointers show most wrong uses at the next touch: destroyed twice, used after a
// move or a destruction, made over a living value, copied by bytes (self), moved onto itself, laid
// where its alignment does not allow, copied though it is move-only. The first of them is kept for
// TakeMisuse; the value then goes on as well as it can, so that the run comes to its report. Leaks
// show in live_count, and double frees under AddressSanitizer.
//
// A tag has no memory, so its values are only counted: addresses are not looked at and may be null.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/schema/scalar.h"
#include "model/construction_fault.h"

namespace ashlar::model {

// The first misuse of a tracked value since the last call, in this process; empty: there was none.
// Cost where there was none: one load.
std::string TakeMisuse();

// The values of one component. Threads: as for the values of any component; counts are atomic.
class TrackedType {
 public:
  // `plain` describes the scalars. REQUIRES: ownership is not kPlain.
  TrackedType(ComponentDescriptor plain, oplang::Ownership ownership);
  TrackedType(const TrackedType&) = delete;
  TrackedType& operator=(const TrackedType&) = delete;

  const ComponentDescriptor& plain() const { return plain_; }
  oplang::Ownership ownership() const { return ownership_; }

  // Of a value in memory; 0 and 1 for a tag.
  std::size_t size_bytes() const { return size_bytes_; }
  std::size_t alignment_bytes() const { return alignment_bytes_; }

  // --- At `at` are size_bytes() bytes in which nothing lives, aligned. ---

  // Make a value: all zero; from scalars, as ComponentDescriptor::Pack takes them. Throw
  // InjectedFailure (see ConstructionFault) and std::bad_alloc; then nothing lives there.
  void MakeZero(std::byte* at) const { MakeFromScalars(at, {}); }
  void MakeFromScalars(std::byte* at, std::span<const Scalar> scalars) const;

  // Make a copy of a living value; the same exceptions. A misuse where the kind is kUnique.
  void Copy(std::byte* at, const std::byte* from) const;

  // Makes a value of what `from` holds; `from` then lives on as moved from: it can be destroyed,
  // and nothing else.
  void Move(std::byte* at, std::byte* from) const noexcept;

  // Move, and the end of `from`.
  void Relocate(std::byte* at, std::byte* from) const noexcept;

  // --- ---

  // Ends a value, moved from or not.
  void Destroy(std::byte* at) const noexcept;

  // The value's scalars, fitted: plain().scalars().size() of them.
  void ToScalars(const std::byte* value, Scalar* out) const;

  // Values made and not yet destroyed, those that are moved from included.
  std::int64_t live_count() const { return live_count_.load(std::memory_order_relaxed); }

 private:
  struct Header;

  bool is_inline() const {
    return ownership_ == oplang::Ownership::kSelf || ownership_ == oplang::Ownership::kAligned;
  }

  void CheckPlace(const std::byte* at) const;
  void CheckFree(const std::byte* at) const;

  // The bytes of a living value; null, and a misuse, where none lives. `what` says what they are
  // wanted for: "copied".
  std::byte* BytesOf(const std::byte* at, std::string_view what) const;

  // Makes a living value at `at` whose bytes the caller writes. Throws std::bad_alloc.
  std::byte* Begin(std::byte* at) const;

  // Moves without counting. Whether `from` was counted as a value.
  bool Take(std::byte* at, std::byte* from) const;

  void Misuse(std::string_view what) const;

  const ComponentDescriptor plain_;
  const oplang::Ownership ownership_;
  std::size_t size_bytes_ = 0;
  std::size_t alignment_bytes_ = 1;
  mutable std::atomic<std::int64_t> live_count_{0};
};

}  // namespace ashlar::model
