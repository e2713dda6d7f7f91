// What goes over all rows of the reference world at once.
#pragma once

#include <span>

#include "ashlar/oplang/operation.h"
#include "model/reference_world.h"

namespace ashlar::model {

// Each does what the operation of that name does, and returns its outcome.
oplang::Outcome Fill(ReferenceWorld* world, std::span<const oplang::QueryTerm> terms,
                     const NamedValue& value);
oplang::Outcome Move(ReferenceWorld* world, float dt);

}  // namespace ashlar::model
