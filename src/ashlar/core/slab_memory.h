// SlabMemory: a memory resource that maps large blocks from the operating system.
//
//   below kMappedBytesMin (1 MiB)   operator new and delete
//   from there on                   a mapping of its own, whole pages, at a multiple of 2 MiB, with
//                                   a request for huge pages (madvise MADV_HUGEPAGE on Linux)
//
// A large world's chunks come in slabs of just under 2 MiB: each is one huge page, so that walking
// it costs one entry of the TLB instead of 512, and World::Trim gives its pages back to the system
// at once. Whether huge pages are given is the system's choice (transparent_hugepage/enabled:
// always or madvise); nothing but speed depends on it. On systems other than Linux every block
// comes from operator new.
//
//   SlabMemory slabs;
//   auto world = World::Make({.memory = &slabs});     `slabs` must outlive the world
#pragma once

#include <atomic>
#include <cstddef>
#include <memory_resource>

namespace ashlar::inline v0 {

// Throws std::bad_alloc as memory resources do. Threads: every call may run beside every other.
// Equal only to itself.
class SlabMemory final : public std::pmr::memory_resource {
 public:
  // Blocks of at least so many bytes are mapped.
  static constexpr std::size_t kMappedBytesMin = std::size_t{1} << 20;

  // Where mappings begin: a multiple of the huge page of x86-64, and of AArch64 with 4 KiB pages.
  static constexpr std::size_t kMappedAlignment = std::size_t{2} << 20;

  SlabMemory() = default;

  // REQUIRES: every mapped block was given back.
  ~SlabMemory() override;
  SlabMemory(const SlabMemory&) = delete;
  SlabMemory& operator=(const SlabMemory&) = delete;

  // Bytes of the mappings that exist now, whole pages. 0 where nothing is ever mapped.
  std::size_t mapped_bytes() const { return mapped_bytes_.load(std::memory_order_relaxed); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::atomic<std::size_t> mapped_bytes_{0};
};

}  // namespace ashlar::inline v0
