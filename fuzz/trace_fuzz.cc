// trace_fuzz: any bytes as the text of a trace.
//
// Every text is a program or an error of one line. A program survives the way to text and back, and
// the way to bytes and back, unchanged (but for what the binary form leaves out).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/oplang/binary_codec.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/oplang/trace_text.h"

namespace {

using ashlar::Reason;
using ashlar::oplang::ExpectOp;
using ashlar::oplang::Operation;
using ashlar::oplang::Program;

[[noreturn]] void Found(const char* what, std::string_view text) {
  std::fprintf(stderr, "trace_fuzz: %s\n%.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

void CheckError(const absl::Status& status) {
  const std::string_view message(status.message().data(), status.message().size());
  if (!message.starts_with("fuzz:")) Found("an error without a place", message);
  if (message.find('\n') != std::string_view::npos) Found("an error of two lines", message);
  if (ashlar::ReasonOf(status) != Reason::kTextMalformed) Found("another reason", message);
}

void CheckText(const Program& program) {
  const std::string text = ashlar::oplang::PrintTrace(program);
  const auto again = ashlar::oplang::ParseTrace(text, "printed");
  if (!again.ok()) {
    // A line may grow in printing, out of what a line may have.
    const std::string_view message(again.status().message().data(),
                                   again.status().message().size());
    if (message.find("a line has at most") != std::string_view::npos) return;
    Found("a printed program does not parse", std::string(message) + "\n" + text);
  }
  if (!(*again == program)) Found("a printed program reads as another", text);
  // A carriage return inside a note would end a line in some readers; it is printed as a line's
  // end.
  const auto has_return = [](const std::string& note) {
    return note.find('\r') != std::string::npos;
  };
  if (again->notes != program.notes && std::ranges::none_of(program.notes, has_return)) {
    Found("notes are lost", text);
  }
}

// What the binary form keeps.
std::vector<Operation> Plain(const Program& program) {
  std::vector<Operation> plain;
  for (const Operation& operation : program.operations) {
    if (!std::holds_alternative<ExpectOp>(operation.action)) {
      plain.push_back({operation.action, {ashlar::oplang::Expectation::Kind::kAny, {}}, 0});
    }
  }
  return plain;
}

void CheckBytes(const Program& program) {
  const std::vector<std::uint8_t> bytes = ashlar::oplang::EncodeProgram(program);
  const Program again = ashlar::oplang::DecodeProgram(bytes, program.components);
  if (again.operations != Plain(program)) {
    Found("encoded operations decode to others", ashlar::oplang::PrintTrace(program));
  }
  if (ashlar::oplang::EncodeProgram(again) != bytes) {
    Found("decoded bytes encode to others", ashlar::oplang::PrintTrace(program));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto program = ashlar::oplang::ParseTrace(text, "fuzz");
  if (!program.ok()) {
    CheckError(program.status());
    return 0;
  }
  CheckText(*program);
  CheckBytes(*program);
  return 0;
}
