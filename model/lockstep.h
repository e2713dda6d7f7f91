// Lockstep: one program on a world and on the reference model, compared after every operation.
//
// After each operation: the outcomes (code and reason); the whole logical state both ways, look-up
// by id against iteration and iteration against look-up; every query's matches; then the integrity
// check. The first difference ends the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

#include "ashlar/core/status.h"
#include "ashlar/oplang/operation.h"

namespace ashlar::model {

struct LockstepOptions {
  // The world's memory; null: the default resource.
  std::pmr::memory_resource* memory = nullptr;

  // Whether a memory that is given may fail by itself at any time: then a failed allocation is an
  // answer, and the model forgets the operation. Else it is a difference, unless one was armed.
  bool memory_may_fail = true;

  // The world's WorldOptions::memory_limit_bytes. A call that is refused for it is an answer too.
  std::size_t memory_limit_bytes = 0;

  // Compare states and check integrity after every so many operations, and always after the last; 1
  // for every operation, 0 for the last only. Outcomes are always compared; and states, digest and
  // integrity always after an operation in which an armed failure came to pass.
  std::uint32_t compare_interval = 1;

  // Do so from the operation with this index on; for programs that begin by filling a world.
  std::size_t compare_from = 0;

  // Also recompute the digest around every operation that was refused: it must not change.
  bool check_digest_on_refusal = true;

  // Whether `expect` statements and `->` are held. Off: operations only have to agree.
  bool check_expectations = true;
};

// What a run did, for tables. Runs add up.
struct LockstepCounts {
  // operations[code][outcome]: 0 OK, else the reason (as its number), or one of the two outcomes
  // that have none.
  static constexpr int kAllocationFailed = kReasonCount;
  static constexpr int kConstructionThrew = kReasonCount + 1;
  static constexpr int kOutcomeCount = kReasonCount + 2;
  std::uint64_t operations[oplang::kOpCodeCount][kOutcomeCount] = {};

  // Armed failures that came to pass.
  std::uint64_t failed_allocations = 0;
  std::uint64_t thrown_constructions = 0;

  std::uint64_t integrity_checks = 0;
  std::uint64_t state_comparisons = 0;
  std::uint64_t rows_compared = 0;
  std::uint64_t programs = 0;

  // Sum modulo 2^64 of the digests (ashlar/audit/digest.h) of the worlds at the ends of the
  // programs: runs that did the same have the same number.
  std::uint64_t state_digest = 0;

  std::uint64_t total_operations() const;
  void Add(const LockstepCounts& other);
};

// A difference between world, model and what the program says.
struct Failure {
  std::size_t operation = 0;  // Index in the program.
  enum class Kind : std::uint8_t {
    kOutcome,      // World and model answer differently.
    kState,        // Their states differ.
    kIntegrity,    // An invariant broke; `invariant` says which. 0: a value was misused.
    kDigest,       // A refused operation changed the digest.
    kExpectation,  // The program says something else than both.
    kSetUp,        // The components or options of the program are refused.
  };
  Kind kind = Kind::kOutcome;
  int invariant = 0;
  std::string message;  // One or more lines, for people.
};

// Called after each operation, for verbose replay: what it came to, and the rows that it changed,
// as text lines ("e1 0v1: + health=80", "e9 0v3: moved to chunk 0 row 0"). Building the lines
// costs; without an observer nothing is built.
struct Step {
  std::size_t operation = 0;
  oplang::Outcome outcome;
  std::vector<std::string> changes;
};
using Observer = std::function<void(const Step&)>;

// Runs the program. Nothing: no difference. `counts` (may be null) is added to. Deterministic.
std::optional<Failure> RunLockstep(const oplang::Program& program, const LockstepOptions& options,
                                   LockstepCounts* counts, const Observer& observer = {});

// Fills in every operation's expectation with what the model answers, so that the printed trace
// says for each refused operation how it is refused. The world is not used; so an operation for
// which a failure is armed, and everything behind it if it may have changed something, is left open
// (`-> any`).
void AnnotateOutcomes(oplang::Program* program);

}  // namespace ashlar::model
