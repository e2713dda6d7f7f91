// PrintTrace and PrintAction: all of a trace but the operands of its operations.
#include <string>

#include "absl/strings/str_cat.h"
#include "ashlar/core/status.h"
#include "ashlar/oplang/action_printer.h"
#include "ashlar/oplang/trace_text.h"

namespace ashlar::inline v0::oplang {
namespace {

// A note may have been made by a program, with line breaks inside: each piece is a comment.
void PrintNote(std::string_view note, std::string* out) {
  while (true) {
    const std::size_t end = note.find_first_of(std::string_view("\n\r\0", 3));
    const std::string_view piece = note.substr(0, end);
    absl::StrAppend(out, piece.empty() ? "#" : "# ", std::string(piece), "\n");
    if (end == std::string_view::npos) return;
    note.remove_prefix(end + 1);
  }
}

void PrintOptions(const Options& options, std::string* out) {
  const Options plain;
  if (options.chunk_size_bytes != plain.chunk_size_bytes) {
    absl::StrAppend(out, "option chunk_bytes ", options.chunk_size_bytes, "\n");
  }
  if (options.rows_per_chunk_max != plain.rows_per_chunk_max) {
    absl::StrAppend(out, "option rows_per_chunk ", options.rows_per_chunk_max, "\n");
  }
  if (options.entity_index_limit != plain.entity_index_limit) {
    absl::StrAppend(out, "option index_limit ", options.entity_index_limit, "\n");
  }
}

void PrintComponent(const ComponentDeclaration& component, std::string* out) {
  absl::StrAppend(out, "component ", component.name, " ", TypeText(component.type));
  if (component.ownership != Ownership::kPlain) {
    absl::StrAppend(out, " as ", std::string(OwnershipName(component.ownership)));
  }
  if (component.is_enableable) absl::StrAppend(out, " enableable");
  if (component.is_split) absl::StrAppend(out, " split");
  *out += '\n';
}

void PrintExpectation(const Expectation& expectation, std::string* out) {
  if (expectation.kind == Expectation::Kind::kAny) absl::StrAppend(out, " -> any");
  if (expectation.kind == Expectation::Kind::kError) {
    absl::StrAppend(out, " -> ", OutcomeText(expectation.outcome));
  }
}

}  // namespace

std::string PrintTrace(const Program& program) {
  std::string text;
  for (const std::string& note : program.notes) PrintNote(note, &text);
  absl::StrAppend(&text, "trace ", kTraceVersion, "\n");
  PrintOptions(program.options, &text);
  for (const ComponentDeclaration& component : program.components) {
    PrintComponent(component, &text);
  }
  ActionPrinter printer(program);
  for (const Operation& operation : program.operations) {
    printer.Print(operation.action, operation.expectation.kind != Expectation::Kind::kOk, &text);
    PrintExpectation(operation.expectation, &text);
    text += '\n';
  }
  return text;
}

std::string PrintAction(const Program& program, const Action& action) {
  std::string text;
  ActionPrinter(program).Print(action, /*refusal_written=*/true, &text);
  return text;
}

}  // namespace ashlar::inline v0::oplang
