#include "ashlar/query/query_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/probe.h"
#include "ashlar/core/status.h"
#include "ashlar/storage/reserve.h"

namespace ashlar::inline v0 {

std::pmr::vector<RowTerm> QueryTable::RowTermsOf(const QueryTerms& terms) const {
  std::pmr::vector<RowTerm> row_terms(memory_);
  const auto append = [&](RowTerm::Kind kind, const Signature& components) {
    components.ForEach([&](ComponentId component) { row_terms.push_back({kind, component}); });
  };
  append(RowTerm::Kind::kAll, terms.row_all);
  append(RowTerm::Kind::kAny, terms.row_any);
  append(RowTerm::Kind::kNone, terms.row_none);
  return row_terms;
}

absl::StatusOr<QueryId> QueryTable::FindOrMake(const QueryTerms& terms,
                                               std::span<Archetype* const> numbered) {
  const auto found = std::find_if(queries_.begin(), queries_.end(),
                                  [&](const Query& query) { return query.terms == terms; });
  if (found != queries_.end()) {
    return QueryId(static_cast<std::uint32_t>(found - queries_.begin()));
  }
  if (queries_.size() == kQueryCountMax) {
    return MakeError(absl::StatusCode::kResourceExhausted, Reason::kQueryLimit,
                     absl::StrCat("this world has ", kQueryCountMax, " queries already"));
  }
  ReserveOneMore(queries_);
  Query query{terms, std::pmr::vector<Archetype*>(memory_), RowTermsOf(terms)};
  for (Archetype* archetype : numbered) {
    if (terms.Matches(archetype->signature())) query.matches.push_back(archetype);
  }
  queries_.push_back(std::move(query));
  return QueryId(static_cast<std::uint32_t>(queries_.size() - 1));
}

void QueryTable::ReserveMatch(const Archetype& archetype, std::size_t others) {
  for (Query& query : queries_) {
    if (query.terms.Matches(archetype.signature())) ReserveMore(query.matches, 1 + others);
  }
}

void QueryTable::AddMatch(Archetype& archetype) noexcept {
  for (Query& query : queries_) {
    if (!query.terms.Matches(archetype.signature())) continue;
    ASHLAR_EVER(true, "query: match list extended after it was made");
    query.matches.push_back(&archetype);
  }
}

}  // namespace ashlar::inline v0
