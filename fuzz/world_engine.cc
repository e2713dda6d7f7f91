// What world_fuzz and commands_fuzz are set to: the engine's flags, and where worlds take their
// memory. Only in the fuzzer.

#include <vector>

#include "fuzz/freed_memory.h"
#include "fuzz/lockstep_target.h"

namespace {

// An input is worth keeping for the edges that it reaches, not for how often: of 32 operations that
// says little, and keeps four times the inputs. Without the counts, 40 s from the seeds on one core
// made 1.7 times the runs and reached more edges (7,585 and 7,592, against 7,469 and 7,453).
char edges_only[] = "-use_counters=0";

}  // namespace

// Our flags stand before those of the command line, so that those win.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::vector<char*> with_ours;
  with_ours.assign(*argv, *argv + *argc);
  with_ours.insert(with_ours.begin() + 1, edges_only);
  with_ours.push_back(nullptr);
  *argv = with_ours.data();
  ++*argc;

  static ashlar::fuzz::FreedMemory memory;
  ashlar::fuzz::SetWorldMemory(&memory);
  return 0;
}
