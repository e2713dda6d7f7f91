// BatchShapes: the signatures that entities pass through in a batch. It is the graph of archetypes
// again, but nothing is made in the world: only where entities end there will be archetypes.
//
//   shape 0 {P,V} --H--> shape 1 {P,V,H} --V--> shape 2 {P,H}      an edge adds or removes one
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "ashlar/core/ids.h"
#include "ashlar/storage/archetype.h"
#include "ashlar/storage/archetype_table.h"
#include "ashlar/storage/signature.h"

namespace ashlar::inline v0 {

// A signature of one batch, by the order in which they were met.
using ShapeIndex = StrongIndex<struct ShapeIndexTag, std::uint32_t>;

// All calls may throw std::bad_alloc. The table does not change meanwhile.
class BatchShapes {
 public:
  BatchShapes(const ArchetypeTable* archetypes, std::size_t component_count,
              std::pmr::memory_resource* memory)
      : archetypes_(archetypes),
        component_count_(component_count),
        memory_(memory),
        shapes_(memory),
        by_signature_(memory),
        by_archetype_(memory) {}

  ShapeIndex Find(const Signature& signature);
  ShapeIndex Of(const Archetype& archetype);

  // The one with that component more, or less.
  ShapeIndex Toggle(ShapeIndex shape, ComponentId component);

  // Whether a row of it fits a chunk. Error: kRowTooLarge.
  absl::Status CheckRow(ShapeIndex shape);

  // References live until the next call that may throw.
  const Signature& signature(ShapeIndex shape) const { return shapes_[shape.value()].signature; }
  std::size_t size() const { return shapes_.size(); }

 private:
  struct Shape {
    Shape(const Signature& content, std::pmr::memory_resource* memory)
        : signature(content), edges(memory) {}
    Signature signature;
    bool is_checked = false;             // A row of it fits.
    std::pmr::vector<ShapeIndex> edges;  // By component; none where it was not asked for.
  };

  const ArchetypeTable* archetypes_;
  std::size_t component_count_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<Shape> shapes_;
  std::pmr::unordered_map<Signature, ShapeIndex, SignatureHash> by_signature_;
  std::pmr::vector<ShapeIndex> by_archetype_;  // By ArchetypeId; none where it was not asked for.
};

}  // namespace ashlar::inline v0
