#include "model/lockstep.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/audit/digest.h"
#include "ashlar/audit/integrity.h"
#include "ashlar/oplang/trace_text.h"
#include "ashlar/world/world.h"
#include "model/lockstep_changes.h"
#include "model/lockstep_runner.h"
#include "model/lockstep_schema.h"
#include "model/reference_run.h"
#include "model/tracked_components.h"

namespace ashlar::model {
namespace {

using oplang::Operation;
using oplang::Outcome;
using oplang::Program;

WorldOptions WorldOptionsOf(const oplang::Options& options, std::pmr::memory_resource* memory,
                            std::size_t memory_limit_bytes) {
  WorldOptions world;
  world.memory = memory;
  world.memory_limit_bytes = memory_limit_bytes;
  world.chunk_size_bytes = options.chunk_size_bytes;
  world.rows_per_chunk_max = options.rows_per_chunk_max;
  if (options.entity_index_limit != 0) world.entity_index_limit = options.entity_index_limit;
  return world;
}

bool Has(const Program& program, oplang::OpCode code) {
  return std::ranges::any_of(program.operations, [code](const Operation& operation) {
    return CodeOf(operation.action) == code;
  });
}

bool SortsRows(oplang::OpCode code) {
  return code == oplang::OpCode::kSort || code == oplang::OpCode::kSortByEntity;
}

// Where an outcome is counted.
int PlaceOf(const Outcome& outcome) {
  if (IsFailedAllocation(outcome)) return LockstepCounts::kAllocationFailed;
  if (outcome == oplang::kConstructionThrew) return LockstepCounts::kConstructionThrew;
  return static_cast<int>(outcome.reason);
}

std::string ExpectationText(const oplang::Expectation& expectation) {
  return expectation.kind == oplang::Expectation::Kind::kOk ? "OK"
                                                            : OutcomeText(expectation.outcome);
}

// One run. Members are destroyed from the last: scopes end before their world does.
class Run {
 public:
  Run(const Program& program, const LockstepOptions& options, LockstepCounts* counts,
      const Observer& observer)
      : program_(program), options_(options), counts_(counts), observer_(observer) {}

  std::optional<Failure> Execute();

 private:
  absl::Status SetUp();
  RunnerOptions RunnerOptionsOf();
  std::optional<Failure> Step(std::size_t index);
  std::optional<Failure> Judge(std::size_t index, const StepResult& result) const;
  std::optional<Failure> Check(std::size_t index);
  std::optional<Failure> Finish();
  void Count(oplang::OpCode code, const StepResult& result);
  void Observe(std::size_t index, const Outcome& outcome);
  Failure Fail(std::size_t index, Failure::Kind kind, const std::string& message) const;

  const Program& program_;
  const LockstepOptions& options_;
  LockstepCounts* counts_;
  const Observer& observer_;
  std::shared_ptr<const Schema> schema_;
  std::optional<FailingResource> failing_memory_;  // Where the program arms allocations.
  std::unique_ptr<World> world_;
  std::optional<Runner> runner_;
  std::optional<ChangeLog> changes_;
};

std::optional<Failure> Run::Execute() {
  if (const absl::Status status = SetUp(); !status.ok()) {
    return Failure{0, Failure::Kind::kSetUp, 0, absl::StrCat("set-up: ", status.ToString())};
  }
  for (std::size_t index = 0; index < program_.operations.size(); ++index) {
    if (std::optional<Failure> failure = Step(index)) return failure;
  }
  return Finish();
}

absl::Status Run::SetUp() {
  auto schema = SchemaOf(program_.components);
  if (!schema.ok()) return schema.status();
  schema_ = *std::move(schema);
  std::pmr::memory_resource* memory = options_.memory;
  if (Has(program_, oplang::OpCode::kFailAllocation)) memory = &failing_memory_.emplace(memory);
  auto world = World::Make(WorldOptionsOf(program_.options, memory, options_.memory_limit_bytes));
  if (!world.ok()) return world.status();
  world_ = *std::move(world);
  for (std::size_t i = 0; i < schema_->size(); ++i) {
    const absl::StatusOr<ComponentId> id = world_->Register((*schema_)[i]);
    if (!id.ok()) return id.status();
    if (id->value() != i) return absl::InternalError("components are not numbered in order");
  }
  const absl::StatusOr<QueryId> all_rows = world_->MakeQuery(QuerySpec());
  if (!all_rows.ok()) return all_rows.status();
  runner_.emplace(program_.options, schema_.get(), world_.get(), *all_rows, RunnerOptionsOf());
  if (observer_) changes_.emplace(world_.get(), *all_rows);
  if (counts_ != nullptr) ++counts_->programs;
  return absl::OkStatus();
}

RunnerOptions Run::RunnerOptionsOf() {
  RunnerOptions options;
  options.has_moves = Has(program_, oplang::OpCode::kMove);
  options.has_fills = Has(program_, oplang::OpCode::kFill) || Has(program_, oplang::OpCode::kFlip);
  options.check_digest_on_refusal = options_.check_digest_on_refusal;
  options.failing_memory = failing_memory_.has_value() ? &*failing_memory_ : nullptr;
  options.memory_may_fail =
      (options_.memory != nullptr && options_.memory_may_fail) || options_.memory_limit_bytes != 0;
  options.check_expectations = options_.check_expectations;
  return options;
}

std::optional<Failure> Run::Step(std::size_t index) {
  const Operation& operation = program_.operations[index];
  const StepResult& result = runner_->Run(operation.action);
  Count(CodeOf(operation.action), result);
  if (observer_) Observe(index, result.world);
  if (const std::string misuse = TakeMisuse(); !misuse.empty()) {
    return Fail(index, Failure::Kind::kIntegrity, misuse);
  }
  if (std::optional<Failure> failure = Judge(index, result)) return failure;
  const std::uint32_t interval = options_.compare_interval;
  const bool is_last = index + 1 == program_.operations.size();
  const bool is_due =
      interval != 0 && index >= options_.compare_from && (index + 1) % interval == 0;
  const bool has_failed = result.fired.any() || result.is_forgotten;
  return is_last || is_due || has_failed ? Check(index) : std::nullopt;
}

// What the answers alone show.
std::optional<Failure> Run::Judge(std::size_t index, const StepResult& result) const {
  if (result.world != result.model) {
    return Fail(index, Failure::Kind::kOutcome,
                absl::StrCat("the world answers ", OutcomeText(result.world), ", the model ",
                             OutcomeText(result.model),
                             ". The world's status: ", result.world_status.ToString()));
  }
  if (!result.difference.empty()) {
    return Fail(index, Failure::Kind::kOutcome, result.difference);
  }
  if (result.digest_changed) {
    return Fail(index, Failure::Kind::kDigest,
                absl::StrCat("refused with ", OutcomeText(result.world),
                             ", and yet the digest of the world has changed"));
  }
  if (!options_.check_expectations) return std::nullopt;
  if (!result.unmet.empty()) return Fail(index, Failure::Kind::kExpectation, result.unmet);
  const oplang::Expectation& expectation = program_.operations[index].expectation;
  if (!Meets(expectation, result.world)) {
    return Fail(index, Failure::Kind::kExpectation,
                absl::StrCat("the program expects ", ExpectationText(expectation),
                             ", world and model answer ", OutcomeText(result.world)));
  }
  return std::nullopt;
}

// The whole state both ways, then the invariants.
std::optional<Failure> Run::Check(std::size_t index) {
  StateComparer& comparer = runner_->comparer();
  const std::uint64_t rows_before = comparer.rows_compared();
  if (!comparer.SameState()) {
    return Fail(index, Failure::Kind::kState, comparer.difference());
  }
  if (const std::string objects = runner_->CountObjects(); !objects.empty()) {
    Failure failure = Fail(index, Failure::Kind::kIntegrity, objects);
    failure.invariant = 8;
    return failure;
  }
  const absl::Status integrity = CheckIntegrity(*world_, runner_->scope_count());
  if (!integrity.ok()) {
    Failure failure = Fail(index, Failure::Kind::kIntegrity, integrity.ToString());
    failure.invariant = BrokenInvariant(integrity);
    return failure;
  }
  if (counts_ != nullptr) {
    ++counts_->state_comparisons;
    ++counts_->integrity_checks;
    counts_->rows_compared += comparer.rows_compared() - rows_before;
  }
  return std::nullopt;
}

// A program that ends with open scopes is checked once more when they are closed.
std::optional<Failure> Run::Finish() {
  const std::size_t last = program_.operations.empty() ? 0 : program_.operations.size() - 1;
  if (program_.operations.empty() || runner_->scope_count() != 0) {
    runner_->CloseScopes();
    if (std::optional<Failure> failure = Check(last)) return failure;
  }
  if (counts_ != nullptr) counts_->state_digest += Digest(*world_);
  return std::nullopt;
}

void Run::Count(oplang::OpCode code, const StepResult& result) {
  if (counts_ == nullptr) return;
  ++counts_->operations[static_cast<int>(code)][PlaceOf(result.world)];
  counts_->failed_allocations += result.fired.allocation ? 1 : 0;
  counts_->thrown_constructions += result.fired.construction ? 1 : 0;
}

void Run::Observe(std::size_t index, const Outcome& outcome) {
  observer_(model::Step{index, outcome, changes_->Update(runner_->bindings())});
}

Failure Run::Fail(std::size_t index, Failure::Kind kind, const std::string& message) const {
  std::string text;
  if (!program_.operations.empty()) {
    const Operation& operation = program_.operations[index];
    text = absl::StrCat("operation ", index + 1, " of ", program_.operations.size());
    if (operation.line != 0) absl::StrAppend(&text, " (line ", operation.line, ")");
    absl::StrAppend(&text, ": ", PrintAction(program_, operation.action), "\n  ");
  }
  return Failure{index, kind, 0, absl::StrCat(text, message)};
}

}  // namespace

std::uint64_t LockstepCounts::total_operations() const {
  std::uint64_t total = 0;
  for (const auto& outcomes : operations) {
    for (std::uint64_t count : outcomes) total += count;
  }
  return total;
}

void LockstepCounts::Add(const LockstepCounts& other) {
  for (int code = 0; code < oplang::kOpCodeCount; ++code) {
    for (int outcome = 0; outcome < kOutcomeCount; ++outcome) {
      operations[code][outcome] += other.operations[code][outcome];
    }
  }
  failed_allocations += other.failed_allocations;
  thrown_constructions += other.thrown_constructions;
  integrity_checks += other.integrity_checks;
  state_comparisons += other.state_comparisons;
  rows_compared += other.rows_compared;
  programs += other.programs;
  state_digest += other.state_digest;
}

std::optional<Failure> RunLockstep(const Program& program, const LockstepOptions& options,
                                   LockstepCounts* counts, const Observer& observer) {
  TakeMisuse();  // What others left is not this run's.
  std::optional<Failure> failure = Run(program, options, counts, observer).Execute();
  // The world has ended by now, and every value with it.
  if (const std::string misuse = TakeMisuse(); !failure.has_value() && !misuse.empty()) {
    const std::size_t last = program.operations.empty() ? 0 : program.operations.size() - 1;
    failure = Failure{last, Failure::Kind::kIntegrity, 0,
                      absl::StrCat("at the end of the world: ", misuse)};
  }
  return failure;
}

void AnnotateOutcomes(Program* program) {
  const auto schema = SchemaOf(program->components);
  if (!schema.ok()) return;
  ReferenceRun run(program->options, (*schema)->ForModel());
  bool is_armed = false;   // For the operation that comes.
  bool is_open = false;    // An operation may have failed, or have changed something.
  bool is_sorted = false;  // How far the version went is the world's to say.
  for (Operation& operation : program->operations) {
    const Outcome outcome = run.Apply(operation.action);
    const bool is_ok = outcome.code == absl::StatusCode::kOk;
    if (oplang::IsArming(CodeOf(operation.action))) {
      is_armed = true;
    } else if (is_armed) {
      is_armed = false;
      is_open = is_open || is_ok;
      operation.expectation = {oplang::Expectation::Kind::kAny, {}};
      continue;
    }
    is_sorted = is_sorted || (is_ok && SortsRows(CodeOf(operation.action)));
    const bool is_by_version = CodeOf(operation.action) == oplang::OpCode::kPlaceVersion;
    if (is_open || (is_sorted && is_by_version)) {
      operation.expectation = {oplang::Expectation::Kind::kAny, {}};
    } else if (is_ok) {
      operation.expectation = {oplang::Expectation::Kind::kOk, {}};
    } else {
      operation.expectation = {oplang::Expectation::Kind::kError, outcome};
    }
  }
}

}  // namespace ashlar::model
