#include "model/reachable_outcomes.h"

#include <initializer_list>
#include <vector>

namespace ashlar::model {
namespace {

using oplang::OpCode;

std::vector<OperationOutcome> ListReachable() {
  std::vector<OperationOutcome> pairs;
  const auto append = [&pairs](OpCode code, std::initializer_list<Reason> reasons) {
    pairs.push_back({code, Reason::kNone});
    for (Reason reason : reasons) pairs.push_back({code, reason});
  };
  using enum Reason;
  append(OpCode::kNop, {});
  append(OpCode::kCreate, {kComponentUnknown, kComponentRepeated, kValueRefused, kValueDoesNotFit,
                           kRowTooLarge, kScopeOpen, kIdsExhausted});
  append(OpCode::kCreateMany, {kComponentUnknown, kComponentRepeated, kValueRefused,
                               kValueDoesNotFit, kRowTooLarge, kScopeOpen, kIdsExhausted});
  append(OpCode::kDestroyAll, {kScopeOpen});
  append(OpCode::kDestroy, {kEntityNotAlive, kScopeOpen});
  append(OpCode::kAdd, {kEntityNotAlive, kComponentPresent, kComponentUnknown, kComponentRepeated,
                        kValueRefused, kValueDoesNotFit, kRowTooLarge, kScopeOpen});
  append(OpCode::kRemove,
         {kEntityNotAlive, kComponentAbsent, kComponentUnknown, kComponentRepeated, kScopeOpen});
  append(OpCode::kExchange,
         {kEntityNotAlive, kComponentPresent, kComponentAbsent, kComponentUnknown,
          kComponentRepeated, kValueRefused, kValueDoesNotFit, kRowTooLarge, kScopeOpen});
  append(OpCode::kSet, {kEntityNotAlive, kComponentAbsent, kComponentUnknown, kComponentRepeated,
                        kValueRefused, kValueDoesNotFit});
  append(OpCode::kPut, {kEntityNotAlive, kComponentUnknown, kComponentRepeated, kValueRefused,
                        kValueDoesNotFit, kRowTooLarge, kScopeOpen});
  append(OpCode::kGet, {kEntityNotAlive, kComponentAbsent, kComponentUnknown});
  append(OpCode::kHas, {kEntityNotAlive, kComponentUnknown});
  append(OpCode::kSetField, {kEntityNotAlive, kComponentAbsent, kComponentUnknown, kFieldUnknown,
                             kValueRefused, kValueDoesNotFit});
  append(OpCode::kQuery, {kComponentUnknown, kComponentRepeated, kQueryConflict, kScopeOpen});
  append(OpCode::kIterate, {kQueryUnknown});
  append(OpCode::kFill,
         {kQueryUnknown, kComponentAbsent, kComponentUnknown, kValueRefused, kValueDoesNotFit});
  append(OpCode::kOpenScope, {kQueryUnknown});
  append(OpCode::kCloseScope, {});
  append(OpCode::kMove, {});
  append(OpCode::kPlaceGeneration, {kEntityNotAlive, kOptionInvalid, kScopeOpen});
  append(OpCode::kFailAllocation, {});
  append(OpCode::kFailConstruction, {});
  append(OpCode::kPlaceIndex, {kOptionInvalid, kScopeOpen});
  append(OpCode::kPlaceVersion, {kOptionInvalid, kScopeOpen});
  append(OpCode::kTrim, {kScopeOpen});
  append(OpCode::kDangling, {});
  append(OpCode::kMark, {kScopeOpen});
  append(OpCode::kChanged, {kQueryUnknown, kComponentUnknown});
  append(OpCode::kAdded, {kQueryUnknown, kComponentUnknown});
  for (OpCode code : {OpCode::kEnable, OpCode::kDisable, OpCode::kIsEnabled}) {
    append(code, {kEntityNotAlive, kComponentUnknown, kComponentNotEnableable, kComponentAbsent});
  }
  append(OpCode::kFlip,
         {kQueryUnknown, kComponentUnknown, kComponentNotEnableable, kComponentAbsent});
  append(OpCode::kRecord, {kPlaceholderUnknown, kComponentUnknown, kComponentRepeated,
                           kValueRefused, kValueDoesNotFit});
  append(OpCode::kApply, {kScopeOpen, kEntityNotAlive, kComponentPresent, kComponentAbsent,
                          kRowTooLarge, kQueryUnknown, kIdsExhausted});
  append(OpCode::kDiscard, {});
  append(OpCode::kByQuery,
         {kScopeOpen, kQueryUnknown, kComponentUnknown, kComponentRepeated, kValueRefused,
          kValueDoesNotFit, kComponentPresent, kComponentAbsent, kRowTooLarge});
  append(OpCode::kMany,
         {kScopeOpen, kEntityNotAlive, kEntityRepeated, kComponentUnknown, kComponentRepeated,
          kValueRefused, kValueDoesNotFit, kComponentPresent, kComponentAbsent, kRowTooLarge});
  append(OpCode::kSort, {kScopeOpen, kQueryUnknown, kComponentUnknown, kComponentAbsent});
  append(OpCode::kSortByEntity, {kScopeOpen, kQueryUnknown});
  append(OpCode::kPutSingle, {kComponentUnknown, kValueRefused, kValueDoesNotFit});
  append(OpCode::kRemoveSingle, {kComponentUnknown, kComponentAbsent});
  append(OpCode::kGetSingle, {kComponentUnknown, kComponentAbsent});
  append(OpCode::kHook, {kScopeOpen, kComponentUnknown});
  append(OpCode::kUnhook, {kScopeOpen, kComponentUnknown});
  return pairs;
}

}  // namespace

std::span<const OperationOutcome> ReachableOutcomes() {
  static const std::vector<OperationOutcome> pairs = ListReachable();
  return pairs;
}

}  // namespace ashlar::model
