#include "fuzz/record_mutator.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/operation.h"
#include "model/generator.h"

namespace ashlar::fuzz {
namespace {

using model::Random;
using oplang::kHeaderBytes;
using oplang::kRecordBytes;

using Header = std::array<std::uint8_t, kHeaderBytes>;
using Record = std::array<std::uint8_t, kRecordBytes>;

// Where a record's fields are.
constexpr std::size_t kOpCodeAt = 0;
constexpr std::size_t kFlagsAt = 1;
constexpr std::size_t kLabelAt = 2;
constexpr std::size_t kSelectorsAt = 4;
constexpr std::size_t kPayloadAt = 8;
constexpr std::uint8_t kNamingMask = 0xE0;  // In the flags: how the label is meant.

struct FieldExtent {
  std::size_t at;
  std::size_t size;
};
constexpr FieldExtent kFields[] = {
    {kOpCodeAt, 1}, {kFlagsAt, 1}, {kLabelAt, 2}, {kSelectorsAt, 4}, {kPayloadAt, 8},
};

struct Input {
  Header header{};
  std::vector<Record> records;
};

Input Read(std::span<const std::uint8_t> bytes) {
  Input input;
  std::copy_n(bytes.begin(), std::min(bytes.size(), kHeaderBytes), input.header.begin());
  for (std::size_t at = kHeaderBytes; at + kRecordBytes <= bytes.size(); at += kRecordBytes) {
    std::copy_n(bytes.begin() + at, kRecordBytes, input.records.emplace_back().begin());
  }
  return input;
}

std::size_t Write(const Input& input, std::span<std::uint8_t> out) {
  std::memcpy(out.data(), input.header.data(), kHeaderBytes);
  std::size_t at = kHeaderBytes;
  for (const Record& record : input.records) {
    std::memcpy(out.data() + at, record.data(), kRecordBytes);
    at += kRecordBytes;
  }
  return at;
}

std::size_t RecordsThatFit(std::size_t bytes) { return (bytes - kHeaderBytes) / kRecordBytes; }

// One call changes one input.
class Mutator {
 public:
  Mutator(Input* input, std::size_t records_max, std::uint64_t seed, FieldMutator mutate_field)
      : header_(input->header),
        records_(input->records),
        records_max_(records_max),
        random_(seed),
        mutate_field_(mutate_field) {}

  void Run() {
    // Mostly one change; now and then a few together, to get over steps that no single one takes.
    do {
      ChangeOnce();
    } while (random_.Chance(1, 3));
  }

 private:
  void ChangeOnce();
  void Insert();
  void Delete();
  void Double();
  void Move();
  void Swap();
  void Nudge();
  void CopyLabel();
  void CopyField();
  void ChangeHeader();
  void MutateField();
  Record NewRecord();
  static void CopyName(const Record& from, Record* to);

  std::size_t Pick() { return random_.Below(records_.size()); }
  std::size_t PickGap() { return random_.Below(records_.size() + 1); }
  std::uint8_t Byte() { return static_cast<std::uint8_t>(random_.Below(256)); }
  const FieldExtent& PickField() { return kFields[random_.Below(std::size(kFields))]; }

  // Records that lie together, mostly one. REQUIRES for PickStretch: there is a record.
  struct Stretch {
    std::size_t begin;
    std::size_t count;
  };
  Stretch PickStretch() {
    const std::size_t begin = Pick();
    const std::size_t left = records_.size() - begin;
    const std::size_t count =
        random_.Chance(1, 2) ? 1 : 1 + random_.Below(std::min(left, std::size_t{8}));
    return {begin, count};
  }
  void Erase(const Stretch& run);

  Header& header_;
  std::vector<Record>& records_;
  std::size_t records_max_;
  Random random_;
  FieldMutator mutate_field_;
};

void Mutator::ChangeOnce() {
  if (records_.empty()) return Insert();
  switch (random_.Below(20)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return Insert();
    case 4:
    case 5:
      return Delete();
    case 6:
    case 7:
      return Double();
    case 8:
      return Move();
    case 9:
      return Swap();
    case 10:
    case 11:
    case 12:
    case 13:
      return Nudge();
    case 14:
    case 15:
      return CopyLabel();
    case 16:
      return CopyField();
    case 17:
      return ChangeHeader();
    default:
      return MutateField();
  }
}

// A record that is likely to do something: an opcode in use, a small label, mostly one that another
// record names too.
Record Mutator::NewRecord() {
  Record record;
  for (std::uint8_t& byte : record) byte = random_.Chance(1, 3) ? std::uint8_t{0} : Byte();
  record[kOpCodeAt] =
      random_.Chance(1, 16)
          ? static_cast<std::uint8_t>(oplang::kOpcodeAppendOperand + random_.Below(2))
          : static_cast<std::uint8_t>(random_.Below(oplang::kOpCodeCount));
  if (random_.Chance(15, 16)) record[kFlagsAt] &= static_cast<std::uint8_t>(~kNamingMask);
  record[kLabelAt] = static_cast<std::uint8_t>(random_.Below(8));
  if (!records_.empty() && random_.Chance(1, 2)) CopyName(records_[Pick()], &record);
  return record;
}

void Mutator::Insert() {
  if (records_.size() >= records_max_) return records_.empty() ? ChangeHeader() : Nudge();
  const std::size_t at = PickGap();
  const Record record = NewRecord();
  records_.insert(records_.begin() + at, record);
}

void Mutator::Delete() { Erase(PickStretch()); }

void Mutator::Erase(const Stretch& run) {
  records_.erase(records_.begin() + run.begin, records_.begin() + run.begin + run.count);
}

void Mutator::Double() {
  const Stretch run = PickStretch();
  const std::size_t count =
      std::min(run.count, records_max_ - std::min(records_max_, records_.size()));
  const std::vector<Record> copy(records_.begin() + run.begin,
                                 records_.begin() + run.begin + count);
  const std::size_t at = PickGap();
  records_.insert(records_.begin() + at, copy.begin(), copy.end());
}

void Mutator::Move() {
  const Stretch run = PickStretch();
  const std::vector<Record> moved(records_.begin() + run.begin,
                                  records_.begin() + run.begin + run.count);
  Erase(run);
  const std::size_t at = PickGap();
  records_.insert(records_.begin() + at, moved.begin(), moved.end());
}

void Mutator::Swap() { std::swap(records_[Pick()], records_[Pick()]); }

void Mutator::Nudge() {
  Record& record = records_[Pick()];
  const FieldExtent& field = PickField();
  std::uint8_t& byte = record[field.at + random_.Below(field.size)];
  switch (random_.Below(4)) {
    case 0:
      byte = static_cast<std::uint8_t>(byte + 1);
      return;
    case 1:
      byte = static_cast<std::uint8_t>(byte - 1);
      return;
    case 2:
      byte = static_cast<std::uint8_t>(byte ^ (1u << random_.Below(8)));
      return;
    default:
      byte = Byte();
      return;
  }
}

// Two records that name the same entity are worth more than two that do not.
void Mutator::CopyLabel() {
  const Record from = records_[Pick()];
  CopyName(from, &records_[Pick()]);
}

void Mutator::CopyName(const Record& from, Record* to) {
  std::copy_n(from.begin() + kLabelAt, 2, to->begin() + kLabelAt);
  const unsigned kept = (*to)[kFlagsAt] & static_cast<unsigned>(~kNamingMask & 0xFF);
  (*to)[kFlagsAt] = static_cast<std::uint8_t>(kept | (from[kFlagsAt] & kNamingMask));
}

void Mutator::CopyField() {
  const Record from = records_[Pick()];
  Record& to = records_[Pick()];
  const FieldExtent& field = PickField();
  std::copy_n(from.begin() + field.at, field.size, to.begin() + field.at);
}

void Mutator::ChangeHeader() { header_[random_.Below(kHeaderBytes)] = Byte(); }

void Mutator::MutateField() {
  if (mutate_field_ == nullptr) return Nudge();
  Record& record = records_[Pick()];
  const FieldExtent& field = PickField();
  mutate_field_(record.data() + field.at, field.size);
}

}  // namespace

std::size_t MutateRecords(std::span<std::uint8_t> buffer, std::size_t size, std::uint64_t seed,
                          FieldMutator mutate_field) {
  if (buffer.size() < kHeaderBytes) return size;
  Input input = Read(buffer.first(size));
  const std::size_t records_max = RecordsThatFit(buffer.size());
  Mutator(&input, records_max, seed, mutate_field).Run();
  return Write(input, buffer);
}

std::size_t CrossOverRecords(std::span<const std::uint8_t> first,
                             std::span<const std::uint8_t> second, std::span<std::uint8_t> out,
                             std::uint64_t seed) {
  if (out.size() < kHeaderBytes) return 0;
  Random random(seed);
  const Input parents[2] = {Read(first), Read(second)};
  Input child;
  std::size_t from = random.Below(2);
  child.header = parents[from].header;
  std::size_t at[2] = {0, 0};
  const std::size_t records_max = RecordsThatFit(out.size());
  // Both are walked along, and each stretch is taken from one of them or from both.
  while (child.records.size() < records_max) {
    const std::vector<Record>& records = parents[from].records;
    const std::size_t left = records.size() - at[from];
    if (left == 0 && at[1 - from] == parents[1 - from].records.size()) break;
    const std::size_t run = left == 0 ? 0 : 1 + random.Below(std::min(left, std::size_t{8}));
    const std::size_t taken = std::min(run, records_max - child.records.size());
    child.records.insert(child.records.end(), records.begin() + at[from],
                         records.begin() + at[from] + taken);
    at[from] += run;
    // Often the other parent skips the same stretch, so that the child is not twice as long.
    if (random.Chance(2, 3)) {
      at[1 - from] = std::min(at[1 - from] + run, parents[1 - from].records.size());
    }
    from = 1 - from;
  }
  return Write(child, out);
}

}  // namespace ashlar::fuzz
