// ValueArena: places for values of any size, which never move.
//
//   blocks_ -> | value | value | ....... |  | value .......... |  |  (kept from before)  |
//                                              current_, used_bytes_
//
// Places are given out one behind the other and all taken back at once; the blocks stay for what
// comes. A value larger than a block has one of its own; where it meets a block that is free and
// too small, it takes that one's place, so that blocks do not pile up.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <vector>

#include "ashlar/core/limits.h"

namespace ashlar::inline v0 {

class ValueArena {
 public:
  static constexpr std::size_t kBlockSizeBytes = 16384;

  explicit ValueArena(std::pmr::memory_resource* memory) : blocks_(memory) {}
  ~ValueArena();
  ValueArena(const ValueArena&) = delete;
  ValueArena& operator=(const ValueArena&) = delete;

  // A place of so many bytes; its alignment is a power of two, at most kCacheLineBytes. Throws
  // std::bad_alloc; then nothing has changed.
  std::byte* Allocate(std::size_t size_bytes, std::size_t alignment_bytes);

  // How much is given out, and back to that: every place given out since then may be given again.
  struct Mark {
    std::size_t block = 0;
    std::size_t used_bytes = 0;
  };
  Mark mark() const { return {current_, used_bytes_}; }
  void Rewind(const Mark& mark) noexcept {
    current_ = mark.block;
    used_bytes_ = mark.used_bytes;
  }

  // Gives the memory back. What was given out is gone.
  void Release() noexcept;

 private:
  struct Block {
    std::byte* bytes;
    std::size_t size_bytes;
  };

  // Makes sure that the block of that number, which is free or the next one, is so large.
  void ProvideBlock(std::size_t number, std::size_t size_bytes);

  std::pmr::vector<Block> blocks_;
  std::size_t current_ = 0;     // The block that places come from; blocks before it are full.
  std::size_t used_bytes_ = 0;  // Of that one.
};

// An arena as the memory of containers: nothing is given back before the arena is.
class ArenaResource final : public std::pmr::memory_resource {
 public:
  // REQUIRES: `arena` outlives this.
  explicit ArenaResource(ValueArena* arena) : arena_(arena) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return arena_->Allocate(bytes, alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  ValueArena* arena_;
};

}  // namespace ashlar::inline v0
