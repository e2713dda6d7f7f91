// The statements about the state: everything behind "expect".
#include <string_view>

#include "ashlar/oplang/trace_statements.h"

namespace ashlar::inline v0::oplang {
namespace {

using Kind = ExpectOp::Kind;

// "chunk 0 row 0", after the word chunk.
bool ReadRow(StatementReader* reader, ExpectOp* op) {
  std::uint64_t chunk = 0;
  if (!reader->ReadNumber("a chunk's number", kU32Max, &chunk)) return false;
  op->chunk = static_cast<std::uint32_t>(chunk);
  if (!reader->TakeKeyword("row")) return reader->cursor().FailExpected("row and its number");
  return reader->ReadNumber("a row's number", kU64Max, &op->count);
}

// What follows "expect e1".
bool ReadAboutEntity(StatementReader* reader, ExpectOp* op) {
  if (reader->TakeKeyword("dead")) {
    op->kind = Kind::kDead;
    return true;
  }
  if (reader->TakeKeyword("id")) {
    op->kind = Kind::kId;
    reader->cursor().SkipSpaces();
    if (reader->cursor().At('e')) return reader->cursor().FailExpected("bits (4v2) or null");
    return reader->ReadEntity(&op->entities.emplace_back());
  }
  if (reader->TakeKeyword("chunk")) {
    op->kind = Kind::kRow;
    return ReadRow(reader, op);
  }
  if (reader->TakeKeyword("without")) {
    op->kind = Kind::kWithout;
    return reader->ReadComponents(&op->components);
  }
  const bool off = reader->TakeKeyword("off");
  if (off || reader->TakeKeyword("on")) {
    op->kind = off ? Kind::kOff : Kind::kOn;
    return reader->ReadComponents(&op->components);
  }
  op->kind = reader->TakeKeyword("only") ? Kind::kOnly : Kind::kHolds;
  return reader->ReadArguments(&op->values);
}

// What follows "expect q1".
bool ReadAboutQuery(StatementReader* reader, ExpectOp* op) {
  if (reader->TakeKeyword("matches")) {
    op->kind = Kind::kMatches;
    return reader->ReadEntities(&op->entities);
  }
  if (reader->TakeKeyword("order")) {
    op->kind = Kind::kOrder;
    return reader->ReadEntities(&op->entities);
  }
  if (reader->TakeKeyword("count")) {
    op->kind = Kind::kCount;
    return reader->ReadNumber("a number of entities", kU64Max, &op->count);
  }
  if (reader->TakeKeyword("chunks")) {
    op->kind = Kind::kChunks;
    return reader->ReadNumber("a number of chunks", kU64Max, &op->count);
  }
  const bool added = reader->TakeKeyword("added");
  if (added || reader->TakeKeyword("changed")) {
    op->kind = added ? Kind::kAdded : Kind::kChanged;
    return reader->ReadComponent(&op->components.emplace_back()) &&
           reader->ReadEntities(&op->entities);
  }
  return reader->cursor().FailExpected("matches, order, count, chunks, changed or added");
}

}  // namespace

bool ReadExpect(StatementReader* reader, ExpectOp* op) {
  if (reader->TakeKeyword("live")) {
    op->kind = Kind::kLive;
    return reader->ReadNumber("a number of entities", kU64Max, &op->count);
  }
  if (reader->TakeKeyword("version")) {
    op->kind = Kind::kVersion;
    return reader->ReadNumber("a version", kU64Max, &op->count);
  }
  if (reader->TakeKeyword("dangling")) {
    op->kind = Kind::kDangling;
    return reader->ReadNumber("a number of references", kU64Max, &op->count);
  }
  const std::string_view word = reader->cursor().PeekToken();
  if (word.starts_with('q')) return reader->ReadQuery(&op->query) && ReadAboutQuery(reader, op);
  if (word.starts_with('l') || word.empty()) {
    return reader->cursor().FailExpected("an entity (e1), a query (q1) or the word live");
  }
  return reader->ReadEntity(&op->entity) && ReadAboutEntity(reader, op);
}

}  // namespace ashlar::inline v0::oplang
