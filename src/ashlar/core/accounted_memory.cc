#include "ashlar/core/accounted_memory.h"

#include <limits>

#include "ashlar/core/check.h"

namespace ashlar::inline v0 {

std::size_t MemoryBudget::Take(std::size_t bytes) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  const std::size_t limit = limit_bytes_ == 0 ? kMost : limit_bytes_;
  std::size_t in_use = in_use_bytes();
  do {
    // What is in use is never above the limit, so the difference does not wrap.
    if (bytes > limit - in_use) {
      if (limit_bytes_ == 0) throw std::bad_alloc();
      throw MemoryLimitReached(bytes, in_use, limit_bytes_);
    }
  } while (!in_use_bytes_.compare_exchange_weak(in_use, in_use + bytes, std::memory_order_relaxed));
  return in_use + bytes;
}

void MemoryBudget::GiveBack(std::size_t bytes) noexcept {
  const std::size_t before = in_use_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  ASHLAR_CHECK(before >= bytes);
}

void MemoryBudget::RecordPeak(std::size_t in_use_bytes) noexcept {
  std::size_t peak = peak_bytes();
  while (in_use_bytes > peak &&
         !peak_bytes_.compare_exchange_weak(peak, in_use_bytes, std::memory_order_relaxed)) {
  }
}

AccountedResource::~AccountedResource() { ASHLAR_CHECK(in_use_bytes() == 0); }

void* AccountedResource::do_allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t in_use_after = budget_->Take(bytes);
  void* memory = nullptr;
  try {
    memory = upstream_->allocate(bytes, alignment);
  } catch (...) {
    budget_->GiveBack(bytes);
    throw;
  }
  in_use_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  budget_->RecordPeak(in_use_after);
  return memory;
}

void AccountedResource::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  upstream_->deallocate(memory, bytes, alignment);
  const std::size_t before = in_use_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  ASHLAR_CHECK(before >= bytes);
  budget_->GiveBack(bytes);
}

}  // namespace ashlar::inline v0
