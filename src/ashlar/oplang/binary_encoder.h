// Encoder: operations to records (see binary_codec.h). What a record's own fields cannot hold goes
// into the records that continue it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/binary_record.h"

namespace ashlar::inline v0::oplang {

class Encoder {
 public:
  explicit Encoder(const Program& program) : program_(program) {}

  std::vector<std::uint8_t> Encode();

 private:
  void EncodeHeader();

  // Each Write makes one operation's records: `record` has the opcode already.
  void Write(Record record, const NopOp&) { Emit(record); }
  void Write(Record record, const CreateOp& op) {
    SetLabel(op.label, &record);
    WriteArgs(record, {}, op.values);
  }
  void Write(Record record, const DestroyOp& op) {
    SetEntity(op.entity, &record);
    Emit(record);
  }
  void Write(Record record, const AddOp& op) { WriteEntityAndArgs(record, op); }
  void Write(Record record, const SetOp& op) { WriteEntityAndArgs(record, op); }
  void Write(Record record, const PutOp& op) { WriteEntityAndArgs(record, op); }
  void Write(Record record, const RemoveOp& op) {
    SetEntity(op.entity, &record);
    const std::size_t listed = ListRefs(op.components, 0, kSelectorCount, &record);
    record.set_listed_count(listed);
    Emit(record);
    for (std::size_t i = listed; i < op.components.size(); ++i) {
      Emit(AppendedRef(op.components[i]));
    }
  }
  void Write(Record record, const ExchangeOp& op) {
    SetEntity(op.entity, &record);
    WriteArgs(record, op.removed, op.added);
  }
  void Write(Record record, const GetOp& op) { WriteEntityAndRef(record, op); }
  void Write(Record record, const HasOp& op) { WriteEntityAndRef(record, op); }
  void Write(Record record, const SetFieldOp& op);
  void Write(Record record, const QueryOp& op);
  void Write(Record record, const IterateOp& op) { WriteQuery(record, op); }
  void Write(Record record, const FillOp& op);
  void Write(Record record, const OpenScopeOp& op) { WriteQuery(record, op); }
  void Write(Record record, const CloseScopeOp&) { Emit(record); }
  void Write(Record record, const MoveOp& op) {
    record.SetLittle(8, 4, op.dt_bits);
    Emit(record);
  }
  void Write(Record record, const PlaceGenerationOp& op) {
    SetEntity(op.entity, &record);
    record.SetLittle(4, 4, op.generation);
    Emit(record);
  }
  void Write(Record, const ExpectOp&) {}  // Text only.
  void Write(Record record, const FailAllocationOp& op) {
    WriteCount(record, op.nth, op.sticky ? kArmSticky : 0);
  }
  void Write(Record record, const FailConstructionOp& op) { WriteCount(record, op.nth, 0); }
  void Write(Record record, const PlaceIndexOp& op) { WritePayload(record, op.index); }
  void Write(Record record, const PlaceVersionOp& op) { WritePayload(record, op.version); }
  void Write(Record record, const TrimOp&) { Emit(record); }
  void Write(Record record, const DanglingOp&) { Emit(record); }
  void Write(Record record, const MarkOp&) { Emit(record); }
  void Write(Record record, const ChangedOp& op) { WriteQueryAndRef(record, op); }
  void Write(Record record, const AddedOp& op) { WriteQueryAndRef(record, op); }

  void Write(Record record, const EnableOp& op) { WriteEntityAndRef(record, op); }
  void Write(Record record, const DisableOp& op) { WriteEntityAndRef(record, op); }
  void Write(Record record, const IsEnabledOp& op) { WriteEntityAndRef(record, op); }
  void Write(Record record, const FlipOp& op) { WriteQueryAndRef(record, op); }

  void Write(Record record, const CreateManyOp& op);
  void Write(Record record, const DestroyAllOp&) { Emit(record); }

  void Write(Record record, const RecordOp& op);
  void Write(Record record, const ApplyOp& op) {
    record.set_variant(op.skip_dead ? kApplySkips : 0);
    Emit(record);
  }
  void Write(Record record, const DiscardOp&) { Emit(record); }
  void Write(Record record, const ByQueryOp& op);
  void Write(Record record, const ManyOp& op);

  void Write(Record record, const SortOp& op) { WriteQueryAndRef(record, op); }
  void Write(Record record, const SortByEntityOp& op) { WriteQuery(record, op); }
  void Write(Record record, const PutSingleOp& op) { WriteSingleArg(record, op.value); }
  void Write(Record record, const RemoveSingleOp& op) { WriteSingleRef(record, op.component); }
  void Write(Record record, const GetSingleOp& op) { WriteSingleRef(record, op.component); }
  void Write(Record record, const HookOp& op) {
    record.set_variant(static_cast<std::size_t>(op.moment));
    record.set_selector(1, static_cast<std::uint8_t>(op.reaction));
    WriteSingleRef(record, op.component);
  }
  void Write(Record record, const UnhookOp& op) {
    record.set_variant(static_cast<std::size_t>(op.moment));
    WriteSingleRef(record, op.component);
  }

  void WritePayload(Record record, std::uint64_t payload) {
    record.SetLittle(8, 8, payload);
    Emit(record);
  }
  template <typename Op>
  void WriteEntityAndArgs(Record record, const Op& op) {
    SetEntity(op.entity, &record);
    WriteArgs(record, {}, op.values);
  }
  template <typename Op>
  void WriteEntityAndRef(Record record, const Op& op) {
    SetEntity(op.entity, &record);
    WriteSingleRef(record, op.component);
  }
  template <typename Op>
  void WriteQueryAndRef(Record record, const Op& op) {
    SetQuery(op.query, &record);
    WriteSingleRef(record, op.component);
  }
  template <typename Op>
  void WriteQuery(Record record, const Op& op) {
    SetQuery(op.query, &record);
    Emit(record);
  }

  void WriteArgs(Record record, std::span<const ComponentRef> removed,
                 std::span<const ComponentArg> args);

  // Where a record lists components, and what its variant says.
  struct Listing {
    std::size_t first = 0;       // Selectors before it are for something else.
    std::size_t variant = 0;     // Of the record, and
    bool counts_removed = true;  // the number of listed components that are removed is added to it.
  };
  void WriteArgsAs(Record record, const Listing& listing, std::span<const ComponentRef> removed,
                   std::span<const ComponentArg> args);
  void WriteSingleRef(Record record, ComponentRef component);
  void WriteSingleArg(Record record, const ComponentArg& arg);
  void WriteCount(Record record, std::uint32_t nth, unsigned variant);
  void EmitAppendedArg(const ComponentArg& arg);
  void EmitScalar(const Scalar& scalar);

  // Lists components, from a selector on, while selectors can name them, at most `max`.
  std::size_t ListRefs(std::span<const ComponentRef> refs, std::size_t first, std::size_t max,
                       Record* record) const;

  // The selector that names the component, if one does.
  std::optional<std::uint8_t> SelectorOf(ComponentRef component) const;
  Record AppendedRef(ComponentRef component) const;

  static void SetLabel(Label label, Record* record) {
    record->SetLittle(2, 2, label);
    if (label > kSmallLabelMask) record->set_naming(Naming::kWhole);
  }
  static void SetEntity(const EntityRef& entity, Record* record) {
    if (entity.is_label) return SetLabel(entity.label, record);
    record->set_naming(Naming::kLiteral);
    record->SetLittle(8, 8, entity.literal.ToBits());
  }
  static void SetQuery(QueryLabel query, Record* record) {
    record->SetLittle(2, 2, query);
    if (query > kSmallQueryMask) record->set_naming(Naming::kWhole);
  }

  const TypeSpec& TypeOf(ComponentRef component) const {
    static const TypeSpec kTag;
    return component < program_.components.size() ? program_.components[component].type : kTag;
  }

  void Emit(const Record& record) {
    bytes_.insert(bytes_.end(), record.bytes.begin(), record.bytes.end());
  }

  const Program& program_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace ashlar::inline v0::oplang
