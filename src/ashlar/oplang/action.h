// Action: one operation without what is expected of it. Beside each stands its text.
//
// The variant is closed on purpose: a new operation does not compile until every visitor handles
// it. What operations do: operation.h.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "ashlar/oplang/command_actions.h"
#include "ashlar/oplang/operands.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0::oplang {

// --- The operations. Equality is member by member. ---

struct NopOp {
  friend bool operator==(const NopOp&, const NopOp&) = default;
};

// create e1 position=(1,2,3) disabled
struct CreateOp {
  Label label = 0;
  std::vector<ComponentArg> values;
  friend bool operator==(const CreateOp&, const CreateOp&) = default;
};

// destroy e1
struct DestroyOp {
  EntityRef entity;
  friend bool operator==(const DestroyOp&, const DestroyOp&) = default;
};

// add e1 health=80 mana=5: all in one move.
struct AddOp {
  EntityRef entity;
  std::vector<ComponentArg> values;
  friend bool operator==(const AddOp&, const AddOp&) = default;
};

// remove e1 health mana: all in one move.
struct RemoveOp {
  EntityRef entity;
  std::vector<ComponentRef> components;
  friend bool operator==(const RemoveOp&, const RemoveOp&) = default;
};

// exchange e1 remove health mana add stamina=3: all in one move. Either part may be left out.
struct ExchangeOp {
  EntityRef entity;
  std::vector<ComponentRef> removed;
  std::vector<ComponentArg> added;
  friend bool operator==(const ExchangeOp&, const ExchangeOp&) = default;
};

// set e1 health=80
struct SetOp {
  EntityRef entity;
  std::vector<ComponentArg> values;
  friend bool operator==(const SetOp&, const SetOp&) = default;
};

// put e1 health=80: add or replace.
struct PutOp {
  EntityRef entity;
  std::vector<ComponentArg> values;
  friend bool operator==(const PutOp&, const PutOp&) = default;
};

// get e1 health
struct GetOp {
  EntityRef entity;
  ComponentRef component = 0;
  friend bool operator==(const GetOp&, const GetOp&) = default;
};

// has e1 health
struct HasOp {
  EntityRef entity;
  ComponentRef component = 0;
  friend bool operator==(const HasOp&, const HasOp&) = default;
};

// setfield e1 body.axis[2]=5.0
struct SetFieldOp {
  EntityRef entity;
  ComponentRef component = 0;
  std::uint32_t scalar = 0;  // Which scalar of the component; past the end is legal and refused.
  Scalar value;
  friend bool operator==(const SetFieldOp&, const SetFieldOp&) = default;
};

// query q1 all(position, velocity) any(health, mana) none(disabled) optional(team)
// The terms in the order in which they were written. `shield with_disabled` counts a disabled
// shield as present.
struct QueryOp {
  QueryLabel query = 0;
  std::vector<QueryTerm> terms;
  friend bool operator==(const QueryOp&, const QueryOp&) = default;
};

// iterate q1: opens a read scope, visits every row, closes it.
struct IterateOp {
  QueryLabel query = 0;
  friend bool operator==(const IterateOp&, const IterateOp&) = default;
};

// fill q1 health=5: opens a scope that writes, stores the value in every row through spans.
// The component must be a required (all) term of the query.
struct FillOp {
  QueryLabel query = 0;
  ComponentArg value;
  friend bool operator==(const FillOp&, const FillOp&) = default;
};

// open q1: opens a read scope that stays open until its close. Scopes nest.
struct OpenScopeOp {
  QueryLabel query = 0;
  friend bool operator==(const OpenScopeOp&, const OpenScopeOp&) = default;
};

// close: closes the innermost scope; does nothing when none is open. Scopes that are open when the
// program ends are closed.
struct CloseScopeOp {
  friend bool operator==(const CloseScopeOp&, const CloseScopeOp&) = default;
};

// move dt=0.5: the movement system over the components named position, velocity and disabled.
// Refused (component_unknown) where one of the three is not declared, and
// (component_type_mismatch) where position or velocity is not three f32, or disabled not a tag.
struct MoveOp {
  std::uint32_t dt_bits = 0;  // A float.
  friend bool operator==(const MoveOp&, const MoveOp&) = default;
};

// place_generation e1 4294967295: a test hook. The slot of a live entity takes that generation
// (not 0), in place; the label, and every other label with the same bits, follows it. Values that
// refer to the entity do not. Refused like destroy where the entity is not alive; generation 0 is
// refused as option_invalid.
struct PlaceGenerationOp {
  EntityRef entity;
  std::uint32_t generation = 1;
  friend bool operator==(const PlaceGenerationOp&, const PlaceGenerationOp&) = default;
};

// expect ...: a statement about the state, checked against kernel and model.
struct ExpectOp {
  enum class Kind : std::uint8_t {
    kHolds,     // expect e1 health=80 disabled      alive, and has these (values where given)
    kOnly,      // expect e1 only health=80          the same, and nothing else
    kWithout,   // expect e1 without health mana     alive, and has none of these
    kDead,      // expect e1 dead
    kId,        // expect e1 id 0v2                  the label is bound to these bits
    kRow,       // expect e1 chunk 0 row 0           where the kernel keeps it
    kMatches,   // expect q1 matches e1 e2           exactly these entities, in any order
    kCount,     // expect q1 count 3
    kOrder,     // expect q1 order e2 e1             exactly these entities, in iteration order
    kLive,      // expect live 3                     live entities in the world
    kChunks,    // expect q1 chunks 2                chunks that the query visits
    kVersion,   // expect version 7                 the world's version
    kDangling,  // expect dangling 2                references to entities that are not alive
    kChanged,   // expect q1 changed health e1 e2   exactly these lie in the chunks that changed
    kAdded,     // expect q1 added health e1 e2     exactly these lie in the chunks with new rows
    kOn,        // expect e1 on shield mana         has these, and they are enabled
    kOff,       // expect e1 off shield mana        has these, and they are disabled
  };
  Kind kind = Kind::kHolds;
  EntityRef entity;
  QueryLabel query = 0;
  std::vector<ComponentArg> values;      // kHolds, kOnly: an empty value means "any value".
  std::vector<ComponentRef> components;  // kWithout, kOn, kOff; kChanged, kAdded: one
  std::vector<EntityRef> entities;       // kMatches, kOrder, kChanged, kAdded; kId: the bits
  std::uint64_t count = 0;  // kCount, kLive, kChunks, kVersion, kDangling; kRow: the row
  std::uint32_t chunk = 0;  // kRow
  friend bool operator==(const ExpectOp&, const ExpectOp&) = default;
};

// The arming operations: test hooks that make the next operation fail on its way. They are always
// OK themselves. What they arm is for one operation, the next one that arms nothing, whatever it is
// (a nop and an expect too); then it is disarmed, whether it came to anything or not. So one of
// each kind may be armed for the same operation; of two of one kind the later counts.
//
// An operation whose failure came to pass answers RESOURCE_EXHAUSTED without a reason, or ABORTED,
// and has changed nothing. (A query that fails leaves its label unbound, a create its label null,
// as any other that is refused.)

// fail_allocation 3 sticky: the third allocation of the next operation from the world's memory
// fails; with `sticky` every one from the third on.
struct FailAllocationOp {
  std::uint32_t nth = 1;  // Counted from 1; 0, which no text says, fails none.
  bool sticky = false;
  friend bool operator==(const FailAllocationOp&, const FailAllocationOp&) = default;
};

// fail_construction 2: the second construction or copy of a value of an owning component
// throws in the next operation.
struct FailConstructionOp {
  std::uint32_t nth = 1;  // Counted from 1; 0, which no text says, fails none.
  friend bool operator==(const FailConstructionOp&, const FailConstructionOp&) = default;
};

// place_index 200: a test hook. The next fresh index is that one; those before it that were never
// issued are retired. Refused (option_invalid) where it was issued already, or is above the limit
// of indices, or more than kPlacedIndicesMax would be retired at once.
struct PlaceIndexOp {
  std::uint64_t index = 0;
  friend bool operator==(const PlaceIndexOp&, const PlaceIndexOp&) = default;
};

// place_version 4294967295: a test hook. The world's version is that one. Refused (option_invalid)
// where it would go back, or is above kPlacedVersionMax.
struct PlaceVersionOp {
  std::uint64_t version = 0;
  friend bool operator==(const PlaceVersionOp&, const PlaceVersionOp&) = default;
};

// trim: memory that no row is left in goes back to where it came from; nothing else changes.
struct TrimOp {
  friend bool operator==(const TrimOp&, const TrimOp&) = default;
};

// dangling: looks for references to entities that are not alive, in every value; world and model
// must find the same ones.
struct DanglingOp {
  friend bool operator==(const DanglingOp&, const DanglingOp&) = default;
};

// mark: remembers the state and the world's version, for the two that follow. Without any, all is
// since the beginning. Refused like a structural change inside a scope.
struct MarkOp {
  friend bool operator==(const MarkOp&, const MarkOp&) = default;
};

// changed q1 health: visits the chunks in which health was changed since the mark. Every entity
// whose health is another one since then must lie in one of them.
struct ChangedOp {
  QueryLabel query = 0;
  ComponentRef component = 0;
  friend bool operator==(const ChangedOp&, const ChangedOp&) = default;
};

// added q1 health: visits the chunks to which rows with health came since the mark. Every entity
// that has had no health then, or did not live, must lie in one of them.
struct AddedOp {
  QueryLabel query = 0;
  ComponentRef component = 0;
  friend bool operator==(const AddedOp&, const AddedOp&) = default;
};

// enable e1 shield; disable e1 shield: switches an enableable component of an entity on or off.
// Legal inside a scope; what is so already is no change.
struct EnableOp {
  EntityRef entity;
  ComponentRef component = 0;
  friend bool operator==(const EnableOp&, const EnableOp&) = default;
};
struct DisableOp {
  EntityRef entity;
  ComponentRef component = 0;
  friend bool operator==(const DisableOp&, const DisableOp&) = default;
};

// enabled e1 shield: asks whether it is on.
struct IsEnabledOp {
  EntityRef entity;
  ComponentRef component = 0;
  friend bool operator==(const IsEnabledOp&, const IsEnabledOp&) = default;
};

// flip q1 shield: opens a scope that writes and switches the component of every row over, row by
// row. It must be a required (all) term of the query, and enableable.
struct FlipOp {
  QueryLabel query = 0;
  ComponentRef component = 0;
  friend bool operator==(const FlipOp&, const FlipOp&) = default;
};

// create_many e1 3 health=80: three entities at once, e1 to e3, each with these values. Labels go
// on from e0 behind e65535.
struct CreateManyOp {
  Label label = 0;
  std::uint32_t count = 1;  // At least 1, at most kCreatedMax.
  std::vector<ComponentArg> values;
  friend bool operator==(const CreateManyOp&, const CreateManyOp&) = default;
};
inline constexpr std::uint32_t kCreatedMax = 4096;

// destroy_all: every entity ends.
struct DestroyAllOp {
  friend bool operator==(const DestroyAllOp&, const DestroyAllOp&) = default;
};

// --- The order of rows; singletons ---

// sort q1 health: the rows of each archetype that the query matches, all of its rows, in rising
// order of a component's values: scalar by scalar, left to right; numbers as numbers, floats in the
// total order of IEEE 754, entities by their bits. Rows with the same value stay as they lie.
struct SortOp {
  QueryLabel query = 0;
  ComponentRef component = 0;
  friend bool operator==(const SortOp&, const SortOp&) = default;
};

// sort_by_entity q1: the same by the entities' index.
struct SortByEntityOp {
  QueryLabel query = 0;
  friend bool operator==(const SortByEntityOp&, const SortByEntityOp&) = default;
};

// put_single health=80: the value of which the world has one.
struct PutSingleOp {
  ComponentArg value;
  friend bool operator==(const PutSingleOp&, const PutSingleOp&) = default;
};

// remove_single health; get_single health
struct RemoveSingleOp {
  ComponentRef component = 0;
  friend bool operator==(const RemoveSingleOp&, const RemoveSingleOp&) = default;
};
struct GetSingleOp {
  ComponentRef component = 0;
  friend bool operator==(const GetSingleOp&, const GetSingleOp&) = default;
};

// --- Hooks. A hook notes what it hears, which world and model must agree on; and it may record a
// command into the program's buffer. ---

// hook health added; hook health removed record destroy; hook health set record remove
// From now on, in the stead of the one that was set for the same: the hook of a component that has
// come, has gone, or was set. What it records is the component's removal, or the entity's end.
struct HookOp {
  ComponentRef component = 0;
  HookMoment moment = HookMoment::kRemoved;
  HookReaction reaction = HookReaction::kNone;
  friend bool operator==(const HookOp&, const HookOp&) = default;
};

// unhook health added: no hook of that any more.
struct UnhookOp {
  ComponentRef component = 0;
  HookMoment moment = HookMoment::kRemoved;
  friend bool operator==(const UnhookOp&, const UnhookOp&) = default;
};

// Whether the operation arms a failure of the next one.
inline bool IsArming(OpCode code) {
  return code == OpCode::kFailAllocation || code == OpCode::kFailConstruction;
}

// In the order of OpCode: `index()` is the code.
using Action =
    std::variant<NopOp, CreateOp, DestroyOp, AddOp, RemoveOp, ExchangeOp, SetOp, PutOp, GetOp,
                 HasOp, SetFieldOp, QueryOp, IterateOp, FillOp, OpenScopeOp, CloseScopeOp, MoveOp,
                 PlaceGenerationOp, ExpectOp, FailAllocationOp, FailConstructionOp, PlaceIndexOp,
                 PlaceVersionOp, TrimOp, DanglingOp, MarkOp, ChangedOp, AddedOp, EnableOp,
                 DisableOp, IsEnabledOp, FlipOp, CreateManyOp, DestroyAllOp, RecordOp, ApplyOp,
                 DiscardOp, ByQueryOp, ManyOp, SortOp, SortByEntityOp, PutSingleOp, RemoveSingleOp,
                 GetSingleOp, HookOp, UnhookOp>;
static_assert(std::variant_size_v<Action> == kOpCodeCount);

inline OpCode CodeOf(const Action& action) { return static_cast<OpCode>(action.index()); }

}  // namespace ashlar::inline v0::oplang
