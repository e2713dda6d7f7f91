// EncodeProgram: the header, and the operations but those of commands (binary_commands.cc).
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <variant>

#include "ashlar/core/limits.h"
#include "ashlar/oplang/binary_encoder.h"
#include "ashlar/oplang/binary_palette.h"

namespace ashlar::inline v0::oplang {
namespace {

constexpr std::size_t kRemovedListedMax = 3;  // What the two bits of an exchange can count.

// The choice that is nearest to `wanted`, as its place in the list; the first of two equally near.
template <std::size_t N>
std::uint8_t NearestIndex(const std::array<std::uint32_t, N>& choices, std::uint32_t wanted) {
  const auto distance = [wanted](std::uint32_t choice) {
    return choice < wanted ? wanted - choice : choice - wanted;
  };
  const auto nearest =
      std::min_element(choices.begin(), choices.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return distance(a) < distance(b); });
  return static_cast<std::uint8_t>(nearest - choices.begin());
}

std::uint8_t TermByte(const QueryTerm& term) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(term.kind) |
                                   (term.with_disabled ? kTermWithDisabled : 0u));
}

}  // namespace

void Encoder::EncodeHeader() {
  std::array<std::uint32_t, 5> sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = static_cast<std::uint32_t>(kChunkSizeBytesMin << i);
  }
  const Options& options = program_.options;
  bytes_.assign(kHeaderBytes, 0);
  bytes_[0] = NearestIndex(sizes, options.chunk_size_bytes);
  bytes_[1] = NearestIndex(kRowCaps, options.rows_per_chunk_max);
  bytes_[2] = static_cast<std::uint8_t>(std::min<std::uint64_t>(options.entity_index_limit, 255));
  bytes_[3] = static_cast<std::uint8_t>(NearestSplit(program_.components));
}

std::optional<std::uint8_t> Encoder::SelectorOf(ComponentRef component) const {
  const std::size_t count = program_.components.size();
  if (component < count) {
    if (component >= kSelectorPastEnd) return std::nullopt;
    return static_cast<std::uint8_t>(component);
  }
  if (component - count > 255u - kSelectorPastEnd) return std::nullopt;
  return static_cast<std::uint8_t>(kSelectorPastEnd + (component - count));
}

Record Encoder::AppendedRef(ComponentRef component) const {
  Record record;
  record.set_opcode(kOpcodeAppendOperand);
  if (const auto selector = SelectorOf(component)) {
    record.set_selector(0, *selector);
  } else {
    record.set_naming(Naming::kWhole);
    record.SetLittle(2, 2, component);
  }
  return record;
}

std::size_t Encoder::ListRefs(std::span<const ComponentRef> refs, std::size_t first,
                              std::size_t max, Record* record) const {
  std::size_t listed = 0;
  for (; listed < std::min(max, refs.size()); ++listed) {
    const auto selector = SelectorOf(refs[listed]);
    if (!selector.has_value()) break;
    record->set_selector(first + listed, *selector);
  }
  return listed;
}

void Encoder::EmitScalar(const Scalar& scalar) {
  Record record;
  record.set_opcode(kOpcodeAppendScalar);
  record.set_selector(0, static_cast<std::uint8_t>(scalar.kind));
  record.SetLittle(8, 8, scalar.bits);
  Emit(record);
}

void Encoder::EmitAppendedArg(const ComponentArg& arg) {
  Record record = AppendedRef(arg.component);
  record.set_listed_count(1);  // To the added list of an exchange.
  const std::optional<PaletteKey> key = FindInPalette(TypeOf(arg.component), arg.value);
  if (key.has_value()) {
    record.set_payload_byte(0, key->mode);
    record.set_payload_byte(1, key->pick);
  }
  Emit(record);
  if (key.has_value()) return;
  for (const Scalar& scalar : arg.value) EmitScalar(scalar);
}

void Encoder::WriteArgs(Record record, std::span<const ComponentRef> removed,
                        std::span<const ComponentArg> args) {
  WriteArgsAs(record, {}, removed, args);
}

void Encoder::WriteArgsAs(Record record, const Listing& listing,
                          std::span<const ComponentRef> removed,
                          std::span<const ComponentArg> args) {
  const std::size_t room = kSelectorCount - listing.first;
  const std::size_t removed_listed =
      ListRefs(removed, listing.first, std::min(kRemovedListedMax, room), &record);
  // Bits in the payload leave no room for values there.
  const bool has_room = record.naming() != Naming::kLiteral;
  std::size_t listed = removed_listed;
  std::size_t written = 0;
  while (has_room && written < args.size() && listed < room) {
    const auto selector = SelectorOf(args[written].component);
    const auto key = FindInPalette(TypeOf(args[written].component), args[written].value);
    if (!selector.has_value() || !key.has_value()) break;
    const std::size_t at = listing.first + listed;
    record.set_selector(at, *selector);
    record.set_payload_byte(2 * at, key->mode);
    record.set_payload_byte(2 * at + 1, key->pick);
    ++listed;
    ++written;
  }
  record.set_variant(listing.variant + (listing.counts_removed ? removed_listed : 0));
  record.set_listed_count(listed);
  Emit(record);
  for (std::size_t i = removed_listed; i < removed.size(); ++i) Emit(AppendedRef(removed[i]));
  for (; written < args.size(); ++written) EmitAppendedArg(args[written]);
}

void Encoder::Write(Record record, const CreateManyOp& op) {
  SetLabel(op.label, &record);
  const auto* known = std::find(kCreatedCounts.begin(), kCreatedCounts.end(), op.count);
  const bool is_known = known != kCreatedCounts.end();
  Listing listing;
  if (is_known) listing.variant = static_cast<std::size_t>(known - kCreatedCounts.begin());
  WriteArgsAs(record, listing, {}, op.values);
  if (is_known) return;
  Record rest;
  rest.set_opcode(kOpcodeAppendOperand);
  rest.set_naming(Naming::kLiteral);
  rest.SetLittle(8, 4, std::clamp<std::uint32_t>(op.count, 1, kCreatedMax) - 1);
  Emit(rest);
}

void Encoder::WriteSingleRef(Record record, ComponentRef component) {
  const std::size_t listed = ListRefs({&component, 1}, 0, 1, &record);
  Emit(record);
  if (listed == 0) Emit(AppendedRef(component));
}

// The numbers that the record cannot count to are appended.
void Encoder::WriteCount(Record record, std::uint32_t nth, unsigned variant) {
  const std::uint32_t count = std::max<std::uint32_t>(nth, 1);
  const bool fits = count <= kArmWideMax;
  record.set_variant(variant | (fits && count > kArmSmallMax ? kArmWide : 0u));
  if (fits) record.set_selector(0, static_cast<std::uint8_t>(count - 1));
  Emit(record);
  if (fits) return;
  Record rest;
  rest.set_opcode(kOpcodeAppendOperand);
  rest.SetLittle(8, 4, count);
  Emit(rest);
}

void Encoder::Write(Record record, const SetFieldOp& op) {
  SetEntity(op.entity, &record);
  const TypeSpec& type = TypeOf(op.component);
  const std::size_t count = ScalarCountOf(type);
  std::size_t listed = ListRefs({&op.component, 1}, 0, 1, &record);
  // The inverse of ScalarIndexOf, where it has one.
  const bool is_inside = op.scalar < count;
  const std::size_t past = op.scalar - (is_inside ? 0 : count);
  const std::size_t page_size = is_inside ? kSelectorPastEnd : 256 - kSelectorPastEnd;
  const std::size_t page = past / page_size;
  if (page > std::numeric_limits<std::uint16_t>::max()) listed = 0;
  record.bytes[5] =
      static_cast<std::uint8_t>((is_inside ? 0 : kSelectorPastEnd) + past % page_size);
  record.SetLittle(6, 2, page);

  const auto key = FindInPalette(ScalarTypeOf(type, op.scalar), {&op.value, 1});
  const bool fits_palette = listed == 1 && key.has_value() && record.naming() != Naming::kLiteral;
  if (fits_palette) {
    record.set_payload_byte(0, key->mode);
    record.set_payload_byte(1, key->pick);
  }
  Emit(record);
  if (listed == 0) {
    Record rest = AppendedRef(op.component);
    rest.SetLittle(8, 4, op.scalar);
    Emit(rest);
  }
  if (!fits_palette) EmitScalar(op.value);
}

void Encoder::Write(Record record, const QueryOp& op) {
  SetQuery(op.query, &record);
  std::size_t listed = 0;
  for (; listed < std::min(kSelectorCount, op.terms.size()); ++listed) {
    const auto selector = SelectorOf(op.terms[listed].component);
    if (!selector.has_value()) break;
    record.set_selector(listed, *selector);
    record.set_payload_byte(listed, TermByte(op.terms[listed]));
  }
  record.set_listed_count(listed);
  Emit(record);
  for (std::size_t i = listed; i < op.terms.size(); ++i) {
    Record rest = AppendedRef(op.terms[i].component);
    rest.set_variant(static_cast<std::size_t>(op.terms[i].kind));
    rest.set_payload_byte(0, TermByte(op.terms[i]) & kTermWithDisabled);
    Emit(rest);
  }
}

void Encoder::Write(Record record, const FillOp& op) {
  SetQuery(op.query, &record);
  WriteSingleArg(record, op.value);
}

void Encoder::WriteSingleArg(Record record, const ComponentArg& arg) {
  const auto selector = SelectorOf(arg.component);
  const auto key = FindInPalette(TypeOf(arg.component), arg.value);
  const bool fits = selector.has_value() && key.has_value();
  if (fits) {
    record.set_selector(0, *selector);
    record.set_payload_byte(0, key->mode);
    record.set_payload_byte(1, key->pick);
  }
  Emit(record);
  if (!fits) EmitAppendedArg(arg);
}

std::vector<std::uint8_t> Encoder::Encode() {
  EncodeHeader();
  for (const Operation& operation : program_.operations) {
    Record record;
    record.set_opcode(static_cast<std::uint8_t>(CodeOf(operation.action)));
    std::visit([&](const auto& op) { Write(record, op); }, operation.action);
  }
  return std::move(bytes_);
}

std::vector<std::uint8_t> EncodeProgram(const Program& program) {
  return Encoder(program).Encode();
}

}  // namespace ashlar::inline v0::oplang
