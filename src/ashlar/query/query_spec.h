// QuerySpec: which archetypes a query wants, and which columns it will touch.
//
//   QuerySpec spec;
//   spec.Write(position).Read(velocity).None(disabled);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "ashlar/core/check.h"
#include "ashlar/core/ids.h"
#include "ashlar/query/query_terms.h"
#include "ashlar/schema/component_registry.h"
#include "ashlar/schema/typed_component.h"

namespace ashlar::inline v0 {

enum class QueryTermKind : std::uint8_t {
  kAll,       // The archetype must have it.
  kAny,       // It must have at least one of the any-terms.
  kNone,      // It must not have it.
  kOptional,  // Views give it where it is there.
};

enum class Access : std::uint8_t { kRead, kWrite };

struct Term {
  QueryTermKind kind = QueryTermKind::kAll;
  ComponentId component;
  Access access = Access::kRead;
  bool with_disabled = false;  // Where the component is enableable: rows are not looked at.
};

// Terms in the order in which they were given; each component may stand in one term only. A spec
// without terms matches every archetype, the one without components too.
//
// Where a component is enableable, a row has it where it is enabled: Read, Write and Any want it
// enabled, None takes rows too in which it is disabled. Optional does not ask, and neither does a
// term WithDisabled:
//
//   spec.Write(position).Read(shield).None(stunned).WithDisabled();
class QuerySpec {
 public:
  QuerySpec& Read(ComponentId c) { return Push(QueryTermKind::kAll, c, Access::kRead); }
  QuerySpec& Write(ComponentId c) { return Push(QueryTermKind::kAll, c, Access::kWrite); }
  QuerySpec& Any(ComponentId c, Access a = Access::kRead) {
    return Push(QueryTermKind::kAny, c, a);
  }
  QuerySpec& None(ComponentId c) { return Push(QueryTermKind::kNone, c, Access::kRead); }
  QuerySpec& Optional(ComponentId c, Access a = Access::kRead) {
    return Push(QueryTermKind::kOptional, c, a);
  }

  template <typename T>
  QuerySpec& Read(Component<T> c) {
    return Read(c.id());
  }
  template <typename T>
  QuerySpec& Write(Component<T> c) {
    return Write(c.id());
  }
  template <typename T>
  QuerySpec& Any(Component<T> c, Access a = Access::kRead) {
    return Any(c.id(), a);
  }
  template <typename T>
  QuerySpec& None(Component<T> c) {
    return None(c.id());
  }
  template <typename T>
  QuerySpec& Optional(Component<T> c, Access a = Access::kRead) {
    return Optional(c.id(), a);
  }

  // For the term given last a disabled component counts as present: rows are not looked at.
  // REQUIRES: there is a term.
  QuerySpec& WithDisabled() {
    ASHLAR_CHECK(!terms_.empty());
    terms_.back().with_disabled = true;
    return *this;
  }

  QuerySpec& Push(QueryTermKind kind, ComponentId component, Access access) {
    terms_.push_back({kind, component, access});
    return *this;
  }

  std::span<const Term> terms() const { return terms_; }

 private:
  std::vector<Term> terms_;
};

// The terms as sets. Errors, left to right: kComponentUnknown; a component in two terms:
// kQueryConflict where exactly one of the two excludes it, else kComponentRepeated.
absl::StatusOr<QueryTerms> ResolveTerms(const QuerySpec& spec, const ComponentRegistry& registry);

}  // namespace ashlar::inline v0
