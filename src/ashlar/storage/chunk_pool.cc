#include "ashlar/storage/chunk_pool.h"

#include <algorithm>
#include <functional>

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
  for (const Slab& slab : slabs_) GiveBack(slab);
}

void ChunkPool::GiveBack(const Slab& slab) noexcept {
  const std::size_t bytes = slab.chunk_count * stride_bytes();
  RedzoneLift(slab.base, bytes);
  memory_->deallocate(slab.base, bytes, kCacheLineBytes);
}

std::size_t ChunkPool::SlabsUpTo(const std::byte* address) const {
  const auto behind = std::ranges::upper_bound(slabs_, address, std::less<>(), &Slab::base);
  return static_cast<std::size_t>(behind - slabs_.begin());
}

std::size_t ChunkPool::SlabOf(const std::byte* address) const {
  // Slabs do not overlap: the only candidate is the last one that does not begin behind it.
  const std::size_t count = SlabsUpTo(address);
  if (count == 0) return slabs_.size();
  const Slab& slab = slabs_[count - 1];
  const auto offset = static_cast<std::size_t>(address - slab.base);
  return offset < slab.chunk_count * stride_bytes() ? count - 1 : slabs_.size();
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
  // There is room: the insertion throws nothing.
  slabs_.insert(slabs_.begin() + static_cast<std::ptrdiff_t>(SlabsUpTo(base)), {base, count});
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

std::size_t ChunkPool::Trim() noexcept {
  for (Slab& slab : slabs_) slab.free_count = 0;
  for (const std::byte* chunk : free_) ++slabs_[SlabOf(chunk)].free_count;
  const auto is_unused = [](const Slab& slab) { return slab.free_count == slab.chunk_count; };
  std::erase_if(free_, [&](const std::byte* chunk) { return is_unused(slabs_[SlabOf(chunk)]); });

  const std::size_t bytes_before = bytes_held_ + list_bytes();
  for (const Slab& slab : slabs_) {
    if (!is_unused(slab)) continue;
    GiveBack(slab);
    allocated_count_ -= slab.chunk_count;
    bytes_held_ -= slab.chunk_count * stride_bytes();
    ASHLAR_EVER(true, "pool: slab given back by Trim");
  }
  std::erase_if(slabs_, is_unused);
  if (slabs_.empty()) {
    // The lists shrink without allocating only where nothing is in them.
    decltype(slabs_)(memory_).swap(slabs_);
    decltype(free_)(memory_).swap(free_);
  }
  return bytes_before - bytes_held_ - list_bytes();
}

ChunkPool::Recount ChunkPool::CountSlabs() const {
  Recount recount;
  for (const Slab& slab : slabs_) {
    ++recount.slabs;
    recount.chunks += slab.chunk_count;
    recount.bytes += slab.chunk_count * stride_bytes();
  }
  return recount;
}

ChunkPool::Recount ChunkPool::CountUnusedSlabs() const {
  std::vector<std::size_t> free_counts(slabs_.size());
  for (const std::byte* chunk : free_) ++free_counts[SlabOf(chunk)];
  Recount unused;
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    if (free_counts[i] != slabs_[i].chunk_count) continue;
    ++unused.slabs;
    unused.chunks += slabs_[i].chunk_count;
    unused.bytes += slabs_[i].chunk_count * stride_bytes();
  }
  return unused;
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
  const std::size_t slab = SlabOf(chunk);
  if (slab == slabs_.size()) return false;
  return static_cast<std::size_t>(chunk - slabs_[slab].base) % stride_bytes() == 0;
}

}  // namespace ashlar::inline v0
