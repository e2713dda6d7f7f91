#include "fuzz/lockstep_target.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "ashlar/oplang/trace_text.h"
#include "model/lockstep.h"
#include "model/shrink.h"

namespace ashlar::fuzz {
namespace {

using model::Failure;
using model::RunLockstep;

FreedMemory* world_memory = nullptr;

model::LockstepOptions WithMemory(model::LockstepOptions options) {
  options.memory = world_memory;
  options.memory_may_fail = false;
  return options;
}

// A minimal program that fails in the same way, said as a trace.
std::string MinimalTrace(const std::string& name, const WorldInput& input, const Failure& failure) {
  const auto still_fails = [&](const oplang::Program& program) {
    // A smaller program may differ earlier than the comparison was asked to begin.
    model::LockstepOptions options = WithMemory(input.lockstep);
    options.compare_from = 0;
    const std::optional<Failure> again = RunLockstep(program, options, nullptr);
    return again.has_value() && again->kind == failure.kind &&
           again->invariant == failure.invariant;
  };
  oplang::Program program = input.program;
  if (still_fails(program)) program = model::Shrink(program, still_fails).program;
  model::AnnotateOutcomes(&program);
  program.notes = {"Found by " + name + "; shrunk."};
  return PrintTrace(program);
}

[[noreturn]] void Report(const std::string& name, const WorldInput& input, const Failure& failure) {
  const char* const target = name.c_str();
  std::fprintf(stderr, "%s: %s\n%s: shrinking\n", target, failure.message.c_str(), target);
  const std::string trace = MinimalTrace(name, input, failure);
  std::fprintf(stderr, "%s", trace.c_str());
  const std::string path = name + "-failure.trace";
  std::ofstream file(path, std::ios::binary);
  file << trace;
  file.close();
  std::fprintf(stderr, "%s: %s %s\n", target, file ? "written to" : "cannot write", path.c_str());
  std::abort();
}

// Blocks that are used again are none that the engine could miss.
void CheckMemory(const std::string& name) {
  world_memory->EndInput();
  if (world_memory->in_use_bytes() == 0) return;
  std::fprintf(stderr, "%s: the world has ended and kept %zu bytes\n", name.c_str(),
               world_memory->in_use_bytes());
  std::abort();
}

}  // namespace

void SetWorldMemory(FreedMemory* memory) { world_memory = memory; }

void RunLockstepInput(const std::string& name, const WorldInput& input) {
  static const bool is_printing = std::getenv("ASHLAR_FUZZ_PRINT") != nullptr;
  if (is_printing) std::printf("%s", oplang::PrintTrace(input.program).c_str());
  if (is_printing) std::fflush(stdout);
  const std::optional<Failure> failure =
      RunLockstep(input.program, WithMemory(input.lockstep), nullptr);
  if (failure.has_value()) Report(name, input, *failure);
  if (world_memory != nullptr) CheckMemory(name);
}

}  // namespace ashlar::fuzz
