#include "ashlar/world/value_arena.h"

#include <algorithm>

#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

ValueArena::~ValueArena() { Release(); }

std::byte* ValueArena::Allocate(std::size_t size_bytes, std::size_t alignment_bytes) {
  std::size_t begin = (used_bytes_ + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
  std::size_t block = current_;
  while (block < blocks_.size() && begin + size_bytes > blocks_[block].size_bytes) {
    ++block;
    begin = 0;
  }
  if (block == blocks_.size()) {
    ReserveOneMore(blocks_);
    const std::size_t block_size_bytes = std::max(kBlockSizeBytes, size_bytes);
    blocks_.push_back({static_cast<std::byte*>(blocks_.get_allocator().resource()->allocate(
                           block_size_bytes, kCacheLineBytes)),
                       block_size_bytes});
    begin = 0;
  }
  current_ = block;
  used_bytes_ = begin + size_bytes;
  return blocks_[block].bytes + begin;
}

void ValueArena::Release() noexcept {
  for (const Block& block : blocks_) {
    blocks_.get_allocator().resource()->deallocate(block.bytes, block.size_bytes, kCacheLineBytes);
  }
  decltype(blocks_)(blocks_.get_allocator()).swap(blocks_);
  Rewind({});
}

}  // namespace ashlar::inline v0
