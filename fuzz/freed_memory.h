// FreedMemory: memory that nobody may touch once it was given back, however often more is asked
// for.
//
// AddressSanitizer keeps freed memory in a quarantine of at least a megabyte, through which every
// allocation of a fuzzer walks: it is more than the second-level cache, and took a quarter of all
// inputs a second. What the world gives back is kept here instead, poisoned, until the input has
// ended; so a world never gets the same bytes twice, a pointer that dangles is always found, and
// the next input begins with memory that is still in the caches.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <vector>

namespace ashlar::fuzz {

// One thread's. Everything must have been given back when it ends.
class FreedMemory : public std::pmr::memory_resource {
 public:
  // Above so many bytes kept, all are freed before the input has ended.
  static constexpr std::size_t kKeptBytesMax = std::size_t{1} << 20;

  FreedMemory() = default;
  FreedMemory(const FreedMemory&) = delete;
  FreedMemory& operator=(const FreedMemory&) = delete;
  ~FreedMemory() override { FreeKept(); }

  // Frees what is kept. Cost: O(blocks).
  void FreeKept();

  std::size_t kept_bytes() const { return kept_bytes_; }

 private:
  struct Block {
    void* at;
    std::size_t size_bytes;
    std::size_t alignment_bytes;
  };

  void* do_allocate(std::size_t size_bytes, std::size_t alignment_bytes) override;
  void do_deallocate(void* at, std::size_t size_bytes, std::size_t alignment_bytes) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::pmr::memory_resource* upstream_ = std::pmr::new_delete_resource();
  std::vector<Block> kept_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace ashlar::fuzz
