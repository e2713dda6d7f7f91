#include "ashlar/query/query_spec.h"

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0 {
namespace {

absl::string_view NameOf(const ComponentRegistry& registry, ComponentId component) {
  const std::string_view name = registry[component].name();
  return {name.data(), name.size()};
}

// `by_row`: the component's rows are looked at.
void Insert(QueryTermKind kind, ComponentId component, bool by_row, QueryTerms* terms) {
  switch (kind) {
    case QueryTermKind::kAll:
      terms->all.Insert(component);
      if (by_row) terms->row_all.Insert(component);
      return;
    case QueryTermKind::kAny:
      terms->any.Insert(component);
      if (by_row) terms->row_any.Insert(component);
      return;
    case QueryTermKind::kNone:
      (by_row ? terms->row_none : terms->none).Insert(component);
      return;
    case QueryTermKind::kOptional:
      terms->optional.Insert(component);
      return;
  }
}

absl::Status NamedTwice(const ComponentRegistry& registry, ComponentId component,
                        bool is_conflict) {
  const absl::string_view name = NameOf(registry, component);
  if (is_conflict) {
    return MakeError(absl::StatusCode::kInvalidArgument, Reason::kQueryConflict,
                     absl::StrCat("query: component ", name,
                                  " is both wanted and excluded; keep one of the two terms"));
  }
  return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentRepeated,
                   absl::StrCat("query: component ", name, " stands in two terms; keep one"));
}

}  // namespace

absl::StatusOr<QueryTerms> ResolveTerms(const QuerySpec& spec, const ComponentRegistry& registry) {
  QueryTerms terms;
  for (const Term& term : spec.terms()) {
    if (!registry.Contains(term.component)) {
      return MakeError(absl::StatusCode::kInvalidArgument, Reason::kComponentUnknown,
                       absl::StrCat("query: no component has number ", term.component.value(),
                                    "; register it first"));
    }
    const bool is_excluded =
        terms.none.Contains(term.component) || terms.row_none.Contains(term.component);
    const bool is_wanted = terms.all.Contains(term.component) ||
                           terms.any.Contains(term.component) ||
                           terms.optional.Contains(term.component);
    if (is_excluded || is_wanted) {
      return NamedTwice(registry, term.component,
                        is_excluded != (term.kind == QueryTermKind::kNone));
    }
    const bool by_row = registry[term.component].is_enableable() && !term.with_disabled;
    Insert(term.kind, term.component, by_row, &terms);
    if (term.access == Access::kWrite && term.kind != QueryTermKind::kNone) {
      terms.writes.Insert(term.component);
    }
  }
  return terms;
}

}  // namespace ashlar::inline v0
