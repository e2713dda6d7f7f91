// What a world is made with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace ashlar::inline v0 {

struct WorldOptions {
  // Everything that the world holds comes from here, but for the World object itself (plain new,
  // some hundred bytes, not counted); it must outlive the world. Null: the default resource at the
  // time of World::Make. SlabMemory (core/slab_memory.h) maps large slabs and asks for huge pages.
  // A call that may run beside others may allocate from it for its own length, so it must allow
  // that where such calls are made: Set, SetField and SetScalar, of a component with rules or a
  // validator that is larger than 512 bytes.
  std::pmr::memory_resource* memory = nullptr;

  // Bytes that the world may hold at most; 0 for no limit. A call that would need more is refused
  // with kMemoryLimit before anything is allocated beyond it, and leaves at most spare capacity
  // behind (World::memory_usage). Chunks are taken in slabs, of four at first and up to 2 MiB in a
  // large world, so a call may be refused while less than a slab is left. Destroy and Trim need no
  // memory and are never refused for the limit.
  std::size_t memory_limit_bytes = 0;

  // Bytes of a chunk, header included: a power of two, 4096 to 65536. Small ones suit many small
  // archetypes. Large ones are walked faster, since every jump from chunk to chunk breaks a stream
  // of memory: README, "When not to use it", has figures.
  std::size_t chunk_size_bytes = 4096;

  // For tests: at most so many rows in a chunk; 0 for as many as fit.
  std::uint32_t rows_per_chunk_max = 0;

  // Indices that may ever be issued: 1 to 2^32-1. When they are used up, Create answers
  // kIdsExhausted until something is destroyed.
  std::uint64_t entity_index_limit = 0xFFFFFFFFu;
};

}  // namespace ashlar::inline v0
