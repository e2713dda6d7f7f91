#include "ashlar/world/value_arena.h"

#include <algorithm>

#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

ValueArena::~ValueArena() { Release(); }

std::byte* ValueArena::Allocate(std::size_t size_bytes, std::size_t alignment_bytes) {
  std::size_t begin = (used_bytes_ + alignment_bytes - 1) / alignment_bytes * alignment_bytes;
  std::size_t block = current_;
  if (block == blocks_.size() || begin + size_bytes > blocks_[block].size_bytes) {
    if (block < blocks_.size() && used_bytes_ != 0) ++block;
    ProvideBlock(block, size_bytes);
    begin = 0;
  }
  current_ = block;
  used_bytes_ = begin + size_bytes;
  return blocks_[block].bytes + begin;
}

void ValueArena::ProvideBlock(std::size_t number, std::size_t size_bytes) {
  if (number < blocks_.size() && blocks_[number].size_bytes >= size_bytes) return;
  std::pmr::memory_resource* memory = blocks_.get_allocator().resource();
  const std::size_t block_size_bytes = std::max(kBlockSizeBytes, size_bytes + size_bytes / 4);
  if (number == blocks_.size()) ReserveOneMore(blocks_);
  auto* const bytes = static_cast<std::byte*>(memory->allocate(block_size_bytes, kCacheLineBytes));
  if (number == blocks_.size()) {
    blocks_.push_back({bytes, block_size_bytes});
    return;
  }
  memory->deallocate(blocks_[number].bytes, blocks_[number].size_bytes, kCacheLineBytes);
  blocks_[number] = {bytes, block_size_bytes};
}

void ValueArena::Release() noexcept {
  for (const Block& block : blocks_) {
    blocks_.get_allocator().resource()->deallocate(block.bytes, block.size_bytes, kCacheLineBytes);
  }
  decltype(blocks_)(blocks_.get_allocator()).swap(blocks_);
  Rewind({});
}

}  // namespace ashlar::inline v0
