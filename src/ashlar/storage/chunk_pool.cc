#include "ashlar/storage/chunk_pool.h"

#include <algorithm>

#include "ashlar/core/check.h"
#include "ashlar/core/poison.h"
#include "ashlar/core/probe.h"
#include "ashlar/storage/chunk_layout.h"
#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {
namespace {

// A small world pays for four chunks; a large one asks for about 2 MiB at a time.
constexpr std::size_t kSlabChunksMin = 4;
constexpr std::size_t kSlabBytesMax = std::size_t{2} << 20;

}  // namespace

ChunkPool::ChunkPool(std::pmr::memory_resource* memory, std::size_t chunk_size_bytes)
    : memory_(memory), chunk_size_bytes_(chunk_size_bytes), slabs_(memory), free_(memory) {
  ASHLAR_CHECK(IsChunkSize(chunk_size_bytes));
}

ChunkPool::~ChunkPool() {
  ASHLAR_CHECK(free_.size() == allocated_count_);
  for (const Slab& slab : slabs_) {
    const std::size_t bytes = slab.chunk_count * stride_bytes();
    RedzoneLift(slab.base, bytes);
    memory_->deallocate(slab.base, bytes, kCacheLineBytes);
  }
}

std::size_t ChunkPool::NextSlabChunks() const {
  const std::size_t most = std::max(kSlabChunksMin, kSlabBytesMax / stride_bytes());
  return std::clamp(allocated_count_, kSlabChunksMin, most);
}

void ChunkPool::AddSlab() {
  const std::size_t count = NextSlabChunks();
  ReserveOneMore(slabs_);
  free_.reserve(std::max(allocated_count_ + count, free_.capacity()));
  auto* base = static_cast<std::byte*>(memory_->allocate(count * stride_bytes(), kCacheLineBytes));
  slabs_.push_back({base, count});
  allocated_count_ += count;
  bytes_held_ += count * stride_bytes();
  for (std::size_t i = count; i-- > 0;) {
    std::byte* chunk = base + i * stride_bytes();
    RegionPoison(chunk, chunk_size_bytes_);
    RedzoneArm(chunk + chunk_size_bytes_, kChunkGapBytes);
    free_.push_back(chunk);
  }
}

std::byte* ChunkPool::Acquire() {
  if (free_.empty()) AddSlab();
  ASHLAR_EVER(slabs_.size() > 1, "pool: more than one slab");
  std::byte* chunk = free_.back();
  free_.pop_back();
  ++handed_out_count_;
  RedzoneLift(chunk, chunk_size_bytes_);
  return chunk;
}

void ChunkPool::Release(std::byte* chunk) noexcept {
  ASHLAR_CHECK(free_.size() < allocated_count_);
  RegionPoison(chunk, chunk_size_bytes_);
  --handed_out_count_;
  free_.push_back(chunk);
}

ChunkPool::Recount ChunkPool::CountSlabs() const {
  Recount recount;
  for (const Slab& slab : slabs_) {
    recount.chunks += slab.chunk_count;
    recount.bytes += slab.chunk_count * stride_bytes();
  }
  return recount;
}

bool ChunkPool::GapsIntact() const {
  for (const Slab& slab : slabs_) {
    for (std::size_t i = 0; i < slab.chunk_count; ++i) {
      const std::byte* gap = slab.base + i * stride_bytes() + chunk_size_bytes_;
      if (!RedzoneIntact(gap, kChunkGapBytes)) return false;
    }
  }
  return true;
}

bool ChunkPool::Owns(const std::byte* chunk) const {
  return std::any_of(slabs_.begin(), slabs_.end(), [&](const Slab& slab) {
    const auto offset = static_cast<std::size_t>(chunk - slab.base);
    return chunk >= slab.base && offset < slab.chunk_count * stride_bytes() &&
           offset % stride_bytes() == 0;
  });
}

}  // namespace ashlar::inline v0
