// ChunkVersions: when the chunks of one archetype were last changed, in versions of the world.
//
//   all:     |   -   |    -    | column 0 | column 1 | ... |   8 bytes each, beside the chunks
//   chunk 0: | order | arrival | column 0 | column 1 | ... |
//   chunk 1: | ...
//
//   order    a row came, left or changed its place
//   arrival  a row came, or filled a hole: every column of the chunk was written
//   column   somebody got write access to that column; in the line of all, in every chunk that was
//            there then: a loop over an archetype writes one word and not one in each chunk
//
// A chunk that comes later has an arrival that is no lower than what the line of all says.
//
//   I10  no version is above the world's; every write access bumps its column, and no read does.
//
// Threads: writes to different columns or different chunks may run at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ashlar/core/ids.h"
#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

class ChunkVersions {
 public:
  ChunkVersions(std::size_t column_count, std::pmr::memory_resource* memory)
      : stride_(kColumns + column_count), versions_(memory) {}

  std::size_t chunk_count() const { return versions_.empty() ? 0 : versions_.size() / stride_ - 1; }

  // Room for more chunks. Throws std::bad_alloc; then nothing has changed.
  void ReserveChunks(std::size_t count) {
    ReserveMore(versions_, stride_ * (versions_.empty() ? count + 1 : count));
  }

  // REQUIRES for Push: there is room.
  void PushChunk() noexcept {
    versions_.resize(versions_.empty() ? 2 * stride_ : versions_.size() + stride_);
  }
  void PopChunk() noexcept { versions_.resize(versions_.size() - stride_); }

  void Clear() noexcept { versions_.clear(); }

  // Gives the memory back where there is no chunk.
  void Trim() noexcept {
    if (chunk_count() == 0) decltype(versions_)(versions_.get_allocator()).swap(versions_);
  }

  void RowArrived(ChunkIndex chunk, std::uint64_t version) noexcept {
    At(chunk, kOrder) = version;
    At(chunk, kArrival) = version;
  }
  void RowLeft(ChunkIndex chunk, std::uint64_t version) noexcept { At(chunk, kOrder) = version; }
  void ColumnWritten(ChunkIndex chunk, std::size_t column, std::uint64_t version) noexcept {
    At(chunk, kColumns + column) = version;
  }

  // The same for all chunks at once. REQUIRES: there is one.
  void ColumnWrittenInAll(std::size_t column, std::uint64_t version) noexcept {
    versions_[kColumns + column] = version;
  }

  // When rows of the chunk last came, left or changed places.
  std::uint64_t order(ChunkIndex chunk) const { return At(chunk, kOrder); }

  // When a row last came to the chunk.
  std::uint64_t arrival(ChunkIndex chunk) const { return At(chunk, kArrival); }

  // When anybody last got write access to the column, or a row came.
  std::uint64_t written(ChunkIndex chunk, std::size_t column) const {
    return std::max(
        {At(chunk, kColumns + column), At(chunk, kArrival), versions_[kColumns + column]});
  }

 private:
  friend struct StorageTestPeer;

  enum Place : std::size_t { kOrder = 0, kArrival = 1, kColumns = 2 };

  std::uint64_t& At(ChunkIndex chunk, std::size_t place) {
    return versions_[(chunk.value() + 1) * stride_ + place];
  }
  std::uint64_t At(ChunkIndex chunk, std::size_t place) const {
    return versions_[(chunk.value() + 1) * stride_ + place];
  }

  std::size_t stride_;
  std::pmr::vector<std::uint64_t> versions_;
};

}  // namespace ashlar::inline v0
