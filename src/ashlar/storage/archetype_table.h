// ArchetypeTable: the archetypes of a world, found by content, and the graph of moves between them.
//
//   by_signature_  Signature -> archetype       compared whole; the hash finds the place
//   edges          archetype, component -> plan (one load), filled when first asked for
//   plans_         (source, target) -> plan     for moves of several components; edges share them
//   numbered_      archetypes in the order of their first committed row: what queries see
//
//   I4  signatures are unique by content.
//
// An archetype that has no number is spare capacity that nobody sees: a refused call may leave one.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/core/ids.h"
#include "ashlar/schema/component_registry.h"
#include "ashlar/storage/archetype.h"
#include "ashlar/storage/chunk_pool.h"
#include "ashlar/storage/signature.h"

namespace ashlar::inline v0 {

class ArchetypeTable {
 public:
  // The table keeps the three pointers; they must outlive it. `rows_per_chunk_max` as in
  // ChunkLayout::Compute. Throws std::bad_alloc.
  ArchetypeTable(const ComponentRegistry* registry, ChunkPool* pool,
                 std::uint32_t rows_per_chunk_max, std::pmr::memory_resource* memory);
  ~ArchetypeTable();
  ArchetypeTable(const ArchetypeTable&) = delete;
  ArchetypeTable& operator=(const ArchetypeTable&) = delete;

  // The archetype of that content, made where there is none. Error: kRowTooLarge. Throws
  // std::bad_alloc. After either, nothing that anybody sees has changed. REQUIRES: every component
  // is registered.
  absl::StatusOr<Archetype*> FindOrMake(const Signature& signature);

  // The archetype of that content, or null. Never makes one.
  Archetype* Find(const Signature& signature) const;

  // Whether a row of that content fits a chunk, for an archetype that is not made yet. Error:
  // kRowTooLarge. Throws std::bad_alloc. REQUIRES: every component is registered.
  absl::Status CheckRow(const Signature& signature, std::pmr::memory_resource* memory) const;

  // The plan to the archetype with `component` added (where absent) or removed (where present).
  // Errors as FindOrMake. The plan lives as long as the table.
  absl::StatusOr<const MovePlan*> PlanToggle(Archetype& source, ComponentId component);

  // The plan to the archetype of `target`.
  absl::StatusOr<const MovePlan*> PlanTo(Archetype& source, const Signature& target);

  // Numbering: an archetype joins the order that queries and iteration follow. ReserveNumbers makes
  // room for so many (throws std::bad_alloc), Number cannot fail after it.
  void ReserveNumbers(std::size_t count);
  void Number(Archetype& archetype) noexcept;

  // The numbered ones, in order.
  std::span<Archetype* const> numbered() const { return numbered_; }

  std::size_t size() const { return archetypes_.size(); }
  bool Contains(ArchetypeId id) const { return id.value() < archetypes_.size(); }

  // REQUIRES: Contains(id).
  Archetype& operator[](ArchetypeId id) const { return *archetypes_[id.value()]; }

 private:
  friend struct StorageTestPeer;

  template <typename T>
  struct Deleter {
    std::pmr::memory_resource* memory;
    void operator()(T* object) const {
      std::pmr::polymorphic_allocator<>(memory).delete_object(object);
    }
  };
  template <typename T>
  using Owned = std::unique_ptr<T, Deleter<T>>;

  template <typename T, typename... Args>
  Owned<T> New(Args&&... args) {
    std::pmr::polymorphic_allocator<> allocator(memory_);
    return Owned<T>(allocator.new_object<T>(std::forward<Args>(args)...), Deleter<T>{memory_});
  }

  // What a row of that content stores, column by column.
  struct RowContent {
    explicit RowContent(std::pmr::memory_resource* memory) : columns(memory), sizes(memory) {}
    std::pmr::vector<ComponentId> columns;
    std::pmr::vector<std::uint32_t> sizes;
  };
  RowContent ContentOf(const Signature& signature, std::pmr::memory_resource* memory) const;
  absl::StatusOr<ChunkLayout> LayoutOf(const RowContent& content,
                                       std::pmr::memory_resource* memory) const;

  absl::StatusOr<Archetype*> Make(const Signature& signature);
  Owned<MovePlan> MakePlan(const Archetype& source, Archetype& target);

  const ComponentRegistry* registry_;
  ChunkPool* pool_;
  std::uint32_t rows_per_chunk_max_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Owned<Archetype>> archetypes_;
  std::pmr::unordered_map<Signature, ArchetypeId, SignatureHash> by_signature_;
  std::pmr::map<std::pair<ArchetypeId, ArchetypeId>, Owned<MovePlan>> plans_;
  std::pmr::vector<Archetype*> numbered_;
};

}  // namespace ashlar::inline v0
