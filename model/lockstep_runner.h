// The runner: executes one operation on the reference model and on the world.
//
// One exhaustive visit does it for both, so that an operation cannot be handled on one side only,
// and a new one does not compile until it is handled here. Labels are resolved once, by what both
// agree on. The model answers first; so where the operation is going to be refused, the world's
// digest can be taken before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/systems/movement.h"
#include "ashlar/world/world.h"
#include "model/lockstep_bindings.h"
#include "model/lockstep_compare.h"
#include "model/lockstep_expect.h"
#include "model/lockstep_schema.h"
#include "model/reference_world.h"

namespace ashlar::model {

struct RunnerOptions {
  // A MoveOp may come: make the movement system. It needs a query, and queries cannot be made once
  // a scope is open.
  bool has_moves = true;

  // A FillOp may come: make each query twice, to read and to write.
  bool has_fills = true;

  // Take the world's digest around each operation that the model refuses.
  bool check_digest_on_refusal = true;

  // A failed allocation of the world is an answer: the model then forgets the operation too. Costs
  // a copy of the model for each operation.
  bool accept_failed_allocation = false;

  // Hold `expect` statements.
  bool check_expectations = true;
};

// What became of one operation.
struct StepResult {
  oplang::Outcome model;
  oplang::Outcome world;        // The model's, when no world runs.
  absl::Status world_status;    // For its message.
  bool digest_changed = false;  // The operation was refused, and yet the digest is another one.
  std::string difference;       // Both say OK and yet they answered differently: how.
  std::string unmet;            // An expect statement that does not hold: why.
};

// What is refused for want of memory: a code and no reason.
bool IsFailedAllocation(const oplang::Outcome& outcome);

class Runner {
 public:
  // The world must have the schema's components registered, in order, and nothing else in it;
  // `all_rows` is a query of it without terms. World and schema must outlive the runner.
  Runner(const oplang::Options& options, const Schema* schema, World* world, QueryId all_rows,
         const RunnerOptions& runner_options);
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // The result lives until the next Run.
  const StepResult& Run(const oplang::Action& action);

  // Closes every scope that the program left open, innermost first.
  void CloseScopes();
  std::uint32_t scope_count() const { return static_cast<std::uint32_t>(scopes_.size()); }

  const Bindings& bindings() const { return bindings_; }
  const ReferenceWorld& model() const { return model_; }
  StateComparer& comparer() { return comparer_; }

 private:
  struct Visitor;

  // Answers of both. `call` runs the operation on the world and returns its status.
  template <typename WorldCall>
  void Both(const oplang::Outcome& model_outcome, const WorldCall& call);
  bool both_ok() const;

  // Operands, resolved into buffers that are kept from one operation to the next. `salt` decides,
  // with each component's number, whether the world gets the value as bytes or as scalars.
  void ResolveValues(std::span<const oplang::ComponentArg> args, std::uint32_t salt);
  void ResolveValue(const oplang::ComponentArg& arg, NamedValue* named) const;
  Scalar ResolveScalar(const Scalar& scalar) const;
  std::span<const NamedValue> named() const { return {named_.data(), value_count_}; }
  std::span<const ComponentValue> values() const { return values_; }
  std::span<const ComponentId> ResolveComponents(std::span<const oplang::ComponentRef> components);

  // The world's side of what has no call of its own there.
  absl::Status MakeQueries(std::span<const oplang::QueryTerm> terms, BoundQuery* query);
  absl::Status FillRows(const BoundQuery* query, const NamedValue& value);

  const Schema* schema_;
  World* world_;
  RunnerOptions options_;
  Bindings bindings_;
  ReferenceWorld model_;
  std::optional<ReferenceWorld> model_before_;  // With accept_failed_allocation only.
  StateComparer comparer_;
  ExpectChecker expect_checker_;
  absl::StatusOr<MovementSystem> movement_;
  std::vector<IterationScope> scopes_;
  std::optional<std::uint64_t> digest_;  // The world's digest, where it is known.
  StepResult result_;

  std::vector<NamedValue> named_;  // The first value_count_ of them are in use.
  std::size_t value_count_ = 0;
  std::vector<std::vector<std::byte>> packed_;
  std::vector<ComponentValue> values_;
  std::vector<ComponentId> component_ids_;
};

}  // namespace ashlar::model
