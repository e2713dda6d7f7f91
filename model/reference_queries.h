// What the terms of a query mean, for the reference world.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>

#include "ashlar/oplang/operation.h"
#include "model/model_schema.h"

namespace ashlar::model {

using Components = std::map<std::uint16_t, Value>;

// kNone, or why there is no such query: left to right, each term's component is registered and
// stands in no term before it; a term that contradicts an earlier one says so.
Reason CheckTerms(const ModelSchema& schema, std::span<const oplang::QueryTerm> terms);

// Whether an entity with these components, of which some are disabled, is one that the terms want.
bool Matches(const Components& row, const std::set<std::uint16_t>& disabled,
             std::span<const oplang::QueryTerm> terms);

// Whether the terms want some entity with these components, with the right ones of them disabled.
bool MatchesSet(const ModelSchema& schema, const Components& row,
                std::span<const oplang::QueryTerm> terms);

}  // namespace ashlar::model
