// What the targets that run lockstep have in common.
//
// A difference is shrunk and printed as a trace, which is also written to NAME-failure.trace in the
// working folder: `ashlar replay NAME-failure.trace` shows it again. Then the target aborts, so
// that the engine keeps the input.
//
// A crash (a sanitizer's report, a failed check) cannot be shrunk here. ASHLAR_FUZZ_PRINT=1 prints
// each input as a trace before it runs, for use with NAME_replay and one file.
#pragma once

#include <string>

#include "fuzz/freed_memory.h"
#include "fuzz/world_input.h"

namespace ashlar::fuzz {

// From now on worlds take their memory from there, and must have given all of it back when they
// end; null, as at first: from the default resource.
void SetWorldMemory(FreedMemory* memory);

// Runs the input; aborts where world and model differ. `name` is the target's.
void RunLockstepInput(const std::string& name, const WorldInput& input);

}  // namespace ashlar::fuzz
