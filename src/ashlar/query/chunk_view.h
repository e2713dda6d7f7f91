// ChunkView: rows of one chunk of one archetype, as spans. Comes from an iteration scope and dies
// with it. The rows are all of the chunk's; where the query asks for components that can be
// disabled, a run of rows that it wants, and a chunk may give several views.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "ashlar/core/check.h"
#include "ashlar/core/entity.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/limits.h"
#include "ashlar/query/column_lookup.h"
#include "ashlar/query/query_terms.h"
#include "ashlar/query/row_filter.h"
#include "ashlar/schema/typed_component.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

class ChunkView {
 public:
  // REQUIRES: chunk is below archetype.chunk_count(), and the rows are its; both references outlive
  // the view. Columns that are written get `version`.
  ChunkView(const QueryTerms& terms, Archetype& archetype, ChunkIndex chunk, std::uint64_t version)
      : ChunkView(terms, archetype, chunk, version, {0, archetype.RowsInChunk(chunk)}) {}
  ChunkView(const QueryTerms& terms, Archetype& archetype, ChunkIndex chunk, std::uint64_t version,
            RowRun rows)
      : version_(version),
        terms_(&terms),
        archetype_(&archetype),
        chunk_(chunk),
        first_row_(rows.begin),
        row_count_(rows.end - rows.begin),
        base_(archetype.ChunkBase(chunk)) {}

  // Row numbers below are those of the view, from 0; `first_row` of the chunk is its row 0.
  std::size_t row_count() const { return row_count_; }
  std::uint32_t first_row() const { return first_row_; }
  ArchetypeId archetype() const { return archetype_->id(); }
  ChunkIndex chunk() const { return chunk_; }

  // The ids of the rows.
  std::span<const Entity> entities() const {
    return {archetype_->EntitiesIn(base_) + first_row_, row_count_};
  }

  // Whether this archetype has the component (for any and optional terms).
  bool Has(ComponentId component) const { return internal::HasComponent(*archetype_, component); }

  // The column as bytes: row_count() values, one every size_bytes; from a 64-byte boundary where
  // first_row() is 0. Null for a tag. REQUIRES: Has(component), and it is not split.
  const std::byte* ReadBytes(ComponentId component) const {
    const Column column = WholeColumnOf(component);
    return column.begin_bytes == 0 ? nullptr : column.At(base_, first_row_);
  }

  // The same for writing: from now on the column counts as changed in the scope's version, whether
  // anything is stored or not. REQUIRES besides: the query's term for it is one that writes.
  std::byte* WriteBytes(ComponentId component) const {
    const Column column = WholeColumnOf(component);
    ASHLAR_CHECK(terms_->writes.Contains(component));
    if (column.begin_bytes == 0) return nullptr;
    archetype_->versions().ColumnWritten(chunk_, column.place, version_);
    return column.At(base_, first_row_);
  }

  // Asks for the values of a component ahead of time, one hint for each cache line. No access:
  // nothing counts as read or written. Nothing happens for a tag. REQUIRES: Has(component).
  void Prefetch(ComponentId component) const {
    const Column first = ColumnOf(component);
    if (first.begin_bytes == 0) return;
    if (!first.is_split()) return PrefetchColumn(first);
    for (const Column& column : archetype_->SplitColumns(first)) PrefetchColumn(column);
  }

  // Whether each scalar of the component has a column of its own here. REQUIRES: Has(component).
  bool IsSplit(ComponentId component) const { return ColumnOf(component).is_split(); }

  // The column of one scalar of a split component, as bytes: row_count() scalars, tight.
  // REQUIRES: Has(component), IsSplit(component), and it has a scalar of that number. For writing:
  // as WriteBytes.
  const std::byte* ReadFieldBytes(ComponentId component, std::size_t scalar) const {
    return FieldColumnOf(component, scalar).At(base_, first_row_);
  }
  std::byte* WriteFieldBytes(ComponentId component, std::size_t scalar) const {
    ASHLAR_CHECK(terms_->writes.Contains(component));
    archetype_->versions().ColumnWritten(chunk_, ColumnOf(component).place, version_);
    return FieldColumnOf(component, scalar).At(base_, first_row_);
  }

  // The same as scalars. REQUIRES besides: F has the scalar's size.
  template <typename F>
  std::span<const F> ReadField(ComponentId component, std::size_t scalar) const {
    ASHLAR_CHECK(FieldColumnOf(component, scalar).size_bytes == sizeof(F));
    // SAFETY: as in Values: the column begins at a multiple of 64 and holds values of that size.
    return {reinterpret_cast<const F*>(ReadFieldBytes(component, scalar)), row_count_};
  }
  template <typename F>
  std::span<F> WriteField(ComponentId component, std::size_t scalar) const {
    ASHLAR_CHECK(FieldColumnOf(component, scalar).size_bytes == sizeof(F));
    return {reinterpret_cast<F*>(WriteFieldBytes(component, scalar)), row_count_};
  }

  // Copies the value of one row out or in, whether the component is split or not; padding is left
  // as it is. REQUIRES: Has(component); it is its bytes; `value` has its size. Store: as
  // WriteBytes.
  void LoadValue(ComponentId component, std::size_t row, std::byte* value) const {
    ASHLAR_CHECK(row < row_count_);
    const Column column = ColumnOf(component);
    if (column.begin_bytes != 0) archetype_->LoadValue(column, base_, first_row_ + row, value);
  }
  void StoreValue(ComponentId component, std::size_t row, const std::byte* value) const {
    ASHLAR_CHECK(row < row_count_ && terms_->writes.Contains(component));
    const Column column = ColumnOf(component);
    if (column.begin_bytes == 0) return;
    archetype_->versions().ColumnWritten(chunk_, column.place, version_);
    archetype_->StoreValue(column, base_, first_row_ + row, value);
  }
  template <typename T>
  T Load(Component<T> component, std::size_t row) const {
    static_assert(internal::kIsBytes<T>, "ashlar: objects are read through Read");
    RequireSize<T>(component.id());
    std::array<std::byte, sizeof(T)> bytes{};
    LoadValue(component.id(), row, bytes.data());
    return std::bit_cast<T>(bytes);
  }
  template <typename T>
  void Store(Component<T> component, std::size_t row, const T& value) const {
    static_assert(internal::kIsBytes<T>, "ashlar: objects are written through Write");
    RequireSize<T>(component.id());
    StoreValue(component.id(), row, reinterpret_cast<const std::byte*>(&value));
  }

  // Whether the component of that row is enabled; true for one that is not enableable. REQUIRES for
  // both: Has(component); row is below row_count().
  bool IsEnabled(ComponentId component, std::size_t row) const {
    ASHLAR_CHECK(Has(component) && row < row_count_);
    return archetype_->IsEnabled(component, chunk_, RowAt(row));
  }

  // Enables or disables it. No row moves. Where that is a change, the component counts as changed
  // in the scope's version. Views that were given keep their rows; those that come later follow the
  // bits as they are then. REQUIRES besides: it is enableable, and the query's term for it is one
  // that writes. Cost: O(1). Threads: as a write to the component's column.
  void SetEnabled(ComponentId component, std::size_t row, bool enabled) const {
    ASHLAR_CHECK(row < row_count_ && terms_->writes.Contains(component));
    const std::uint32_t place = archetype_->EnablePlace(component);
    ASHLAR_CHECK(place != Archetype::kNotEnableable);
    archetype_->SetEnabled(place, chunk_, RowAt(row), enabled, [this] { return version_; });
  }

  // Whether anybody has had write access to the component's values in this chunk, one has been
  // enabled or disabled, or a row has come to it, since the world's version was `since`
  // (World::version() while no scope was open). False where the archetype does not have the
  // component. A chunk is the grain: of its rows any may have changed, or none.
  bool Changed(ComponentId component, std::uint64_t since) const {
    return Has(component) && archetype_->WrittenVersion(chunk_, component) > since;
  }

  // Whether a row with the component has come to this chunk since then. One that fills a hole has
  // come too.
  bool Added(ComponentId component, std::uint64_t since) const {
    return Has(component) && archetype_->versions().arrival(chunk_) > since;
  }

  // Whether rows have come, left or changed places since then: what was kept by row number is old.
  bool OrderChanged(std::uint64_t since) const {
    return archetype_->versions().order(chunk_) > since;
  }

  // The column as values. REQUIRES besides: the column's values have T's size, so T is the
  // component's type or is laid out like it.
  template <typename T>
  std::span<const T> Read(ComponentId component) const {
    return Values<const T>(ReadBytes(component), component);
  }
  template <typename T>
  std::span<T> Write(ComponentId component) const {
    return Values<T>(WriteBytes(component), component);
  }
  template <typename T>
  std::span<const T> Read(Component<T> component) const {
    return Read<T>(component.id());
  }
  template <typename T>
  std::span<T> Write(Component<T> component) const {
    return Write<T>(component.id());
  }

 private:
  Column ColumnOf(ComponentId component) const {
    return internal::CheckedColumnOf(*archetype_, component);
  }

  Column WholeColumnOf(ComponentId component) const {
    return internal::WholeColumnOf(*archetype_, component);
  }

  const Column& FieldColumnOf(ComponentId component, std::size_t scalar) const {
    const Column first = ColumnOf(component);
    ASHLAR_CHECK(first.is_split() && first.place + scalar < archetype_->columns().size());
    const Column& column = archetype_->columns()[first.place + scalar];
    ASHLAR_CHECK(column.component == component);
    return column;
  }

  template <typename T>
  void RequireSize(ComponentId component) const {
    const Column first = ColumnOf(component);
    ASHLAR_CHECK(first.begin_bytes != 0);
    const Column& last = first.is_split() ? archetype_->SplitColumns(first).back() : first;
    ASHLAR_CHECK(last.offset_bytes + last.size_bytes <= sizeof(T));
  }

  void PrefetchColumn(const Column& column) const {
    const std::byte* const begin = column.At(base_, first_row_);
    for (std::size_t at = 0; at < std::size_t{row_count_} * column.size_bytes;
         at += kCacheLineBytes) {
      __builtin_prefetch(begin + at, 1);
    }
  }

  RowIndex RowAt(std::size_t row) const {
    return RowIndex(first_row_ + static_cast<std::uint32_t>(row));
  }

  template <typename T, typename Byte>
  std::span<T> Values(Byte* column, ComponentId component) const {
    ASHLAR_CHECK(column != nullptr && archetype_->ColumnOf(component).size_bytes == sizeof(T));
    // SAFETY: the column begins at a multiple of 64, at least T's alignment, and its values lie
    // sizeof(T) bytes apart; row_count_ of them follow, all of them written when their rows were
    // committed.
    return {reinterpret_cast<T*>(column), row_count_};
  }

  std::uint64_t version_;
  const QueryTerms* terms_;
  Archetype* archetype_;
  ChunkIndex chunk_;
  std::uint32_t first_row_;
  std::uint32_t row_count_;
  std::byte* base_;
};

}  // namespace ashlar::inline v0
