#include "fuzz/world_input.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/binary_record.h"
#include "model/sample_components.h"

namespace ashlar::fuzz {
namespace {

constexpr std::size_t kBurstSizeAt = 4;
constexpr std::size_t kBurstKindAt = 5;
constexpr std::uint8_t kBurstFrom = 192;
constexpr std::size_t kBurstLeast = 64;

std::uint8_t HeaderByte(std::span<const std::uint8_t> bytes, std::size_t at) {
  return at < bytes.size() ? bytes[at] : std::uint8_t{0};
}

oplang::ComponentRef NumberOf(std::string_view name) {
  const auto components = model::SampleComponents();
  const auto found = std::ranges::find(components, name, &oplang::ComponentDeclaration::name);
  return static_cast<oplang::ComponentRef>(found - components.begin());
}

// Rows of one archetype. Their labels are the small ones, round and round, so that the records that
// follow have most of them in reach, and some rows have no name.
std::vector<oplang::Operation> Burst(std::size_t row_count, std::uint8_t kind) {
  std::vector<oplang::ComponentArg> values{{NumberOf("position"), {}}};
  if ((kind & 4) == 0) values.push_back({NumberOf("velocity"), {}});
  if ((kind & 1) != 0) values.push_back({NumberOf("health"), {}});
  if ((kind & 2) != 0) values.push_back({NumberOf("disabled"), {}});
  std::vector<oplang::Operation> creates(row_count);
  for (std::size_t i = 0; i < row_count; ++i) {
    creates[i].action = oplang::CreateOp{static_cast<oplang::Label>(i % 64), values};
  }
  return creates;
}

// With one to four rows a chunk the rest of a chunk is redzone, to be armed and looked at: larger
// chunks would cost most of the inputs a second and show nothing more. The large profile has them.
void MakeSmall(std::span<const std::uint8_t> bytes, oplang::Program* program) {
  // Entities made at once reach over three chunks of four rows; hundreds of chunks, each with its
  // redzones, would cost a fifth of all inputs a second and show nothing more either.
  constexpr std::uint32_t kCreatedAtOnceMax = 9;
  for (oplang::Operation& operation : program->operations) {
    auto* many = std::get_if<oplang::CreateManyOp>(&operation.action);
    if (many != nullptr) many->count = std::min(many->count, kCreatedAtOnceMax);
  }
  oplang::Options* options = &program->options;
  options->chunk_size_bytes = 4096;
  if (options->rows_per_chunk_max != 0) return;
  options->rows_per_chunk_max = 1u << (HeaderByte(bytes, 1) / 4 % 3);
}

void MakeLarge(std::span<const std::uint8_t> bytes, WorldInput* input) {
  input->program.options.rows_per_chunk_max = 0;
  const std::uint8_t size = HeaderByte(bytes, kBurstSizeAt);
  if (size < kBurstFrom) return;
  const std::size_t row_count = kBurstLeast + 2 * std::size_t{size - std::size_t{kBurstFrom}};
  std::vector<oplang::Operation> operations = Burst(row_count, HeaderByte(bytes, kBurstKindAt));
  std::ranges::move(input->program.operations, std::back_inserter(operations));
  input->program.operations = std::move(operations);
  input->lockstep.compare_from = row_count;
}

// Many records to an apply, so that there is something to run together.
constexpr std::array<oplang::OpCode, 16> kCommandCodes = {
    oplang::OpCode::kRecord, oplang::OpCode::kRecord,  oplang::OpCode::kRecord,
    oplang::OpCode::kRecord, oplang::OpCode::kRecord,  oplang::OpCode::kRecord,
    oplang::OpCode::kRecord, oplang::OpCode::kRecord,  oplang::OpCode::kRecord,
    oplang::OpCode::kApply,  oplang::OpCode::kApply,   oplang::OpCode::kDiscard,
    oplang::OpCode::kMany,   oplang::OpCode::kByQuery, oplang::OpCode::kMany,
    oplang::OpCode::kByQuery};
constexpr std::uint8_t kBecomesCommand = 0xC0;  // In byte +3 of a record.

}  // namespace

Profile ProfileFromEnvironment() {
  const char* value = std::getenv("ASHLAR_FUZZ_PROFILE");
  const std::string_view name = value != nullptr ? value : "small";
  if (name == "small") return Profile::kSmall;
  if (name == "large") return Profile::kLarge;
  std::fprintf(stderr, "ASHLAR_FUZZ_PROFILE is '%s'; there are 'small' and 'large'\n", value);
  std::abort();
}

std::size_t RecordsMax(Profile profile) { return profile == Profile::kSmall ? 32 : 512; }

void DecodeWorldInput(std::span<const std::uint8_t> bytes, Profile profile, WorldInput* input) {
  oplang::DecodeProgram(bytes, model::SampleComponents(), RecordsMax(profile), &input->program);
  input->lockstep = model::LockstepOptions();
  input->lockstep.check_expectations = false;
  if (profile == Profile::kSmall) {
    MakeSmall(bytes, &input->program);
  } else {
    MakeLarge(bytes, input);
  }
}

std::vector<std::uint8_t> WithCommands(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> mapped(bytes.begin(), bytes.end());
  for (std::size_t at = oplang::kHeaderBytes; at + oplang::kRecordBytes <= mapped.size();
       at += oplang::kRecordBytes) {
    oplang::Record record;
    std::copy_n(mapped.begin() + static_cast<std::ptrdiff_t>(at), oplang::kRecordBytes,
                record.bytes.begin());
    const bool continues = record.opcode() >= oplang::kOpcodeAppendOperand;
    const bool is_small = record.naming() == oplang::Naming::kSmall;
    if (continues || !is_small || (record.bytes[3] & kBecomesCommand) == 0) continue;
    mapped[at] = static_cast<std::uint8_t>(kCommandCodes[record.opcode() % kCommandCodes.size()]);
  }
  return mapped;
}

}  // namespace ashlar::fuzz
