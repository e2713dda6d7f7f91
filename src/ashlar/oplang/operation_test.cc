#include "ashlar/oplang/operation.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ashlar/oplang/random_programs.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

// The numbers of the binary form and the keywords of the text form. They never change: a corpus or
// a trace that somebody kept would come to mean something else.
TEST(OpCode, NumbersAndNamesNeverChange) {
  const std::map<int, std::pair<OpCode, std::string_view>> table = {
      {0, {OpCode::kNop, "nop"}},
      {1, {OpCode::kCreate, "create"}},
      {2, {OpCode::kDestroy, "destroy"}},
      {3, {OpCode::kAdd, "add"}},
      {4, {OpCode::kRemove, "remove"}},
      {5, {OpCode::kExchange, "exchange"}},
      {6, {OpCode::kSet, "set"}},
      {7, {OpCode::kPut, "put"}},
      {8, {OpCode::kGet, "get"}},
      {9, {OpCode::kHas, "has"}},
      {10, {OpCode::kSetField, "setfield"}},
      {11, {OpCode::kQuery, "query"}},
      {12, {OpCode::kIterate, "iterate"}},
      {13, {OpCode::kFill, "fill"}},
      {14, {OpCode::kOpenScope, "open"}},
      {15, {OpCode::kCloseScope, "close"}},
      {16, {OpCode::kMove, "move"}},
      {17, {OpCode::kPlaceGeneration, "place_generation"}},
      {18, {OpCode::kExpect, "expect"}},
      {19, {OpCode::kFailAllocation, "fail_allocation"}},
      {20, {OpCode::kFailConstruction, "fail_construction"}},
      {21, {OpCode::kPlaceIndex, "place_index"}},
      {22, {OpCode::kPlaceVersion, "place_version"}},
      {23, {OpCode::kTrim, "trim"}},
      {24, {OpCode::kDangling, "dangling"}},
      {25, {OpCode::kMark, "mark"}},
      {26, {OpCode::kChanged, "changed"}},
      {27, {OpCode::kAdded, "added"}},
      {28, {OpCode::kEnable, "enable"}},
      {29, {OpCode::kDisable, "disable"}},
      {30, {OpCode::kIsEnabled, "enabled"}},
      {31, {OpCode::kFlip, "flip"}},
      {32, {OpCode::kCreateMany, "create_many"}},
      {33, {OpCode::kDestroyAll, "destroy_all"}},
      {34, {OpCode::kRecord, "record"}},
      {35, {OpCode::kApply, "apply"}},
      {36, {OpCode::kDiscard, "discard"}},
      {37, {OpCode::kByQuery, "by_query"}},
      {38, {OpCode::kMany, "many"}},
      {39, {OpCode::kSort, "sort"}},
      {40, {OpCode::kSortByEntity, "sort_by_entity"}},
      {41, {OpCode::kPutSingle, "put_single"}},
      {42, {OpCode::kRemoveSingle, "remove_single"}},
      {43, {OpCode::kGetSingle, "get_single"}},
      {44, {OpCode::kHook, "hook"}},
      {45, {OpCode::kUnhook, "unhook"}},
  };
  ASSERT_EQ(table.size(), 46u);
  EXPECT_EQ(kOpCodeCount, 46);
  for (const auto& [number, entry] : table) {
    EXPECT_EQ(static_cast<int>(entry.first), number);
    EXPECT_EQ(OpCodeName(entry.first), entry.second);
  }
  EXPECT_EQ(OpCodeName(static_cast<OpCode>(46)), "unknown");
}

TEST(OpCode, TwoOfThemArm) {
  for (int code = 0; code < kOpCodeCount; ++code) {
    EXPECT_EQ(IsArming(static_cast<OpCode>(code)), code == 19 || code == 20) << code;
  }
}

TEST(OpCode, IsThePlaceInTheVariant) {
  EXPECT_EQ(CodeOf(NopOp()), OpCode::kNop);
  EXPECT_EQ(CodeOf(CreateOp()), OpCode::kCreate);
  EXPECT_EQ(CodeOf(DestroyOp()), OpCode::kDestroy);
  EXPECT_EQ(CodeOf(AddOp()), OpCode::kAdd);
  EXPECT_EQ(CodeOf(RemoveOp()), OpCode::kRemove);
  EXPECT_EQ(CodeOf(ExchangeOp()), OpCode::kExchange);
  EXPECT_EQ(CodeOf(SetOp()), OpCode::kSet);
  EXPECT_EQ(CodeOf(PutOp()), OpCode::kPut);
  EXPECT_EQ(CodeOf(GetOp()), OpCode::kGet);
  EXPECT_EQ(CodeOf(HasOp()), OpCode::kHas);
  EXPECT_EQ(CodeOf(SetFieldOp()), OpCode::kSetField);
  EXPECT_EQ(CodeOf(QueryOp()), OpCode::kQuery);
  EXPECT_EQ(CodeOf(IterateOp()), OpCode::kIterate);
  EXPECT_EQ(CodeOf(FillOp()), OpCode::kFill);
  EXPECT_EQ(CodeOf(OpenScopeOp()), OpCode::kOpenScope);
  EXPECT_EQ(CodeOf(CloseScopeOp()), OpCode::kCloseScope);
  EXPECT_EQ(CodeOf(MoveOp()), OpCode::kMove);
  EXPECT_EQ(CodeOf(PlaceGenerationOp()), OpCode::kPlaceGeneration);
  EXPECT_EQ(CodeOf(ExpectOp()), OpCode::kExpect);
  EXPECT_EQ(CodeOf(FailAllocationOp()), OpCode::kFailAllocation);
  EXPECT_EQ(CodeOf(FailConstructionOp()), OpCode::kFailConstruction);
  EXPECT_EQ(CodeOf(EnableOp()), OpCode::kEnable);
  EXPECT_EQ(CodeOf(DisableOp()), OpCode::kDisable);
  EXPECT_EQ(CodeOf(IsEnabledOp()), OpCode::kIsEnabled);
  EXPECT_EQ(CodeOf(FlipOp()), OpCode::kFlip);
  EXPECT_EQ(CodeOf(CreateManyOp()), OpCode::kCreateMany);
  EXPECT_EQ(CodeOf(DestroyAllOp()), OpCode::kDestroyAll);
  EXPECT_EQ(CodeOf(RecordOp()), OpCode::kRecord);
  EXPECT_EQ(CodeOf(ApplyOp()), OpCode::kApply);
  EXPECT_EQ(CodeOf(DiscardOp()), OpCode::kDiscard);
  EXPECT_EQ(CodeOf(ByQueryOp()), OpCode::kByQuery);
  EXPECT_EQ(CodeOf(ManyOp()), OpCode::kMany);
  EXPECT_EQ(CodeOf(SortOp()), OpCode::kSort);
  EXPECT_EQ(CodeOf(SortByEntityOp()), OpCode::kSortByEntity);
  EXPECT_EQ(CodeOf(PutSingleOp()), OpCode::kPutSingle);
  EXPECT_EQ(CodeOf(RemoveSingleOp()), OpCode::kRemoveSingle);
  EXPECT_EQ(CodeOf(GetSingleOp()), OpCode::kGetSingle);
  EXPECT_EQ(CodeOf(HookOp()), OpCode::kHook);
  EXPECT_EQ(CodeOf(UnhookOp()), OpCode::kUnhook);
}

// Verbs are numbers of the binary form and words of the text form.
TEST(CommandVerb, NumbersAndNamesNeverChange) {
  const std::vector<std::pair<CommandVerb, std::string_view>> verbs = {
      {CommandVerb::kCreate, "create"},     {CommandVerb::kDestroy, "destroy"},
      {CommandVerb::kAdd, "add"},           {CommandVerb::kRemove, "remove"},
      {CommandVerb::kExchange, "exchange"}, {CommandVerb::kSet, "set"},
      {CommandVerb::kPut, "put"},
  };
  ASSERT_EQ(verbs.size(), static_cast<std::size_t>(kCommandVerbCount));
  for (std::size_t i = 0; i < verbs.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(verbs[i].first), i);
    EXPECT_EQ(CommandVerbName(verbs[i].first), verbs[i].second);
    EXPECT_EQ(ParseCommandVerb(verbs[i].second), verbs[i].first);
  }
  EXPECT_EQ(CommandVerbName(static_cast<CommandVerb>(7)), "unknown");
  EXPECT_EQ(ParseCommandVerb("Create"), std::nullopt);
  EXPECT_EQ(ParseCommandVerb(""), std::nullopt);
  const std::array<CommandVerb, 5> bulk = {CommandVerb::kDestroy, CommandVerb::kAdd,
                                           CommandVerb::kRemove, CommandVerb::kSet,
                                           CommandVerb::kPut};
  EXPECT_EQ(kBulkVerbs, bulk);
}

TEST(Ownership, NamesAreReadBackButForThePlainOne) {
  const std::vector<std::pair<Ownership, std::string_view>> kinds = {
      {Ownership::kOwned, "owned"},
      {Ownership::kSelf, "self"},
      {Ownership::kUnique, "unique"},
      {Ownership::kAligned, "aligned"},
  };
  for (const auto& [ownership, name] : kinds) {
    EXPECT_EQ(OwnershipName(ownership), name);
    EXPECT_EQ(ParseOwnership(name), ownership);
  }
  EXPECT_EQ(OwnershipName(Ownership::kPlain), "plain");
  EXPECT_EQ(OwnershipName(static_cast<Ownership>(5)), "unknown");
  for (const std::string_view other : {"plain", "", "Owned", "owned ", "shared"}) {
    EXPECT_EQ(ParseOwnership(other), std::nullopt) << other;
  }
}

TEST(Outcome, TextIsCodeAndReason) {
  EXPECT_EQ(OutcomeText({}), "OK");
  EXPECT_EQ(OutcomeText({absl::StatusCode::kNotFound, Reason::kEntityNotAlive}),
            "NOT_FOUND entity_not_alive");
  EXPECT_EQ(OutcomeText({absl::StatusCode::kResourceExhausted, Reason::kNone}),
            "RESOURCE_EXHAUSTED");
  EXPECT_EQ(OutcomeText(kConstructionThrew), "ABORTED");
  EXPECT_EQ(ParseStatusCode("ABORTED"), absl::StatusCode::kAborted);
}

TEST(Meets, ComparesWhatIsSaid) {
  using Kind = Expectation::Kind;
  const Outcome ok;
  const Outcome dead = {absl::StatusCode::kNotFound, Reason::kEntityNotAlive};
  const Outcome absent = {absl::StatusCode::kNotFound, Reason::kComponentAbsent};
  const Outcome refused = {absl::StatusCode::kInvalidArgument, Reason::kValueRefused};

  EXPECT_TRUE(Meets({Kind::kOk, {}}, ok));
  EXPECT_FALSE(Meets({Kind::kOk, {}}, dead));

  EXPECT_TRUE(Meets({Kind::kAny, {}}, ok));
  EXPECT_TRUE(Meets({Kind::kAny, {}}, refused));

  const Expectation any_not_found = {Kind::kError, {absl::StatusCode::kNotFound, Reason::kNone}};
  EXPECT_TRUE(Meets(any_not_found, dead));
  EXPECT_TRUE(Meets(any_not_found, absent));
  EXPECT_FALSE(Meets(any_not_found, refused));
  EXPECT_FALSE(Meets(any_not_found, ok));

  const Expectation only_dead = {Kind::kError, dead};
  EXPECT_TRUE(Meets(only_dead, dead));
  EXPECT_FALSE(Meets(only_dead, absent));
  const Expectation threw = {Kind::kError, kConstructionThrew};
  EXPECT_TRUE(Meets(threw, kConstructionThrew));
  EXPECT_FALSE(Meets(threw, ok));
  // A failed allocation has no reason; a limit that was met has one, and is met by the code alone.
  const Outcome no_memory = {absl::StatusCode::kResourceExhausted, Reason::kNone};
  EXPECT_TRUE(Meets({Kind::kError, no_memory}, no_memory));
  EXPECT_FALSE(Meets(threw, no_memory));

  // The same reason under another code is another outcome.
  EXPECT_FALSE(Meets(only_dead, {absl::StatusCode::kInternal, Reason::kEntityNotAlive}));
}

// Two operations are equal exactly when a trace says them alike: no field is forgotten, and none is
// compared that an operation of that kind does not have.
TEST(Equality, IsThatOfTheText) {
  std::map<OpCode, std::vector<Operation>> by_code;
  Program program = ProgramMaker(11).Make(6000);
  for (const Operation& operation : program.operations) {
    by_code[CodeOf(operation.action)].push_back(operation);
  }
  EXPECT_EQ(by_code.size(), static_cast<std::size_t>(kOpCodeCount));
  std::size_t equal = 0;
  for (const auto& [code, operations] : by_code) {
    std::vector<std::string> texts;
    for (const Operation& operation : operations) {
      texts.push_back(PrintAction(program, operation.action));
    }
    for (std::size_t a = 0; a < operations.size(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        const bool is_equal = operations[a].action == operations[b].action;
        ASSERT_EQ(is_equal, texts[a] == texts[b]) << texts[a] << " and " << texts[b];
        equal += is_equal && a != b;
      }
    }
  }
  EXPECT_GT(equal, 1000u);
}

TEST(Equality, LinesAndNotesAreNoPartOfAProgram) {
  Program a;
  a.operations.push_back({DestroyOp{EntityRef::Of(1)}, {Expectation::Kind::kOk, {}}, 7});
  Program b = a;
  b.operations[0].line = 9;
  b.notes = {"another note"};
  EXPECT_EQ(a, b);
  b.operations[0].expectation.kind = Expectation::Kind::kAny;
  EXPECT_FALSE(a == b);
  b = a;
  b.operations[0].action = DestroyOp{EntityRef::Of(2)};
  EXPECT_FALSE(a == b);
  b = a;
  b.options.rows_per_chunk_max = 1;
  EXPECT_FALSE(a == b);
  a.components = {{"name", {}, Ownership::kPlain}};
  b = a;
  b.components[0].ownership = Ownership::kSelf;
  EXPECT_FALSE(a == b);
}

}  // namespace
}  // namespace ashlar::oplang
