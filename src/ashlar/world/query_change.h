// QueryChange: one change of bytes for every row that a query matches, run by run instead of row by
// row. What it does is what BatchPlan and BatchCommit would do; that is tested path against path.
//
//   source {P,V}    | run | - | run |      -->  target {P,V,H}  | ... | block of rows |
//   source {P,V,D}  | all of it |          -->  target {P,V,D,H}
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/core/ids.h"
#include "ashlar/query/row_filter.h"
#include "ashlar/storage/archetype.h"
#include "ashlar/storage/archetype_table.h"
#include "ashlar/world/batch_value.h"
#include "ashlar/world/batch_world.h"

namespace ashlar::inline v0 {

class QueryChange {
 public:
  // Keeps all of it. `values` are bytes (none an object), and of components that are not removed.
  QueryChange(const BatchWorld& world, QueryId query, std::span<const BatchValue> removed,
              std::span<const BatchValue> values, std::pmr::memory_resource* memory);

  // Gives back what was not committed.
  ~QueryChange();
  QueryChange(const QueryChange&) = delete;
  QueryChange& operator=(const QueryChange&) = delete;

  // Finds the rows and makes room for them. False where this is not the way: a row would be
  // refused, or holds objects. `adds`: values of components that must be absent; `sets`: that must
  // be present; neither: whichever. Throws std::bad_alloc; then, and after false, nothing has
  // changed.
  enum class Wanted : std::uint8_t { kAbsent, kPresent, kEither };
  bool Prepare(Wanted wanted);

  std::size_t row_count() const { return row_count_; }  // Rows that match.

  // Whether a row moves, or bytes are written. REQUIRES, here and below: Prepare said true.
  bool has_changes() const;

  void Commit(std::uint64_t version) noexcept;

 private:
  struct Destination {
    Destination(Archetype* target, std::pmr::memory_resource* memory)
        : archetype(target), block(memory), runs(memory) {}

    Archetype* archetype;
    std::size_t count = 0;
    std::size_t source_count = 0;
    bool adopts = false;  // The chunks of its one source, as they are.
    bool is_reserved = false;
    Archetype::Block block;
    std::pmr::vector<Archetype::Run> runs;  // Of the block.
  };

  // Rows of one archetype.
  struct Source {
    Archetype* archetype;
    const MovePlan* plan;     // Null: they stay.
    std::size_t destination;  // In destinations_, where they do not.
    bool is_whole;            // All of its rows.
  };

  bool FindSources(Wanted wanted);
  void ReserveRows();
  bool TargetOf(const Archetype& source, Wanted wanted, Signature* target) const;

  void CommitDestination(std::size_t number, std::uint64_t version) noexcept;
  void CopyEnableBits(std::size_t number, Location to) noexcept;
  void CopyRows(const Source& source, const Archetype::Run& to, std::uint32_t done,
                ChunkIndex chunk, const RowRun& from) noexcept;
  void WriteValues(const Archetype& archetype, std::byte* chunk, const RowRun& rows) noexcept;
  void LeaveRows(const Source& source, std::uint64_t version) noexcept;
  void WriteStaying(const Source& source, std::uint64_t version) noexcept;

  BatchWorld world_;
  QueryId query_;
  RowFilter filter_;
  std::span<const BatchValue> removed_;
  std::span<const BatchValue> values_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Destination> destinations_;
  std::pmr::vector<Source> sources_;
  std::size_t row_count_ = 0;
};

}  // namespace ashlar::inline v0
