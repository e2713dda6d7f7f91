// The binary form of commands and of changes of many entities at once, in both directions.
#include <algorithm>
#include <cstddef>

#include "ashlar/oplang/binary_decoder.h"
#include "ashlar/oplang/binary_encoder.h"

namespace ashlar::inline v0::oplang {
namespace {

CommandVerb BulkVerbOf(const Record& record) {
  return kBulkVerbs[record.selector(0) % kBulkVerbs.size()];
}

std::uint8_t BulkSelector(CommandVerb verb) {
  const auto* found = std::find(kBulkVerbs.begin(), kBulkVerbs.end(), verb);
  return static_cast<std::uint8_t>(found - kBulkVerbs.begin());
}

}  // namespace

// --- Decode ---

template <typename Op>
void Decoder::FillChange(const Record& record, Op* op) {
  if (op->verb == CommandVerb::kDestroy) return;
  const std::size_t listed = std::min(record.listed_count(), kSelectorCount - kVerbSelectors);
  std::size_t removed = 0;
  if (op->verb == CommandVerb::kRemove) removed = listed;
  if (op->verb == CommandVerb::kExchange) {
    removed = std::min<std::size_t>(record.variant(), listed);
  }
  for (std::size_t i = 0; i < listed; ++i) {
    if (i < removed) {
      op->removed.push_back(RefOf(record, kVerbSelectors + i));
    } else {
      op->values.push_back(ArgOf(record, kVerbSelectors + i));
    }
  }
}

template <typename Op>
void Decoder::AppendChange(const Record& record, Op* op) {
  const bool is_removed = Removes(op->verb) && (!Gives(op->verb) || record.listed_count() == 0);
  if (is_removed) {
    op->removed.push_back(AppendedRef(record));
  } else if (Gives(op->verb)) {
    op->values.push_back(AppendedArg(record));
  }
}

void Decoder::Fill(const Record& record, RecordOp* op) {
  op->verb = static_cast<CommandVerb>((record.selector(0) & kVerbBits) % kCommandVerbCount);
  const RecordPlace& place =
      kRecordPlaces[(record.selector(0) >> kRecordPlaceShift) % kRecordPlaces.size()];
  op->buffer = place.buffer;
  op->is_late = place.is_late;
  op->by_query =
      op->verb != CommandVerb::kCreate && (record.selector(0) & kVerbByQuery) == kVerbByQuery;
  if (op->verb == CommandVerb::kCreate) {
    op->label = LabelOf(record);
  } else if (op->by_query) {
    op->query = QueryOf(record);
  } else {
    op->entity = EntityOf(record);
  }
  FillChange(record, op);
}

void Decoder::Fill(const Record& record, ByQueryOp* op) {
  op->verb = BulkVerbOf(record);
  op->query = QueryOf(record);
  FillChange(record, op);
}

void Decoder::Fill(const Record& record, ManyOp* op) {
  op->verb = BulkVerbOf(record);
  for (std::uint32_t i = 0; i < kNamedCounts[record.variant()]; ++i) {
    op->entities.push_back(i == 0 ? EntityOf(record)
                                  : EntityRef::Of(static_cast<Label>(LabelOf(record) + i)));
  }
  FillChange(record, op);
}

void Decoder::Append(const Record& record, RecordOp* op) { AppendChange(record, op); }
void Decoder::Append(const Record& record, ByQueryOp* op) { AppendChange(record, op); }
void Decoder::Append(const Record& record, ManyOp* op) {
  if ((record.variant() & kAppendsEntity) != 0) {
    op->entities.push_back(EntityOf(record));
  } else {
    AppendChange(record, op);
  }
}

// --- Encode ---

void Encoder::Write(Record record, const RecordOp& op) {
  if (op.verb == CommandVerb::kCreate) {
    SetLabel(op.label, &record);
  } else if (op.by_query) {
    SetQuery(op.query, &record);
  } else {
    SetEntity(op.entity, &record);
  }
  const bool is_by_query = op.by_query && op.verb != CommandVerb::kCreate;
  const auto place = static_cast<unsigned>(
      std::ranges::find_if(kRecordPlaces,
                           [&](const RecordPlace& candidate) {
                             return candidate.buffer == op.buffer % kCommandBufferCount &&
                                    candidate.is_late == op.is_late;
                           }) -
      kRecordPlaces.begin());
  record.set_selector(
      0, static_cast<std::uint8_t>(static_cast<unsigned>(op.verb) | place << kRecordPlaceShift |
                                   (is_by_query ? kVerbByQuery : 0u)));
  WriteArgsAs(record, {kVerbSelectors, 0, true}, op.removed, op.values);
}

void Encoder::Write(Record record, const ByQueryOp& op) {
  SetQuery(op.query, &record);
  record.set_selector(0, BulkSelector(op.verb));
  WriteArgsAs(record, {kVerbSelectors, 0, false}, op.removed, op.values);
}

void Encoder::Write(Record record, const ManyOp& op) {
  if (!op.entities.empty()) SetEntity(op.entities.front(), &record);
  record.set_selector(0, BulkSelector(op.verb));
  const std::size_t named = std::min<std::size_t>(op.entities.size(), 1);
  const auto* variant = std::find(kNamedCounts.begin(), kNamedCounts.end(), named);
  const Listing listing{kVerbSelectors, static_cast<std::size_t>(variant - kNamedCounts.begin()),
                        false};
  WriteArgsAs(record, listing, op.removed, op.values);
  for (std::size_t i = named; i < op.entities.size(); ++i) {
    Record rest;
    rest.set_opcode(kOpcodeAppendOperand);
    rest.set_variant(kAppendsEntity);
    SetEntity(op.entities[i], &rest);
    Emit(rest);
  }
}

}  // namespace ashlar::inline v0::oplang
