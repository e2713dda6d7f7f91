// ChunkPool: chunks of one size, cut from slabs.
//
//   slab (from the memory resource, 64-aligned)
//   | chunk 4096 | gap 64 | chunk 4096 | gap 64 | ...
//
// The gap is a redzone, armed as long as the slab lives. It also makes the stride 4160 bytes: the
// first columns of a thousand one-chunk archetypes would else share one cache set. Slabs are given
// back by Trim and with the pool.
//
//   slabs_  in rising order of address, so that the slab of a chunk is found by bisection
//   free_   the free chunks, a stack; room for all chunks, so that Release never allocates
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

#include "ashlar/core/limits.h"

namespace ashlar::inline v0 {

class ChunkPool {
 public:
  // REQUIRES: IsChunkSize(chunk_size_bytes). `memory` must outlive the pool.
  ChunkPool(std::pmr::memory_resource* memory, std::size_t chunk_size_bytes);

  // REQUIRES: every chunk has been released.
  ~ChunkPool();
  ChunkPool(const ChunkPool&) = delete;
  ChunkPool& operator=(const ChunkPool&) = delete;

  // A chunk: chunk_size_bytes, 64-aligned, contents undefined. The one released last comes first.
  // Throws std::bad_alloc; then nothing has changed.
  std::byte* Acquire();

  // Takes a chunk back. Never allocates: every chunk has had its place in the free list since its
  // slab was made.
  void Release(std::byte* chunk) noexcept;

  // Gives every slab back whose chunks are all free, and returns its bytes and those of the lists
  // where no slab is left. The other free chunks keep their order. Allocates nothing. Cost:
  // O((free chunks + slabs) * log(slabs)).
  std::size_t Trim() noexcept;

  std::size_t chunk_size_bytes() const { return chunk_size_bytes_; }

  // Bytes from one chunk to the next: the chunk and the gap behind it.
  std::size_t stride_bytes() const { return chunk_size_bytes_ + kChunkGapBytes; }

  std::size_t slab_count() const { return slabs_.size(); }
  std::size_t allocated_count() const { return allocated_count_; }
  std::size_t free_count() const { return free_.size(); }
  std::size_t handed_out_count() const { return handed_out_count_; }

  // Bytes of all slabs.
  std::size_t bytes_held() const { return bytes_held_; }

  // Bytes of the pool's own lists of slabs and of free chunks.
  std::size_t list_bytes() const {
    return slabs_.capacity() * sizeof(Slab) + free_.capacity() * sizeof(std::byte*);
  }

  // The sum over the slabs, counted anew. For the integrity check.
  struct Recount {
    std::size_t slabs = 0;
    std::size_t chunks = 0;
    std::size_t bytes = 0;
  };
  Recount CountSlabs() const;

  // The slabs all of whose chunks are free: what Trim would give back. Uses the global heap; throws
  // std::bad_alloc. Cost: O(free chunks * log(slabs)).
  Recount CountUnusedSlabs() const;

  // Whether the gap behind every chunk is intact. For the integrity check.
  bool GapsIntact() const;

  // Whether `chunk` is one of the pool's. O(log(slabs)).
  bool Owns(const std::byte* chunk) const;

  // The free chunks; the last is handed out next.
  std::span<std::byte* const> free_chunks() const { return free_; }

 private:
  friend struct StorageTestPeer;
  struct Slab {
    std::byte* base;
    std::size_t chunk_count;
    std::size_t free_count = 0;  // Counted by Trim, and only meant inside it.
  };

  std::size_t NextSlabChunks() const;
  void AddSlab();
  void GiveBack(const Slab& slab) noexcept;

  // How many slabs begin at this address or before it.
  std::size_t SlabsUpTo(const std::byte* address) const;

  // The index of the slab that holds this address; slabs_.size() where none does.
  std::size_t SlabOf(const std::byte* address) const;

  std::pmr::memory_resource* memory_;
  std::size_t chunk_size_bytes_;
  std::size_t allocated_count_ = 0;
  std::size_t handed_out_count_ = 0;
  std::size_t bytes_held_ = 0;
  std::pmr::vector<Slab> slabs_;
  std::pmr::vector<std::byte*> free_;  // Capacity >= allocated_count_, always.
};

}  // namespace ashlar::inline v0
