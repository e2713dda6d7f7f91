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

}  // namespace ashlar::inline v0::oplang
