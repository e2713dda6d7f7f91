// Accounted memory: a byte budget, and memory resources that count what they hand out.
//
//   container -> AccountedResource "directory" -+
//   container -> AccountedResource "queries"   -+-> MemoryBudget (limit, in use, peak)
//   container -> AccountedResource "chunks"    -+-> upstream resource (where the bytes come from)
//
// Bytes are those that were asked for; what the upstream resource spends on top (headers, rounding)
// is not seen. Neither class uses memory of its own. Threads: every call of both may run beside
// every other, where the upstream resource allows it.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory_resource>
#include <new>

namespace ashlar::inline v0 {

// Thrown instead of allocating when a budget would be exceeded.
class MemoryLimitReached : public std::bad_alloc {
 public:
  MemoryLimitReached(std::size_t wanted_bytes, std::size_t in_use_bytes, std::size_t limit_bytes)
      : wanted_bytes_(wanted_bytes), in_use_bytes_(in_use_bytes), limit_bytes_(limit_bytes) {}

  const char* what() const noexcept override { return "ashlar: the memory limit is reached"; }

  std::size_t wanted_bytes() const { return wanted_bytes_; }  // Of the request that was refused.
  std::size_t in_use_bytes() const { return in_use_bytes_; }  // When it was refused.
  std::size_t limit_bytes() const { return limit_bytes_; }

 private:
  std::size_t wanted_bytes_;
  std::size_t in_use_bytes_;
  std::size_t limit_bytes_;
};

class MemoryBudget {
 public:
  // 0: no limit.
  explicit MemoryBudget(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Takes bytes out of the budget before they are allocated. Throws MemoryLimitReached where the
  // limit would be exceeded, std::bad_alloc where the sum would not fit std::size_t; then nothing
  // has changed. Returns the bytes in use behind it, for RecordPeak.
  std::size_t Take(std::size_t bytes);

  // Puts them back. REQUIRES: they were taken.
  void GiveBack(std::size_t bytes) noexcept;

  // The allocation succeeded: its sum counts for the peak.
  void RecordPeak(std::size_t in_use_bytes) noexcept;

  std::size_t limit_bytes() const { return limit_bytes_; }  // 0: none.
  std::size_t in_use_bytes() const { return in_use_bytes_.load(std::memory_order_relaxed); }
  std::size_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }

 private:
  friend struct StorageTestPeer;

  const std::size_t limit_bytes_;
  std::atomic<std::size_t> in_use_bytes_{0};  // Never above the limit.
  std::atomic<std::size_t> peak_bytes_{0};    // The most that was ever in use.
};

// Allocates from `upstream` within `budget`, and counts. A request that the budget refuses does not
// reach the upstream resource, and one that fails there is not counted. Equal only to itself, so
// that no container moves memory from one purpose to another.
class AccountedResource final : public std::pmr::memory_resource {
 public:
  // Both are kept and must outlive this.
  AccountedResource(std::pmr::memory_resource* upstream, MemoryBudget* budget)
      : upstream_(upstream), budget_(budget) {}

  // REQUIRES: everything was given back.
  ~AccountedResource() override;
  AccountedResource(const AccountedResource&) = delete;
  AccountedResource& operator=(const AccountedResource&) = delete;

  // Bytes handed out and not given back.
  std::size_t in_use_bytes() const { return in_use_bytes_.load(std::memory_order_relaxed); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::pmr::memory_resource* upstream_;
  MemoryBudget* budget_;
  std::atomic<std::size_t> in_use_bytes_{0};
};

}  // namespace ashlar::inline v0
