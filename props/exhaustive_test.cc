// Every short sequence of operations over three names, with one and two rows a chunk.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "ashlar/oplang/trace_text.h"
#include "model/lockstep.h"

namespace ashlar {
namespace {

using oplang::Action;
using oplang::ComponentArg;
using oplang::EntityRef;

// health i32 = 0, frozen tag = 1.
oplang::Program EmptyProgram(std::uint32_t rows_per_chunk) {
  oplang::Program program;
  program.options.rows_per_chunk_max = rows_per_chunk;
  TypeSpec health;
  health.fields.push_back({"", {ScalarType::kI32, 1}, {}});
  program.components = {{"health", health}, {"frozen", TypeSpec()}};
  return program;
}

// What may be done to each of three names: the values tell the entities apart.
std::vector<Action> Alphabet() {
  std::vector<Action> actions;
  for (oplang::Label label = 0; label < 3; ++label) {
    const EntityRef entity = EntityRef::Of(label);
    const ComponentArg health{0, {Scalar::Int(label + 1)}};
    actions.push_back(oplang::CreateOp{label, {health}});
    actions.push_back(oplang::DestroyOp{entity});
    actions.push_back(oplang::AddOp{entity, {{1, {}}}});
    actions.push_back(oplang::RemoveOp{entity, {1}});
    actions.push_back(oplang::ExchangeOp{entity, {0}, {{1, {}}}});
  }
  return actions;
}

// Runs every sequence of exactly `length` operations; shorter ones are their beginnings, which
// lockstep compares on the way.
std::uint64_t RunAll(std::size_t length, std::uint32_t rows_per_chunk) {
  const std::vector<Action> alphabet = Alphabet();
  oplang::Program program = EmptyProgram(rows_per_chunk);
  program.operations.resize(length);
  std::vector<std::size_t> digits(length, 0);
  std::uint64_t sequences = 0;
  while (true) {
    for (std::size_t i = 0; i < length; ++i) program.operations[i].action = alphabet[digits[i]];
    ++sequences;
    model::LockstepOptions options;
    options.check_digest_on_refusal = false;
    if (const auto failure = model::RunLockstep(program, options, nullptr)) {
      ADD_FAILURE() << failure->message << "\n" << oplang::PrintTrace(program);
      return sequences;
    }
    std::size_t place = 0;
    while (place < length && ++digits[place] == alphabet.size()) digits[place++] = 0;
    if (place == length) return sequences;
  }
}

TEST(Exhaustive, EverySequenceOfFourWithOneRowAChunk) { EXPECT_EQ(RunAll(4, 1), 50'625u); }

TEST(Exhaustive, EverySequenceOfFourWithTwoRowsAChunk) { EXPECT_EQ(RunAll(4, 2), 50'625u); }

// 759,375 sequences; minutes under a sanitizer, so `--gtest_also_run_disabled_tests` or a release
// build runs it.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
TEST(Exhaustive, EverySequenceOfFiveWithTwoRowsAChunk) { EXPECT_EQ(RunAll(5, 2), 759'375u); }
#endif

}  // namespace
}  // namespace ashlar
