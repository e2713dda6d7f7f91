#include "cli/minimize.h"

#include <utility>

#include "cli/failure_text.h"
#include "model/shrink.h"

namespace ashlar::cli {
namespace {

// Shrinks with the stop and progress hooks around `still_fails`.
Minimal Search(const oplang::Program& program, const model::StillFails& still_fails,
               const MinimizeOptions& options) {
  std::uint64_t tries = 0;
  bool is_stopped = false;
  const auto hooked = [&](const oplang::Program& candidate) {
    // Once stopped nothing fails any more, and the shrinker comes to its end by itself.
    is_stopped = is_stopped || (options.stop && options.stop());
    if (is_stopped) return false;
    const bool fails = still_fails(candidate);
    ++tries;
    if (options.progress) options.progress(tries, candidate.operations.size());
    return fails;
  };
  model::ShrinkResult shrunk = model::Shrink(program, hooked, {options.time_limit});
  Minimal minimal;
  minimal.program = std::move(shrunk.program);
  minimal.tries = tries;
  minimal.is_minimal = shrunk.minimal && !is_stopped;
  return minimal;
}

oplang::Program Annotated(const oplang::Program& program) {
  oplang::Program annotated = program;
  model::AnnotateOutcomes(&annotated);
  return annotated;
}

}  // namespace

Minimal Minimize(const oplang::Program& program, const model::Failure& failure,
                 const LockstepFunction& run, const std::vector<std::string>& notes,
                 const MinimizeOptions& options) {
  const FailureKey key = KeyOf(program, failure);
  const auto still_fails = [&](const oplang::Program& candidate) {
    const std::optional<model::Failure> found = run(candidate, nullptr);
    return found.has_value() && KeyOf(candidate, *found) == key;
  };
  Minimal minimal = Search(program, still_fails, options);
  // An expectation that is not met is the fault itself; it must not be written over.
  if (failure.kind != model::Failure::Kind::kExpectation) {
    oplang::Program annotated = Annotated(minimal.program);
    if (run(annotated, nullptr).has_value()) minimal.program = std::move(annotated);
  }
  minimal.program.notes = notes;
  const std::optional<model::Failure> last = run(minimal.program, nullptr);
  minimal.failure = FailureLines(last.value_or(failure), "");
  return minimal;
}

Minimal MinimizeCrash(const oplang::Program& program, const IsolatedResult& result,
                      const LockstepFunction& run, const std::vector<std::string>& notes,
                      const MinimizeOptions& options) {
  // A program that hangs costs the whole limit at each try.
  const std::chrono::seconds limit(result.kind == IsolatedResult::Kind::kTimedOut ? 3 : 60);
  const auto still_fails = [&](const oplang::Program& candidate) {
    return RunIsolated(candidate, run, limit) == result;
  };
  Minimal minimal = Search(program, still_fails, options);
  oplang::Program annotated = Annotated(minimal.program);
  if (still_fails(annotated)) minimal.program = std::move(annotated);
  minimal.program.notes = notes;
  minimal.failure = IsolatedText(result) + '\n';
  return minimal;
}

}  // namespace ashlar::cli
