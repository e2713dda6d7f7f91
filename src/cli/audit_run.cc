#include "cli/audit_run.h"

#include <utility>

#include "model/generator.h"

namespace ashlar::cli {
namespace {

constexpr std::uint64_t kGoldenGamma = 0x9E3779B97F4A7C15ull;  // The step of splitmix64.

std::uint64_t Chain(std::uint64_t digest, std::uint64_t value) {
  return model::Random(digest ^ value).Next() + digest;
}

// Folds what one program did into the digest: how often each outcome came, and the final state.
std::uint64_t ChainCounts(std::uint64_t digest, const model::LockstepCounts& counts) {
  for (int code = 0; code < oplang::kOpCodeCount; ++code) {
    for (int outcome = 0; outcome < model::LockstepCounts::kOutcomeCount; ++outcome) {
      const std::uint64_t count = counts.operations[code][outcome];
      if (count == 0) continue;
      const auto place =
          static_cast<std::uint64_t>(code) << 8 | static_cast<std::uint64_t>(outcome);
      digest = Chain(digest, place << 40 ^ count);
    }
  }
  return Chain(digest, counts.state_digest);
}

class Audit {
 public:
  Audit(const AuditPlan& plan, const AuditHooks& hooks) : plan_(plan), hooks_(hooks) {}

  AuditState Run() {
    for (const NamedProgram& trace : plan_.traces) {
      RunOne({trace.path, 0, 0, trace.program, {}});
      ++state_.traces_run;
      if (ShallStop()) return std::move(state_);
    }
    if (state_.failures.empty()) RunRandom();
    return std::move(state_);
  }

 private:
  void RunRandom() {
    if (!plan_.operations.has_value() && !plan_.time.has_value()) return;
    const auto start = hooks_.now();
    ProgramSeeds seeds(plan_.seed, plan_.first_program);
    while (!IsDone()) {
      const std::uint64_t seed = seeds.Next();
      state_.random_operations += RunOne({"",
                                          plan_.first_program + state_.random_programs,
                                          seed,
                                          model::GenerateFromSeed(seed),
                                          {}});
      ++state_.random_programs;
      state_.random_time = hooks_.now() - start;
      if (!state_.failures.empty() || ShallStop()) return;
    }
  }

  bool IsDone() const {
    return (plan_.operations.has_value() && state_.random_operations >= *plan_.operations) ||
           (plan_.time.has_value() && state_.random_time >= *plan_.time);
  }

  bool ShallStop() {
    if (hooks_.progress) hooks_.progress(state_);
    state_.is_interrupted = hooks_.stop && hooks_.stop();
    return state_.is_interrupted;
  }

  // Returns the number of operations that were run.
  std::uint64_t RunOne(AuditFailure candidate) {
    if (hooks_.starting) hooks_.starting(candidate);
    model::LockstepCounts counts;
    std::optional<model::Failure> failure = hooks_.run(candidate.program, &counts);
    state_.digest = ChainCounts(state_.digest, counts);
    state_.counts.Add(counts);
    if (failure.has_value()) {
      candidate.failure = *std::move(failure);
      state_.failures.push_back(std::move(candidate));
    }
    return counts.total_operations();
  }

  const AuditPlan& plan_;
  const AuditHooks& hooks_;
  AuditState state_;
};

}  // namespace

ProgramSeeds::ProgramSeeds(std::uint64_t audit_seed, std::uint64_t first_program)
    : state_(audit_seed + first_program * kGoldenGamma) {}

std::uint64_t ProgramSeeds::Next() {
  const std::uint64_t seed = model::Random(state_).Next();
  state_ += kGoldenGamma;
  return seed;
}

AuditState RunAudit(const AuditPlan& plan, const AuditHooks& hooks) {
  return Audit(plan, hooks).Run();
}

}  // namespace ashlar::cli
