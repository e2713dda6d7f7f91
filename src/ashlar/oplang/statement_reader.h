// StatementReader: reads the operands of one statement of a trace, left to right.
//
// Each Read function skips spaces, reads one operand (or a list) up to a word's end, and returns
// whether it could; the error is then in the cursor.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ashlar/oplang/operation.h"
#include "ashlar/oplang/trace_lexer.h"
#include "ashlar/oplang/trace_schema.h"

namespace ashlar::inline v0::oplang {

class StatementReader {
 public:
  // Both must outlive the reader.
  StatementReader(std::string_view line, const TraceSchema& schema)
      : cursor_(line), schema_(schema) {}

  LineCursor& cursor() { return cursor_; }

  // Skips spaces and says whether an operand comes next: not the end, a comment or "->".
  bool AtOperand();

  // Skips spaces and takes the word if it is this one.
  bool TakeKeyword(std::string_view word);

  bool ReadLabel(Label* label);
  bool ReadEntity(EntityRef* entity);
  bool ReadEntities(std::vector<EntityRef>* entities);  // All that are left.
  bool ReadQuery(QueryLabel* query);
  bool ReadComponent(ComponentRef* component);
  bool ReadComponents(std::vector<ComponentRef>* components);  // All that are left.
  bool ReadArgument(ComponentArg* argument);
  bool ReadArguments(std::vector<ComponentArg>* arguments);  // All that are left.

  // "health", "#3": without asking for a word's end.
  bool ReadComponentName(ComponentRef* component);

  // "body.axis[2]=5.0": which scalar, and its value.
  bool ReadScalarAssignment(ComponentRef* component, std::uint32_t* scalar, Scalar* value);

  // A decimal number of at most `max`; `what` names it in errors: "a generation".
  bool ReadNumber(std::string_view what, std::uint64_t max, std::uint64_t* number);

  // "dt=0.5": the bits of a float.
  bool ReadFloatAssignment(std::string_view name, std::uint32_t* bits);

  // Nothing but a comment may be left.
  bool ReadLineEnd();

  // "-> CODE [reason]", "-> any", or nothing; then the end of the line. Here a value that did not
  // fit becomes an error, if success is expected.
  bool ReadEnd(Expectation* expectation);

 private:
  bool ReadValue(ComponentRef component, std::vector<Scalar>* value);
  bool ReadExactScalars(std::vector<Scalar>* value);
  bool ReadExactScalar(Scalar* scalar);
  bool ReadScalarPath(ComponentRef component, std::uint32_t* scalar);
  bool ReadScalarValue(ComponentRef component, std::uint32_t scalar, Scalar* value);
  bool ReadOutcome(Expectation* expectation);
  bool RequireBoundary(std::string_view expected);
  void NoteFit(std::size_t offset, const ComponentDescriptor& descriptor,
               const std::vector<Scalar>& value);

  LineCursor cursor_;
  const TraceSchema& schema_;
  std::optional<TextError> misfit_;  // The first value by type that does not fit.
};

}  // namespace ashlar::inline v0::oplang
