// Decoder: one record of the binary form after the other, into operations (see binary_codec.h).
// Nothing here can fail; what makes no sense is an operation that the world refuses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/binary_palette.h"
#include "ashlar/oplang/binary_record.h"

namespace ashlar::inline v0::oplang {

class Decoder {
 public:
  explicit Decoder(Program* program) : program_(*program) {}

  void Decode(const Record& record);

 private:
  // Each Fill reads one operation's fields from its record.
  void Fill(const Record&, NopOp*) {}
  void Fill(const Record& record, CreateOp* op) {
    op->label = LabelOf(record);
    op->values = ArgsOf(record, 0);
  }
  void Fill(const Record& record, DestroyOp* op) { op->entity = EntityOf(record); }
  void Fill(const Record& record, AddOp* op) { FillEntityAndArgs(record, op); }
  void Fill(const Record& record, SetOp* op) { FillEntityAndArgs(record, op); }
  void Fill(const Record& record, PutOp* op) { FillEntityAndArgs(record, op); }
  void Fill(const Record& record, RemoveOp* op) {
    op->entity = EntityOf(record);
    op->components = RefsOf(record, record.listed_count());
  }
  void Fill(const Record& record, ExchangeOp* op) {
    op->entity = EntityOf(record);
    const std::size_t removed = std::min<std::size_t>(record.variant(), record.listed_count());
    op->removed = RefsOf(record, removed);
    op->added = ArgsOf(record, removed);
  }
  void Fill(const Record& record, GetOp* op) { FillEntityAndRef(record, op); }
  void Fill(const Record& record, HasOp* op) { FillEntityAndRef(record, op); }
  void Fill(const Record& record, SetFieldOp* op);
  void Fill(const Record& record, QueryOp* op);
  void Fill(const Record& record, IterateOp* op) { op->query = QueryOf(record); }
  void Fill(const Record& record, FillOp* op) {
    op->query = QueryOf(record);
    op->value = ArgOf(record, 0);
  }
  void Fill(const Record& record, OpenScopeOp* op) { op->query = QueryOf(record); }
  void Fill(const Record&, CloseScopeOp*) {}
  void Fill(const Record& record, MoveOp* op);
  void Fill(const Record& record, PlaceGenerationOp* op);
  void Fill(const Record& record, FailAllocationOp* op) {
    op->nth = CountOf(record);
    op->sticky = (record.variant() & kArmSticky) != 0;
  }
  void Fill(const Record& record, FailConstructionOp* op) { op->nth = CountOf(record); }
  void Fill(const Record& record, PlaceIndexOp* op) {
    op->index = record.variant() == 1 ? record.selector(0) : record.payload();
  }
  void Fill(const Record& record, PlaceVersionOp* op);
  void Fill(const Record&, TrimOp*) {}
  void Fill(const Record&, DanglingOp*) {}
  void Fill(const Record&, MarkOp*) {}
  void Fill(const Record& record, ChangedOp* op) { FillQueryAndRef(record, op); }
  void Fill(const Record& record, AddedOp* op) { FillQueryAndRef(record, op); }

  void Fill(const Record& record, EnableOp* op) { FillEntityAndRef(record, op); }
  void Fill(const Record& record, DisableOp* op) { FillEntityAndRef(record, op); }
  void Fill(const Record& record, IsEnabledOp* op) { FillEntityAndRef(record, op); }
  void Fill(const Record& record, FlipOp* op) { FillQueryAndRef(record, op); }

  void Fill(const Record& record, CreateManyOp* op) {
    op->label = LabelOf(record);
    op->count = kCreatedCounts[record.variant()];
    op->values = ArgsOf(record, 0);
  }
  void Fill(const Record&, DestroyAllOp*) {}

  void Fill(const Record& record, RecordOp* op);
  void Fill(const Record& record, ApplyOp* op) {
    op->skip_dead = (record.variant() & kApplySkips) != 0;
  }
  void Fill(const Record&, DiscardOp*) {}
  void Fill(const Record& record, ByQueryOp* op);
  void Fill(const Record& record, ManyOp* op);

  void Fill(const Record& record, SortOp* op) { FillQueryAndRef(record, op); }
  void Fill(const Record& record, SortByEntityOp* op) { op->query = QueryOf(record); }
  void Fill(const Record& record, PutSingleOp* op) { op->value = ArgOf(record, 0); }
  void Fill(const Record& record, RemoveSingleOp* op) { op->component = RefOf(record, 0); }
  void Fill(const Record& record, GetSingleOp* op) { op->component = RefOf(record, 0); }
  void Fill(const Record& record, HookOp* op) {
    op->component = RefOf(record, 0);
    op->moment = MomentOf(record);
    op->reaction = static_cast<HookReaction>(record.selector(1) % kHookReactionCount);
  }
  void Fill(const Record& record, UnhookOp* op) {
    op->component = RefOf(record, 0);
    op->moment = MomentOf(record);
  }
  static HookMoment MomentOf(const Record& record) {
    return static_cast<HookMoment>(record.variant() % kHookMomentCount);
  }

  // Of an operation that has its verb: components that go, and values.
  template <typename Op>
  void FillChange(const Record& record, Op* op);
  template <typename Op>
  void AppendChange(const Record& record, Op* op);

  template <typename Op>
  void FillEntityAndArgs(const Record& record, Op* op) {
    op->entity = EntityOf(record);
    op->values = ArgsOf(record, 0);
  }
  template <typename Op>
  void FillQueryAndRef(const Record& record, Op* op) {
    op->query = QueryOf(record);
    op->component = RefOf(record, 0);
  }
  template <typename Op>
  void FillEntityAndRef(const Record& record, Op* op) {
    op->entity = EntityOf(record);
    op->component = RefOf(record, 0);
  }

  // Each Append does what a 0xFE record does to one operation; most take no operand more.
  template <typename Op>
  void Append(const Record&, Op*) {}
  void Append(const Record& record, CreateOp* op) { op->values.push_back(AppendedArg(record)); }
  void Append(const Record& record, CreateManyOp* op) {
    if (record.naming() == Naming::kLiteral) {
      op->count = 1 + static_cast<std::uint32_t>(record.payload() % kCreatedMax);
    } else {
      op->values.push_back(AppendedArg(record));
    }
  }
  void Append(const Record& record, AddOp* op) { op->values.push_back(AppendedArg(record)); }
  void Append(const Record& record, SetOp* op) { op->values.push_back(AppendedArg(record)); }
  void Append(const Record& record, PutOp* op) { op->values.push_back(AppendedArg(record)); }
  void Append(const Record& record, RemoveOp* op) { op->components.push_back(AppendedRef(record)); }
  void Append(const Record& record, ExchangeOp* op) {
    if (record.listed_count() == 0) {
      op->removed.push_back(AppendedRef(record));
    } else {
      op->added.push_back(AppendedArg(record));
    }
  }
  void Append(const Record& record, GetOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, HasOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, SetFieldOp* op) {
    op->component = AppendedRef(record);
    op->scalar = static_cast<std::uint32_t>(record.payload());
  }
  void Append(const Record& record, QueryOp* op) {
    op->terms.push_back({static_cast<TermKind>(record.variant()), AppendedRef(record),
                         (record.payload_byte(0) & kTermWithDisabled) != 0});
  }
  void Append(const Record& record, ChangedOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, AddedOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, EnableOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, DisableOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, IsEnabledOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, FlipOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, RecordOp* op);
  void Append(const Record& record, ByQueryOp* op);
  void Append(const Record& record, ManyOp* op);
  void Append(const Record& record, SortOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, PutSingleOp* op) { op->value = AppendedArg(record); }
  void Append(const Record& record, RemoveSingleOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, GetSingleOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, HookOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, UnhookOp* op) { op->component = AppendedRef(record); }
  void Append(const Record& record, FillOp* op) { op->value = AppendedArg(record); }
  void Append(const Record& record, FailAllocationOp* op) { op->nth = AppendedCount(record); }
  void Append(const Record& record, FailConstructionOp* op) { op->nth = AppendedCount(record); }

  void AppendScalar(const Record& record);

  template <typename Op>
  void DecodeAs(const Record& record) {
    if constexpr (!std::is_same_v<Op, ExpectOp>) {  // Text only: its opcode does nothing.
      Op op;
      Fill(record, &op);
      program_.operations.emplace_back().action = std::move(op);
    }
  }

  using DecodeFunction = void (Decoder::*)(const Record&);

  // One function for each alternative of Action, by opcode, so that none can be forgotten.
  template <typename... Ops>
  static constexpr std::array<DecodeFunction, sizeof...(Ops)> DecodersOf(
      const std::variant<Ops...>*) {
    return {&Decoder::DecodeAs<Ops>...};
  }

  Label LabelOf(const Record& record) const {
    return record.naming() == Naming::kWhole ? record.name()
                                             : static_cast<Label>(record.name() & kSmallLabelMask);
  }
  EntityRef EntityOf(const Record& record) const {
    if (record.naming() != Naming::kLiteral) return EntityRef::Of(LabelOf(record));
    return EntityRef::Literal(Entity::FromBits(record.payload()));
  }
  QueryLabel QueryOf(const Record& record) const {
    const auto name = static_cast<QueryLabel>(record.name());
    return record.naming() == Naming::kSmall ? name & kSmallQueryMask : name;
  }
  ComponentRef RefOf(const Record& record, std::size_t i) const {
    return ComponentOf(record.selector(i), program_.components.size());
  }
  const TypeSpec& TypeOf(ComponentRef component) const {
    static const TypeSpec kTag;
    return component < program_.components.size() ? program_.components[component].type : kTag;
  }
  ComponentArg ArgOf(const Record& record, std::size_t i) const {
    const ComponentRef component = RefOf(record, i);
    return {component, PaletteValue(TypeOf(component),
                                    {record.payload_byte(2 * i), record.payload_byte(2 * i + 1)})};
  }
  std::vector<ComponentRef> RefsOf(const Record& record, std::size_t count) const {
    std::vector<ComponentRef> refs;
    for (std::size_t i = 0; i < count; ++i) refs.push_back(RefOf(record, i));
    return refs;
  }
  // The listed components from `first` on, with values.
  std::vector<ComponentArg> ArgsOf(const Record& record, std::size_t first) const {
    std::vector<ComponentArg> args;
    for (std::size_t i = first; i < record.listed_count(); ++i) args.push_back(ArgOf(record, i));
    return args;
  }

  // Which allocation or construction fails. Small numbers are the common ones: most operations
  // make few.
  static std::uint32_t CountOf(const Record& record) {
    const bool is_wide = (record.variant() & kArmWide) != 0;
    return 1 + record.selector(0) % (is_wide ? kArmWideMax : kArmSmallMax);
  }
  static std::uint32_t AppendedCount(const Record& record) {
    return std::max<std::uint32_t>(static_cast<std::uint32_t>(record.payload()), 1);
  }

  // Of a 0xFE record: whole naming says the component's number in full.
  ComponentRef AppendedRef(const Record& record) const {
    return record.naming() == Naming::kWhole ? record.name() : RefOf(record, 0);
  }
  ComponentArg AppendedArg(const Record& record) const {
    const ComponentRef component = AppendedRef(record);
    return {component,
            PaletteValue(TypeOf(component), {record.payload_byte(0), record.payload_byte(1)})};
  }

  Program& program_;
};

}  // namespace ashlar::inline v0::oplang
