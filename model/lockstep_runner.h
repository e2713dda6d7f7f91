// The runner: executes one operation on the reference model and on the world.
//
// One exhaustive visit does it for both, so that an operation cannot be handled on one side only,
// and a new one does not compile until it is handled here. Labels are resolved once, by what both
// agree on. The model answers first; so where the operation is going to be refused, the world's
// digest can be taken before.
//
// The model knows nothing of memory and constructors. Where the world answers that one of them
// failed, and one was armed and did fail (or the world's memory may fail by itself), the model
// forgets the operation: its state from before is put back.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ashlar/oplang/operation.h"
#include "ashlar/systems/movement.h"
#include "ashlar/world/apply_commands.h"
#include "ashlar/world/hooks.h"
#include "ashlar/world/world.h"
#include "model/construction_fault.h"
#include "model/lockstep_bindings.h"
#include "model/lockstep_compare.h"
#include "model/lockstep_expect.h"
#include "model/lockstep_injection.h"
#include "model/lockstep_marks.h"
#include "model/lockstep_operands.h"
#include "model/lockstep_schema.h"
#include "model/lockstep_stored.h"
#include "model/reference_commands.h"
#include "model/reference_queries.h"
#include "model/reference_world.h"

namespace ashlar::model {

struct RunnerOptions {
  // A MoveOp may come: make the movement system. It needs a query, and queries cannot be made once
  // a scope is open.
  bool has_moves = true;

  // A FillOp or a FlipOp may come: make each query twice, to read and to write.
  bool has_fills = true;

  // Take the world's digest around each operation that the model refuses.
  bool check_digest_on_refusal = true;

  // The memory that the world was made with, for allocations that the program arms; null where it
  // arms none.
  FailingResource* failing_memory = nullptr;

  // The world's memory may fail by itself too: then a failed allocation is an answer whether it was
  // armed or not. Costs a copy of the model for each operation.
  bool memory_may_fail = false;

  // Hold `expect` statements.
  bool check_expectations = true;
};

// What became of one operation.
struct StepResult {
  oplang::Outcome model;
  oplang::Outcome world;          // The model's, when no world runs.
  absl::Status world_status;      // For its message.
  Fired fired;                    // Armed failures that came to pass.
  bool is_forgotten = false;      // The world ran out of memory or a constructor threw, as it may.
  bool recording_failed = false;  // A hook had no memory to record in; the operation is done.
  bool digest_changed = false;    // The operation was refused, and yet the digest is another one.
  std::string difference;         // Both say OK and yet they answered differently: how.
  std::string unmet;              // An expect statement that does not hold: why.
};

// What is refused for want of memory: no reason, or the world's limit.
bool IsFailedAllocation(const oplang::Outcome& outcome);

// The entities of each archetype that has a number, in the order of its rows.
using RowOrders = std::vector<std::vector<Entity>>;

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

  // Whether the objects of tracked components are as many as they must be; empty, or the
  // difference. REQUIRES: comparer().SameState().
  std::string CountObjects();

  const Bindings& bindings() const { return bindings_; }
  const ReferenceWorld& model() const { return model_; }
  StateComparer& comparer() { return comparer_; }

 private:
  struct Visitor;

  // Answers of both. `call` runs the operation on the world and returns its status. An exception
  // that nobody injected is the user's in no case: the world has let it out.
  template <typename WorldCall>
  void Both(const oplang::Outcome& model_outcome, const WorldCall& call) {
    BeforeWorld(model_outcome);
    try {
      result_.world_status = call(*world_);
    } catch (const InjectedFailure& failure) {
      result_.world_status = absl::AbortedError(failure.what());
    } catch (const std::bad_alloc&) {
      result_.world_status = absl::UnknownError("the world let std::bad_alloc out");
    }
    AfterWorld();
  }
  void BeforeWorld(const oplang::Outcome& model_outcome);
  void AfterWorld();
  bool both_ok() const;

  // Whether the world's answer is a failure that the model cannot know of and that may be.
  bool IsAllowedFailure() const;

  // Commands, and changes of many entities (lockstep_commands.cc).
  void Record(const oplang::RecordOp& op);
  absl::Status RecordInWorld(const oplang::RecordOp& op, bool is_pending, Placeholder* placeholder);
  absl::Status RecordForQuery(const oplang::RecordOp& op, QueryId query);
  void ApplyCommands(const oplang::ApplyOp& op);
  void CompareReports(std::size_t command_count, const ReferenceReport& expected,
                      const ApplyReport& report);
  void Discard();
  void CompareBuffers();
  void ChangeByQuery(const oplang::ByQueryOp& op);
  void ChangeMany(const oplang::ManyOp& op);

  // The order of rows (lockstep_sort.cc), and singletons (lockstep_singletons.cc).
  void Sort(oplang::QueryLabel label, std::optional<oplang::ComponentRef> component);
  RowOrders SortedOrders(RowOrders orders, std::span<const oplang::QueryTerm> terms,
                         std::optional<oplang::ComponentRef> component) const;
  void CompareOrders(const RowOrders& expected);
  void PutSingle(const oplang::ComponentArg& arg);
  void RemoveSingle(oplang::ComponentRef component);
  void GetSingle(oplang::ComponentRef component);

  // Hooks (lockstep_hooks.cc).
  struct Heard {
    HeardEvent event;
    absl::Status recorded;  // What recording the reaction has answered.
  };
  void SetHook(oplang::ComponentRef component, oplang::HookMoment moment,
               std::optional<oplang::HookReaction> reaction);
  void Hear(const HookCall& call);
  std::string EventText(const HeardEvent& event) const;
  void CompareHeard();

  // The world's side of what has no call of its own there.
  absl::Status MakeQueries(std::span<const oplang::QueryTerm> terms, BoundQuery* query);
  absl::Status FillRows(const BoundQuery* query, const NamedValue& value);
  absl::Status FillObjects(const BoundQuery& query, const NamedValue& value);
  absl::StatusOr<const std::byte*> Get(const World& world, Entity entity,
                                       oplang::ComponentRef component);
  absl::Status FlipRows(const BoundQuery* query, oplang::ComponentRef component);
  absl::Status VisitSince(const BoundQuery* query, oplang::ComponentRef component,
                          ChangeMark::Kind kind);

  World* world_;
  const Schema* schema_;
  RunnerOptions options_;
  Bindings bindings_;
  ReferenceWorld model_;
  ReferenceCommands commands_;                                      // The model's.
  std::array<CommandBuffer, oplang::kCommandBufferCount> buffers_;  // The world's.
  ChangeMark mark_;
  std::optional<ReferenceWorld> model_before_;  // Where the operation may have to be forgotten.
  ReferenceCommands commands_before_;           // There too.
  StateComparer comparer_;
  ExpectChecker expect_checker_;
  absl::StatusOr<MovementSystem> movement_;
  std::vector<IterationScope> scopes_;
  Operands operands_;
  StoredReader reader_;
  Injection injection_;
  std::vector<Heard> heard_;             // By the world's hooks, in this operation.
  std::string misheard_;                 // What a hook has seen that it should not.
  bool is_filling_ = false;              // With objects: its calls are not the program's.
  bool check_digest_ = false;            // Around this operation.
  std::optional<std::uint64_t> digest_;  // The world's digest, where it is known.
  StepResult result_;
};

}  // namespace ashlar::model
