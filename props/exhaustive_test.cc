// Every short sequence of operations over three names, with one and two rows a chunk.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
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

// Commands about two names, and what may come between them: e0 is there mostly, e1 is made by the
// buffer.
std::vector<Action> CommandAlphabet() {
  using oplang::CommandVerb;
  const auto record = [](CommandVerb verb, oplang::Label label,
                         std::vector<oplang::ComponentRef> removed,
                         std::vector<ComponentArg> values) {
    oplang::RecordOp op;
    op.verb = verb;
    if (verb == CommandVerb::kCreate) {
      op.label = label;
    } else {
      op.entity = EntityRef::Of(label);
    }
    op.removed = std::move(removed);
    op.values = std::move(values);
    return Action(op);
  };
  const ComponentArg health{0, {Scalar::Int(9)}};
  return {
      oplang::CreateOp{0, {{0, {Scalar::Int(1)}}}},
      oplang::DestroyOp{EntityRef::Of(0)},
      record(CommandVerb::kCreate, 1, {}, {{0, {Scalar::Int(2)}}}),
      record(CommandVerb::kDestroy, 0, {}, {}),
      record(CommandVerb::kDestroy, 1, {}, {}),
      record(CommandVerb::kAdd, 0, {}, {{1, {}}}),
      record(CommandVerb::kRemove, 0, {1}, {}),
      record(CommandVerb::kPut, 1, {}, {health, {1, {}}}),
      record(CommandVerb::kExchange, 1, {0}, {{1, {}}}),
      oplang::ApplyOp{false},
      oplang::ApplyOp{true},
      oplang::DiscardOp(),
  };
}

// Runs every sequence of exactly `length` operations; shorter ones are their beginnings, which
// lockstep compares on the way.
std::uint64_t RunAll(const std::vector<Action>& alphabet, std::size_t length,
                     std::uint32_t rows_per_chunk) {
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

TEST(Exhaustive, EverySequenceOfFourWithOneRowAChunk) {
  EXPECT_EQ(RunAll(Alphabet(), 4, 1), 50'625u);
}

TEST(Exhaustive, EverySequenceOfFourWithTwoRowsAChunk) {
  EXPECT_EQ(RunAll(Alphabet(), 4, 2), 50'625u);
}

TEST(Exhaustive, EverySequenceOfFourWithCommands) {
  EXPECT_EQ(RunAll(CommandAlphabet(), 4, 1), 20'736u);
}

// 248,832 and 759,375 sequences; minutes under a sanitizer, so a release build alone runs them.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
TEST(Exhaustive, EverySequenceOfFiveWithCommands) {
  EXPECT_EQ(RunAll(CommandAlphabet(), 5, 2), 248'832u);
}

TEST(Exhaustive, EverySequenceOfFiveWithTwoRowsAChunk) {
  EXPECT_EQ(RunAll(Alphabet(), 5, 2), 759'375u);
}
#endif

}  // namespace
}  // namespace ashlar
