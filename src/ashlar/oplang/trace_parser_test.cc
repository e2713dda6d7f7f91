// What well-formed traces mean, statement by statement.
#include <bit>
#include <string>

#include "ashlar/core/status.h"
#include "ashlar/oplang/random_programs.h"
#include "ashlar/oplang/trace_text.h"
#include "gtest/gtest.h"

namespace ashlar::oplang {
namespace {

constexpr char kSchema[] =
    "component position f32[3]\n"
    "component health i32 in [0,100]\n"
    "component disabled tag\n"
    "component body {pos: f32x3, mass: f32, target: entity}\n";
constexpr ComponentRef kPosition = 0;
constexpr ComponentRef kHealth = 1;
constexpr ComponentRef kDisabled = 2;
constexpr ComponentRef kBody = 3;

Program Parsed(std::string_view text) {
  auto program = ParseTrace(text, "test");
  EXPECT_TRUE(program.ok()) << program.status();
  return program.ok() ? *std::move(program) : Program();
}

// The one operation of a text behind the schema above.
Operation ParsedOperation(const std::string& statement) {
  const Program program = Parsed(kSchema + statement);
  EXPECT_EQ(program.operations.size(), 1u) << statement;
  return program.operations.empty() ? Operation() : program.operations[0];
}

Action ParsedAction(const std::string& statement) { return ParsedOperation(statement).action; }

std::vector<Scalar> Floats(std::initializer_list<float> values) {
  std::vector<Scalar> scalars;
  for (const float value : values) scalars.push_back(Scalar::F32(value));
  return scalars;
}

const ComponentArg kHealth80 = {kHealth, {Scalar::Int(80)}};
const EntityRef kE1 = EntityRef::Of(1);

TEST(ParseTrace, ReadsTheTraceOfTheContract) {
  const Program program = Parsed(
      "component position f32[3]\n"
      "component health i32\n"
      "create e1 position=(1,2,3)\n"
      "add e1 health=80\n"
      "add e1 health=4294967296 -> INVALID_ARGUMENT\n"
      "expect e1 position=(1,2,3) health=80\n");
  ASSERT_EQ(program.components.size(), 2u);
  EXPECT_EQ(program.components[0], (ComponentDeclaration{"position", TypeOfText("f32[3]")}));
  EXPECT_EQ(program.components[1], (ComponentDeclaration{"health", TypeOfText("i32")}));

  ASSERT_EQ(program.operations.size(), 4u);
  EXPECT_EQ(program.operations[0].action, Action(CreateOp{1, {{0, Floats({1, 2, 3})}}}));
  EXPECT_EQ(program.operations[1].action, Action(AddOp{kE1, {{1, {Scalar::Int(80)}}}}));
  EXPECT_EQ(program.operations[2].action, Action(AddOp{kE1, {{1, {Scalar::Int(4294967296)}}}}));
  EXPECT_EQ(program.operations[1].expectation, (Expectation{Expectation::Kind::kOk, {}}));
  EXPECT_EQ(program.operations[2].expectation,
            (Expectation{Expectation::Kind::kError,
                         {absl::StatusCode::kInvalidArgument, Reason::kNone}}));
  EXPECT_EQ(CodeOf(program.operations[3].action), OpCode::kExpect);
  EXPECT_EQ(program.operations[3].line, 6u);
}

TEST(ParseTrace, ReadsHowValuesLive) {
  const Program program = Parsed(
      "component name u64[4] as owned\n"
      "component me {x: f32 in [0,1] finite, to: entity}  as\tself # its own\n"
      "component rest f64 finite as unique\n"
      "component wide u8 as aligned\n"
      "component mark tag as owned\n"
      "component as tag\n"
      "create e1 as\n");
  std::vector<Ownership> kinds;
  for (const ComponentDeclaration& component : program.components) {
    kinds.push_back(component.ownership);
  }
  EXPECT_EQ(kinds,
            (std::vector<Ownership>{Ownership::kOwned, Ownership::kSelf, Ownership::kUnique,
                                    Ownership::kAligned, Ownership::kOwned, Ownership::kPlain}));
  EXPECT_EQ(program.components[2],
            (ComponentDeclaration{"rest", TypeOfText("f64 finite"), Ownership::kUnique}));
  EXPECT_EQ(program.operations[0].action, Action(CreateOp{1, {{5, {}}}}));
}

TEST(ParseTrace, TheEmptyTextIsTheEmptyProgram) {
  EXPECT_EQ(Parsed(""), Program());
  EXPECT_EQ(Parsed("\n\r\n  \t\n# only a comment"), Program());
}

TEST(ParseTrace, ReadsOptions) {
  const Program program = Parsed(
      "trace 1\noption chunk_bytes 65536\noption rows_per_chunk 2\noption index_limit 8 # few\n");
  EXPECT_EQ(program.options, (Options{65536, 2, 8}));
}

TEST(ParseTrace, KeepsTheCommentsAtTheHeadAsNotes) {
  const Program program = Parsed("# one\n\n#two\n#\ntrace 1\n# not a note\nnop # nor this\n");
  EXPECT_EQ(program.notes, (std::vector<std::string>{"one", "two", ""}));
}

TEST(ParseTrace, LineEndsAndSpacesAreFree) {
  const Program expected = Parsed("component a u8\ncreate e1 a=5\ndestroy e1\n");
  EXPECT_EQ(Parsed("component a u8\r\ncreate e1 a=5\r\ndestroy e1"), expected);
  EXPECT_EQ(Parsed("\tcomponent \t a   u8 \n  create\te1  a=5\t# x\n\n destroy e1 "), expected);
}

TEST(ParseTrace, ReadsEachOperation) {
  EXPECT_EQ(ParsedAction("nop"), Action(NopOp()));
  EXPECT_EQ(ParsedAction("create e65535"), Action(CreateOp{65535, {}}));
  EXPECT_EQ(ParsedAction("create e1 position=(1,2,3) disabled"),
            Action(CreateOp{1, {{kPosition, Floats({1, 2, 3})}, {kDisabled, {}}}}));
  EXPECT_EQ(ParsedAction("destroy 4v2"), Action(DestroyOp{EntityRef::Literal(Entity(4, 2))}));
  EXPECT_EQ(ParsedAction("destroy null"), Action(DestroyOp{EntityRef::Literal(Entity())}));
  EXPECT_EQ(ParsedAction("add e1 health=80 disabled"),
            Action(AddOp{kE1, {kHealth80, {kDisabled, {}}}}));
  EXPECT_EQ(ParsedAction("remove e1 health disabled"), Action(RemoveOp{kE1, {kHealth, kDisabled}}));
  EXPECT_EQ(ParsedAction("set e1 health=80"), Action(SetOp{kE1, {kHealth80}}));
  EXPECT_EQ(ParsedAction("put e1 health=80"), Action(PutOp{kE1, {kHealth80}}));
  EXPECT_EQ(ParsedAction("get e1 health"), Action(GetOp{kE1, kHealth}));
  EXPECT_EQ(ParsedAction("has e1 health"), Action(HasOp{kE1, kHealth}));
  EXPECT_EQ(ParsedAction("iterate q255"), Action(IterateOp{255}));
  EXPECT_EQ(ParsedAction("fill q1 health=80"), Action(FillOp{1, kHealth80}));
  EXPECT_EQ(ParsedAction("open q1"), Action(OpenScopeOp{1}));
  EXPECT_EQ(ParsedAction("close"), Action(CloseScopeOp()));
  EXPECT_EQ(ParsedAction("move dt=0.5"), Action(MoveOp{std::bit_cast<std::uint32_t>(0.5f)}));
  EXPECT_EQ(ParsedAction("move dt=nan(0x7fc00001)"), Action(MoveOp{0x7fc00001}));
  EXPECT_EQ(ParsedAction("place_generation e1 4294967295"),
            Action(PlaceGenerationOp{kE1, 4294967295}));
  EXPECT_EQ(ParsedAction("fail_allocation 3"), Action(FailAllocationOp{3, false}));
  EXPECT_EQ(ParsedAction("fail_allocation 4294967295  sticky # x"),
            Action(FailAllocationOp{4294967295, true}));
  EXPECT_EQ(ParsedAction("fail_construction 2"), Action(FailConstructionOp{2}));
}

TEST(ParseTrace, ReadsExchangesWithEitherPartLeftOut) {
  EXPECT_EQ(ParsedAction("exchange e1 remove disabled body add health=80"),
            Action(ExchangeOp{kE1, {kDisabled, kBody}, {kHealth80}}));
  EXPECT_EQ(ParsedAction("exchange e1 remove disabled"), Action(ExchangeOp{kE1, {kDisabled}, {}}));
  EXPECT_EQ(ParsedAction("exchange e1 add health=80"), Action(ExchangeOp{kE1, {}, {kHealth80}}));
  EXPECT_EQ(ParsedAction("exchange e1"), Action(ExchangeOp{kE1, {}, {}}));
}

TEST(ParseTrace, ReadsScalarsOfSetField) {
  const auto setfield = [](ComponentRef component, std::uint32_t scalar, Scalar value) {
    return Action(SetFieldOp{kE1, component, scalar, value});
  };
  EXPECT_EQ(ParsedAction("setfield e1 health=5"), setfield(kHealth, 0, Scalar::Int(5)));
  EXPECT_EQ(ParsedAction("setfield e1 position[1]=5"), setfield(kPosition, 1, Scalar::F32(5)));
  EXPECT_EQ(ParsedAction("setfield e1 body.pos[2]=5.0"), setfield(kBody, 2, Scalar::F32(5)));
  EXPECT_EQ(ParsedAction("setfield e1 body.mass=-0.0"), setfield(kBody, 3, Scalar::F32(-0.0f)));
  EXPECT_EQ(ParsedAction("setfield e1 body.target=e9"), setfield(kBody, 4, Scalar::Label(9)));
  EXPECT_EQ(ParsedAction("setfield e1 #3.mass=2"), setfield(kBody, 3, Scalar::F32(2)));
  EXPECT_EQ(ParsedAction("setfield e1 body.#3=2"), setfield(kBody, 3, Scalar::F32(2)));
  EXPECT_EQ(ParsedAction("setfield e1 body.#9=[int:2]"), setfield(kBody, 9, Scalar::Int(2)));
  EXPECT_EQ(ParsedAction("setfield e1 #99.#0=[bool:true]"), setfield(99, 0, Scalar::Bool(true)));
}

TEST(ParseTrace, ReadsQueriesInTheOrderOfTheirTerms) {
  EXPECT_EQ(ParsedAction("query q1"), Action(QueryOp{1, {}}));
  EXPECT_EQ(ParsedAction("query q1 all(position,health) none( disabled )\tany(body , #99) all(#0)"),
            Action(QueryOp{1,
                           {{TermKind::kAll, kPosition},
                            {TermKind::kAll, kHealth},
                            {TermKind::kNone, kDisabled},
                            {TermKind::kAny, kBody},
                            {TermKind::kAny, 99},
                            {TermKind::kAll, kPosition}}}));
  EXPECT_EQ(ParsedAction("query q0 optional(health)"),
            Action(QueryOp{0, {{TermKind::kOptional, kHealth}}}));
}

TEST(ParseTrace, ReadsWhatCanBeSwitchedOff) {
  const Program program = Parsed(
      "component shield i32 enableable\ncomponent name u64 as owned enableable\n"
      "component health i32\n"
      "query q1 all(shield with_disabled, health) none(name with_disabled)\n"
      "enable e1 shield\ndisable e2 name\nenabled 4v2 shield\nflip q1 shield\n"
      "expect e1 on shield name\nexpect e1 off shield\n");
  EXPECT_TRUE(program.components[0].is_enableable);
  EXPECT_TRUE(program.components[1].is_enableable);
  EXPECT_EQ(program.components[1].ownership, Ownership::kOwned);
  EXPECT_FALSE(program.components[2].is_enableable);
  const std::vector<QueryTerm> terms = {
      {TermKind::kAll, 0, true}, {TermKind::kAll, 2, false}, {TermKind::kNone, 1, true}};
  EXPECT_EQ(program.operations[0].action, Action(QueryOp{1, terms}));
  EXPECT_EQ(program.operations[1].action, Action(EnableOp{EntityRef::Of(1), 0}));
  EXPECT_EQ(program.operations[2].action, Action(DisableOp{EntityRef::Of(2), 1}));
  EXPECT_EQ(program.operations[3].action, Action(IsEnabledOp{EntityRef::Literal(Entity(4, 2)), 0}));
  EXPECT_EQ(program.operations[4].action, Action(FlipOp{1, 0}));
  const auto& on = std::get<ExpectOp>(program.operations[5].action);
  EXPECT_EQ(on.kind, ExpectOp::Kind::kOn);
  EXPECT_EQ(on.components, (std::vector<ComponentRef>{0, 1}));
  EXPECT_EQ(std::get<ExpectOp>(program.operations[6].action).kind, ExpectOp::Kind::kOff);
}

TEST(ParseTrace, ReadsManyAtOnce) {
  const Program program =
      Parsed("component health i32\ncreate_many e7 4096 health=1\ncreate_many e1 1\ndestroy_all\n");
  EXPECT_EQ(program.operations[0].action, Action(CreateManyOp{7, 4096, {{0, {Scalar::Int(1)}}}}));
  EXPECT_EQ(program.operations[1].action, Action(CreateManyOp{1, 1, {}}));
  EXPECT_EQ(program.operations[2].action, Action(DestroyAllOp()));
  EXPECT_FALSE(ParseTrace("create_many e1 0\n", "t").ok());
  EXPECT_FALSE(ParseTrace("create_many e1 4097\n", "t").ok());
}

TEST(ParseTrace, ReadsCommands) {
  const Program program = Parsed(
      "component health i32\ncomponent off tag\n"
      "record create e7 health=1 off\n"
      "record destroy 4v2\n"
      "record exchange e1 remove health add off\n"
      "record exchange q3 add off\n"
      "record remove q255 health off\n"
      "record 2 destroy e1\n"
      "record late create e7\n"
      "record 1 late destroy q3\n"
      "apply\napply skip_dead\ndiscard\n"
      "by_query set q1 health=1\n"
      "by_query destroy q1\n"
      "many put e1 null 4v2 : health=1\n"
      "many remove e1 : health off\n"
      "many destroy e1 e2\n"
      "many add :\n");
  const std::vector<ComponentArg> one = {{0, {Scalar::Int(1)}}};
  const std::vector<ComponentArg> off = {{1, {}}};
  const EntityRef e1 = EntityRef::Of(1);
  const EntityRef bits = EntityRef::Literal(Entity(4, 2));
  using enum CommandVerb;
  const std::vector<Action> expected = {
      RecordOp{kCreate, false, 7, {}, 0, {}, {{0, {Scalar::Int(1)}}, {1, {}}}},
      RecordOp{kDestroy, false, 0, bits, 0, {}, {}},
      RecordOp{kExchange, false, 0, e1, 0, {0}, off},
      RecordOp{kExchange, true, 0, {}, 3, {}, off},
      RecordOp{kRemove, true, 0, {}, 255, {0, 1}, {}},
      RecordOp{kDestroy, false, 0, e1, 0, {}, {}, 2, false},
      RecordOp{kCreate, false, 7, {}, 0, {}, {}, 0, true},
      RecordOp{kDestroy, true, 0, {}, 3, {}, {}, 1, true},
      ApplyOp{false},
      ApplyOp{true},
      DiscardOp(),
      ByQueryOp{kSet, 1, {}, one},
      ByQueryOp{kDestroy, 1, {}, {}},
      ManyOp{kPut, {e1, EntityRef::Literal(Entity()), bits}, {}, one},
      ManyOp{kRemove, {e1}, {0, 1}, {}},
      ManyOp{kDestroy, {e1, EntityRef::Of(2)}, {}, {}},
      ManyOp{kAdd, {}, {}, {}},
  };
  ASSERT_EQ(program.operations.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(program.operations[i].action, expected[i]) << i;
  }
  const std::string head = "component health i32\n";
  for (const std::string wrong : {"record",
                                  "record get e1",
                                  "record create 4v2",
                                  "record create q1",
                                  "record add",
                                  "record 3 destroy e1",
                                  "record late 1 destroy e1",
                                  "record 1",
                                  "record late",
                                  "record add e1 health=x",
                                  "record exchange e1 health",
                                  "apply all",
                                  "discard e1",
                                  "by_query create q1",
                                  "by_query exchange q1 add health",
                                  "by_query add e1 health",
                                  "many create e1",
                                  "many exchange e1 : add health",
                                  "many add e1 health=1",
                                  "many add e1 e2",
                                  "many destroy e1 :",
                                  "many"}) {
    EXPECT_FALSE(ParseTrace(head + wrong + "\n", "t").ok()) << wrong;
  }
}

TEST(ParseTrace, ReadsExactValues) {
  const std::vector<Scalar> every_kind = {Scalar::Int(-3),
                                          Scalar::Uint(9223372036854775808u),
                                          Scalar::F32(1.5f),
                                          Scalar::F64(0.1),
                                          Scalar::Bool(true),
                                          Scalar::EntityValue(Entity(4, 2)),
                                          Scalar::Label(3),
                                          Scalar::F32Bits(0x7f800001),
                                          Scalar::EntityValue(Entity())};
  EXPECT_EQ(ParsedAction("add e1 health=[int:-3, uint:9223372036854775808,f32:1.5 , f64:0.1, "
                         "bool:true, entity:4v2, label:e3, f32:nan(0x7f800001), entity:null]"),
            Action(AddOp{kE1, {{kHealth, every_kind}}}));
  EXPECT_EQ(ParsedAction("add e1 #99=[int:80]"), Action(AddOp{kE1, {{99, {Scalar::Int(80)}}}}));
}

TEST(ParseTrace, ReadsEachExpectation) {
  using Kind = ExpectOp::Kind;
  const auto about_entity = [](Kind kind) {
    ExpectOp op;
    op.kind = kind;
    op.entity = kE1;
    return op;
  };
  const auto about_query = [](Kind kind) {
    ExpectOp op;
    op.kind = kind;
    op.query = 1;
    return op;
  };
  ExpectOp op = about_entity(Kind::kHolds);
  EXPECT_EQ(ParsedAction("expect e1"), Action(op));
  op.values = {kHealth80, {kPosition, {}}, {kDisabled, {}}};
  EXPECT_EQ(ParsedAction("expect e1 health=80 position disabled"), Action(op));
  op.kind = Kind::kOnly;
  EXPECT_EQ(ParsedAction("expect e1 only health=80 position disabled"), Action(op));
  op = about_entity(Kind::kWithout);
  op.components = {kHealth, kBody};
  EXPECT_EQ(ParsedAction("expect e1 without health body"), Action(op));
  EXPECT_EQ(ParsedAction("expect e1 dead"), Action(about_entity(Kind::kDead)));
  op = about_entity(Kind::kId);
  op.entities = {EntityRef::Literal(Entity(0, 2))};
  EXPECT_EQ(ParsedAction("expect e1 id 0v2"), Action(op));
  op = about_entity(Kind::kRow);
  op.chunk = 2;
  op.count = 7;
  EXPECT_EQ(ParsedAction("expect e1 chunk 2 row 7"), Action(op));
  op = about_query(Kind::kMatches);
  EXPECT_EQ(ParsedAction("expect q1 matches"), Action(op));
  op.entities = {EntityRef::Of(2), EntityRef::Literal(Entity(4, 2))};
  EXPECT_EQ(ParsedAction("expect q1 matches e2 4v2"), Action(op));
  op.kind = Kind::kOrder;
  EXPECT_EQ(ParsedAction("expect q1 order e2 4v2"), Action(op));
  op = about_query(Kind::kCount);
  op.count = 3;
  EXPECT_EQ(ParsedAction("expect q1 count 3"), Action(op));
  op.kind = Kind::kChunks;
  EXPECT_EQ(ParsedAction("expect q1 chunks 3"), Action(op));
  op = ExpectOp();
  op.kind = Kind::kLive;
  op.count = 3;
  EXPECT_EQ(ParsedAction("expect live 3"), Action(op));
}

TEST(ParseTrace, ReadsHowAnOperationEnds) {
  using Kind = Expectation::Kind;
  const auto ending = [](const std::string& text) {
    return ParsedOperation("destroy e1" + text).expectation;
  };
  EXPECT_EQ(ending(""), (Expectation{Kind::kOk, {}}));
  EXPECT_EQ(ending(" -> OK"), (Expectation{Kind::kOk, {}}));
  EXPECT_EQ(ending(" -> any"), (Expectation{Kind::kAny, {}}));
  EXPECT_EQ(ending(" -> NOT_FOUND # because"),
            (Expectation{Kind::kError, {absl::StatusCode::kNotFound, Reason::kNone}}));
  EXPECT_EQ(ending("\t->  NOT_FOUND  entity_not_alive"),
            (Expectation{Kind::kError, {absl::StatusCode::kNotFound, Reason::kEntityNotAlive}}));
  EXPECT_EQ(ending(" -> ABORTED"), (Expectation{Kind::kError, kConstructionThrew}));
  EXPECT_EQ(ending(" -> RESOURCE_EXHAUSTED"),
            (Expectation{Kind::kError, {absl::StatusCode::kResourceExhausted, Reason::kNone}}));
}

TEST(ParseTrace, KeywordsWinOverComponentsOfTheSameName) {
  const std::string schema =
      "component only u8\ncomponent dead tag\ncomponent add u8\ncomponent remove u8\n";
  EXPECT_EQ(CodeOf(Parsed(schema + "create e1 only=5 dead").operations[0].action), OpCode::kCreate);
  ExpectOp op;
  op.entity = kE1;
  op.kind = ExpectOp::Kind::kDead;
  EXPECT_EQ(Parsed(schema + "expect e1 dead").operations[0].action, Action(op));
  op.kind = ExpectOp::Kind::kHolds;
  op.values = {{1, {}}};
  EXPECT_EQ(Parsed(schema + "expect e1 #1").operations[0].action, Action(op));
  EXPECT_EQ(Parsed(schema + "exchange e1 remove #2 remove add #2=5").operations[0].action,
            Action(ExchangeOp{kE1, {2, 3}, {{2, {Scalar::Int(5)}}}}));
}

TEST(ParseTrace, ValuesThatDoNotFitAreFineWhereTheRefusalIsWritten) {
  EXPECT_EQ(ParsedAction("add e1 health=4294967296 -> any"),
            Action(AddOp{kE1, {{kHealth, {Scalar::Int(4294967296)}}}}));
  EXPECT_EQ(ParsedAction("setfield e1 health=4294967296 -> INVALID_ARGUMENT value_does_not_fit"),
            Action(SetFieldOp{kE1, kHealth, 0, Scalar::Int(4294967296)}));
  // Rules are the world's to hold, not the parser's.
  EXPECT_EQ(ParsedAction("add e1 health=101"), Action(AddOp{kE1, {{kHealth, {Scalar::Int(101)}}}}));
  // A label fits an entity field, whoever it names.
  EXPECT_EQ(CodeOf(ParsedAction("add e1 body=((1,2,3),4,e9)")), OpCode::kAdd);
}

}  // namespace
}  // namespace ashlar::oplang
