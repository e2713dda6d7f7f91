// The operations of random programs, and what is expected of them.
#include <iterator>

#include "ashlar/oplang/random_programs.h"

namespace ashlar::inline v0::oplang {

ExpectOp ProgramMaker::MakeExpect() {
  ExpectOp op;
  op.kind = static_cast<ExpectOp::Kind>(Below(17));
  switch (op.kind) {
    case ExpectOp::Kind::kHolds:
    case ExpectOp::Kind::kOnly:
      op.entity = MakeEntity();
      op.values = MakeArgs(4);
      break;
    case ExpectOp::Kind::kWithout:
    case ExpectOp::Kind::kOn:
    case ExpectOp::Kind::kOff:
      op.entity = MakeEntity();
      op.components = MakeComponents(4);
      break;
    case ExpectOp::Kind::kDead:
      op.entity = MakeEntity();
      break;
    case ExpectOp::Kind::kId:
      op.entity = MakeEntity();
      op.entities = {EntityRef::Literal(Entity::FromBits(Next()))};
      break;
    case ExpectOp::Kind::kRow:
      op.entity = MakeEntity();
      op.chunk = static_cast<std::uint32_t>(Next());
      op.count = Next();
      break;
    case ExpectOp::Kind::kMatches:
    case ExpectOp::Kind::kOrder:
      op.query = MakeQuery();
      op.entities = MakeEntities();
      break;
    case ExpectOp::Kind::kChanged:
    case ExpectOp::Kind::kAdded:
      op.query = MakeQuery();
      op.components = {MakeComponent()};
      op.entities = MakeEntities();
      break;
    case ExpectOp::Kind::kCount:
    case ExpectOp::Kind::kChunks:
      op.query = MakeQuery();
      op.count = Chance(2) ? Below(5) : Next();
      break;
    case ExpectOp::Kind::kLive:
    case ExpectOp::Kind::kVersion:
    case ExpectOp::Kind::kDangling:
      op.count = Chance(2) ? Below(5) : Next();
      break;
  }
  return op;
}

QueryOp ProgramMaker::MakeQueryOp() {
  QueryOp op;
  op.query = MakeQuery();
  for (const ComponentRef component : MakeComponents(7)) {
    op.terms.push_back({static_cast<TermKind>(Below(4)), component, Chance(4)});
  }
  return op;
}

// Fills what the verb takes.
template <typename Op>
Op ProgramMaker::WithChange(Op op) {
  if (Removes(op.verb)) op.removed = MakeComponents(6);
  if (Gives(op.verb)) op.values = MakeArgs(6);
  return op;
}

RecordOp ProgramMaker::MakeRecord() {
  RecordOp op;
  op.buffer = static_cast<std::uint8_t>(Below(kCommandBufferCount));
  op.is_late = Chance(4);
  op.verb = static_cast<CommandVerb>(Below(kCommandVerbCount));
  op.by_query = op.verb != CommandVerb::kCreate && Chance(4);
  if (op.verb == CommandVerb::kCreate) {
    op.label = MakeLabel();
  } else if (op.by_query) {
    op.query = MakeQuery();
  } else {
    op.entity = MakeEntity();
  }
  return WithChange(op);
}

// Any of the five operations.
Action ProgramMaker::MakeOfCommands() {
  const CommandVerb verb = kBulkVerbs[Below(kBulkVerbs.size())];
  switch (Below(5)) {
    case 0:
      return ApplyOp{Chance(2)};
    case 1:
      return DiscardOp();
    case 2:
      return WithChange(ByQueryOp{verb, MakeQuery(), {}, {}});
    case 3:
      return WithChange(ManyOp{verb, MakeEntities(), {}, {}});
    default:
      return MakeRecord();
  }
}

// About the order of rows, a singleton or a hook.
Action ProgramMaker::MakeOfTheWorld() {
  switch (Below(7)) {
    case 0:
      return SortOp{MakeQuery(), MakeComponent()};
    case 1:
      return SortByEntityOp{MakeQuery()};
    case 2:
      return PutSingleOp{MakeArg()};
    case 3:
      return RemoveSingleOp{MakeComponent()};
    case 4:
      return GetSingleOp{MakeComponent()};
    case 5:
      return UnhookOp{MakeComponent(), static_cast<HookMoment>(Below(kHookMomentCount))};
    default:
      return HookOp{MakeComponent(), static_cast<HookMoment>(Below(kHookMomentCount)),
                    static_cast<HookReaction>(Below(kHookReactionCount))};
  }
}

// What arms a failure, or brings a number near its end.
Action ProgramMaker::MakeOfLimits() {
  switch (Below(5)) {
    case 0:
      return PlaceGenerationOp{MakeEntity(), static_cast<std::uint32_t>(Next())};
    case 1:
      return FailAllocationOp{MakeCount(), Chance(2)};
    case 2:
      return FailConstructionOp{MakeCount()};
    case 3:
      return PlaceIndexOp{Next() >> Below(64)};
    default:
      return PlaceVersionOp{Next() >> Below(64)};
  }
}

// One without operands.
Action ProgramMaker::MakeBare() {
  const Action bare[] = {NopOp(), CloseScopeOp(), TrimOp(), DanglingOp(), MarkOp(), DestroyAllOp()};
  return bare[Below(std::size(bare))];
}

SetFieldOp ProgramMaker::MakeSetField() {
  return SetFieldOp{MakeEntity(), MakeComponent(),
                    static_cast<std::uint32_t>(Chance(8) ? Next() : Below(12)),
                    Chance(4) ? MakeAnyScalar() : MakeScalar(ScalarType::kF32)};
}

Action ProgramMaker::MakeAction() {
  switch (static_cast<OpCode>(Below(kOpCodeCount))) {
    case OpCode::kNop:
    case OpCode::kCloseScope:
    case OpCode::kTrim:
    case OpCode::kDangling:
    case OpCode::kMark:
    case OpCode::kDestroyAll:
      return MakeBare();
    case OpCode::kCreate:
      return CreateOp{MakeLabel(), MakeArgs(6)};
    case OpCode::kDestroy:
      return DestroyOp{MakeEntity()};
    case OpCode::kAdd:
      return AddOp{MakeEntity(), MakeArgs(6)};
    case OpCode::kRemove:
      return RemoveOp{MakeEntity(), MakeComponents(6)};
    case OpCode::kExchange:
      return ExchangeOp{MakeEntity(), MakeComponents(5), MakeArgs(5)};
    case OpCode::kSet:
      return SetOp{MakeEntity(), MakeArgs(6)};
    case OpCode::kPut:
      return PutOp{MakeEntity(), MakeArgs(6)};
    case OpCode::kGet:
      return GetOp{MakeEntity(), MakeComponent()};
    case OpCode::kHas:
      return HasOp{MakeEntity(), MakeComponent()};
    case OpCode::kSetField:
      return MakeSetField();
    case OpCode::kQuery:
      return MakeQueryOp();
    case OpCode::kIterate:
      return IterateOp{MakeQuery()};
    case OpCode::kFill:
      return FillOp{MakeQuery(), MakeArg()};
    case OpCode::kOpenScope:
      return OpenScopeOp{MakeQuery()};
    case OpCode::kMove:
      return MoveOp{static_cast<std::uint32_t>(Next())};
    case OpCode::kPlaceGeneration:
    case OpCode::kFailAllocation:
    case OpCode::kFailConstruction:
    case OpCode::kPlaceIndex:
    case OpCode::kPlaceVersion:
      return MakeOfLimits();
    case OpCode::kChanged:
      return ChangedOp{MakeQuery(), MakeComponent()};
    case OpCode::kAdded:
      return AddedOp{MakeQuery(), MakeComponent()};
    case OpCode::kEnable:
      return EnableOp{MakeEntity(), MakeComponent()};
    case OpCode::kDisable:
      return DisableOp{MakeEntity(), MakeComponent()};
    case OpCode::kIsEnabled:
      return IsEnabledOp{MakeEntity(), MakeComponent()};
    case OpCode::kCreateMany:
      return CreateManyOp{MakeLabel(), 1 + static_cast<std::uint32_t>(Below(kCreatedMax)),
                          MakeArgs(6)};
    case OpCode::kRecord:
    case OpCode::kApply:
    case OpCode::kDiscard:
    case OpCode::kByQuery:
    case OpCode::kMany:
      return MakeOfCommands();
    case OpCode::kFlip:
      return FlipOp{MakeQuery(), MakeComponent()};
    case OpCode::kSort:
    case OpCode::kSortByEntity:
    case OpCode::kPutSingle:
    case OpCode::kRemoveSingle:
    case OpCode::kGetSingle:
    case OpCode::kHook:
    case OpCode::kUnhook:
      return MakeOfTheWorld();
    case OpCode::kExpect:
      break;
  }
  return MakeExpect();
}

}  // namespace ashlar::inline v0::oplang
