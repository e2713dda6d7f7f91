// DecodeProgram: bytes to operations. Nothing here can fail; what makes no sense is an operation
// that the world refuses.
#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <variant>

#include "ashlar/core/limits.h"
#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/binary_palette.h"
#include "ashlar/oplang/binary_record.h"

namespace ashlar::inline v0::oplang {
namespace {

constexpr std::uint32_t kChunkSizeChoices = 5;

Options DecodeOptions(std::span<const std::uint8_t> bytes) {
  const auto byte = [bytes](std::size_t i) { return i < bytes.size() ? bytes[i] : 0u; };
  Options options;
  options.chunk_size_bytes =
      static_cast<std::uint32_t>(kChunkSizeBytesMin << (byte(0) % kChunkSizeChoices));
  options.rows_per_chunk_max = kRowCaps[byte(1) % kRowCaps.size()];
  options.entity_index_limit = byte(2);
  return options;
}

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

void Decoder::Fill(const Record& record, SetFieldOp* op) {
  op->entity = EntityOf(record);
  op->component = RefOf(record, 0);
  const TypeSpec& type = TypeOf(op->component);
  op->scalar = ScalarIndexOf(record, ScalarCountOf(type));
  const std::vector<Scalar> value = PaletteValue(ScalarTypeOf(type, op->scalar),
                                                 {record.payload_byte(0), record.payload_byte(1)});
  op->value = value.empty() ? Scalar::Int(0) : value[0];
}

void Decoder::Fill(const Record& record, QueryOp* op) {
  op->query = QueryOf(record);
  for (std::size_t i = 0; i < record.listed_count(); ++i) {
    op->terms.push_back({static_cast<TermKind>(record.payload_byte(i) & 3), RefOf(record, i),
                         (record.payload_byte(i) & kTermWithDisabled) != 0});
  }
}

void Decoder::Fill(const Record& record, MoveOp* op) {
  switch (record.variant()) {
    case 1:
      op->dt_bits = static_cast<std::uint32_t>(
          Scalar::F32(static_cast<float>(static_cast<std::int8_t>(record.selector(0))) * 0.25f)
              .bits);
      return;
    case 2:
      op->dt_bits = PaletteFloatBits(record.selector(0));
      return;
    default:
      op->dt_bits = static_cast<std::uint32_t>(record.payload());
  }
}

void Decoder::Fill(const Record& record, PlaceVersionOp* op) {
  switch (record.variant()) {
    case 1:
      op->version = (std::uint64_t{1} << 32) - 8 + (record.selector(0) & 15u);
      return;
    case 2:
      op->version = kPlacedVersionMax - (record.selector(0) & 15u);
      return;
    default:
      op->version = record.payload();
  }
}

void Decoder::Fill(const Record& record, PlaceGenerationOp* op) {
  op->entity = EntityOf(record);
  switch (record.variant()) {
    case 1:
      op->generation = kGenerationLast - (record.selector(0) & 3u);
      return;
    case 2:
      op->generation = record.selector(0) & 15u;
      return;
    default:
      op->generation = static_cast<std::uint32_t>(record.Little(4, 4));
  }
}

// The value that a 0xFF record appends to; null where the operation has none.
std::vector<Scalar>* LastValue(Action* action) {
  std::vector<ComponentArg>* args = nullptr;
  if (auto* create = std::get_if<CreateOp>(action)) args = &create->values;
  if (auto* many = std::get_if<CreateManyOp>(action)) args = &many->values;
  if (auto* add = std::get_if<AddOp>(action)) args = &add->values;
  if (auto* set = std::get_if<SetOp>(action)) args = &set->values;
  if (auto* put = std::get_if<PutOp>(action)) args = &put->values;
  if (auto* exchange = std::get_if<ExchangeOp>(action)) args = &exchange->added;
  if (auto* fill = std::get_if<FillOp>(action)) return &fill->value.value;
  return args == nullptr || args->empty() ? nullptr : &args->back().value;
}

// One exact scalar: its kind in the first selector, its bits in the payload.
Scalar ExactScalarOf(const Record& record) {
  const std::uint64_t bits = record.payload();
  switch (static_cast<Scalar::Kind>(record.selector(0) % 7)) {
    case Scalar::Kind::kInt:
      return Scalar::Int(static_cast<std::int64_t>(bits));
    case Scalar::Kind::kUint:
      return Scalar::Uint(bits);
    case Scalar::Kind::kF32:
      return Scalar::F32Bits(static_cast<std::uint32_t>(bits));
    case Scalar::Kind::kF64:
      return Scalar::F64Bits(bits);
    case Scalar::Kind::kBool:
      return Scalar::Bool((bits & 1) != 0);
    case Scalar::Kind::kEntity:
      return Scalar::EntityValue(Entity::FromBits(bits));
    case Scalar::Kind::kLabel:
      break;
  }
  return Scalar::Label(static_cast<Label>(bits));
}

void Decoder::AppendScalar(const Record& record) {
  Action& action = program_.operations.back().action;
  if (auto* setfield = std::get_if<SetFieldOp>(&action)) {
    setfield->value = ExactScalarOf(record);
  } else if (std::vector<Scalar>* value = LastValue(&action)) {
    value->push_back(ExactScalarOf(record));
  }
}

void Decoder::Decode(const Record& record) {
  if (record.opcode() < kOpCodeCount) {
    static constexpr auto kDecoders = DecodersOf(static_cast<const Action*>(nullptr));
    (this->*kDecoders[record.opcode()])(record);
  } else if (program_.operations.empty()) {
    return;  // Nothing to continue.
  } else if (record.opcode() == kOpcodeAppendOperand) {
    std::visit([&](auto& op) { Append(record, &op); }, program_.operations.back().action);
  } else if (record.opcode() == kOpcodeAppendScalar) {
    AppendScalar(record);
  }
}

}  // namespace

Program DecodeProgram(std::span<const std::uint8_t> bytes,
                      std::span<const ComponentDeclaration> components, std::size_t records_max) {
  Program program;
  program.options = DecodeOptions(bytes);
  program.components.assign(components.begin(), components.end());
  ApplySplit(static_cast<SplitPattern>(bytes.size() > 3 ? bytes[3] % 4 : 0), program.components);
  Decoder decoder(&program);
  const std::size_t body_bytes = bytes.size() - std::min(bytes.size(), kHeaderBytes);
  const std::size_t count = std::min(body_bytes / kRecordBytes, records_max);
  for (std::size_t i = 0; i < count; ++i) {
    Record record;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(kHeaderBytes + i * kRecordBytes),
                kRecordBytes, record.bytes.begin());
    decoder.Decode(record);
  }
  return program;
}

}  // namespace ashlar::inline v0::oplang
