#include "fuzz/freed_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "ashlar/core/check.h"
#include "ashlar/core/poison.h"

namespace ashlar::fuzz {
namespace {

// As AddressSanitizer fills what it allocates: what nobody has written is no zero.
constexpr int kFill = 0xBE;
constexpr std::size_t kFilledMax = 4096;

}  // namespace

FreedMemory::~FreedMemory() {
  while (!kept_.empty()) FreeOldestKept();
  FreeReady();
}

void FreedMemory::EndInput() {
  if (ready_bytes_ + kept_bytes_ > kReadyBytesMax) FreeReady();
  for (const Block& block : kept_) ready_[block.form].push_back(block.at);
  ready_bytes_ += kept_bytes_;
  kept_.clear();
  kept_bytes_ = 0;
}

void* FreedMemory::do_allocate(std::size_t size_bytes, std::size_t alignment_bytes) {
  void* at = nullptr;
  const auto found = ready_.find(Form(size_bytes, alignment_bytes));
  if (found == ready_.end() || found->second.empty()) {
    at = upstream_->allocate(size_bytes, alignment_bytes);
  } else {
    RedzoneLift(found->second.back(), size_bytes);
    at = std::memset(found->second.back(), kFill, std::min(size_bytes, kFilledMax));
    found->second.pop_back();
    ready_bytes_ -= size_bytes;
  }
  in_use_bytes_ += size_bytes;
  return at;
}

void FreedMemory::do_deallocate(void* at, std::size_t size_bytes, std::size_t alignment_bytes) {
  auto* const bytes = static_cast<std::byte*>(at);
  const bool is_kept = ASHLAR_ASAN != 0 && size_bytes != 0 && RegionPoisoned(bytes, size_bytes);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(at) % alignment_bytes == 0;
  ASHLAR_CHECK(!is_kept && is_aligned && size_bytes <= in_use_bytes_);
  while (!kept_.empty() && kept_bytes_ + size_bytes > kKeptBytesMax) FreeOldestKept();
  in_use_bytes_ -= size_bytes;
  RegionPoison(bytes, size_bytes);
  kept_.push_back({bytes, Form(size_bytes, alignment_bytes)});
  kept_bytes_ += size_bytes;
}

void FreedMemory::Free(std::byte* at, const Form& form) {
  RedzoneLift(at, form.first);
  upstream_->deallocate(at, form.first, form.second);
}

void FreedMemory::FreeOldestKept() {
  const Block& block = kept_.front();
  kept_bytes_ -= block.form.first;
  Free(block.at, block.form);
  kept_.pop_front();
}

void FreedMemory::FreeReady() {
  for (auto& [form, blocks] : ready_) {
    for (std::byte* at : blocks) Free(at, form);
  }
  ready_.clear();
  ready_bytes_ = 0;
}

}  // namespace ashlar::fuzz
