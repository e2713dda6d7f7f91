// The operation language: everything that can be done to a world, as plain data.
//
// A Program is a schema, options and a list of operations. It can be generated, decoded from any
// bytes (binary_codec.h), read from and written to text (trace_text.h), run in
// lockstep and shrunk. An operation names entities by labels that create operations bind, so that
// taking operations out never renumbers the rest: a label never bound, or bound by a create that
// failed, is the null entity. Queries are named the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "ashlar/core/status.h"
#include "ashlar/oplang/action.h"
#include "ashlar/schema/field_type.h"
#include "ashlar/schema/scalar.h"

namespace ashlar::inline v0::oplang {

// What an operation came to. OK has no reason, and neither have a failed allocation
// (RESOURCE_EXHAUSTED) and a constructor of the user that threw (ABORTED).
struct Outcome {
  absl::StatusCode code = absl::StatusCode::kOk;
  Reason reason = Reason::kNone;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// The user's constructor threw.
inline constexpr Outcome kConstructionThrew{absl::StatusCode::kAborted, Reason::kNone};

// "OK", "NOT_FOUND entity_not_alive", "RESOURCE_EXHAUSTED", "ABORTED".
std::string OutcomeText(const Outcome& outcome);

// What the writer of a trace says that an operation comes to.
struct Expectation {
  enum class Kind : std::uint8_t {
    kOk,     // nothing written: must succeed
    kError,  // -> NOT_FOUND [entity_not_alive]: this code (not OK), and this reason if given
    kAny,    // -> any: whatever it is, kernel and model agree
  };
  Kind kind = Kind::kOk;
  Outcome outcome;  // kError; reason kNone means "any reason".
  friend bool operator==(const Expectation&, const Expectation&) = default;
};

// Whether `outcome` is what `expectation` says.
bool Meets(const Expectation& expectation, const Outcome& outcome);

struct Operation {
  Action action;
  Expectation expectation{Expectation::Kind::kAny, {}};
  std::uint32_t line = 0;  // Where it stood in a text, 1-based; 0 for operations from elsewhere.

  // Lines are not part of what an operation is.
  friend bool operator==(const Operation& a, const Operation& b) {
    return a.action == b.action && a.expectation == b.expectation;
  }
};

// How a value of a component lives in the world's memory. All that operations say and see of it
// are its scalars; the kinds but kPlain have constructors, copies, moves and destructors of their
// own, which count and may throw (fail_construction).
enum class Ownership : std::uint8_t {
  kPlain,    // It is its bytes.
  kOwned,    // It owns a block of memory, which a copy copies.
  kSelf,     // It holds a pointer into itself.
  kUnique,   // It owns a block and cannot be copied, only moved.
  kAligned,  // It must lie on a multiple of 64 bytes.
};

// "owned", "self", "unique", "aligned": what stands behind `as`; "plain" for the kind that nothing
// is written for.
std::string_view OwnershipName(Ownership ownership);

// The kind of that name; nothing for other text, and for "plain".
std::optional<Ownership> ParseOwnership(std::string_view name);

// A component that the program's world registers, in this order, before the first operation.
struct ComponentDeclaration {
  std::string name;
  TypeSpec type;
  Ownership ownership = Ownership::kPlain;
  bool is_enableable = false;
  bool is_split = false;  // Each scalar has a column of its own. Only where CanBeSplit.
  friend bool operator==(const ComponentDeclaration&, const ComponentDeclaration&) = default;
};

// Whether the component is its bytes, and has some.
bool CanBeSplit(const ComponentDeclaration& component);

// Which components are split, of those that can be: what the header of the binary form says.
enum class SplitPattern : std::uint8_t { kNone, kAll, kEven, kOdd };
void ApplySplit(SplitPattern pattern, std::span<ComponentDeclaration> components);

// The pattern that says most components as they are; the first of several.
SplitPattern NearestSplit(std::span<const ComponentDeclaration> components);

// What varies between runs of the same operations.
struct Options {
  std::uint32_t chunk_size_bytes = 4096;
  std::uint32_t rows_per_chunk_max = 0;  // 0: no cap.
  std::uint64_t entity_index_limit = 0;  // Number of indices that may be issued; 0: all of them.
  friend bool operator==(const Options&, const Options&) = default;
};

struct Program {
  std::vector<std::string> notes;  // Comment lines at the head of a trace, without "# ".
  Options options;
  std::vector<ComponentDeclaration> components;
  std::vector<Operation> operations;

  // Notes are not part of what a program is.
  friend bool operator==(const Program& a, const Program& b) {
    return a.options == b.options && a.components == b.components && a.operations == b.operations;
  }
};

}  // namespace ashlar::inline v0::oplang
