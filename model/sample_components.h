// The component set that audits, properties and fuzz targets use unless they bring their own:
// every scalar type, arrays, mixed padding, tags, rules, sizes from one byte to most of a chunk.
#pragma once

#include <span>

#include "ashlar/oplang/operation.h"

namespace ashlar::model {

// position, velocity, health, disabled, ... in a fixed order; append only, since seeds depend on
// it.
std::span<const oplang::ComponentDeclaration> SampleComponents();

}  // namespace ashlar::model
