// PrintTrace and PrintAction. The text of a value is by its type wherever that reads back to the
// very same value, and exact otherwise.
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"
#include "ashlar/oplang/trace_statements.h"
#include "ashlar/oplang/trace_text.h"
#include "ashlar/schema/component_descriptor.h"

namespace ashlar::inline v0::oplang {
namespace {

std::string EntityOperand(const EntityRef& entity) {
  if (entity.is_label) return absl::StrCat("e", entity.label);
  return ScalarText(Scalar::EntityValue(entity.literal));
}

// "f32:1.5": what ReadExactScalar reads.
std::string ExactScalarText(const Scalar& scalar) {
  constexpr std::array<const char*, 7> kNames = {"int",  "uint",   "f32",  "f64",
                                                 "bool", "entity", "label"};
  return absl::StrCat(kNames[static_cast<std::size_t>(scalar.kind)], ":", ScalarText(scalar));
}

std::string ExactValueText(std::span<const Scalar> value) {
  std::string text = "[";
  for (std::size_t i = 0; i < value.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", ExactScalarText(value[i]));
  }
  return text + "]";
}

// How well typed text can say a value.
enum class Typed {
  kFits,        // It reads back, and fits.
  kReadsBack,   // It reads back; the parser wants to be told that it will be refused.
  kImpossible,  // It would be read as something else.
};

Typed JudgeScalar(ScalarType type, const Scalar& scalar) {
  const bool is_label = type == ScalarType::kEntity && scalar.kind == Scalar::Kind::kLabel;
  if (is_label || FitScalar(type, scalar) == scalar) return Typed::kFits;
  const std::optional<Scalar> read = ParseScalar(type, ScalarText(scalar));
  return read.has_value() && AsStored(type, *read) == scalar ? Typed::kReadsBack
                                                             : Typed::kImpossible;
}

Typed JudgeValue(const ComponentDescriptor& descriptor, std::span<const Scalar> value) {
  const std::span<const ScalarSlot> slots = descriptor.scalars();
  if (value.size() != slots.size()) return Typed::kImpossible;
  Typed worst = Typed::kFits;
  for (std::size_t i = 0; i < value.size(); ++i) {
    worst = std::max(worst, JudgeScalar(slots[i].type, value[i]));
  }
  return worst;
}

class Printer {
 public:
  explicit Printer(const Program& program)
      : program_(program), descriptors_(program.components.size()) {}

  // Appends the operation's text to `out`. `refusal_written`: something follows behind "->".
  void Print(const Action& action, bool refusal_written, std::string* out) {
    out_ = out;
    refusal_written_ = refusal_written;
    absl::StrAppend(out, std::string(OpCodeName(CodeOf(action))));
    std::visit([this](const auto& op) { Operands(op); }, action);
  }

 private:
  template <typename... Parts>
  void Add(const Parts&... parts) {
    absl::StrAppend(out_, parts...);
  }

  void Operands(const NopOp&) {}
  void Operands(const CreateOp& op) {
    Add(" e", op.label);
    Arguments(op.values);
  }
  void Operands(const CreateManyOp& op) {
    Add(" e", op.label, " ", op.count);
    Arguments(op.values);
  }
  void Operands(const DestroyAllOp&) {}
  void Operands(const DestroyOp& op) { AddEntity(op.entity); }
  void Operands(const AddOp& op) { EntityAndArguments(op); }
  void Operands(const SetOp& op) { EntityAndArguments(op); }
  void Operands(const PutOp& op) { EntityAndArguments(op); }
  void Operands(const RemoveOp& op) {
    AddEntity(op.entity);
    Components(op.components);
  }
  void Operands(const ExchangeOp& op) {
    AddEntity(op.entity);
    if (!op.removed.empty()) Add(" remove");
    Components(op.removed);
    if (!op.added.empty()) Add(" add");
    Arguments(op.added);
  }
  void Operands(const GetOp& op) { EntityAndComponent(op); }
  void Operands(const HasOp& op) { EntityAndComponent(op); }
  void Operands(const SetFieldOp& op);
  void Operands(const QueryOp& op);
  void Operands(const IterateOp& op) { AddQuery(op.query); }
  void Operands(const FillOp& op) {
    AddQuery(op.query);
    Argument(op.value);
  }
  void Operands(const OpenScopeOp& op) { AddQuery(op.query); }
  void Operands(const CloseScopeOp&) {}
  void Operands(const MoveOp& op) { Add(" dt=", ScalarText(Scalar::F32Bits(op.dt_bits))); }
  void Operands(const PlaceGenerationOp& op) {
    AddEntity(op.entity);
    Add(" ", op.generation);
  }
  void Operands(const ExpectOp& op);
  void Operands(const FailAllocationOp& op) { Add(" ", op.nth, op.sticky ? " sticky" : ""); }
  void Operands(const FailConstructionOp& op) { Add(" ", op.nth); }
  void Operands(const PlaceIndexOp& op) { Add(" ", op.index); }
  void Operands(const PlaceVersionOp& op) { Add(" ", op.version); }
  void Operands(const TrimOp&) {}
  void Operands(const DanglingOp&) {}
  void Operands(const MarkOp&) {}
  void Operands(const ChangedOp& op) { QueryAndComponent(op); }
  void Operands(const AddedOp& op) { QueryAndComponent(op); }

  void Operands(const EnableOp& op) { EntityAndComponent(op); }
  void Operands(const DisableOp& op) { EntityAndComponent(op); }
  void Operands(const IsEnabledOp& op) { EntityAndComponent(op); }
  void Operands(const FlipOp& op) { QueryAndComponent(op); }

  template <typename Op>
  void QueryAndComponent(const Op& op) {
    AddQuery(op.query);
    Add(" ", ComponentName(op.component));
  }
  template <typename Op>
  void EntityAndArguments(const Op& op) {
    AddEntity(op.entity);
    Arguments(op.values);
  }
  template <typename Op>
  void EntityAndComponent(const Op& op) {
    AddEntity(op.entity);
    Add(" ", ComponentName(op.component));
  }

  void AddEntity(const EntityRef& entity) { Add(" ", EntityOperand(entity)); }
  void AddQuery(QueryLabel query) { Add(" q", query); }
  void Entities(const std::vector<EntityRef>& entities) {
    for (const EntityRef& entity : entities) AddEntity(entity);
  }
  void Components(const std::vector<ComponentRef>& components) {
    for (const ComponentRef component : components) Add(" ", ComponentName(component));
  }
  void Arguments(const std::vector<ComponentArg>& arguments) {
    for (const ComponentArg& argument : arguments) Argument(argument);
  }
  void Argument(const ComponentArg& argument);

  std::string ComponentName(ComponentRef component) const;

  // Null where the component is not declared or cannot be registered. Made when first asked for.
  const ComponentDescriptor* Descriptor(ComponentRef component);

  bool TypedTextServes(Typed typed) const {
    return typed == Typed::kFits || (typed == Typed::kReadsBack && refusal_written_);
  }

  const Program& program_;
  std::vector<std::optional<ComponentDescriptor>> descriptors_;
  std::string* out_ = nullptr;
  bool refusal_written_ = false;
};

std::string Printer::ComponentName(ComponentRef component) const {
  if (component < program_.components.size()) {
    const std::string& name = program_.components[component].name;
    if (!IsReservedName(name)) return name;
  }
  return absl::StrCat("#", component);
}

const ComponentDescriptor* Printer::Descriptor(ComponentRef component) {
  if (component >= descriptors_.size()) return nullptr;
  std::optional<ComponentDescriptor>& slot = descriptors_[component];
  if (!slot.has_value()) {
    const ComponentDeclaration& declaration = program_.components[component];
    auto descriptor = ComponentDescriptor::FromSpec(declaration.name, declaration.type);
    if (!descriptor.ok()) return nullptr;
    slot.emplace(*std::move(descriptor));
  }
  return &*slot;
}

void Printer::Argument(const ComponentArg& argument) {
  Add(" ", ComponentName(argument.component));
  if (argument.value.empty()) return;
  const ComponentDescriptor* descriptor = Descriptor(argument.component);
  const bool typed =
      descriptor != nullptr && TypedTextServes(JudgeValue(*descriptor, argument.value));
  Add("=", typed ? ValueText(*descriptor, argument.value) : ExactValueText(argument.value));
}

void Printer::Operands(const SetFieldOp& op) {
  AddEntity(op.entity);
  Add(" ", ComponentName(op.component));
  const ComponentDescriptor* descriptor = Descriptor(op.component);
  if (descriptor == nullptr || op.scalar >= descriptor->scalars().size()) {
    Add(".#", op.scalar, "=", ExactValueText({&op.value, 1}));
    return;
  }
  // The path begins with the component's name, which has been written as an operand.
  Add(descriptor->ScalarPath(op.scalar).substr(descriptor->name().size()), "=");
  const Typed typed = JudgeScalar(descriptor->scalars()[op.scalar].type, op.value);
  Add(TypedTextServes(typed) ? ScalarText(op.value) : ExactValueText({&op.value, 1}));
}

void Printer::Operands(const QueryOp& op) {
  constexpr std::array<const char*, 4> kKinds = {"all", "any", "none", "optional"};
  AddQuery(op.query);
  for (std::size_t i = 0; i < op.terms.size(); ++i) {
    const QueryTerm& term = op.terms[i];
    const bool continues = i > 0 && op.terms[i - 1].kind == term.kind;
    if (continues) {
      Add(", ");
    } else {
      Add(i > 0 ? ") " : " ", kKinds[static_cast<std::size_t>(term.kind)], "(");
    }
    Add(ComponentName(term.component), term.with_disabled ? " with_disabled" : "");
  }
  if (!op.terms.empty()) Add(")");
}

void Printer::Operands(const ExpectOp& op) {
  using Kind = ExpectOp::Kind;
  switch (op.kind) {
    case Kind::kHolds:
      AddEntity(op.entity);
      return Arguments(op.values);
    case Kind::kOnly:
      AddEntity(op.entity);
      Add(" only");
      return Arguments(op.values);
    case Kind::kWithout:
      AddEntity(op.entity);
      Add(" without");
      return Components(op.components);
    case Kind::kOn:
    case Kind::kOff:
      AddEntity(op.entity);
      Add(op.kind == Kind::kOn ? " on" : " off");
      return Components(op.components);
    case Kind::kDead:
      AddEntity(op.entity);
      return Add(" dead");
    case Kind::kId:
      AddEntity(op.entity);
      Add(" id");
      return Entities(op.entities);
    case Kind::kRow:
      AddEntity(op.entity);
      return Add(" chunk ", op.chunk, " row ", op.count);
    case Kind::kMatches:
      AddQuery(op.query);
      Add(" matches");
      return Entities(op.entities);
    case Kind::kCount:
      AddQuery(op.query);
      return Add(" count ", op.count);
    case Kind::kOrder:
      AddQuery(op.query);
      Add(" order");
      return Entities(op.entities);
    case Kind::kLive:
      return Add(" live ", op.count);
    case Kind::kChunks:
      AddQuery(op.query);
      return Add(" chunks ", op.count);
    case Kind::kVersion:
      return Add(" version ", op.count);
    case Kind::kDangling:
      return Add(" dangling ", op.count);
    case Kind::kChanged:
    case Kind::kAdded:
      AddQuery(op.query);
      Add(op.kind == Kind::kAdded ? " added" : " changed");
      Components(op.components);
      return Entities(op.entities);
  }
}

// A note may have been made by a program, with line breaks inside: each piece is a comment.
void PrintNote(std::string_view note, std::string* out) {
  while (true) {
    const std::size_t end = note.find_first_of(std::string_view("\n\r\0", 3));
    const std::string_view piece = note.substr(0, end);
    absl::StrAppend(out, piece.empty() ? "#" : "# ", std::string(piece), "\n");
    if (end == std::string_view::npos) return;
    note.remove_prefix(end + 1);
  }
}

void PrintOptions(const Options& options, std::string* out) {
  const Options plain;
  if (options.chunk_size_bytes != plain.chunk_size_bytes) {
    absl::StrAppend(out, "option chunk_bytes ", options.chunk_size_bytes, "\n");
  }
  if (options.rows_per_chunk_max != plain.rows_per_chunk_max) {
    absl::StrAppend(out, "option rows_per_chunk ", options.rows_per_chunk_max, "\n");
  }
  if (options.entity_index_limit != plain.entity_index_limit) {
    absl::StrAppend(out, "option index_limit ", options.entity_index_limit, "\n");
  }
}

void PrintComponent(const ComponentDeclaration& component, std::string* out) {
  absl::StrAppend(out, "component ", component.name, " ", TypeText(component.type));
  if (component.ownership != Ownership::kPlain) {
    absl::StrAppend(out, " as ", std::string(OwnershipName(component.ownership)));
  }
  if (component.is_enableable) absl::StrAppend(out, " enableable");
  if (component.is_split) absl::StrAppend(out, " split");
  *out += '\n';
}

void PrintExpectation(const Expectation& expectation, std::string* out) {
  if (expectation.kind == Expectation::Kind::kAny) absl::StrAppend(out, " -> any");
  if (expectation.kind == Expectation::Kind::kError) {
    absl::StrAppend(out, " -> ", OutcomeText(expectation.outcome));
  }
}

}  // namespace

std::string PrintTrace(const Program& program) {
  std::string text;
  for (const std::string& note : program.notes) PrintNote(note, &text);
  absl::StrAppend(&text, "trace ", kTraceVersion, "\n");
  PrintOptions(program.options, &text);
  for (const ComponentDeclaration& component : program.components) {
    PrintComponent(component, &text);
  }
  Printer printer(program);
  for (const Operation& operation : program.operations) {
    printer.Print(operation.action, operation.expectation.kind != Expectation::Kind::kOk, &text);
    PrintExpectation(operation.expectation, &text);
    text += '\n';
  }
  return text;
}

std::string PrintAction(const Program& program, const Action& action) {
  std::string text;
  Printer(program).Print(action, /*refusal_written=*/true, &text);
  return text;
}

}  // namespace ashlar::inline v0::oplang
