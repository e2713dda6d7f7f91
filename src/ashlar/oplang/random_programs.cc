#include "ashlar/oplang/random_programs.h"

#include <string>
#include <utility>

#include "ashlar/core/check.h"

namespace ashlar::inline v0::oplang {
namespace {

const std::vector<std::string>& Names() {
  // Names that are keywords somewhere, or look like other operands, come first.
  static const std::vector<std::string> names = {
      "only", "dead",     "id",     "chunk",      "without",  "add",           "remove", "all",
      "live", "on",       "off",    "enableable", "split",    "with_disabled", "e1",     "null",
      "tag",  "position", "health", "_under",     "velocity", "body",          "x"};
  return names;
}

const std::vector<std::string>& TypeTexts() {
  static const std::vector<std::string> texts = {
      "tag",
      "f32",
      "f32[3]",
      "f64",
      "f64[2] in [-1.5,1e300]",
      "i8",
      "i16[5]",
      "i32 in [0,100]",
      "i64",
      "u8[2]",
      "u16 in [1,65535]",
      "u32",
      "u64",
      "u64 in [5,18446744073709551615]",
      "bool",
      "bool[4]",
      "entity",
      "entity[3]",
      "f32 in [-inf,0.0] finite",
      "{pos: f32[3], mass: f32 in [0.0,10.0], target: entity}",
      "{a: u8, b: i64[2], c: bool, d: f64 finite, e: entity[2]}",
      "{only: i32}",
      "{list: i16[300]}",
  };
  return texts;
}

}  // namespace

TypeSpec TypeOfText(std::string_view text) {
  TypeSpec type;
  ASHLAR_CHECK(!ParseType(text, &type).has_value());
  return type;
}

// splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
std::uint64_t ProgramMaker::Next() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

Program ProgramMaker::Make(std::size_t operation_count) {
  program_ = Program();
  if (Chance(2)) program_.notes = {"a note", "", "  indented # more"};
  program_.options.chunk_size_bytes = 4096u << Below(5);
  program_.options.rows_per_chunk_max = Pick<std::uint32_t>({0, 1, 2, 4});
  program_.options.entity_index_limit = Chance(2) ? 0 : Below(256);
  MakeComponents();
  for (std::size_t i = 0; i < operation_count; ++i) {
    Operation& operation = program_.operations.emplace_back();
    operation.action = MakeAction();
    operation.expectation = MakeExpectation();
  }
  return std::move(program_);
}

void ProgramMaker::MakeComponents() {
  std::vector<std::string> names = Names();
  const std::size_t count = Below(names.size() + 1);
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(names[i], names[i + Below(names.size() - i)]);
    program_.components.push_back({names[i], TypeOfText(Pick(TypeTexts()))});
    if (Chance(4)) program_.components.back().ownership = static_cast<Ownership>(Below(5));
    program_.components.back().is_enableable = Chance(4);
    program_.components.back().is_split = Chance(4) && CanBeSplit(program_.components.back());
  }
  // Now and then more components than a selector of the binary form can name.
  const int more = Chance(16) ? 300 : 0;
  for (int i = 0; i < more; ++i) {
    program_.components.push_back({"more" + std::to_string(i), TypeOfText(Pick(TypeTexts()))});
  }
}

Label ProgramMaker::MakeLabel() { return static_cast<Label>(Chance(8) ? Below(65536) : Below(8)); }

EntityRef ProgramMaker::MakeEntity() {
  if (!Chance(4)) return EntityRef::Of(MakeLabel());
  if (Chance(4)) return EntityRef::Literal(Entity());
  return EntityRef::Literal(Chance(2) ? Entity(static_cast<std::uint32_t>(Below(9)), 1)
                                      : Entity::FromBits(Next()));
}

QueryLabel ProgramMaker::MakeQuery() {
  return static_cast<QueryLabel>(Chance(4) ? Below(256) : Below(4));
}

// From 1 on; also such as one record of the binary form cannot count to.
std::uint32_t ProgramMaker::MakeCount() {
  return 1 + static_cast<std::uint32_t>(Chance(4) ? Below(~std::uint32_t{0}) : Below(80));
}

ComponentRef ProgramMaker::MakeComponent() {
  if (Chance(32)) return static_cast<ComponentRef>(Below(65536));
  return static_cast<ComponentRef>(Below(program_.components.size() + 2));
}

std::vector<ComponentRef> ProgramMaker::MakeComponents(std::size_t count_max) {
  std::vector<ComponentRef> components;
  const std::size_t count = Below(count_max + 1);
  for (std::size_t i = 0; i < count; ++i) components.push_back(MakeComponent());
  return components;
}

std::vector<EntityRef> ProgramMaker::MakeEntities() {
  std::vector<EntityRef> entities;
  const std::size_t count = Below(5);
  for (std::size_t i = 0; i < count; ++i) entities.push_back(MakeEntity());
  return entities;
}

Scalar ProgramMaker::MakeAnyScalar() {
  const std::uint64_t bits = Chance(2) ? Next() : Next() >> Below(64);
  switch (Below(7)) {
    case 0:
      return Scalar::Int(static_cast<std::int64_t>(bits));
    case 1:
      return Scalar::Uint(bits);
    case 2:
      return Scalar::F32Bits(static_cast<std::uint32_t>(bits));
    case 3:
      return Scalar::F64Bits(bits);
    case 4:
      return Scalar::Bool(bits % 2 == 0);
    case 5:
      return Scalar::EntityValue(Entity::FromBits(bits));
    default:
      return Scalar::Label(static_cast<Label>(bits));
  }
}

// Mostly one that the type can hold.
Scalar ProgramMaker::MakeScalar(ScalarType type) {
  if (Chance(8)) return MakeAnyScalar();
  if (type == ScalarType::kEntity && Chance(2)) return Scalar::Label(MakeLabel());
  if (IsInteger(type) && Chance(2)) return Scalar::Int(static_cast<std::int64_t>(Below(128)));
  if (IsFloat(type) && Chance(4)) return Scalar::F32(static_cast<float>(Below(64)) * 0.25f);
  // Any bytes are a value of every type.
  const std::uint64_t bits = Next();
  return LoadScalar(type, reinterpret_cast<const std::byte*>(&bits));
}

ComponentArg ProgramMaker::MakeArg() {
  ComponentArg arg;
  arg.component = MakeComponent();
  if (Chance(4)) return arg;
  if (arg.component >= program_.components.size() || Chance(16)) {
    const std::size_t count = Below(4);
    for (std::size_t i = 0; i < count; ++i) arg.value.push_back(MakeAnyScalar());
    return arg;
  }
  for (const FieldSpec& field : program_.components[arg.component].type.fields) {
    for (std::uint32_t i = 0; i < field.type.count; ++i) {
      arg.value.push_back(MakeScalar(field.type.scalar));
    }
  }
  return arg;
}

std::vector<ComponentArg> ProgramMaker::MakeArgs(std::size_t count_max) {
  std::vector<ComponentArg> args;
  const std::size_t count = Below(count_max + 1);
  for (std::size_t i = 0; i < count; ++i) args.push_back(MakeArg());
  return args;
}

Expectation ProgramMaker::MakeExpectation() {
  switch (Below(4)) {
    case 0:
      return {Expectation::Kind::kOk, {}};
    case 1:
      return {Expectation::Kind::kError,
              {absl::StatusCode::kNotFound, Chance(2) ? Reason::kNone : Reason::kEntityNotAlive}};
    case 2:
      return {
          Expectation::Kind::kError,
          {absl::StatusCode::kInvalidArgument, static_cast<Reason>(1 + Below(kReasonCount - 1))}};
    default:
      return {Expectation::Kind::kAny, {}};
  }
}

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

SetFieldOp ProgramMaker::MakeSetField() {
  return SetFieldOp{MakeEntity(), MakeComponent(),
                    static_cast<std::uint32_t>(Chance(8) ? Next() : Below(12)),
                    Chance(4) ? MakeAnyScalar() : MakeScalar(ScalarType::kF32)};
}

Action ProgramMaker::MakeAction() {
  switch (static_cast<OpCode>(Below(kOpCodeCount))) {
    case OpCode::kNop:
      return NopOp();
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
    case OpCode::kCloseScope:
      return CloseScopeOp();
    case OpCode::kMove:
      return MoveOp{static_cast<std::uint32_t>(Next())};
    case OpCode::kPlaceGeneration:
      return PlaceGenerationOp{MakeEntity(), static_cast<std::uint32_t>(Next())};
    case OpCode::kFailAllocation:
      return FailAllocationOp{MakeCount(), Chance(2)};
    case OpCode::kFailConstruction:
      return FailConstructionOp{MakeCount()};
    case OpCode::kPlaceIndex:
      return PlaceIndexOp{Next() >> Below(64)};
    case OpCode::kPlaceVersion:
      return PlaceVersionOp{Next() >> Below(64)};
    case OpCode::kTrim:
      return TrimOp();
    case OpCode::kDangling:
      return DanglingOp();
    case OpCode::kMark:
      return MarkOp();
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
    case OpCode::kDestroyAll:
      return DestroyAllOp();
    case OpCode::kRecord:
    case OpCode::kApply:
    case OpCode::kDiscard:
    case OpCode::kByQuery:
    case OpCode::kMany:
      return MakeOfCommands();
    case OpCode::kFlip:
      return FlipOp{MakeQuery(), MakeComponent()};
    case OpCode::kExpect:
      break;
  }
  return MakeExpect();
}

}  // namespace ashlar::inline v0::oplang
