// QueryTerms: what a query wants, as sets of components.
#pragma once

#include "ashlar/storage/signature.h"

namespace ashlar::inline v0 {

// A query's terms as sets. Those whose component is enableable look at rows as well: a row counts
// as having the component where it is enabled. They stand in `row_all`, `row_any` and `row_none`
// (the first two also in `all` and `any`; an archetype is not excluded for a component that may be
// disabled). Terms that take a disabled component for present stand in none of the three.
struct QueryTerms {
  Signature all;
  Signature any;
  Signature none;
  Signature optional;
  Signature writes;  // Those of all, any and optional that views may write.
  Signature row_all;
  Signature row_any;
  Signature row_none;

  bool Matches(const Signature& signature) const {
    return signature.Includes(all) && !signature.Intersects(none) &&
           (any.empty() || signature.Intersects(any));
  }
  // Whether the signature has one of the any-terms that look at no row: then the others do not
  // matter.
  bool HasPlainAny(const Signature& signature) const {
    Signature plain = any;
    row_any.ForEach([&](ComponentId component) { plain.Erase(component); });
    return signature.Intersects(plain);
  }
  bool has_writes() const { return !writes.empty(); }
  bool has_row_terms() const { return !row_all.empty() || !row_any.empty() || !row_none.empty(); }
  friend bool operator==(const QueryTerms&, const QueryTerms&) = default;
};

}  // namespace ashlar::inline v0
