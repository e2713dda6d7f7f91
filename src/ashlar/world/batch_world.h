// BatchWorld: the parts of a world that batches read and change.
#pragma once

#include "ashlar/query/query_table.h"
#include "ashlar/schema/component_registry.h"
#include "ashlar/storage/archetype_table.h"
#include "ashlar/storage/entity_directory.h"

namespace ashlar::inline v0 {

struct BatchWorld {
  const ComponentRegistry* registry;
  ArchetypeTable* archetypes;
  EntityDirectory* directory;
  QueryTable* queries;
};

}  // namespace ashlar::inline v0
