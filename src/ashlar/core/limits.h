// Hard bounds of the kernel. Every size that a caller chooses is checked against one of these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ashlar::inline v0 {

// A cache line, and the alignment of every chunk and every column.
inline constexpr std::size_t kCacheLineBytes = 64;

// Reserved at the start of each chunk. It is cold: no count and no offset is kept in it.
inline constexpr std::size_t kChunkHeaderBytes = 64;

// The chunk size is a power of two in this range, chosen for a whole world.
inline constexpr std::size_t kChunkSizeBytesMin = 4096;
inline constexpr std::size_t kChunkSizeBytesMax = 65536;

// The gap behind each chunk in its slab. It is a redzone, and it makes the stride of chunks no
// power of two, so that the first columns of many small archetypes do not share a cache set.
inline constexpr std::size_t kChunkGapBytes = 64;

// Component types of one world; a signature is a bit set of this many bits.
inline constexpr std::size_t kComponentCountMax = 512;

// A component's alignment is a power of two up to a cache line.
inline constexpr std::size_t kComponentAlignmentMax = kCacheLineBytes;

// A component's size; also bounds every array in a field type.
inline constexpr std::size_t kComponentSizeBytesMax = kChunkSizeBytesMax;

// Fields of one component.
inline constexpr std::size_t kFieldCountMax = 256;

// Length of the name of a component or a field, in bytes.
inline constexpr std::size_t kNameLengthMax = 64;

// Queries of one world.
inline constexpr std::size_t kQueryCountMax = 65536;

// What test hooks may place: indices retired at once, and the highest version, from which counting
// on takes centuries.
inline constexpr std::uint64_t kPlacedIndicesMax = 65536;
inline constexpr std::uint64_t kPlacedVersionMax = std::uint64_t{1} << 63;

// Iteration scopes open at the same time in one world.
inline constexpr std::uint32_t kScopeDepthMax = 1u << 20;

}  // namespace ashlar::inline v0
