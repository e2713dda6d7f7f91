// How a runner is made, and what surrounds the world's part of each operation.
#include <string_view>
#include <utility>

#include "ashlar/audit/digest.h"
#include "model/lockstep_answers.h"
#include "model/lockstep_runner.h"

namespace ashlar::model {
namespace {

using oplang::Outcome;

// The number of the component of that name; none where there is none.
ComponentId FindByName(const Schema& schema, std::string_view name) {
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (schema[i].name() == name) return ComponentId(static_cast<ComponentId::Rep>(i));
  }
  return ComponentId::None();
}

}  // namespace

bool IsFailedAllocation(const Outcome& outcome) {
  return outcome.code == absl::StatusCode::kResourceExhausted &&
         (outcome.reason == Reason::kNone || outcome.reason == Reason::kMemoryLimit);
}

Runner::Runner(const oplang::Options& options, const Schema* schema, World* world, QueryId all_rows,
               const RunnerOptions& runner_options)
    : world_(world),
      schema_(schema),
      options_(runner_options),
      model_(options, schema->ForModel()),
      buffers_{CommandBuffer(*world), CommandBuffer(*world), CommandBuffer(*world)},
      comparer_(world, &model_, schema, &bindings_, all_rows),
      expect_checker_(world, &model_, schema, &bindings_, &mark_),
      operands_(schema, &bindings_),
      injection_(runner_options.failing_memory) {
  if (options_.has_moves) {
    movement_ =
        MovementSystem::Make(*world, FindByName(*schema, "position"),
                             FindByName(*schema, "velocity"), FindByName(*schema, "disabled"));
  }
}

void Runner::CloseScopes() {
  while (!scopes_.empty()) {
    scopes_.pop_back();
    model_.CloseScope();
  }
}

bool Runner::both_ok() const { return IsOk(result_.model) && IsOk(result_.world); }

bool Runner::IsAllowedFailure() const {
  if (result_.world == oplang::kConstructionThrew) return result_.fired.construction;
  if (!IsFailedAllocation(result_.world)) return false;
  return options_.memory_may_fail || result_.fired.allocation;
}

void Runner::BeforeWorld(const Outcome& model_outcome) {
  result_.model = model_outcome;
  check_digest_ =
      injection_.is_armed() || (options_.check_digest_on_refusal && !IsOk(model_outcome));
  if (check_digest_ && !digest_.has_value()) digest_ = Digest(*world_);
  injection_.Begin();
}

void Runner::AfterWorld() {
  result_.fired = injection_.End();
  result_.world = OutcomeOf(result_.world_status);
  if (IsAllowedFailure()) {
    model_ = *std::move(model_before_);
    commands_ = std::move(commands_before_);
    result_.model = result_.world;
    result_.is_forgotten = true;
  }
  if (check_digest_) {
    const std::uint64_t digest_after = Digest(*world_);
    result_.digest_changed = !IsOk(result_.model) && digest_after != *digest_;
    digest_ = digest_after;
  } else {
    digest_.reset();
  }
}

}  // namespace ashlar::model
