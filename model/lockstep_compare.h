// Comparing states: everything that a world holds with everything that the model holds.
//
//   by look-up     every entity of the model: IsAlive; Has and Get of every component that it has;
//                  that its row has no others
//   by iteration   every row that a query without terms visits: its id, components and values, and
//                  that each entity of the model comes exactly once
//   by query       the matches of every bound query: each entity exactly once, no other
//   singletons     of every component: whether there is one, its value, and when it was put
//   version        how often the structure has changed, or a scope that writes was opened
//
// Values are compared by bits. Text is built only for a difference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ashlar/world/world.h"
#include "model/lockstep_bindings.h"
#include "model/lockstep_schema.h"
#include "model/lockstep_stored.h"
#include "model/reference_world.h"

namespace ashlar::model {

// Whether the stored bytes hold exactly these scalars (fitted, one for each scalar of the
// component). Cost: O(scalars), without a conversion.
bool HoldsBits(const ComponentDescriptor& descriptor, const std::byte* stored,
               std::span<const Scalar> fitted);

class StateComparer {
 public:
  // `all_rows` is a query of the world without terms. All four must outlive the comparer.
  StateComparer(World* world, const ReferenceWorld* model, const Schema* schema,
                const Bindings* bindings, QueryId all_rows);

  // Whether the states agree. When not, difference() says in what.
  bool SameState();

  // Whether the scope, open on that query, visits what the model says, with the model's values in
  // every column that the query names.
  bool SameVisit(const BoundQuery& query, const IterationScope& scope);

  // Whether the value in the world's row is the model's; nothing of it is looked up.
  bool SameValue(Entity entity, std::uint16_t component, const std::byte* stored,
                 const Value& expected);

  // Whether the entity is alive on both sides, with the same values, or on neither.
  bool SameEntity(Entity entity);

  // Whether the world's own value of that component is the model's, or neither has one.
  bool SameSingleton(std::uint16_t component);

  const std::string& difference() const { return difference_; }
  std::uint64_t rows_compared() const { return rows_compared_; }

  // How many entities of the model had the component when SameState was asked last. REQUIRES: it
  // was asked, and said yes.
  std::size_t rows_with(std::uint16_t component) const { return rows_with_[component]; }

 private:
  struct ViewColumn {
    std::uint16_t component;
    std::size_t stride_bytes;
    const std::byte* begin;  // Null for a tag.
  };

  bool SameByLookUp();
  bool SameLiveEntity(Entity entity, const Components& components);
  bool SameEnabled(Entity entity, std::uint16_t component, bool enabled);

  // The text of a difference, apart from the code that looks for one: under AddressSanitizer a call
  // pays for every temporary that its function might need.
  bool DifferInComponent(Entity entity, std::uint16_t component, const absl::StatusOr<bool>& has,
                         const absl::Status& get);
  bool DifferInValue(Entity entity, std::uint16_t component, const std::byte* stored,
                     const Value& expected);
  bool DifferInEnabled(Entity entity, std::uint16_t component, bool enabled);
  bool DifferInSingleton(std::uint16_t component);

  bool SameByIteration();
  ViewColumn ColumnIn(const ChunkView& view, std::uint16_t component) const;
  const std::byte* StoredIn(const ChunkView& view, const ViewColumn& column, std::size_t row);
  bool SameRow(const ChunkView& view, Entity entity, std::size_t row, const Components& components);
  bool SameQueries();
  bool SameSingletons();
  bool SameVersion();
  bool VisitsExactlyModel();
  bool VisitsExactly(const BoundQuery& query, std::span<const Entity> expected);
  void ListColumns(const ChunkView& view);
  void ListTermColumns(const BoundQuery& query, const ChunkView& view);
  std::string ListText(std::span<const Entity> entities) const;

  bool Differ(std::string text);  // Keeps the text; false.

  World* world_;
  const ReferenceWorld* model_;
  const Schema* schema_;
  const Bindings* bindings_;
  QueryId all_rows_;
  std::string difference_;
  std::uint64_t rows_compared_ = 0;

  std::vector<std::size_t> rows_with_;  // By component.
  std::size_t singleton_asked_ = 0;     // In turn, whether there is one or not.

  // Kept between calls for their capacity.
  std::vector<Entity> visited_;
  std::vector<Entity> matches_;
  std::vector<ViewColumn> columns_;
  ArchetypeId columns_of_;  // Where ListColumns has listed them; none elsewhere.
  StoredReader reader_;
};

}  // namespace ashlar::model
