#include "ashlar/core/slab_memory.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>

#include "ashlar/core/check.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace ashlar::inline v0 {

SlabMemory::~SlabMemory() { ASHLAR_CHECK(mapped_bytes() == 0); }

#if defined(__linux__)

namespace {

std::size_t PageBytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// REQUIRES: `alignment` is a power of two, bytes + alignment does not wrap.
std::size_t RoundUp(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) & ~(alignment - 1);
}

// Maps `bytes` (whole pages) at a multiple of `alignment`: more is mapped, and what lies before and
// behind is given back. That giving back may fail where the process has too many mappings; then
// addresses are lost, which nobody touched, and no memory.
void* MapAligned(std::size_t bytes, std::size_t alignment) {
  const std::size_t span = bytes + alignment;
  void* mapped = mmap(nullptr, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  // SAFETY: all addresses lie in the mapping just made, which nobody else knows yet.
  auto* begin = static_cast<std::byte*>(mapped);
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::size_t before = RoundUp(address, alignment) - address;
  if (before != 0) munmap(begin, before);
  munmap(begin + before + bytes, span - before - bytes);
  return begin + before;
}

}  // namespace

void* SlabMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kMappedBytesMin) {
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  const std::size_t at = std::max(alignment, kMappedAlignment);
  if (bytes > std::numeric_limits<std::size_t>::max() - at - PageBytes()) throw std::bad_alloc();
  const std::size_t pages_bytes = RoundUp(bytes, PageBytes());
  void* memory = MapAligned(pages_bytes, at);
  madvise(memory, pages_bytes, MADV_HUGEPAGE);  // A wish: a system without them says no.
  mapped_bytes_.fetch_add(pages_bytes, std::memory_order_relaxed);
  return memory;
}

void SlabMemory::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  if (bytes < kMappedBytesMin) {
    std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    return;
  }
  const std::size_t pages_bytes = RoundUp(bytes, PageBytes());
  // Taking a mapping out of the middle of a merged one needs a further one, and the system may be
  // out of them. The pages go back even then; the addresses stay taken.
  if (munmap(memory, pages_bytes) != 0) madvise(memory, pages_bytes, MADV_DONTNEED);
  mapped_bytes_.fetch_sub(pages_bytes, std::memory_order_relaxed);
}

#else

void* SlabMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  return std::pmr::new_delete_resource()->allocate(bytes, alignment);
}

void SlabMemory::do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) {
  std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
}

#endif

}  // namespace ashlar::inline v0
