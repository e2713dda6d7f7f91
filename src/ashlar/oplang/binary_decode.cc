// DecodeProgram: the header, and the operations but those of commands (binary_commands.cc).
#include <algorithm>
#include <array>
#include <variant>

#include "ashlar/core/limits.h"
#include "ashlar/oplang/binary_decoder.h"

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

}  // namespace

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

namespace {

// The value that a 0xFF record appends to; null where the operation has none.
std::vector<Scalar>* LastValue(Action* action) {
  std::vector<ComponentArg>* args = nullptr;
  if (auto* create = std::get_if<CreateOp>(action)) args = &create->values;
  if (auto* many = std::get_if<CreateManyOp>(action)) args = &many->values;
  if (auto* add = std::get_if<AddOp>(action)) args = &add->values;
  if (auto* set = std::get_if<SetOp>(action)) args = &set->values;
  if (auto* put = std::get_if<PutOp>(action)) args = &put->values;
  if (auto* exchange = std::get_if<ExchangeOp>(action)) args = &exchange->added;
  if (auto* record = std::get_if<RecordOp>(action)) args = &record->values;
  if (auto* by_query = std::get_if<ByQueryOp>(action)) args = &by_query->values;
  if (auto* to_many = std::get_if<ManyOp>(action)) args = &to_many->values;
  if (auto* fill = std::get_if<FillOp>(action)) return &fill->value.value;
  if (auto* single = std::get_if<PutSingleOp>(action)) return &single->value.value;
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

}  // namespace

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

Program DecodeProgram(std::span<const std::uint8_t> bytes,
                      std::span<const ComponentDeclaration> components, std::size_t records_max) {
  Program program;
  DecodeProgram(bytes, components, records_max, &program);
  return program;
}

void DecodeProgram(std::span<const std::uint8_t> bytes,
                   std::span<const ComponentDeclaration> components, std::size_t records_max,
                   Program* program) {
  program->notes.clear();
  program->options = DecodeOptions(bytes);
  program->components.assign(components.begin(), components.end());
  ApplySplit(static_cast<SplitPattern>(bytes.size() > 3 ? bytes[3] % 4 : 0), program->components);
  program->operations.clear();
  Decoder decoder(program);
  const std::size_t body_bytes = bytes.size() - std::min(bytes.size(), kHeaderBytes);
  const std::size_t count = std::min(body_bytes / kRecordBytes, records_max);
  for (std::size_t i = 0; i < count; ++i) {
    Record record;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(kHeaderBytes + i * kRecordBytes),
                kRecordBytes, record.bytes.begin());
    decoder.Decode(record);
  }
}

}  // namespace ashlar::inline v0::oplang
