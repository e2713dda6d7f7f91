// ParseTrace: lines, the statements before the operations, and what follows each operation.
#include <limits>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/limits.h"
#include "ashlar/core/status.h"
#include "ashlar/oplang/statement_reader.h"
#include "ashlar/oplang/trace_schema.h"
#include "ashlar/oplang/trace_statements.h"
#include "ashlar/oplang/trace_text.h"

namespace ashlar::inline v0::oplang {
namespace {

class TraceParser {
 public:
  explicit TraceParser(std::string_view source_name) : source_name_(source_name) {}

  absl::StatusOr<Program> Parse(std::string_view text);

 private:
  // What may still come: each statement belongs to one part, and parts never go back.
  enum class Part { kStart, kOptions, kComponents, kOperations };

  absl::Status ParseLine(std::string_view line);
  void ParseComment(std::string_view line);
  bool ParseStatement(StatementReader* reader);
  bool ParseVersion(StatementReader* reader);
  bool ParseOption(StatementReader* reader);
  bool ParseComponent(StatementReader* reader);
  bool ParseOwnershipOf(StatementReader* reader, ComponentDeclaration* declaration);
  bool ParseOperation(std::string_view keyword, StatementReader* reader);
  bool ParseChunkBytes(StatementReader* reader);

  absl::Status ErrorAt(std::size_t offset, std::string_view message) const;

  std::string_view source_name_;
  std::uint32_t line_number_ = 0;
  Part part_ = Part::kStart;
  bool version_unknown_ = false;
  unsigned options_seen_ = 0;
  TraceSchema schema_;
  Program program_;
};

absl::Status TraceParser::ErrorAt(std::size_t offset, std::string_view message) const {
  return MakeError(
      version_unknown_ ? absl::StatusCode::kUnimplemented : absl::StatusCode::kDataLoss,
      Reason::kTextMalformed,
      absl::StrCat(std::string(source_name_), ":", line_number_, ":", offset + 1, ": ",
                   std::string(message)));
}

absl::StatusOr<Program> TraceParser::Parse(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_number_;
    ASHLAR_RETURN_IF_ERROR(ParseLine(line));
  }
  program_.components = schema_.declarations();
  return std::move(program_);
}

absl::Status TraceParser::ParseLine(std::string_view line) {
  if (line.size() > kTraceLineBytesMax) {
    return ErrorAt(kTraceLineBytesMax,
                   absl::StrCat("this line has ", line.size(), " bytes; a line has at most ",
                                kTraceLineBytesMax));
  }
  if (const std::size_t at = line.find('\0'); at != std::string_view::npos) {
    return ErrorAt(at, "a NUL byte; a trace is text");
  }
  StatementReader reader(line, schema_);
  reader.cursor().SkipSpaces();
  if (reader.cursor().rest().empty()) return absl::OkStatus();
  if (reader.cursor().At('#')) {
    ParseComment(reader.cursor().rest().substr(1));
    return absl::OkStatus();
  }
  if (ParseStatement(&reader)) return absl::OkStatus();
  const TextError& error = *reader.cursor().error();
  return ErrorAt(error.offset, error.message);
}

void TraceParser::ParseComment(std::string_view line) {
  if (part_ != Part::kStart) return;
  if (line.starts_with(' ')) line.remove_prefix(1);
  program_.notes.emplace_back(line);
}

bool TraceParser::ParseStatement(StatementReader* reader) {
  LineCursor& cursor = reader->cursor();
  const std::size_t start = cursor.offset();
  const std::string_view keyword = cursor.PeekToken();
  cursor.Advance(keyword.size());
  if (keyword == "trace") {
    return part_ == Part::kStart ? ParseVersion(reader)
                                 : cursor.Fail(start, "trace and its version come first");
  }
  if (keyword == "option") {
    return part_ <= Part::kOptions
               ? ParseOption(reader)
               : cursor.Fail(start, "options come before the first component and operation");
  }
  if (keyword == "component") {
    return part_ <= Part::kComponents
               ? ParseComponent(reader)
               : cursor.Fail(start, "components come before the first operation");
  }
  if (IsOperationKeyword(keyword)) return ParseOperation(keyword, reader);
  return cursor.Fail(
      start,
      absl::StrCat("unknown statement ", Quoted(keyword),
                   "; statements begin with trace, option, component, create, "
                   "create_many, destroy, destroy_all, add, "
                   "remove, exchange, set, put, many, by_query, record, apply, discard, "
                   "sort, sort_by_entity, put_single, remove_single, get_single, "
                   "hook, unhook, "
                   "get, has, setfield, query, iterate, fill, "
                   "open, close, move, enable, disable, enabled, flip, mark, changed, added, "
                   "dangling, trim, place_generation, place_index, place_version, "
                   "fail_allocation, fail_construction, nop or expect"));
}

bool TraceParser::ParseVersion(StatementReader* reader) {
  part_ = Part::kOptions;
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::size_t start = cursor.offset();
  std::uint64_t version = 0;
  if (!reader->ReadNumber("the format's version", std::numeric_limits<std::uint32_t>::max(),
                          &version)) {
    return false;
  }
  version_unknown_ = version > kTraceVersion;
  if (version_unknown_ || version == 0) {
    return cursor.Fail(start, absl::StrCat("this is version ", version,
                                           " of the format; known is version ", kTraceVersion));
  }
  return reader->ReadLineEnd();
}

bool TraceParser::ParseChunkBytes(StatementReader* reader) {
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::size_t start = cursor.offset();
  std::uint64_t size = 0;
  if (!reader->ReadNumber("the size of a chunk in bytes", kChunkSizeBytesMax, &size)) return false;
  if (size < kChunkSizeBytesMin || (size & (size - 1)) != 0) {
    return cursor.Fail(start, absl::StrCat("a chunk's size is a power of two, ", kChunkSizeBytesMin,
                                           " .. ", kChunkSizeBytesMax));
  }
  program_.options.chunk_size_bytes = static_cast<std::uint32_t>(size);
  return true;
}

bool TraceParser::ParseOption(StatementReader* reader) {
  part_ = Part::kOptions;
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::size_t start = cursor.offset();
  const std::string_view name = cursor.PeekToken();
  unsigned option = 0;
  if (reader->TakeKeyword("chunk_bytes")) {
    option = 1;
    if (!ParseChunkBytes(reader)) return false;
  } else if (reader->TakeKeyword("rows_per_chunk")) {
    option = 2;
    std::uint64_t rows = 0;
    if (!reader->ReadNumber("rows per chunk", std::numeric_limits<std::uint32_t>::max(), &rows)) {
      return false;
    }
    program_.options.rows_per_chunk_max = static_cast<std::uint32_t>(rows);
  } else if (reader->TakeKeyword("index_limit")) {
    option = 4;
    if (!reader->ReadNumber("a number of indices", std::numeric_limits<std::uint64_t>::max(),
                            &program_.options.entity_index_limit)) {
      return false;
    }
  } else {
    return cursor.FailExpected("chunk_bytes, rows_per_chunk or index_limit");
  }
  if ((options_seen_ & option) != 0) {
    return cursor.Fail(start, absl::StrCat("option ", std::string(name), " is given twice"));
  }
  options_seen_ |= option;
  return reader->ReadLineEnd();
}

bool TraceParser::ParseOwnershipOf(StatementReader* reader, ComponentDeclaration* declaration) {
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::string_view word = cursor.PeekToken();
  const std::optional<Ownership> ownership = ParseOwnership(word);
  if (!ownership.has_value()) {
    return cursor.FailExpected("how a value lives: owned, self, unique or aligned");
  }
  declaration->ownership = *ownership;
  cursor.Advance(word.size());
  return true;
}

bool TraceParser::ParseComponent(StatementReader* reader) {
  part_ = Part::kComponents;
  LineCursor& cursor = reader->cursor();
  cursor.SkipSpaces();
  const std::size_t start = cursor.offset();
  ComponentDeclaration declaration;
  declaration.name = std::string(cursor.TakeWord());
  if (declaration.name.empty() || !cursor.AtBoundary()) {
    return cursor.FailExpected("a component's name (letters, digits, '_') and its type");
  }
  cursor.SkipSpaces();
  const std::size_t type_start = cursor.offset();
  std::size_t consumed = 0;
  const auto error = ParseTypePrefix(cursor.rest(), &declaration.type, &consumed);
  if (error.has_value()) return cursor.Fail(type_start + error->offset, error->message);
  cursor.Advance(consumed);
  const bool has_ownership = reader->TakeKeyword("as");
  if (has_ownership && !ParseOwnershipOf(reader, &declaration)) return false;
  declaration.is_enableable = reader->TakeKeyword("enableable");
  declaration.is_split = reader->TakeKeyword("split");
  if (has_ownership || declaration.is_enableable || declaration.is_split) {
    if (!reader->ReadLineEnd()) return false;
  } else if (!cursor.AtLineEnd()) {
    return cursor.FailExpected(
        "the end of the type, a rule (in [MIN,MAX], finite), as and how, enableable, or split");
  }
  if (auto refusal = schema_.Declare(std::move(declaration))) {
    return cursor.Fail(start, *std::move(refusal));
  }
  return true;
}

bool TraceParser::ParseOperation(std::string_view keyword, StatementReader* reader) {
  part_ = Part::kOperations;
  Operation& operation = program_.operations.emplace_back();
  operation.line = line_number_;
  return ReadAction(keyword, reader, &operation.action) && reader->ReadEnd(&operation.expectation);
}

}  // namespace

absl::StatusOr<Program> ParseTrace(std::string_view text, std::string_view source_name) {
  return TraceParser(source_name).Parse(text);
}

}  // namespace ashlar::inline v0::oplang
