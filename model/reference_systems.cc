#include "model/reference_systems.h"

#include <optional>
#include <vector>

#include "model/reference_ids.h"
#include "model/reference_kernels.h"

namespace ashlar::model {

using oplang::Outcome;
using oplang::QueryTerm;
using oplang::TermKind;

// The component must be one that the query requires, so that every row has it.
Outcome Fill(ReferenceWorld* world, std::span<const QueryTerm> terms, const NamedValue& value) {
  const ModelSchema& schema = world->schema();
  if (!schema.Has(value.component)) return Refused(Reason::kComponentUnknown);
  if (!oplang::Requires(terms, value.component)) return Refused(Reason::kComponentAbsent);
  Value fitted;
  const Reason why = schema.Fit(value.component, value.value, &fitted);
  if (why != Reason::kNone) return Refused(why);
  world->WriteEach(terms, [&](Components* row) { (*row)[value.component] = fitted; });
  return {};
}

// Over everything that has position and velocity and is not disabled. Rules are not asked.
Outcome Move(ReferenceWorld* world, float dt) {
  const ModelSchema& schema = world->schema();
  const std::optional<std::uint16_t> position = schema.Find("position");
  const std::optional<std::uint16_t> velocity = schema.Find("velocity");
  const std::optional<std::uint16_t> disabled = schema.Find("disabled");
  if (!position || !velocity || !disabled) return Refused(Reason::kComponentUnknown);
  if (!schema.IsThreeFloats(*position) || !schema.IsThreeFloats(*velocity) ||
      schema.StoredSizeBytes(*disabled) != 0) {
    return Refused(Reason::kComponentTypeMismatch);
  }
  const std::vector<QueryTerm> terms = {
      {TermKind::kAll, *position}, {TermKind::kAll, *velocity}, {TermKind::kNone, *disabled}};
  world->WriteEach(terms, [&](Components* row) {
    for (std::size_t i = 0; i < 3; ++i) {
      (*row)[*position][i] = Moved((*row)[*position][i], (*row)[*velocity][i], dt);
    }
  });
  return {};
}

}  // namespace ashlar::model
