// What a world is made with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace ashlar::inline v0 {

struct WorldOptions {
  // Everything that the world holds comes from here; it must outlive the world. Null: the default
  // resource at the time of World::Make.
  std::pmr::memory_resource* memory = nullptr;

  // Bytes of a chunk, header included: a power of two, 4096 to 65536.
  std::size_t chunk_size_bytes = 4096;

  // For tests: at most so many rows in a chunk; 0 for as many as fit.
  std::uint32_t rows_per_chunk_max = 0;

  // Indices that may ever be issued: 1 to 2^32-1. When they are used up, Create answers
  // kIdsExhausted until something is destroyed.
  std::uint64_t entity_index_limit = 0xFFFFFFFFu;
};

}  // namespace ashlar::inline v0
