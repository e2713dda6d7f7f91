#include "ashlar/oplang/binary_codec.h"

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "ashlar/oplang/binary_record.h"
#include "ashlar/oplang/random_programs.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

std::vector<ComponentDeclaration> SomeComponents() {
  return {{"position", TypeOfText("f32[3]")},
          {"health", TypeOfText("i32 in [0,100]")},
          {"disabled", TypeOfText("tag")},
          {"body", TypeOfText("{pos: f32[3], mass: f32, target: entity}")}};
}

// What the binary form keeps of the operations.
std::vector<Operation> Kept(const Program& program) {
  std::vector<Operation> kept;
  for (const Operation& operation : program.operations) {
    if (std::holds_alternative<ExpectOp>(operation.action)) continue;
    kept.push_back({operation.action, {Expectation::Kind::kAny, {}}, 0});
  }
  return kept;
}

// The text of one program made of one record.
std::string TextOf(const std::vector<std::uint8_t>& record) {
  std::vector<std::uint8_t> bytes(kHeaderBytes);
  bytes.insert(bytes.end(), record.begin(), record.end());
  bytes.resize(kHeaderBytes + kRecordBytes);
  const Program program = DecodeProgram(bytes, SomeComponents());
  return program.operations.empty() ? "" : PrintAction(program, program.operations[0].action);
}

// Where the bytes of a record go. These must not move: corpora depend on them.
TEST(DecodeProgram, ReadsTheFieldsOfARecord) {
  EXPECT_EQ(TextOf({0}), "nop");
  // Label 0x0145: of a small name the low six bits count.
  EXPECT_EQ(TextOf({2, 0x00, 0x45, 0x01}), "destroy e5");
  EXPECT_EQ(TextOf({2, 0xA0, 0x45, 0x01}), "destroy e5");
  EXPECT_EQ(TextOf({2, 0xC0, 0x45, 0x01}), "destroy e325");
  EXPECT_EQ(TextOf({2, 0xE0, 0x45, 0x01, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0}), "destroy 4v2");
  // Three components: 1, 2, and 7 mod 4; values from two payload bytes each.
  EXPECT_EQ(TextOf({1, 3, 9, 0, 1, 2, 7, 0, 16, 80, 0, 0, 128, 2, 0, 0}),
            "create e9 health=80 disabled body=((0.5,0.5,0.5),0.5,e2)");
  EXPECT_EQ(TextOf({3, 1, 9, 0, 0, 0, 0, 0, 16, 1}), "add e9 position=(1.0,2.0,3.0)");
  // Selectors from 250 on name nothing.
  EXPECT_EQ(TextOf({4, 3, 9, 0, 250, 255, 249}), "remove e9 #4 #9 health");
  // The first one of three is removed.
  EXPECT_EQ(TextOf({5, 3 | (1 << 3), 9, 0, 1, 0, 2, 0, 0, 0, 96, 7}),
            "exchange e9 remove health add position=(7.0,7.0,7.0) disabled");
  EXPECT_EQ(TextOf({6, 1, 9, 0, 1}), "set e9 health");
  EXPECT_EQ(TextOf({7, 1, 9, 0, 1}), "put e9 health");
  EXPECT_EQ(TextOf({8, 0, 9, 0, 1}), "get e9 health");
  EXPECT_EQ(TextOf({9, 0, 9, 0, 1}), "has e9 health");
  EXPECT_EQ(TextOf({10, 0, 9, 0, 0, 2, 0, 0, 16, 5}), "setfield e9 position[2]=5.0");
  EXPECT_EQ(TextOf({10, 0, 9, 0, 0, 251, 0, 0}), "setfield e9 position.#4=[int:0]");
  EXPECT_EQ(TextOf({11, 3, 9, 0, 0, 1, 2, 0, 0, 1, 2}),
            "query q1 all(position) any(health) none(disabled)");
  EXPECT_EQ(TextOf({12, 0, 9, 0}), "iterate q1");
  EXPECT_EQ(TextOf({12, 0xC0, 9, 0}), "iterate q9");
  EXPECT_EQ(TextOf({12, 0xE0, 9, 0}), "iterate q9");
  EXPECT_EQ(TextOf({13, 0, 2, 0, 1, 0, 0, 0, 16, 5}), "fill q2 health=5");
  EXPECT_EQ(TextOf({14, 0, 2}), "open q2");
  EXPECT_EQ(TextOf({15}), "close");
  EXPECT_EQ(TextOf({16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3f}), "move dt=0.5");
  EXPECT_EQ(TextOf({16, 1 << 3, 0, 0, 0xFE}), "move dt=-0.5");
  EXPECT_EQ(TextOf({16, 2 << 3, 0, 0, 1}), "move dt=-0.0");
  EXPECT_EQ(TextOf({17, 0, 9, 0, 0xFE, 0xFF, 0xFF, 0xFF}), "place_generation e9 4294967294");
  EXPECT_EQ(TextOf({17, 1 << 3, 9, 0, 4}), "place_generation e9 4294967295");
  EXPECT_EQ(TextOf({17, 2 << 3, 9, 0, 16 + 3}), "place_generation e9 3");
  EXPECT_EQ(TextOf({19}), "fail_allocation 1");
  EXPECT_EQ(TextOf({19, 0, 0, 0, 8 + 7}), "fail_allocation 8");
  EXPECT_EQ(TextOf({19, 1 << 3, 0, 0, 2}), "fail_allocation 3 sticky");
  EXPECT_EQ(TextOf({19, 2 << 3, 0, 0, 64 + 63}), "fail_allocation 64");
  EXPECT_EQ(TextOf({19, 3 << 3, 0, 0, 9}), "fail_allocation 10 sticky");
  EXPECT_EQ(TextOf({20, 1 << 3, 0, 0, 1}), "fail_construction 2");
  EXPECT_EQ(TextOf({20, 2 << 3, 0, 0, 255}), "fail_construction 64");
  EXPECT_EQ(TextOf({21, 1 << 3, 0, 0, 200}), "place_index 200");
  EXPECT_EQ(TextOf({21, 0, 0, 0, 0, 0, 0, 0, 1, 2}), "place_index 513");
  EXPECT_EQ(TextOf({22, 1 << 3, 0, 0, 16 + 7}), "place_version 4294967295");
  EXPECT_EQ(TextOf({22, 2 << 3, 0, 0, 16 + 1}), "place_version 9223372036854775807");
  EXPECT_EQ(TextOf({22, 0, 0, 0, 0, 0, 0, 0, 1, 2}), "place_version 513");
  EXPECT_EQ(TextOf({23}), "trim");
  EXPECT_EQ(TextOf({24}), "dangling");
  EXPECT_EQ(TextOf({25}), "mark");
  EXPECT_EQ(TextOf({26, 0, 2, 0, 251}),
            "changed q2 #" + std::to_string(SomeComponents().size() + 1));
  EXPECT_EQ(TextOf({34, 1, 9, 0, 0, 1, 0, 0, 0, 0, 16, 5}), "record create e9 health=5");
  EXPECT_EQ(TextOf({34, 4, 9, 0, 0xC0}), "record create e9 position position position");
  EXPECT_EQ(TextOf({34, 4, 9, 0, 0xC1}), "record destroy q1");
  EXPECT_EQ(TextOf({34, 1, 9, 0, 2, 1, 0, 0, 0, 0, 16, 5}), "record add e9 health=5");
  EXPECT_EQ(TextOf({34, 0, 9, 0, 7}), "record create e9");
  EXPECT_EQ(TextOf({34, 0, 9, 0, (1 << 3) + 1}), "record 1 destroy e9");
  EXPECT_EQ(TextOf({34, 0, 9, 0, (3 << 3) + 1}), "record late destroy e9");
  EXPECT_EQ(TextOf({34, 0, 2, 0, 0xC0 + (5 << 3) + 1}), "record 2 late destroy q2");
  EXPECT_EQ(TextOf({34, 0, 9, 0, (7 << 3) + 1}), "record destroy e9");
  EXPECT_EQ(TextOf({34, 2, 9, 0, 0x80 + 3, 1, 0}), "record remove e9 health position");
  EXPECT_EQ(TextOf({34, (1 << 3) + 2, 9, 0, 4, 1, 2}),
            "record exchange e9 remove health add disabled");
  EXPECT_EQ(TextOf({34, 1, 2, 0, 0xC5, 1}), "record set q2 health");
  EXPECT_EQ(TextOf({35}), "apply");
  EXPECT_EQ(TextOf({35, 1 << 3}), "apply skip_dead");
  EXPECT_EQ(TextOf({36}), "discard");
  EXPECT_EQ(TextOf({37, 1, 2, 0, 5, 1}), "by_query destroy q2");
  EXPECT_EQ(TextOf({37, 1, 2, 0, 4, 1}), "by_query put q2 health");
  EXPECT_EQ(TextOf({38, 1, 9, 0, 1, 1}), "many add e9 e10 : health");
  EXPECT_EQ(TextOf({38, (2 << 3) + 1, 9, 0, 2, 1}), "many remove e9 e10 e11 : health");
  EXPECT_EQ(TextOf({38, 3 << 3, 9, 0, 3, 1}), "many set :");
  EXPECT_EQ(TextOf({38, (1 << 3) + 1, 9, 0, 0, 1}), "many destroy e9");
}

TEST(DecodeProgram, UnassignedOpcodesDoNothing) {
  for (int opcode = 18; opcode < 256; ++opcode) {
    if (opcode > 18 && opcode < kOpCodeCount) continue;
    EXPECT_EQ(TextOf({static_cast<std::uint8_t>(opcode), 1, 2, 3}), "") << opcode;
  }
}

TEST(DecodeProgram, ContinuationsBelongToTheOperationBefore) {
  std::vector<std::uint8_t> bytes(kHeaderBytes + 4 * kRecordBytes);
  const auto record = [&bytes](std::size_t i) { return &bytes[kHeaderBytes + kRecordBytes * i]; };
  record(0)[0] = 0xFE;  // There is nothing to continue.
  record(1)[0] = 3;
  record(2)[0] = 0xFE;
  record(2)[4] = 1;
  record(3)[0] = 0xFF;
  record(3)[4] = static_cast<std::uint8_t>(Scalar::Kind::kBool);
  record(3)[8] = 1;
  const Program program = DecodeProgram(bytes, SomeComponents());
  ASSERT_EQ(program.operations.size(), 1u);
  EXPECT_EQ(program.operations[0].action,
            Action(AddOp{EntityRef::Of(0), {{1, {Scalar::Bool(true)}}}}));
}

TEST(DecodeProgram, ContinuationsCountFurtherForArmingOperations) {
  std::vector<std::uint8_t> bytes(kHeaderBytes + 4 * kRecordBytes);
  const auto record = [&bytes](std::size_t i) { return &bytes[kHeaderBytes + kRecordBytes * i]; };
  record(0)[0] = 19;
  record(1)[0] = 0xFE;  // The 32 bits of its payload; no count is 0.
  record(2)[0] = 20;
  record(3)[0] = 0xFE;
  record(3)[8] = 0x40;
  record(3)[9] = 0xE2;
  record(3)[10] = 0x01;
  record(3)[12] = 0xFF;
  const Program program = DecodeProgram(bytes, {});
  ASSERT_EQ(program.operations.size(), 2u);
  EXPECT_EQ(program.operations[0].action, Action(FailAllocationOp{1, false}));
  EXPECT_EQ(program.operations[1].action, Action(FailConstructionOp{123456}));
}

TEST(DecodeProgram, ReadsTheHeader) {
  const auto options = [](std::vector<std::uint8_t> bytes) {
    return DecodeProgram(bytes, {}).options;
  };
  EXPECT_EQ(options({}), Options());
  EXPECT_EQ(options({1, 1, 1, 0, 0, 0, 0, 0}), (Options{8192, 1, 1}));
  EXPECT_EQ(options({4, 2, 255}), (Options{65536, 2, 255}));
  EXPECT_EQ(options({9, 7, 0, 1, 2, 3, 4, 5}), (Options{65536, 4, 0}));
}

TEST(DecodeProgram, PartsOfRecordsAreDropped) {
  std::vector<std::uint8_t> bytes(kHeaderBytes + 3 * kRecordBytes);
  EXPECT_EQ(DecodeProgram(bytes, {}).operations.size(), 3u);
  EXPECT_EQ(DecodeProgram(bytes, {}, 2).operations.size(), 2u);
  EXPECT_EQ(DecodeProgram(bytes, {}, 0).operations.size(), 0u);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::size_t whole = size < kHeaderBytes ? 0 : (size - kHeaderBytes) / kRecordBytes;
    EXPECT_EQ(DecodeProgram(std::span(bytes).first(size), {}).operations.size(), whole);
  }
}

TEST(EncodeProgram, OptionsBecomeTheNearest) {
  const auto header = [](Options options) {
    Program program;
    program.options = options;
    return DecodeProgram(EncodeProgram(program), {}).options;
  };
  EXPECT_EQ(header({4096, 0, 0}), (Options{4096, 0, 0}));
  EXPECT_EQ(header({65536, 4, 255}), (Options{65536, 4, 255}));
  EXPECT_EQ(header({5000, 3, 256}), (Options{4096, 2, 255}));
  EXPECT_EQ(header({7000, 100, 1000000}), (Options{8192, 4, 255}));
  EXPECT_EQ(header({1, 5, 0}), (Options{4096, 4, 0}));
  EXPECT_EQ(header({1000000, 0, 0}), (Options{65536, 0, 0}));
}

TEST(EncodeProgram, CommonOperationsTakeOneRecord) {
  const auto program = ParseTrace(
      "component position f32[3]\ncomponent health i32 in [0,100]\ncomponent off tag\n"
      "create e1 position=(1,2,3) health=80 off\n"
      "add e1 health=80\n"
      "add e1 health=2147483648 -> any\n"
      "remove e1 health off\n"
      "exchange e1 remove health add position=(0,0,0)\n"
      "query q1 all(position, health) none(off)\n"
      "setfield e1 position[2]=0.5\n"
      "fill q1 health=5\n"
      "place_generation e1 4294967295\n"
      "move dt=0.1\n"
      "fail_allocation 64 sticky\n"
      "fail_construction 64\n"
      "record exchange e1 remove health off add position=(0,0,0)\n"
      "record add q1 health=80 off\n"
      "apply skip_dead\n"
      "discard\n"
      "by_query put q1 health=80\n"
      "many remove e1 : health off\n"
      "expect live 3\n",
      "text");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(EncodeProgram(*program).size(), kHeaderBytes + 18 * kRecordBytes);
}

TEST(EncodeProgram, EveryNameComesBack) {
  Program program;
  for (int label = 0; label < 65536; ++label) {
    program.operations.push_back({DestroyOp{EntityRef::Of(static_cast<Label>(label))}, {}, 0});
  }
  for (int query = 0; query < 256; ++query) {
    program.operations.push_back({IterateOp{static_cast<QueryLabel>(query)}, {}, 0});
  }
  const Program again = DecodeProgram(EncodeProgram(program), {});
  EXPECT_TRUE(again.operations == Kept(program));
}

TEST(EncodeProgram, EveryCountComesBackButNone) {
  Program program;
  for (const std::uint32_t nth : {1u, 8u, 9u, 64u, 65u, 4294967295u}) {
    program.operations.push_back({FailAllocationOp{nth, false}, {}, 0});
    program.operations.push_back({FailAllocationOp{nth, true}, {}, 0});
    program.operations.push_back({FailConstructionOp{nth}, {}, 0});
  }
  EXPECT_TRUE(DecodeProgram(EncodeProgram(program), {}).operations == Kept(program));

  program.operations = {{FailAllocationOp{0, true}, {}, 0}};
  EXPECT_EQ(DecodeProgram(EncodeProgram(program), {}).operations.at(0).action,
            Action(FailAllocationOp{1, true}));
}

TEST(EncodeProgram, DecodesToTheSameProgram) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Program program = ProgramMaker(seed).Make(40);
    ApplySplit(static_cast<SplitPattern>(seed % 4), program.components);  // What a header can say.
    const std::vector<std::uint8_t> bytes = EncodeProgram(program);
    const Program again = DecodeProgram(bytes, program.components);
    ASSERT_EQ(again.options, program.options) << "seed " << seed;
    ASSERT_EQ(again.components, program.components) << "seed " << seed;
    const std::vector<Operation> kept = Kept(program);
    ASSERT_EQ(again.operations.size(), kept.size()) << "seed " << seed;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      ASSERT_TRUE(again.operations[i] == kept[i])
          << "seed " << seed << ": " << PrintAction(program, kept[i].action) << " became "
          << PrintAction(program, again.operations[i].action);
    }
    ASSERT_EQ(EncodeProgram(again), bytes) << "seed " << seed;
  }
}

std::vector<std::uint8_t> RandomBytes(std::uint64_t seed) {
  ProgramMaker random(seed);
  std::vector<std::uint8_t> bytes(random.Below(kHeaderBytes + 64 * kRecordBytes));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.Next());
  // Half of the opcodes are assigned ones, or random bytes would hardly ever say anything.
  for (std::size_t at = kHeaderBytes; at < bytes.size(); at += kRecordBytes) {
    if (random.Chance(2)) bytes[at] = static_cast<std::uint8_t>(random.Below(41) - 2);
  }
  return bytes;
}

TEST(DecodeProgram, EveryByteStringIsAProgram) {
  std::set<OpCode> seen;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const std::vector<std::uint8_t> bytes = RandomBytes(seed);
    const std::vector<ComponentDeclaration> components =
        seed % 8 == 0 ? std::vector<ComponentDeclaration>() : SomeComponents();
    const Program program = DecodeProgram(bytes, components);
    for (const Operation& operation : program.operations) {
      seen.insert(CodeOf(operation.action));
      ASSERT_EQ(operation.expectation.kind, Expectation::Kind::kAny);
    }
    const std::vector<std::uint8_t> encoded = EncodeProgram(program);
    const Program again = DecodeProgram(encoded, components);
    ASSERT_TRUE(again == program) << "seed " << seed << "\n" << PrintTrace(program);
    ASSERT_EQ(EncodeProgram(again), encoded) << "seed " << seed;
    // And the text form takes it too.
    const auto parsed = ParseTrace(PrintTrace(program), "printed");
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    ASSERT_TRUE(*parsed == program) << "seed " << seed;
  }
  EXPECT_EQ(seen.size(), 45u);  // All but expect.
}

TEST(DecodeProgram, ReplacesWhatAProgramWasBefore) {
  const auto components = SomeComponents();
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    Program program = DecodeProgram(RandomBytes(seed), components);
    program.notes = {"a note"};
    const std::vector<std::uint8_t> bytes = RandomBytes(seed + 1);
    DecodeProgram(bytes, components, 3, &program);
    EXPECT_EQ(program, DecodeProgram(bytes, components, 3)) << seed;
    EXPECT_TRUE(program.notes.empty());
  }
}

// Operations that never meet on a name test nothing.
TEST(DecodeProgram, RandomBytesMeetOnNames) {
  int labels = 0;
  int small = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const Operation& operation : DecodeProgram(RandomBytes(seed), {}).operations) {
      const auto* destroy = std::get_if<DestroyOp>(&operation.action);
      if (destroy == nullptr) continue;
      ++labels;
      if (destroy->entity.is_label && destroy->entity.label <= kSmallLabelMask) ++small;
    }
  }
  ASSERT_GT(labels, 100);
  EXPECT_GT(small * 10, labels * 6);
}

}  // namespace
}  // namespace ashlar::oplang
