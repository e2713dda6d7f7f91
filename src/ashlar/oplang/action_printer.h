// ActionPrinter: operations as the text of a trace. The text of a value is by its type wherever
// that reads back to the very same value, and exact otherwise.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/schema/component_descriptor.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0::oplang {

class ActionPrinter {
 public:
  explicit ActionPrinter(const Program& program)
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
    Exchanged(op.removed, op.added);
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

  void Operands(const RecordOp& op);
  void Operands(const ApplyOp& op) { Add(op.skip_dead ? " skip_dead" : ""); }
  void Operands(const DiscardOp&) {}
  void Operands(const ByQueryOp& op);
  void Operands(const ManyOp& op);

  void Operands(const SortOp& op) { QueryAndComponent(op); }
  void Operands(const SortByEntityOp& op) { AddQuery(op.query); }
  void Operands(const PutSingleOp& op) { Argument(op.value); }
  void Operands(const RemoveSingleOp& op) { Add(" ", ComponentName(op.component)); }
  void Operands(const GetSingleOp& op) { Add(" ", ComponentName(op.component)); }
  void Operands(const HookOp& op);
  void Operands(const UnhookOp& op) { Hooked(op.component, op.moment); }

  void Hooked(ComponentRef component, HookMoment moment) {
    Add(" ", ComponentName(component), " ", std::string(HookMomentName(moment)));
  }

  void Verb(CommandVerb verb) { Add(" ", std::string(CommandVerbName(verb))); }
  void Exchanged(const std::vector<ComponentRef>& removed, const std::vector<ComponentArg>& added);

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

  void AddEntity(const EntityRef& entity);
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

  const Program& program_;
  std::vector<std::optional<ComponentDescriptor>> descriptors_;
  std::string* out_ = nullptr;
  bool refusal_written_ = false;
};

}  // namespace ashlar::inline v0::oplang
