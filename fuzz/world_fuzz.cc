// world_fuzz: bytes -> operations -> lockstep of world and reference model.
//
// A difference is shrunk and printed as a trace, which is also written to world_fuzz-failure.trace
// in the working folder: `ashlar replay world_fuzz-failure.trace` shows it again. Then the target
// aborts, so that the engine keeps the input.
//
// A crash (a sanitizer's report, a failed check) cannot be shrunk here. ASHLAR_FUZZ_PRINT=1 prints
// each input as a trace before it runs, for use with world_fuzz_replay and one file.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "ashlar/oplang/trace_text.h"
#include "fuzz/world_input.h"
#include "model/lockstep.h"
#include "model/shrink.h"

namespace ashlar::fuzz {
namespace {

using model::Failure;
using model::RunLockstep;

constexpr char kTraceFile[] = "world_fuzz-failure.trace";

// A minimal program that fails in the same way, said as a trace.
std::string MinimalTrace(const WorldInput& input, const Failure& failure) {
  const auto still_fails = [&](const oplang::Program& program) {
    // A smaller program may differ earlier than the comparison was asked to begin.
    model::LockstepOptions options = input.lockstep;
    options.compare_from = 0;
    const std::optional<Failure> again = RunLockstep(program, options, nullptr);
    return again.has_value() && again->kind == failure.kind &&
           again->invariant == failure.invariant;
  };
  oplang::Program program = input.program;
  if (still_fails(program)) program = model::Shrink(program, still_fails).program;
  model::AnnotateOutcomes(&program);
  program.notes = {"Found by world_fuzz; shrunk."};
  return PrintTrace(program);
}

[[noreturn]] void Report(const WorldInput& input, const Failure& failure) {
  std::fprintf(stderr, "world_fuzz: %s\nworld_fuzz: shrinking\n", failure.message.c_str());
  const std::string trace = MinimalTrace(input, failure);
  std::fprintf(stderr, "%s", trace.c_str());
  std::ofstream file(kTraceFile, std::ios::binary);
  file << trace;
  file.close();
  std::fprintf(stderr, "world_fuzz: %s %s\n", file ? "written to" : "cannot write", kTraceFile);
  std::abort();
}

}  // namespace
}  // namespace ashlar::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ashlar::fuzz;
  static const Profile profile = ProfileFromEnvironment();
  static const bool is_printing = std::getenv("ASHLAR_FUZZ_PRINT") != nullptr;
  const WorldInput input = DecodeWorldInput({data, size}, profile);
  if (is_printing) std::printf("%s", ashlar::oplang::PrintTrace(input.program).c_str());
  if (is_printing) std::fflush(stdout);
  const auto failure = ashlar::model::RunLockstep(input.program, input.lockstep, nullptr);
  if (failure.has_value()) Report(input, *failure);
  return 0;
}
