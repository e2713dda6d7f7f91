// Ashlar: an audited entity-component storage kernel.
//
// This header is the table of contents of the public API, in reading order. Include it, or only the
// headers that you need; link ashlar::ashlar.
#pragma once

// clang-format off: the order is for readers.

// 1. Words: what an entity is, how a call says that it refused, which version this is.
#include "ashlar/core/entity.h"             // Entity: a stable 32+32-bit id
#include "ashlar/core/ids.h"                // ComponentId, QueryId, Location, ...
#include "ashlar/core/status.h"             // Reason: why a call was refused
#include "ashlar/core/limits.h"             // hard bounds
#include "ashlar/core/version.h"

// 2. Components: a C++ type described field by field, or a type made at run time.
#include "ashlar/schema/typed_component.h"      // Describe<T>("name").Field(...)
#include "ashlar/schema/component_descriptor.h" // the same without a C++ type
#include "ashlar/schema/field_type.h"           // f32[3], i32, entity, ...
#include "ashlar/schema/scalar.h"               // one neutral value

// 3. The world: create, destroy, add, remove, exchange, put, set, get.
#include "ashlar/world/world_options.h"     // memory resource, chunk size, limits
#include "ashlar/world/world.h"
#include "ashlar/world/component_value.h"   // a component and its value, for one call
#include "ashlar/world/component_span.h"    // a component and its values, for many entities
#include "ashlar/world/bulk.h"              // one change for many entities, by ids or by query
#include "ashlar/world/sort_rows.h"         // rows in an order that is asked for
#include "ashlar/world/command_buffer.h"    // changes recorded now ...
#include "ashlar/world/apply_commands.h"    // ... and made later, all or none
#include "ashlar/world/world_memory.h"      // bytes in use, by purpose
#include "ashlar/world/storage_report.h"    // rows, chunks and occupancy of each archetype
#include "ashlar/core/slab_memory.h"        // large slabs and huge pages, for WorldOptions::memory
#include "ashlar/world/singletons.h"        // values of which a world has one
#include "ashlar/world/hooks.h"             // functions that hear of what came, went and was set

// 4. Iteration: queries that stay up to date, scopes, chunks as spans.
#include "ashlar/query/query_spec.h"        // all, any, none, optional terms
#include "ashlar/world/iteration_scope.h"
#include "ashlar/query/chunk_run.h"
#include "ashlar/query/chunk_view.h"
#include "ashlar/world/chunk_range.h"       // a scope cut into ranges, for threads
#include "ashlar/world/visit_ahead.h"       // loops that ask for memory before they need it

// 5. Systems over queries, on one thread or several.
#include "ashlar/core/cpu.h"                // which vector instructions are used
#include "ashlar/systems/movement.h"        // position += velocity * dt
#include "ashlar/systems/particles.h"       // forces, inverse masses, life and death
#include "ashlar/systems/sum_field.h"       // the sum of a field, the same bits everywhere
#include "ashlar/systems/executor.h"        // what an engine's job system must do
#include "ashlar/systems/thread_pool.h"     // for programs that have none
#include "ashlar/systems/parallel.h"        // loops over a scope
#include "ashlar/systems/scheduler.h"       // systems, by what they read and write
// Not in here: "ashlar/systems/tbb_executor.h", of the library ashlar::tbb.

// 6. Trust: the world checks itself; two worlds are compared by one number.
#include "ashlar/audit/integrity.h"
#include "ashlar/audit/digest.h"
#include "ashlar/audit/dangling_references.h" // references to entities that are not alive

// 7. Traces: operations as data, as bytes and as text.
#include "ashlar/oplang/operation.h"
#include "ashlar/oplang/trace_text.h"
#include "ashlar/oplang/binary_codec.h"

// clang-format on
