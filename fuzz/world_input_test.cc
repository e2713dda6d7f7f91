// The inputs of commands_fuzz: what becomes a command, and what stays as it is.
#include "fuzz/world_input.h"

#include <cstdint>
#include <vector>

#include "ashlar/oplang/binary_codec.h"
#include "fuzz/corpus_mapping.h"
#include "gtest/gtest.h"
#include "model/generator.h"

namespace ashlar::fuzz {
namespace {

using oplang::kHeaderBytes;
using oplang::kRecordBytes;
using oplang::OpCode;

std::vector<std::uint8_t> OneRecord(std::uint8_t opcode, std::uint8_t flags, std::uint8_t third) {
  std::vector<std::uint8_t> bytes(kHeaderBytes + kRecordBytes, 0);
  bytes[kHeaderBytes] = opcode;
  bytes[kHeaderBytes + 1] = flags;
  bytes[kHeaderBytes + 3] = third;
  return bytes;
}

OpCode MappedCode(std::uint8_t opcode, std::uint8_t flags, std::uint8_t third) {
  return static_cast<OpCode>(WithCommands(OneRecord(opcode, flags, third))[kHeaderBytes]);
}

TEST(WithCommands, RecordsWithSmallLabelsAndAHighByteBecomeCommands) {
  EXPECT_EQ(MappedCode(1, 0, 0x40), OpCode::kRecord);
  EXPECT_EQ(MappedCode(9, 0, 0x80), OpCode::kApply);
  EXPECT_EQ(MappedCode(11, 0, 0xC1), OpCode::kDiscard);
  EXPECT_EQ(MappedCode(12 + 16, 0, 0xFF), OpCode::kMany);
  EXPECT_EQ(MappedCode(13, 0, 0x80), OpCode::kByQuery);
  EXPECT_EQ(MappedCode(1, 0, 0x3F), OpCode::kCreate) << "neither bit";
  EXPECT_EQ(MappedCode(1, 0xC0, 0x80), OpCode::kCreate) << "the byte is the label's";
  EXPECT_EQ(MappedCode(1, 0xE0, 0x80), OpCode::kCreate) << "bits of an entity";
  EXPECT_EQ(MappedCode(0xFE, 0, 0x80), static_cast<OpCode>(0xFE)) << "continues";
  EXPECT_EQ(MappedCode(0xFF, 0, 0x80), static_cast<OpCode>(0xFF)) << "continues";
}

TEST(WithCommands, LeavesShortInputsAndSeedsAlone) {
  EXPECT_TRUE(WithCommands({}).empty());
  const std::vector<std::uint8_t> part(kHeaderBytes + kRecordBytes - 1, 0xF0);
  EXPECT_EQ(WithCommands(part), part);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto bytes = oplang::EncodeProgram(OverSampleComponents(model::GenerateFromSeed(seed)));
    EXPECT_EQ(WithCommands(bytes), bytes) << seed;
  }
}

}  // namespace
}  // namespace ashlar::fuzz
