#include <string>

#include "ashlar/oplang/random_programs.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

// Printing what was read gives the same text: these are all in the printer's own form.
TEST(PrintTrace, KeepsItsOwnForm) {
  const std::string text =
      "# Two notes,\n"
      "#\n"
      "# the second one empty.\n"
      "trace 1\n"
      "option chunk_bytes 8192\n"
      "option rows_per_chunk 2\n"
      "option index_limit 8\n"
      "component position f32[3]\n"
      "component health i32 in [0,100]\n"
      "component disabled tag\n"
      "component body {pos: f32[3], mass: f32, target: entity}\n"
      "component only u64\n"
      "component name {a: u8, b: f32 in [0.0,1.0] finite} as owned\n"
      "component mark tag as self\n"
      "component rest f64 finite as unique\n"
      "component wide u64[4] as aligned\n"
      "nop\n"
      "create e1 position=(1.0,2.0,-0.0) disabled\n"
      "create e2 body=((1.0,inf,nan),1e+30,e1) #4=18446744073709551615\n"
      "destroy 4v2 -> NOT_FOUND entity_not_alive\n"
      "destroy null -> NOT_FOUND\n"
      "add e1 health=80\n"
      "add e1 health=4294967296 -> INVALID_ARGUMENT value_does_not_fit\n"
      "add e1 health=[int:4294967296]\n"
      "add e1 health=[f32:1.5, label:e3] #9=[bool:true] -> any\n"
      "remove e1 health disabled #99 -> any\n"
      "exchange e1 remove health #4 add health=5\n"
      "exchange e1 add health\n"
      "set e1 health=-1 -> INVALID_ARGUMENT value_refused\n"
      "put e1 health\n"
      "get e1 position\n"
      "has e1 #4\n"
      "setfield e1 position[1]=2.5\n"
      "setfield e2 body.pos[2]=nan(0x7fc00001)\n"
      "setfield e2 body.target=null\n"
      "setfield e1 health=5\n"
      "setfield e1 #4=5\n"
      "setfield e1 body.#9=[int:5] -> INVALID_ARGUMENT field_unknown\n"
      "query q1 all(position, body) any(health) all(disabled) none(#4) optional(#99) -> any\n"
      "query q2\n"
      "iterate q1\n"
      "fill q1 position=(0.0,0.0,0.0)\n"
      "open q2\n"
      "move dt=0.5\n"
      "close\n"
      "place_generation e1 4294967295\n"
      "fail_allocation 3\n"
      "add e1 health=80 -> RESOURCE_EXHAUSTED\n"
      "fail_allocation 1 sticky\n"
      "fail_construction 2\n"
      "add e1 health=80 -> ABORTED\n"
      "expect e1 health=80 disabled\n"
      "expect e1 only health=80 #4\n"
      "expect e1 without health #4\n"
      "expect e1 dead\n"
      "expect e1 id 0v2\n"
      "expect e1 chunk 0 row 1\n"
      "expect q1 matches e1 e2\n"
      "expect q1 count 3\n"
      "expect q1 order e2 0v1\n"
      "expect live 3\n"
      "expect q1 chunks 2\n";
  const auto program = ParseTrace(text, "text");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(PrintTrace(*program), text);
}

TEST(PrintTrace, TheEmptyProgramIsItsVersion) { EXPECT_EQ(PrintTrace(Program()), "trace 1\n"); }

TEST(PrintTrace, NotesCannotBecomeStatements) {
  Program program;
  program.notes = {"one\ndestroy e1", std::string("two\0three\r\nfour", 15)};
  EXPECT_EQ(PrintTrace(program), "# one\n# destroy e1\n# two\n# three\n#\n# four\ntrace 1\n");
}

TEST(PrintAction, SaysOneOperation) {
  Program program;
  program.components = {{"health", TypeOfText("i32")}};
  EXPECT_EQ(PrintAction(program, AddOp{EntityRef::Of(1), {{0, {Scalar::Int(80)}}}}),
            "add e1 health=80");
  EXPECT_EQ(PrintAction(program, AddOp{EntityRef::Of(1), {{0, {Scalar::Int(4294967296)}}}}),
            "add e1 health=4294967296");
  EXPECT_EQ(PrintAction(program, CloseScopeOp()), "close");
}

// A declaration that no world would take is printed all the same, for whoever looks for the fault.
TEST(PrintAction, DoesNotNeedSoundComponents) {
  Program program;
  program.components = {{"no name", {}}};
  EXPECT_EQ(PrintAction(program, AddOp{EntityRef::Of(1), {{0, {Scalar::Int(80)}}}}),
            "add e1 no name=[int:80]");
  EXPECT_EQ(PrintAction(program, SetFieldOp{EntityRef::Of(1), 0, 3, Scalar::Int(5)}),
            "setfield e1 no name.#3=[int:5]");
}

TEST(PrintTrace, ReadsBackToTheSameProgram) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = ProgramMaker(seed).Make(40);
    const std::string text = PrintTrace(program);
    const auto again = ParseTrace(text, "printed");
    ASSERT_TRUE(again.ok()) << "seed " << seed << ": " << again.status() << "\n" << text;
    ASSERT_TRUE(*again == program) << "seed " << seed << "\n"
                                   << text << "\nreads as\n"
                                   << PrintTrace(*again);
    ASSERT_EQ(again->notes, program.notes);
    ASSERT_EQ(PrintTrace(*again), text) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ashlar::oplang
