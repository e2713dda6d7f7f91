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

// Whether a component of this name is written "#N", because the name is a keyword where a component
// may stand.
bool IsReservedName(std::string_view name);

}  // namespace ashlar::inline v0::oplang
