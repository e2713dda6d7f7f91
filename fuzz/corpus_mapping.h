// Traces told over the sample components, so that they can be seeds of world_fuzz.
#pragma once

#include "ashlar/oplang/operation.h"

namespace ashlar::fuzz {

// The same operations with the components of the program replaced by sample components: one of the
// same name and scalars where there is one, else one of the same scalars, else the one nearest in
// size; each sample component once as long as there are enough of them. Values are carried over
// scalar by scalar; what the new component has no scalar for is left out.
oplang::Program OverSampleComponents(const oplang::Program& program);

}  // namespace ashlar::fuzz
