// Columns by component, checked: what views and runs of chunks share. For this room alone.
#pragma once

#include "ashlar/core/check.h"
#include "ashlar/core/ids.h"
#include "ashlar/core/limits.h"
#include "ashlar/storage/archetype.h"

namespace ashlar::inline v0::internal {

inline bool HasComponent(const Archetype& archetype, ComponentId component) {
  return component.value() < kComponentCountMax && archetype.signature().Contains(component);
}

// Zeros for a tag. REQUIRES: HasComponent, which a column that begins somewhere proves.
inline Column CheckedColumnOf(const Archetype& archetype, ComponentId component) {
  const Column column = archetype.ColumnOf(component);
  ASHLAR_CHECK(column.begin_bytes != 0 || HasComponent(archetype, component));
  return column;
}

// The same. REQUIRES besides: it is not split.
inline Column WholeColumnOf(const Archetype& archetype, ComponentId component) {
  const Column column = CheckedColumnOf(archetype, component);
  ASHLAR_CHECK(column.begin_bytes == 0 || column.size_bytes != 0);
  return column;
}

}  // namespace ashlar::inline v0::internal
