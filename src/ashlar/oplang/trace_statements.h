// The statements of a trace that are operations: keyword by keyword.
#pragma once

#include <string_view>

#include "ashlar/oplang/operation.h"
#include "ashlar/oplang/statement_reader.h"

namespace ashlar::inline v0::oplang {

// Whether `keyword` begins an operation.
bool IsOperationKeyword(std::string_view keyword);

// Reads the operands of the operation after its keyword, up to the end or "->". False: the error is
// in the reader's cursor. REQUIRES: IsOperationKeyword(keyword).
bool ReadAction(std::string_view keyword, StatementReader* reader, Action* action);

// The operands of "expect" (trace_expect.cc).
bool ReadExpect(StatementReader* reader, ExpectOp* op);

// What text by type says with a scalar: the form in which the type stores it, where it fits (1 for
// an f32 is the float 1.0), and the scalar itself otherwise.
Scalar AsStored(ScalarType type, const Scalar& scalar);

// Whether a component of this name is written "#N", because the name is a keyword where a component
// may stand.
bool IsReservedName(std::string_view name);

}  // namespace ashlar::inline v0::oplang
