#include "ashlar/query/query_spec.h"

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"

namespace ashlar::inline v0 {
namespace {

absl::string_view NameOf(const ComponentRegistry& registry, ComponentId component) {
  const std::string_view name = registry[component].name();
  return {name.data(), name.size()};
}

Signature& SetOf(QueryTerms& terms, QueryTermKind kind) {
  switch (kind) {
    case QueryTermKind::kAll:
      return terms.all;
    case QueryTermKind::kAny:
      return terms.any;
    case QueryTermKind::kNone:
      return terms.none;
    case QueryTermKind::kOptional:
      break;
  }
  return terms.optional;
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
    const bool is_excluded = terms.none.Contains(term.component);
    const bool is_wanted = terms.all.Contains(term.component) ||
                           terms.any.Contains(term.component) ||
                           terms.optional.Contains(term.component);
    if (is_excluded || is_wanted) {
      return NamedTwice(registry, term.component,
                        is_excluded != (term.kind == QueryTermKind::kNone));
    }
    SetOf(terms, term.kind).Insert(term.component);
    if (term.access == Access::kWrite && term.kind != QueryTermKind::kNone) {
      terms.writes.Insert(term.component);
    }
  }
  return terms;
}

}  // namespace ashlar::inline v0
