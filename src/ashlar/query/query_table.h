// QueryTable: the queries of a world, each with the list of archetypes that it matches.
//
// The lists hold numbered archetypes in the order of their numbers. They are extended by the call
// that numbers an archetype, never by a reader, so any number of threads may iterate at once.
//
//   I7  each query's cached matches equal a brute-force match over all numbered archetypes.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/core/ids.h"
#include "ashlar/query/query_terms.h"
#include "ashlar/query/row_filter.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0 {

class QueryTable {
 public:
  explicit QueryTable(std::pmr::memory_resource* memory) : memory_(memory), queries_(memory) {}

  // The query with these terms; made, and matched against `numbered`, where there is none. Error:
  // kQueryLimit. Throws std::bad_alloc; then nothing has changed. Cost: O(queries + archetypes).
  absl::StatusOr<QueryId> FindOrMake(const QueryTerms& terms, std::span<Archetype* const> numbered);

  // Makes room for `archetype` in the list of each query that matches it, and for `others` that are
  // reserved already and not appended yet. Throws std::bad_alloc.
  void ReserveMatch(const Archetype& archetype, std::size_t others = 0);

  // Appends it to those lists. REQUIRES: ReserveMatch(archetype), and no other has been appended
  // since then but for those that were counted.
  void AddMatch(Archetype& archetype) noexcept;

  std::size_t size() const { return queries_.size(); }
  bool Contains(QueryId id) const { return id.value() < queries_.size(); }

  // REQUIRES for these: Contains(id). References live until the next FindOrMake.
  const QueryTerms& terms(QueryId id) const { return queries_[id.value()].terms; }
  std::span<Archetype* const> matches(QueryId id) const { return queries_[id.value()].matches; }
  RowFilter row_filter(QueryId id) const {
    const Query& query = queries_[id.value()];
    return RowFilter(&query.terms, query.row_terms);
  }

 private:
  friend struct StorageTestPeer;
  struct Query {
    QueryTerms terms;
    std::pmr::vector<Archetype*> matches;
    std::pmr::vector<RowTerm> row_terms;
  };

  std::pmr::vector<RowTerm> RowTermsOf(const QueryTerms& terms) const;

  std::pmr::memory_resource* memory_;
  std::pmr::vector<Query> queries_;
};

}  // namespace ashlar::inline v0
