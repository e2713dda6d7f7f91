// FreedMemory: memory in which what was given back is not used again until the input has ended, or
// a megabyte more was given back.
//
// AddressSanitizer keeps freed memory in a quarantine of at least a megabyte, through which every
// allocation of a fuzzer walks: it is more than the second-level cache, and took a quarter of all
// inputs a second. What a world gives back is kept here instead, poisoned, until its input has
// ended, so that a pointer that dangles is found; and the next input gets the blocks of the last,
// which are still in the caches.
#pragma once

#include <cstddef>
#include <deque>
#include <memory_resource>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace ashlar::fuzz {

// Every block is one of the heap's, of just that size and alignment, so that AddressSanitizer sees
// what is read beyond its end. Aborts where a block is given back twice, with another alignment, or
// when nothing so large is in use. One thread's. Everything must have been given back when it ends.
class FreedMemory : public std::pmr::memory_resource {
 public:
  // Of what is kept for this input only so many bytes stay, or one block, and the oldest go back to
  // the heap; of what is kept for the next one, none stay above so many.
  static constexpr std::size_t kKeptBytesMax = std::size_t{1} << 20;
  static constexpr std::size_t kReadyBytesMax = std::size_t{4} << 20;

  FreedMemory() = default;
  FreedMemory(const FreedMemory&) = delete;
  FreedMemory& operator=(const FreedMemory&) = delete;
  ~FreedMemory() override;

  // From now on what was given back may be used again. Cost: O(blocks).
  void EndInput();

  std::size_t in_use_bytes() const { return in_use_bytes_; }
  std::size_t kept_bytes() const { return kept_bytes_; }
  std::size_t ready_bytes() const { return ready_bytes_; }

 private:
  using Form = std::pair<std::size_t, std::size_t>;  // Size and alignment in bytes.
  struct Block {
    std::byte* at;
    Form form;
  };

  void* do_allocate(std::size_t size_bytes, std::size_t alignment_bytes) override;
  void do_deallocate(void* at, std::size_t size_bytes, std::size_t alignment_bytes) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
  void Free(std::byte* at, const Form& form);
  void FreeOldestKept();
  void FreeReady();

  std::pmr::memory_resource* upstream_ = std::pmr::new_delete_resource();
  std::deque<Block> kept_;  // The oldest first. All of them are poisoned.
  absl::flat_hash_map<Form, std::vector<std::byte*>> ready_;  // And these.
  std::size_t in_use_bytes_ = 0;
  std::size_t kept_bytes_ = 0;
  std::size_t ready_bytes_ = 0;
};

}  // namespace ashlar::fuzz
