#include <algorithm>
#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include "ashlar/core/check.h"
#include "ashlar/oplang/trace_statements.h"

namespace ashlar::inline v0::oplang {
namespace {

// Each Read below reads the operands of one operation into its fields, in the order of the text.

bool Read(StatementReader*, NopOp*) { return true; }

bool Read(StatementReader* reader, CreateOp* op) {
  return reader->ReadLabel(&op->label) && reader->ReadArguments(&op->values);
}

bool Read(StatementReader* reader, CreateManyOp* op) {
  if (!reader->ReadLabel(&op->label)) return false;
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::size_t start = cursor.offset();
  std::uint64_t count = 0;
  if (!reader->ReadNumber("how many entities", kCreatedMax, &count)) return false;
  if (count == 0) return cursor.Fail(start, "at least one entity is made");
  op->count = static_cast<std::uint32_t>(count);
  return reader->ReadArguments(&op->values);
}
bool Read(StatementReader*, DestroyAllOp*) { return true; }

bool Read(StatementReader* reader, DestroyOp* op) { return reader->ReadEntity(&op->entity); }

// AddOp, SetOp and PutOp.
template <typename Op>
bool ReadEntityAndArguments(StatementReader* reader, Op* op) {
  return reader->ReadEntity(&op->entity) && reader->ReadArguments(&op->values);
}
bool Read(StatementReader* reader, AddOp* op) { return ReadEntityAndArguments(reader, op); }
bool Read(StatementReader* reader, SetOp* op) { return ReadEntityAndArguments(reader, op); }
bool Read(StatementReader* reader, PutOp* op) { return ReadEntityAndArguments(reader, op); }

bool Read(StatementReader* reader, RemoveOp* op) {
  return reader->ReadEntity(&op->entity) && reader->ReadComponents(&op->components);
}

// "remove health add mana=3".
bool ReadExchanged(StatementReader* reader, std::vector<ComponentRef>* removed,
                   std::vector<ComponentArg>* added) {
  if (reader->TakeKeyword("remove")) {
    while (reader->AtOperand() && reader->cursor().PeekToken() != "add") {
      if (!reader->ReadComponent(&removed->emplace_back())) return false;
    }
  }
  if (reader->TakeKeyword("add")) return reader->ReadArguments(added);
  return !reader->AtOperand() ||
         reader->cursor().FailExpected("remove and components, then add and values");
}

bool Read(StatementReader* reader, ExchangeOp* op) {
  return reader->ReadEntity(&op->entity) && ReadExchanged(reader, &op->removed, &op->added);
}

// GetOp and HasOp.
template <typename Op>
bool ReadEntityAndComponent(StatementReader* reader, Op* op) {
  return reader->ReadEntity(&op->entity) && reader->ReadComponent(&op->component);
}
bool Read(StatementReader* reader, GetOp* op) { return ReadEntityAndComponent(reader, op); }
bool Read(StatementReader* reader, HasOp* op) { return ReadEntityAndComponent(reader, op); }

bool Read(StatementReader* reader, EnableOp* op) { return ReadEntityAndComponent(reader, op); }
bool Read(StatementReader* reader, DisableOp* op) { return ReadEntityAndComponent(reader, op); }
bool Read(StatementReader* reader, IsEnabledOp* op) { return ReadEntityAndComponent(reader, op); }

bool Read(StatementReader* reader, SetFieldOp* op) {
  return reader->ReadEntity(&op->entity) &&
         reader->ReadScalarAssignment(&op->component, &op->scalar, &op->value);
}

std::optional<TermKind> ParseTermKind(std::string_view word) {
  constexpr std::array<std::string_view, 4> kNames = {"all", "any", "none", "optional"};
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == word) return static_cast<TermKind>(i);
  }
  return std::nullopt;
}

// "all(position, velocity)".
bool ReadTermGroup(StatementReader* reader, std::vector<QueryTerm>* terms) {
  LineCursor& cursor = reader->cursor();
  const std::optional<TermKind> kind = ParseTermKind(cursor.PeekWord());
  if (!kind.has_value()) {
    return cursor.FailExpected("a group of terms: all(...), any(...), none(...) or optional(...)");
  }
  cursor.TakeWord();
  cursor.SkipSpaces();
  if (!cursor.Take('(')) return cursor.FailExpected("'(' and components");
  do {
    QueryTerm& term = terms->emplace_back();
    term.kind = *kind;
    if (!reader->ReadComponentName(&term.component)) return false;
    cursor.SkipSpaces();
    if (cursor.PeekWord() == "with_disabled") {
      term.with_disabled = true;
      cursor.TakeWord();
      cursor.SkipSpaces();
    }
  } while (cursor.Take(','));
  return cursor.Take(')') || cursor.FailExpected("',', ')' or with_disabled after a component");
}

bool Read(StatementReader* reader, QueryOp* op) {
  if (!reader->ReadQuery(&op->query)) return false;
  while (reader->AtOperand()) {
    if (!ReadTermGroup(reader, &op->terms)) return false;
  }
  return true;
}

bool Read(StatementReader* reader, IterateOp* op) { return reader->ReadQuery(&op->query); }

bool Read(StatementReader* reader, FillOp* op) {
  return reader->ReadQuery(&op->query) && reader->ReadArgument(&op->value);
}

bool Read(StatementReader* reader, OpenScopeOp* op) { return reader->ReadQuery(&op->query); }
bool Read(StatementReader*, CloseScopeOp*) { return true; }

bool Read(StatementReader* reader, MoveOp* op) {
  return reader->ReadFloatAssignment("dt", &op->dt_bits);
}

bool Read(StatementReader* reader, PlaceGenerationOp* op) {
  std::uint64_t generation = 0;
  if (!reader->ReadEntity(&op->entity) ||
      !reader->ReadNumber("a generation", kU32Max, &generation)) {
    return false;
  }
  op->generation = static_cast<std::uint32_t>(generation);
  return true;
}

bool Read(StatementReader* reader, ExpectOp* op) { return ReadExpect(reader, op); }

// Which one of them fails: counted from 1.
bool ReadCount(StatementReader* reader, std::string_view what, std::uint32_t* nth) {
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::string_view word = cursor.PeekToken();
  const std::optional<std::uint64_t> count = ParseDecimal(word, kU32Max);
  if (!count.has_value()) {
    return cursor.FailExpected(
        absl::StrCat("which ", std::string(what), " fails (1 .. ", kU32Max, ")"));
  }
  if (*count == 0) {
    return cursor.Fail(cursor.offset(),
                       absl::StrCat("which ", std::string(what), " fails counts from 1"));
  }
  *nth = static_cast<std::uint32_t>(*count);
  cursor.Advance(word.size());
  return true;
}

bool Read(StatementReader* reader, FailAllocationOp* op) {
  if (!ReadCount(reader, "allocation", &op->nth)) return false;
  if (!reader->AtOperand()) return true;
  op->sticky = reader->TakeKeyword("sticky");
  return op->sticky || reader->cursor().FailExpected("sticky or the end of the statement");
}

bool Read(StatementReader* reader, FailConstructionOp* op) {
  return ReadCount(reader, "construction", &op->nth);
}

bool Read(StatementReader* reader, PlaceIndexOp* op) {
  return reader->ReadNumber("an index", kU64Max, &op->index);
}
bool Read(StatementReader* reader, PlaceVersionOp* op) {
  return reader->ReadNumber("a version", kU64Max, &op->version);
}
bool Read(StatementReader*, TrimOp*) { return true; }
bool Read(StatementReader*, DanglingOp*) { return true; }
bool Read(StatementReader*, MarkOp*) { return true; }

// ChangedOp and AddedOp.
template <typename Op>
bool ReadQueryAndComponent(StatementReader* reader, Op* op) {
  return reader->ReadQuery(&op->query) && reader->ReadComponent(&op->component);
}
bool Read(StatementReader* reader, ChangedOp* op) { return ReadQueryAndComponent(reader, op); }
bool Read(StatementReader* reader, AddedOp* op) { return ReadQueryAndComponent(reader, op); }
bool Read(StatementReader* reader, FlipOp* op) { return ReadQueryAndComponent(reader, op); }

// What a verb takes behind the entities that it is for. RecordOp, ByQueryOp and ManyOp.
template <typename Op>
bool ReadChange(StatementReader* reader, Op* op) {
  switch (op->verb) {
    case CommandVerb::kDestroy:
      return true;
    case CommandVerb::kRemove:
      return reader->ReadComponents(&op->removed);
    case CommandVerb::kExchange:
      return ReadExchanged(reader, &op->removed, &op->values);
    case CommandVerb::kCreate:
    case CommandVerb::kAdd:
    case CommandVerb::kSet:
    case CommandVerb::kPut:
      break;
  }
  return reader->ReadArguments(&op->values);
}

// "2 late ": both may be left out.
bool ReadRecordPlace(StatementReader* reader, RecordOp* op) {
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::string_view word = cursor.PeekToken();
  if (!word.empty() && word.front() >= '0' && word.front() <= '9') {
    std::uint64_t buffer = 0;
    if (!reader->ReadNumber("a command buffer", kCommandBufferCount - 1, &buffer)) return false;
    op->buffer = static_cast<std::uint8_t>(buffer);
  }
  op->is_late = reader->TakeKeyword("late");
  return true;
}

bool Read(StatementReader* reader, RecordOp* op) {
  LineCursor& cursor = reader->cursor();
  if (!ReadRecordPlace(reader, op)) return false;
  cursor.SkipSpaces();
  const std::string_view word = cursor.PeekToken();
  const std::optional<CommandVerb> verb = ParseCommandVerb(word);
  if (!verb.has_value()) {
    return cursor.FailExpected(
        "what is recorded (create, destroy, add, remove, exchange, set or put)");
  }
  cursor.Advance(word.size());
  op->verb = *verb;
  if (op->verb == CommandVerb::kCreate)
    return reader->ReadLabel(&op->label) && ReadChange(reader, op);
  cursor.SkipSpaces();
  op->by_query = cursor.At('q');
  const bool is_named =
      op->by_query ? reader->ReadQuery(&op->query) : reader->ReadEntity(&op->entity);
  return is_named && ReadChange(reader, op);
}

bool Read(StatementReader* reader, ApplyOp* op) {
  if (!reader->AtOperand()) return true;
  op->skip_dead = reader->TakeKeyword("skip_dead");
  return op->skip_dead || reader->cursor().FailExpected("skip_dead or the end of the statement");
}

bool Read(StatementReader*, DiscardOp*) { return true; }

// One of kBulkVerbs.
bool ReadBulkVerb(StatementReader* reader, CommandVerb* verb) {
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::string_view word = cursor.PeekToken();
  const auto* found = std::find(kBulkVerbs.begin(), kBulkVerbs.end(), ParseCommandVerb(word));
  if (found == kBulkVerbs.end()) {
    return cursor.FailExpected("what is done (destroy, add, remove, set or put)");
  }
  cursor.Advance(word.size());
  *verb = *found;
  return true;
}

bool Read(StatementReader* reader, ByQueryOp* op) {
  return ReadBulkVerb(reader, &op->verb) && reader->ReadQuery(&op->query) && ReadChange(reader, op);
}

bool Read(StatementReader* reader, ManyOp* op) {
  if (!ReadBulkVerb(reader, &op->verb)) return false;
  if (op->verb == CommandVerb::kDestroy) return reader->ReadEntities(&op->entities);
  while (reader->AtOperand() && reader->cursor().PeekToken() != ":") {
    if (!reader->ReadEntity(&op->entities.emplace_back())) return false;
  }
  return (reader->TakeKeyword(":") ||
          reader->cursor().FailExpected("':' between entities and components")) &&
         ReadChange(reader, op);
}

bool Read(StatementReader* reader, SortOp* op) { return ReadQueryAndComponent(reader, op); }
bool Read(StatementReader* reader, SortByEntityOp* op) { return reader->ReadQuery(&op->query); }
bool Read(StatementReader* reader, PutSingleOp* op) { return reader->ReadArgument(&op->value); }
bool Read(StatementReader* reader, RemoveSingleOp* op) {
  return reader->ReadComponent(&op->component);
}
bool Read(StatementReader* reader, GetSingleOp* op) {
  return reader->ReadComponent(&op->component);
}

// "health added". HookOp and UnhookOp.
template <typename Op>
bool ReadHooked(StatementReader* reader, Op* op) {
  if (!reader->ReadComponent(&op->component)) return false;
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::string_view word = cursor.PeekToken();
  const std::optional<HookMoment> moment = ParseHookMoment(word);
  if (!moment.has_value()) return cursor.FailExpected("what is heard (added, removed or set)");
  op->moment = *moment;
  cursor.Advance(word.size());
  return true;
}

bool Read(StatementReader* reader, HookOp* op) {
  if (!ReadHooked(reader, op)) return false;
  if (!reader->AtOperand()) return true;
  const bool records = reader->TakeKeyword("record");
  if (records && reader->TakeKeyword("remove")) {
    op->reaction = HookReaction::kRemove;
  } else if (records && reader->TakeKeyword("destroy")) {
    op->reaction = HookReaction::kDestroy;
  } else {
    return reader->cursor().FailExpected("record remove, record destroy or the end");
  }
  return true;
}

bool Read(StatementReader* reader, UnhookOp* op) { return ReadHooked(reader, op); }

template <typename Op>
bool ReadAs(StatementReader* reader, Action* action) {
  return Read(reader, &action->emplace<Op>());
}

using ActionReader = bool (*)(StatementReader*, Action*);

// One reader for each alternative of Action, in its order, so that none can be forgotten.
template <typename... Ops>
constexpr std::array<ActionReader, sizeof...(Ops)> ReadersOf(const std::variant<Ops...>*) {
  return {&ReadAs<Ops>...};
}

constexpr auto kReaders = ReadersOf(static_cast<const Action*>(nullptr));

std::optional<std::size_t> FindOperation(std::string_view keyword) {
  for (std::size_t i = 0; i < kReaders.size(); ++i) {
    if (OpCodeName(static_cast<OpCode>(i)) == keyword) return i;
  }
  return std::nullopt;
}

}  // namespace

bool IsOperationKeyword(std::string_view keyword) { return FindOperation(keyword).has_value(); }

bool ReadAction(std::string_view keyword, StatementReader* reader, Action* action) {
  const std::optional<std::size_t> operation = FindOperation(keyword);
  ASHLAR_CHECK(operation.has_value());
  return kReaders[*operation](reader, action);
}

bool IsReservedName(std::string_view name) {
  constexpr std::array<std::string_view, 9> kReserved = {
      "only", "without", "dead", "id", "chunk", "on", "off", "add", "remove"};
  for (const std::string_view reserved : kReserved) {
    if (reserved == name) return true;
  }
  return false;
}

}  // namespace ashlar::inline v0::oplang
