#include "ashlar/oplang/action_printer.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "ashlar/oplang/trace_statements.h"

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

bool Serves(Typed typed, bool refusal_written) {
  return typed == Typed::kFits || (typed == Typed::kReadsBack && refusal_written);
}

}  // namespace

void ActionPrinter::AddEntity(const EntityRef& entity) { Add(" ", EntityOperand(entity)); }

std::string ActionPrinter::ComponentName(ComponentRef component) const {
  if (component < program_.components.size()) {
    const std::string& name = program_.components[component].name;
    if (!IsReservedName(name)) return name;
  }
  return absl::StrCat("#", component);
}

const ComponentDescriptor* ActionPrinter::Descriptor(ComponentRef component) {
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

void ActionPrinter::Argument(const ComponentArg& argument) {
  Add(" ", ComponentName(argument.component));
  if (argument.value.empty()) return;
  const ComponentDescriptor* descriptor = Descriptor(argument.component);
  const bool typed =
      descriptor != nullptr && Serves(JudgeValue(*descriptor, argument.value), refusal_written_);
  Add("=", typed ? ValueText(*descriptor, argument.value) : ExactValueText(argument.value));
}

void ActionPrinter::Operands(const SetFieldOp& op) {
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
  Add(Serves(typed, refusal_written_) ? ScalarText(op.value) : ExactValueText({&op.value, 1}));
}

void ActionPrinter::Operands(const QueryOp& op) {
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

void ActionPrinter::Operands(const ExpectOp& op) {
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

void ActionPrinter::Exchanged(const std::vector<ComponentRef>& removed,
                              const std::vector<ComponentArg>& added) {
  if (!removed.empty()) Add(" remove");
  Components(removed);
  if (!added.empty()) Add(" add");
  Arguments(added);
}

void ActionPrinter::Operands(const RecordOp& op) {
  if (op.buffer != 0) Add(" ", int{op.buffer});
  if (op.is_late) Add(" late");
  Verb(op.verb);
  if (op.verb == CommandVerb::kCreate) {
    Add(" e", op.label);
  } else if (op.by_query) {
    AddQuery(op.query);
  } else {
    AddEntity(op.entity);
  }
  if (op.verb == CommandVerb::kExchange) return Exchanged(op.removed, op.values);
  Components(op.removed);
  Arguments(op.values);
}

void ActionPrinter::Operands(const HookOp& op) {
  Hooked(op.component, op.moment);
  if (op.reaction == HookReaction::kRemove) Add(" record remove");
  if (op.reaction == HookReaction::kDestroy) Add(" record destroy");
}

void ActionPrinter::Operands(const ByQueryOp& op) {
  Verb(op.verb);
  AddQuery(op.query);
  Components(op.removed);
  Arguments(op.values);
}

void ActionPrinter::Operands(const ManyOp& op) {
  Verb(op.verb);
  Entities(op.entities);
  if (op.verb != CommandVerb::kDestroy) Add(" :");
  Components(op.removed);
  Arguments(op.values);
}

}  // namespace ashlar::inline v0::oplang
