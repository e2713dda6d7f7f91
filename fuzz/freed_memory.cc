#include "fuzz/freed_memory.h"

#include "ashlar/core/poison.h"

namespace ashlar::fuzz {

void FreedMemory::FreeKept() {
  for (const Block& block : kept_) {
    RedzoneLift(static_cast<std::byte*>(block.at), block.size_bytes);
    upstream_->deallocate(block.at, block.size_bytes, block.alignment_bytes);
  }
  kept_.clear();
  kept_bytes_ = 0;
}

void* FreedMemory::do_allocate(std::size_t size_bytes, std::size_t alignment_bytes) {
  return upstream_->allocate(size_bytes, alignment_bytes);
}

void FreedMemory::do_deallocate(void* at, std::size_t size_bytes, std::size_t alignment_bytes) {
  if (kept_bytes_ + size_bytes > kKeptBytesMax) FreeKept();
  RegionPoison(static_cast<std::byte*>(at), size_bytes);
  kept_.push_back({at, size_bytes, alignment_bytes});
  kept_bytes_ += size_bytes;
}

}  // namespace ashlar::fuzz
