#include "model/reference_queries.h"

#include <cstddef>
#include <vector>

namespace ashlar::model {

using oplang::QueryTerm;
using oplang::TermKind;

Reason CheckTerms(const ModelSchema& schema, std::span<const QueryTerm> terms) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!schema.Has(terms[i].component)) return Reason::kComponentUnknown;
    for (std::size_t j = 0; j < i; ++j) {
      if (terms[j].component != terms[i].component) continue;
      const bool one_excludes =
          (terms[i].kind == TermKind::kNone) != (terms[j].kind == TermKind::kNone);
      return one_excludes ? Reason::kQueryConflict : Reason::kComponentRepeated;
    }
  }
  return Reason::kNone;
}

bool Matches(const Components& row, const std::set<std::uint16_t>& disabled,
             std::span<const QueryTerm> terms) {
  bool any_wanted = false;
  bool any_found = false;
  for (const QueryTerm& term : terms) {
    const bool has =
        row.contains(term.component) && (term.with_disabled || !disabled.contains(term.component));
    if (term.kind == TermKind::kAll && !has) return false;
    if (term.kind == TermKind::kNone && has) return false;
    if (term.kind == TermKind::kAny) {
      any_wanted = true;
      any_found = any_found || has;
    }
  }
  return any_found || !any_wanted;
}

// What a component may be missing for, switched off, excludes nothing.
bool MatchesSet(const ModelSchema& schema, const Components& row,
                std::span<const QueryTerm> terms) {
  std::vector<QueryTerm> of_sets;
  for (const QueryTerm& term : terms) {
    const bool may_be_off = schema.IsEnableable(term.component) && !term.with_disabled;
    if (term.kind != TermKind::kNone || !may_be_off) of_sets.push_back(term);
  }
  return Matches(row, {}, of_sets);
}

}  // namespace ashlar::model
