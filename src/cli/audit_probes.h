// What a long audit must have seen, so that a green run is not an empty one.
#pragma once

#include <array>
#include <string_view>

#include "ashlar/core/status.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::cli {

// An audit of at least so many random operations is held to the lists below.
inline constexpr std::uint64_t kLongAuditOperations = 1'000'000;

// States that it must have reached (ASHLAR_EVER in the kernel and in lockstep); it fails where one
// was not.
inline constexpr std::string_view kAuditProbes[] = {
    "archetype: a further chunk opened",
    "archetype: emptied",
    "archetype: hole filled across chunks",
    "archetype: last row removed",
    "directory: free list deeper than 16",
    "directory: slot retired",
    "pool: more than one slab",
    "query: match list extended after it was made",
    "world: change that keeps the signature writes in place",
};

// Outcomes that each operation can have in random programs; the audit warns where a pair was seen
// fewer than kPairsSeenMin times.
inline constexpr std::uint64_t kPairsSeenMin = 100;

struct ExpectedOutcomes {
  oplang::OpCode operation = oplang::OpCode::kNop;
  std::array<Reason, 12> reasons{};  // kNone is success; the first one is always it.
};

// The rest of each array stays kNone, which is looked at once.
inline constexpr ExpectedOutcomes kAuditOutcomes[] = {
    {oplang::OpCode::kCreate,
     {Reason::kNone, Reason::kScopeOpen, Reason::kComponentUnknown, Reason::kComponentRepeated,
      Reason::kValueDoesNotFit, Reason::kValueRefused, Reason::kRowTooLarge,
      Reason::kIdsExhausted}},
    {oplang::OpCode::kCreateMany,
     {Reason::kNone, Reason::kScopeOpen, Reason::kComponentUnknown, Reason::kComponentRepeated,
      Reason::kValueDoesNotFit, Reason::kValueRefused, Reason::kRowTooLarge,
      Reason::kIdsExhausted}},
    {oplang::OpCode::kDestroyAll, {Reason::kNone, Reason::kScopeOpen}},
    {oplang::OpCode::kDestroy, {Reason::kNone, Reason::kScopeOpen, Reason::kEntityNotAlive}},
    {oplang::OpCode::kAdd,
     {Reason::kNone, Reason::kScopeOpen, Reason::kEntityNotAlive, Reason::kComponentUnknown,
      Reason::kComponentRepeated, Reason::kComponentPresent, Reason::kValueDoesNotFit,
      Reason::kValueRefused, Reason::kRowTooLarge}},
    {oplang::OpCode::kRemove,
     {Reason::kNone, Reason::kScopeOpen, Reason::kEntityNotAlive, Reason::kComponentUnknown,
      Reason::kComponentRepeated, Reason::kComponentAbsent}},
    {oplang::OpCode::kExchange,
     {Reason::kNone, Reason::kScopeOpen, Reason::kEntityNotAlive, Reason::kComponentUnknown,
      Reason::kComponentRepeated, Reason::kComponentAbsent, Reason::kComponentPresent,
      Reason::kValueDoesNotFit, Reason::kValueRefused, Reason::kRowTooLarge}},
    {oplang::OpCode::kSet,
     {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown, Reason::kComponentRepeated,
      Reason::kComponentAbsent, Reason::kValueDoesNotFit, Reason::kValueRefused}},
    {oplang::OpCode::kPut,
     {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown, Reason::kComponentRepeated,
      Reason::kScopeOpen, Reason::kValueDoesNotFit, Reason::kValueRefused, Reason::kRowTooLarge}},
    {oplang::OpCode::kGet,
     {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown, Reason::kComponentAbsent}},
    {oplang::OpCode::kHas, {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown}},
    {oplang::OpCode::kSetField,
     {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown, Reason::kComponentAbsent,
      Reason::kFieldUnknown, Reason::kValueDoesNotFit, Reason::kValueRefused}},
    {oplang::OpCode::kQuery,
     {Reason::kNone, Reason::kScopeOpen, Reason::kComponentUnknown, Reason::kComponentRepeated,
      Reason::kQueryConflict}},
    {oplang::OpCode::kIterate, {Reason::kNone, Reason::kQueryUnknown}},
    {oplang::OpCode::kFill,
     {Reason::kNone, Reason::kQueryUnknown, Reason::kComponentUnknown, Reason::kComponentAbsent,
      Reason::kValueDoesNotFit, Reason::kValueRefused}},
    {oplang::OpCode::kOpenScope, {Reason::kNone, Reason::kQueryUnknown}},
    {oplang::OpCode::kCloseScope, {Reason::kNone}},
    {oplang::OpCode::kMove, {Reason::kNone}},
    {oplang::OpCode::kPlaceGeneration,
     {Reason::kNone, Reason::kScopeOpen, Reason::kEntityNotAlive, Reason::kOptionInvalid}},
    {oplang::OpCode::kFailAllocation, {Reason::kNone}},
    {oplang::OpCode::kFailConstruction, {Reason::kNone}},
    {oplang::OpCode::kPlaceIndex, {Reason::kNone, Reason::kScopeOpen, Reason::kOptionInvalid}},
    {oplang::OpCode::kPlaceVersion, {Reason::kNone, Reason::kScopeOpen, Reason::kOptionInvalid}},
    {oplang::OpCode::kTrim, {Reason::kNone, Reason::kScopeOpen}},
    {oplang::OpCode::kDangling, {Reason::kNone}},
    {oplang::OpCode::kMark, {Reason::kNone, Reason::kScopeOpen}},
    {oplang::OpCode::kChanged, {Reason::kNone, Reason::kQueryUnknown, Reason::kComponentUnknown}},
    {oplang::OpCode::kAdded, {Reason::kNone, Reason::kQueryUnknown, Reason::kComponentUnknown}},
    {oplang::OpCode::kEnable,
     {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown,
      Reason::kComponentNotEnableable, Reason::kComponentAbsent}},
    {oplang::OpCode::kDisable,
     {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown,
      Reason::kComponentNotEnableable, Reason::kComponentAbsent}},
    {oplang::OpCode::kIsEnabled,
     {Reason::kNone, Reason::kEntityNotAlive, Reason::kComponentUnknown,
      Reason::kComponentNotEnableable, Reason::kComponentAbsent}},
    {oplang::OpCode::kFlip,
     {Reason::kNone, Reason::kQueryUnknown, Reason::kComponentUnknown,
      Reason::kComponentNotEnableable, Reason::kComponentAbsent}},
    {oplang::OpCode::kRecord,
     {Reason::kNone, Reason::kComponentUnknown, Reason::kComponentRepeated,
      Reason::kValueDoesNotFit, Reason::kValueRefused}},
    {oplang::OpCode::kApply,
     {Reason::kNone, Reason::kScopeOpen, Reason::kEntityNotAlive, Reason::kComponentPresent,
      Reason::kComponentAbsent, Reason::kRowTooLarge, Reason::kQueryUnknown,
      Reason::kIdsExhausted}},
    {oplang::OpCode::kDiscard, {Reason::kNone}},
    {oplang::OpCode::kHook, {Reason::kNone, Reason::kScopeOpen, Reason::kComponentUnknown}},
    {oplang::OpCode::kUnhook, {Reason::kNone, Reason::kScopeOpen, Reason::kComponentUnknown}},
    {oplang::OpCode::kSort,
     {Reason::kNone, Reason::kScopeOpen, Reason::kQueryUnknown, Reason::kComponentUnknown,
      Reason::kComponentAbsent}},
    {oplang::OpCode::kSortByEntity, {Reason::kNone, Reason::kScopeOpen, Reason::kQueryUnknown}},
    {oplang::OpCode::kPutSingle,
     {Reason::kNone, Reason::kComponentUnknown, Reason::kValueDoesNotFit, Reason::kValueRefused}},
    {oplang::OpCode::kRemoveSingle,
     {Reason::kNone, Reason::kComponentUnknown, Reason::kComponentAbsent}},
    {oplang::OpCode::kGetSingle,
     {Reason::kNone, Reason::kComponentUnknown, Reason::kComponentAbsent}},
    {oplang::OpCode::kByQuery,
     {Reason::kNone, Reason::kScopeOpen, Reason::kQueryUnknown, Reason::kComponentUnknown,
      Reason::kComponentRepeated, Reason::kComponentPresent, Reason::kComponentAbsent,
      Reason::kValueDoesNotFit, Reason::kValueRefused, Reason::kRowTooLarge}},
    {oplang::OpCode::kMany,
     {Reason::kNone, Reason::kScopeOpen, Reason::kEntityNotAlive, Reason::kEntityRepeated,
      Reason::kComponentUnknown, Reason::kComponentRepeated, Reason::kComponentPresent,
      Reason::kComponentAbsent, Reason::kValueDoesNotFit, Reason::kValueRefused,
      Reason::kRowTooLarge}},
};

}  // namespace ashlar::cli
